/** What a service received, in the terms of what was expected. */

import type { Received } from "@quartet/support/raw-server.js"
import type { Part, Sent } from "./expectation.js"
import { type Platform, secrets } from "./platform.js"

/** Headers that may carry credentials: the standard names, and anything else that holds a secret. */
const credentialsOf = ({ headers }: Received): Readonly<Record<string, string>> => {
  const names = ["authorization", "cookie", "x-session-id", "x-api-key", "x-private-key"]
  const holdsSecret = (value: string) => Object.values(secrets).some((secret) => value.includes(secret))
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => names.includes(name) || holdsSecret(value))
  )
}

const parameter = (header: string, name: string): string | undefined =>
  new RegExp(`[; ]${name}="?([^";\r]*)"?`, "i").exec(header)?.[1]

const partOf = (text: string): Part => {
  const end = text.indexOf("\r\n\r\n")
  const head = Buffer.from(text.slice(0, end), "latin1").toString("utf8")
  const disposition = /^content-disposition: form-data;.*$/im.exec(head)?.[0] ?? ""
  const fileName = parameter(disposition, "filename")
  const type = /^content-type: (.*)$/im.exec(head)?.[1]?.trim()
  return {
    name: parameter(disposition, "name") ?? "",
    ...(fileName === undefined ? {} : { fileName }),
    ...(type === undefined ? {} : { type }),
    content: text.slice(end + 4, -2)
  }
}

/** The parts of a form, as RFC 7578 writes them. */
const partsOf = (body: Buffer, boundary: string): ReadonlyArray<Part> => {
  const pieces = body.toString("latin1").split(`--${boundary}`)
  const isWhole = pieces[0] === "" && /^--(\r\n)?$/.test(pieces.at(-1) ?? "")
  if (!isWhole) throw new Error("the form is not delimited by its boundary")
  return pieces.slice(1, -1).map((piece) => partOf(piece.slice(2)))
}

/** Describes a received request. */
const observed = (service: Sent["service"], received: Received): Sent => {
  const type = received.headers["content-type"]
  const boundary = type === undefined ? undefined : parameter(type, "boundary")
  return {
    service,
    method: received.method,
    target: received.target,
    credentials: credentialsOf(received),
    type: boundary === undefined ? type : type?.split(";")[0],
    body: boundary === undefined ? received.body.toString("utf8") : partsOf(received.body, boundary)
  }
}

/** Everything that both services received since they were asked last. */
export const taken = ({ api, legacy }: Platform): ReadonlyArray<Sent> => [
  ...api.take().map((request) => observed("api", request)),
  ...legacy.take().map((request) => observed("legacy", request))
]
