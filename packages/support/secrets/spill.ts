/** A server that tells everything that it was told: each way in which it may fail a call. */
import type { Outcome } from "@quartet/sdk/extend"
import { answer, type Reply, raw } from "../raw-server.js"

/** An answer that spills a text, or how there is none. */
export type Spilled =
  | {
      readonly status: number
      readonly body: string | Uint8Array
      /** Lines of the head besides those that every answer has. */
      readonly lines?: ReadonlyArray<string>
      readonly statusText?: string
    }
  | "reset"
  | "half"
  | "silence"

/** A text as a line of a head can carry it, whole or not at all: a secret that a server alters or cuts is not promised. */
const line = (text: string): string =>
  text.length > 2_000 ? "too long" : text.replaceAll(/[^ -~]+/gu, (part) => encodeURIComponent(part))

type Place = (text: string, status: number) => Spilled
const json =
  (value: (text: string) => unknown): Place =>
  (text, status) => ({ status, body: JSON.stringify(value(text)) })
const head =
  (...lines: ReadonlyArray<(text: string) => string>): Place =>
  (text, status) => ({ status, body: '{"message":"no"}', lines: lines.map((write) => write(line(text))) })

/** Where an answer puts what it spills. */
const places: Readonly<Record<string, Place>> = {
  "the message": json((message) => ({ message })),
  "the error": json((error) => ({ error })),
  "a nested error": json((text) => ({ error: { code: text, message: text, field: text } })),
  "a field": json((text) => ({ message: text, field: text })),
  "a field alone": json((field) => ({ message: "no", field })),
  "a web page": (text, status) => ({
    status,
    body: `<html>${text}</html>`,
    lines: ["content-type: text/html"]
  }),
  "the request id": head((text) => `x-request-id: ${text}`),
  headers: head(
    (text) => `www-authenticate: Bearer ${text}`,
    (text) => `location: /?${encodeURIComponent(text)}`,
    (text) => `retry-after: ${text}`
  ),
  "the status text": (text, status) => ({ status, body: "", statusText: line(text) })
}

const ok =
  (body: (text: string) => string | Uint8Array): ((text: string) => Spilled) =>
  (text) => ({ status: 200, body: body(text) })

const nested = `${"[".repeat(1_100)}${"]".repeat(1_100)}`

/** All ways to fail a call, by name. */
export const failures: ReadonlyArray<readonly [name: string, spill: (text: string) => Spilled]> = [
  ...[400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 503].flatMap((status) =>
    Object.entries(places).map(
      ([name, place]) => [`status ${status}, ${name}`, (text: string) => place(text, status)] as const
    )
  ),
  [
    "a redirect",
    (text) => ({ status: 302, body: text, lines: [`location: /?${encodeURIComponent(line(text))}`] })
  ],
  ["a web page", ok((text) => `<html>${text}</html>`)],
  ["no JSON", ok((text) => `{"a":"${text}`)],
  ["nothing", ok(() => "")],
  ["another shape", ok((text) => JSON.stringify(text))],
  ["an id of another kind", ok((text) => JSON.stringify({ _id: { [text]: text } }))],
  ["bad UTF-8", ok((text) => new Uint8Array([...Buffer.from(text), 0xff]))],
  ["a number too large", ok((text) => `{"_id":${JSON.stringify(text)},"n":9007199254740993}`)],
  ["too deep below a name", ok((text) => `{"_id":"1",${JSON.stringify(text)}:${nested}}`)],
  ["a reset", () => "reset"],
  ["half of an answer", () => "half"],
  ["silence", () => "silence"]
]

/** The bytes by which a raw server spills; undefined for silence. */
export const replyOf = (spilled: Spilled): Reply | undefined => {
  if (spilled === "silence") return undefined
  if (spilled === "reset") return raw("reset")
  if (spilled === "half") return raw("end", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")
  const { body, lines = [], status, statusText = "x" } = spilled
  const type = lines.some((header) => header.startsWith("content-type"))
    ? []
    : ["content-type: application/json"]
  return answer(`${status} ${statusText}`, [...type, ...lines], Buffer.from(body))
}

/** What a transport in this process makes of it, whose headers all repeat the text; undefined for silence. */
export const outcomeOf = (spilled: Spilled, text: string): Outcome | undefined => {
  if (spilled === "silence") return undefined
  if (typeof spilled === "string")
    return { _tag: "Failed", reason: "Reset", sent: true, cause: new Error(`${spilled} ${text}`) }
  const body = typeof spilled.body === "string" ? new TextEncoder().encode(spilled.body) : spilled.body
  const header = (name: string) => (name === "content-encoding" ? undefined : text)
  return { _tag: "Answered", status: spilled.status, header, body }
}

const textsIn = (value: unknown): ReadonlyArray<string> => {
  // A document within the body is no text of its own: how it escapes a secret is not how the server wrote it.
  if (typeof value === "string") return value.startsWith("{") ? textsIn(JSON.parse(value)) : [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Headers that hold nothing of the client's own. */
const dull = /^(host|connection|accept|content|user-agent|sec|transfer-encoding|cache-control|pragma)(-|$)/

/** What a request held that may be secret, as it was sent and as it was meant; the short texts first, so that all stand in a message. */
export const heldBy = (headers: Readonly<Record<string, string>>, body: string): ReadonlyArray<string> =>
  [
    ...Object.entries(headers).flatMap(([name, value]) => (dull.test(name) ? [] : [value])),
    ...textsIn(body)
  ].sort((a, b) => a.length - b.length)
