/** The parts of a request and its answer that may be shown: all except credentials, passwords, keys and tokens. */

import { mask } from "../../core/kernel/redaction/mask.js"
import { held, isSecret, isSecretData, sentSecrets } from "../../core/kernel/redaction/sent-secrets.js"
import { isBlob } from "../../core/ports/bytes.js"
import type { AnyRequest, Part, StreamedPart } from "../../core/ports/transport.js"

/** What stands in place of a secret. */
export const shown = "••••••"

/** The longest text of an answer that is reported. */
const longest = 4_000
/** The largest answer that is read: a larger one is only counted. */
const largest = 256 * 1024

/** Headers that hold no secret. All others are masked: the names of credential headers are configurable. */
const plainHeaders = new Set([
  "accept",
  "content-type",
  "content-length",
  "user-agent",
  "idempotency-key",
  "traceparent"
])

/** Headers with the values of credentials masked; `Bearer` is kept. */
export const headers = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (plainHeaders.has(name)) return [name, value]
      const bearer = /^(bearer) +(\S+)$/i.exec(value)
      return [name, bearer === null ? shown : `${bearer[1]} ${shown}`]
    })
  )

type Hide = (text: string) => string

/** How the secrets of a text are found: by names, and in other values. */
interface Search {
  readonly isSecret: (name: string) => boolean
  readonly hide: Hide
}

const walk = (value: unknown, isFound: boolean, search: Search): unknown => {
  if (typeof value === "string") return isFound ? shown : document(value, search)
  if (typeof value === "number") return isFound ? shown : numbered(value, search)
  if (Array.isArray(value)) return value.map((item) => walk(item, isFound, search))
  if (typeof value !== "object" || value === null || value instanceof Date || isBlob(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      search.hide(name),
      walk(inner, isFound || search.isSecret(name), search)
    ])
  )
}

/** A text that may hold a nested document with named fields. */
const document = (text: string, search: Search): string => {
  const value = held(text)
  return value === undefined ? search.hide(text) : search.hide(JSON.stringify(walk(value, false, search)))
}

const numbered = (value: number, { hide }: Search): unknown => {
  const text = String(value)
  return hide(text) === text ? value : shown
}

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** In a request, secrets are found only by name. */
const asked: Search = { isSecret, hide: (unchanged) => unchanged }

/** The value of a parameter; in a nested document only the secrets are masked. */
const parameter = (text: string): string => {
  const value = held(decoded(text.replaceAll("+", " ")))
  const masked = value === undefined ? undefined : walk(value, false, asked)
  return masked === undefined || JSON.stringify(masked) === JSON.stringify(value)
    ? text
    : encodeURIComponent(JSON.stringify(masked)).replaceAll(encodeURIComponent(shown), shown)
}

/** A path with query, with the values of parameters and fields that are named like secrets masked. */
export const path = (given: string): string =>
  given.replace(
    /([?&])([^=&]+)=([^&]*)/g,
    (_, before: string, name: string, text: string) =>
      `${before}${name}=${isSecret(decoded(name)) ? shown : parameter(text)}`
  )

/** JSON, indented, with the values of fields that are named like secrets masked. Other text is not shown. */
const json = (text: string, search: Search, isFound = false): string => {
  if (text === "") return ""
  const found = parsed(text)
  return found === undefined
    ? `(${text.length} characters, not JSON)`
    : JSON.stringify(walk(found.value, isFound, search), null, 2)
}

const sizeOf = (part: Exclude<Part | StreamedPart, { readonly text: string }>): string =>
  "file" in part ? `${part.file.size} bytes` : "a stream"

/** The body of a request as text; empty if there is none. */
export const body = (given: AnyRequest["body"]): string => {
  if (given === undefined) return ""
  if (given._tag === "Json") return json(given.text, asked)
  return given.parts
    .map((part) =>
      "text" in part
        ? `${part.name}: ${json(part.text, asked, isSecret(part.name))}`
        : `${part.name}: ${part.fileName} (${sizeOf(part)})`
    )
    .join("\n")
}

/** Hides the secrets of a request wherever its answer repeats them. */
const hider = (request: AnyRequest): Hide => {
  const credentials = Object.entries(request.headers).filter(([name]) => !plainHeaders.has(name))
  const values = credentials.map(([, value]) => value.replace(/^bearer +/i, ""))
  const secrets = [...values, ...sentSecrets(request)]
  return (text) => mask(text, secrets)
}

/** A value of an answer with the secrets in it masked: those that its fields' names tell, and the given ones anywhere. */
export const concealed = (value: unknown, secrets: ReadonlyArray<string> = []): unknown =>
  walk(value, false, {
    isSecret: isSecretData,
    hide: secrets.length === 0 ? (unchanged) => unchanged : (text) => mask(text, secrets)
  })

/** The answer to a request as text: masked first, cut afterwards. */
export const answer = (bytes: Uint8Array, request: AnyRequest): string => {
  if (bytes.byteLength > largest) return `(${bytes.byteLength} bytes)`
  const text = json(new TextDecoder().decode(bytes), {
    isSecret: isSecretData,
    hide: hider(request)
  })
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text
}
