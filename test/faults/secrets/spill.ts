/** A server that tells everything that it was told: what it answers to which request, by a number in the request. */
import type { Message } from "../../support/framing.js"
import { type Writing, writings } from "./writings.js"

export const statuses = [200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503] as const

/** Where an answer puts what the request held. */
const places = [
  "message",
  "error",
  "nested",
  "field",
  "page",
  "request-id",
  "headers",
  "status-text",
  "percent",
  "escaped",
  "edge",
  "keys"
] as const

export type Form = (typeof places)[number] | Writing

/** Where an answer puts what the request held, and in which writing. */
export const forms: ReadonlyArray<Form> = [...places, ...writings.keys()]

/** Requests that end without an answer. */
export const losses = ["reset", "half", "silence"] as const

/** How a request is answered, by its number. */
export type Treatment =
  | { readonly _tag: "Spill"; readonly status: (typeof statuses)[number]; readonly form: Form }
  | { readonly _tag: "Lost"; readonly loss: (typeof losses)[number] }

/** Every status with every form, and every loss. */
export const treatments: ReadonlyArray<Treatment> = [
  ...statuses.flatMap((status) => forms.map((form): Treatment => ({ _tag: "Spill", status, form }))),
  ...losses.map((loss): Treatment => ({ _tag: "Lost", loss }))
]

/** Most bytes that a status text or a header is given. */
const short = 2_000

/** All that a request held: its header values and its body. */
const heldBy = ({ bytes, head }: Message): string => {
  const values = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(line.indexOf(":") + 1).trim())
  const body = bytes.subarray(head.length + 4).toString("utf8")
  return [...values, body].join(" ; ")
}

/** Headers that hold nothing of the client's own. */
const dull = /^(host|connection|accept|content|user-agent|sec|transfer-encoding|cache-control|pragma)(-|$)/

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What a request held that may be secret, each text for itself: the short ones first, so that all stand in a message. */
const tellingOf = ({ bytes, head }: Message): ReadonlyArray<string> => {
  const headers = head.split("\r\n").slice(1)
  const values = headers
    .filter((line) => !dull.test(line.toLowerCase().split(":", 1)[0] ?? ""))
    .map((line) => line.slice(line.indexOf(":") + 1).trim())
  const body = bytes.subarray(head.length + 4).toString("utf8")
  const texts = body.startsWith("{") ? textsIn(JSON.parse(body)) : []
  return [...values, ...texts].sort((a, b) => a.length - b.length)
}

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")

const ascii = (text: string): string => text.replaceAll(/[^\u0020-\u007e]/g, "?").slice(0, short)

const bodyOf = (form: Form, held: string, telling: ReadonlyArray<string>): string => {
  const write = writings.get(form as Writing)
  if (write !== undefined) return JSON.stringify({ message: telling.map(write).join(" ; ") })
  switch (form) {
    case "error":
      return JSON.stringify({ error: held })
    case "nested":
      return JSON.stringify({ error: { code: held, message: `you sent ${held}`, field: held } })
    case "field":
      return JSON.stringify({ message: "no", field: held })
    case "page":
      return `<html><body>${held}</body></html>`
    case "percent":
      return JSON.stringify({ message: encodeURIComponent(held) })
    case "escaped":
      return `{"message":"${escaped(held)}"}`
    case "edge":
      // The message is cut at 500 characters: the cut must not save a part of a secret from being masked.
      return JSON.stringify({ message: `${"x".repeat(480)}${held}` })
    case "keys":
      return `{"_id":"x",${JSON.stringify(held)}:${"[".repeat(1_200)}${"]".repeat(1_200)}}`
    default:
      return JSON.stringify({ message: held })
  }
}

/** The bytes of an answer that spills what a request held. */
export const spill = (request: Message, status: number, form: Form): Buffer => {
  const held = heldBy(request)
  const line = ascii(held)
  const body = bodyOf(form, held, tellingOf(request))
  const headers =
    form === "request-id"
      ? [`x-request-id: ${line}`]
      : form === "headers"
        ? [
            `www-authenticate: Bearer ${line}`,
            `location: /?${encodeURIComponent(line)}`,
            `retry-after: ${line}`
          ]
        : []
  const head = [
    `HTTP/1.1 ${status} ${form === "status-text" ? line : "x"}`,
    `content-type: ${form === "page" ? "text/html" : "application/json"}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    "",
    ""
  ]
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), Buffer.from(body)])
}
