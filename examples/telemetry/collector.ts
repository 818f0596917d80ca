/** A collector that keeps what it is sent over OTLP/HTTP, in JSON. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

interface Value {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly doubleValue?: number
}

export interface Attribute {
  readonly key: string
  readonly value: Value
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<Attribute>
}

export interface Point {
  readonly attributes: ReadonlyArray<Attribute>
  readonly asDouble?: number
  readonly asInt?: string | number
  readonly count?: string | number
}

export interface Metric {
  readonly name: string
  readonly unit?: string
  readonly sum?: { readonly dataPoints: ReadonlyArray<Point> }
  readonly gauge?: { readonly dataPoints: ReadonlyArray<Point> }
  readonly histogram?: { readonly dataPoints: ReadonlyArray<Point> }
}

export interface LogRecord {
  readonly severityText: string
  readonly body: Value
  readonly attributes: ReadonlyArray<Attribute>
}

/** What OTLP wraps in resources and scopes. */
interface Received {
  readonly resourceSpans?: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
  readonly resourceMetrics?: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<Metric> }>
  }>
  readonly resourceLogs?: ReadonlyArray<{
    readonly scopeLogs: ReadonlyArray<{ readonly logRecords: ReadonlyArray<LogRecord> }>
  }>
}

export const collect = async () => {
  const exported = {
    spans: [] as Array<Span>,
    metrics: [] as Array<Metric>,
    logs: [] as Array<LogRecord>,
    text: ""
  }
  const server = createServer(async (request, response) => {
    const received = (await json(request)) as Received
    exported.text += JSON.stringify(received)
    for (const { scopeSpans } of received.resourceSpans ?? [])
      for (const { spans } of scopeSpans) exported.spans.push(...spans)
    for (const { scopeMetrics } of received.resourceMetrics ?? [])
      for (const { metrics } of scopeMetrics) exported.metrics.push(...metrics)
    for (const { scopeLogs } of received.resourceLogs ?? [])
      for (const { logRecords } of scopeLogs) exported.logs.push(...logRecords)
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    exported,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close()
  }
}

/** Attributes as an object. */
export const attributesOf = (
  attributes: ReadonlyArray<Attribute>
): Record<string, string | number | undefined> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue))
    ])
  )
