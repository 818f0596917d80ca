/** Runs both programs, and looks at what reached a collector. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { request as ask, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { accounts } from "@quartet/sandbox"
import { attributesOf, collect, type Point, type Span } from "./collector.js"

const { QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const { admin, projectId } = accounts
const account = {
  QUARTET_PROJECT_ID: projectId,
  QUARTET_EMAIL: admin.email,
  QUARTET_PASSWORD: admin.password
}

/** The platform behind a proxy that notes which requests carry a span. */
const requests: Array<{ readonly path: string; readonly traceparent: unknown }> = []
const proxy = createServer((request, response) => {
  requests.push({ path: request.url ?? "", traceparent: request.headers.traceparent })
  const on = ask(
    `${baseUrl}${request.url}`,
    { method: request.method, headers: request.headers },
    (answer) => {
      if (answer.statusCode !== 404) {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        return answer.pipe(response)
      }
      // As frameworks do: the page for an unknown address repeats it.
      answer.resume()
      const message = `Cannot ${request.method} ${request.url}`
      return response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ message }))
    }
  )
  on.once("error", () => response.destroy())
  request.pipe(on)
})
proxy.listen(0, "127.0.0.1")
await once(proxy, "listening")
const platform = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

/** Starts a program, and answers how it ended. */
const start = async (file: string, variables: Readonly<Record<string, string>>) => {
  const env = { ...process.env, ...account, QUARTET_BASE_URL: platform, ...variables }
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000
  })
  const [stderr, , [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, "exit")])
  return { code, stderr }
}

const run = async (file: string) => {
  requests.length = 0
  const { close, exported, url } = await collect()
  try {
    assert.deepEqual(await start(file, { OTEL_EXPORTER_OTLP_ENDPOINT: url }), { code: 0, stderr: "" })
  } finally {
    close()
  }
  assert.ok(!exported.text.includes(admin.password), "no password leaves the program")
  assert.ok(!exported.text.includes("missing"), "nor does an id")
  return exported
}

/** The client's spans are below the program's, and each was sent with its request. */
const checkSpans = (spans: ReadonlyArray<Span>): void => {
  const program = spans.find(({ name }) => name === "look into the inbox")
  assert.ok(program)
  const calls = spans.filter(({ attributes }) => attributesOf(attributes)["quartet.operation"] !== undefined)
  assert.equal(calls.length, 4, "two sign-ins and two calls, a span each")
  const [first] = calls.filter(({ name }) => name === "GET /request-action")
  const signIns = calls.filter(({ name }) => /auth/.test(name))
  for (const { parentSpanId } of signIns)
    assert.equal(parentSpanId, first?.spanId, "a sign-in is below the call that takes it")
  const own = calls.filter(({ parentSpanId }) => parentSpanId === program.spanId)
  const facts = own.map(({ attributes, kind, name }) => {
    const of = attributesOf(attributes)
    return [name, kind, of["http.response.status_code"], of["error.type"]]
  })
  assert.deepEqual(facts, [
    ["GET /request-action", 3, 200, undefined],
    ["GET /request-action/{id}", 3, 404, "NotFound"]
  ])
  for (const { attributes } of own) assert.equal(attributesOf(attributes)["server.address"], "127.0.0.1")
  for (const { spanId, traceId } of own)
    assert.ok(requests.some(({ traceparent }) => traceparent === `00-${traceId}-${spanId}-01`))
}

const effect = await run("src/effect.ts")
checkSpans(effect.spans)
const pointsOf = (wanted: string): ReadonlyArray<Point> =>
  effect.metrics
    .filter(({ name }) => name === wanted)
    .flatMap(({ gauge, histogram, sum }) => (sum ?? gauge ?? histogram)?.dataPoints ?? [])
const operationsOf = (wanted: string) =>
  pointsOf(wanted).map(({ attributes }) => attributesOf(attributes)["quartet.operation"])
assert.ok(operationsOf("quartet.client.calls").includes("requests.list"))
assert.ok(operationsOf("quartet.client.call.duration").includes("requests.get"))
assert.equal(effect.metrics.find(({ name }) => name === "quartet.client.call.duration")?.unit, "s")
const [left] = pointsOf("quartet.client.retry_budget")
assert.equal(left?.asDouble ?? Number(left?.asInt), 500)
const lines = effect.logs.map(({ body, severityText }) => [severityText, body.stringValue])
assert.ok(lines.some(([level, line]) => /info/i.test(level ?? "") && line === "GET /request-action ok"))
assert.ok(
  lines.some(([level, line]) => /warn/i.test(level ?? "") && line === "GET /request-action/{id} NotFound")
)

checkSpans((await run("src/promise.ts")).spans)

// What ends a program early is told in a line; a collector that is away ends none.
const away = "http://127.0.0.1:9"
const failures = [
  [{ QUARTET_BASE_URL: away }, /^.*refused the connection \(ECONNREFUSED\)\. Is it running\?.*\n$/],
  [{ QUARTET_PASSWORD: "" }, /^.*password.*\n$/]
] as const
for (const file of ["src/effect.ts", "src/promise.ts"]) {
  for (const [variables, line] of failures) {
    const { close, url } = await collect()
    const { code, stderr } = await start(file, { ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: url }).finally(
      close
    )
    assert.equal(code, 1, stderr)
    assert.match(stderr, line)
  }
  const { code, stderr } = await start(file, { OTEL_EXPORTER_OTLP_ENDPOINT: away })
  assert.equal(code, 0, stderr)
}
proxy.close()
