/** The parts of a request and its answer that may be shown: all except credentials, passwords, keys and tokens. */

import { mask } from "../../core/kernel/redaction/mask.js"
import { isSecret, isSecretData, jsonIn, sentSecrets } from "../../core/kernel/redaction/sent-secrets.js"
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

type Hide = (text: string) => string

/** Hides the secrets of a request, and all others that its client knows, wherever they stand. */
export const hider = (request: AnyRequest, others: ReadonlyArray<string> = []): Hide => {
  const credentials = Object.entries(request.headers).filter(([name]) => !plainHeaders.has(name))
  const values = credentials.map(([, value]) => value.replace(/^bearer +/i, ""))
  const secrets = [...values, ...sentSecrets(request), ...(request.secrets?.() ?? []), ...others]
  return (text) => mask(text, secrets)
}

/** Headers with the values of credentials masked; `Bearer` is kept. */
export const headers = (pairs: Readonly<Record<string, string>>, hide: Hide): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => {
      if (plainHeaders.has(name)) return [hide(name), hide(value)]
      const bearer = /^(bearer) +(\S+)$/i.exec(value)
      return [hide(name), bearer === null ? shown : `${bearer[1]} ${shown}`]
    })
  )

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
  const value = jsonIn(text)
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

/** How the secrets of a request are found: by name, and wherever they stand. */
const searchBy = (hide: Hide): Search => ({ isSecret, hide })

/** The value of a parameter; in a nested document only the secrets are masked. */
const parameter = (text: string, hide: Hide): string => {
  const value = jsonIn(decoded(text.replaceAll("+", " ")))
  const masked = value === undefined ? undefined : walk(value, false, searchBy(hide))
  return masked === undefined || JSON.stringify(masked) === JSON.stringify(value)
    ? text
    : encodeURIComponent(JSON.stringify(masked)).replaceAll(encodeURIComponent(shown), shown)
}

/** A path with query, with the values of parameters and fields that are named like secrets masked, and known secrets anywhere. */
export const path = (target: string, hide: Hide): string =>
  hide(
    target
      .split("&")
      .map((piece, index) => {
        // A name begins behind the first question mark, or behind what parts parameters, and is not empty.
        let from = index === 0 ? piece.indexOf("?") + 1 : 0
        if (index === 0 && from === 0) return piece
        while (piece[from] === "=") {
          from = piece.indexOf("?", from) + 1
          if (from === 0) return piece
        }
        const end = piece.indexOf("=", from)
        if (end < 0) return piece
        const name = piece.slice(from, end)
        const text = piece.slice(end + 1)
        return `${piece.slice(0, end + 1)}${isSecret(decoded(name)) ? shown : parameter(text, hide)}`
      })
      .join("&")
  )

/** JSON, indented, with the values of fields that are named like secrets masked. Other text is not shown. */
const json = (text: string, search: Search, isFound = false): string => {
  if (text === "") return ""
  const document = parsed(text)
  return document === undefined
    ? `(${text.length} characters, not JSON)`
    : JSON.stringify(walk(document.value, isFound, search), null, 2)
}

const sizeOf = (part: Exclude<Part | StreamedPart, { readonly text: string }>): string =>
  "file" in part ? `${part.file.size} bytes` : "a stream"

/** The body of a request as text; empty if there is none. */
export const body = (content: AnyRequest["body"], hide: Hide): string => {
  if (content === undefined) return ""
  if (content._tag === "Json") return json(content.text, searchBy(hide))
  return content.parts
    .map((part) =>
      "text" in part
        ? `${hide(part.name)}: ${json(part.text, searchBy(hide), isSecret(part.name))}`
        : `${hide(part.name)}: ${hide(part.fileName)} (${sizeOf(part)})`
    )
    .join("\n")
}

/**
 * A value of an answer with the secrets in it masked: those that its fields' names tell, and the given ones anywhere. `isNamed` says which
 * names tell of one; in an input those are more.
 */
export const concealed = (
  value: unknown,
  secrets: ReadonlyArray<string> = [],
  isNamed: Search["isSecret"] = isSecretData
): unknown =>
  walk(value, false, {
    isSecret: isNamed,
    hide: secrets.length === 0 ? (unchanged) => unchanged : (text) => mask(text, secrets)
  })

/** The answer to a request as text: masked first, cut afterwards. */
export const answer = (bytes: Uint8Array, hide: Hide): string => {
  if (bytes.byteLength > largest) return `(${bytes.byteLength} bytes)`
  const text = json(new TextDecoder().decode(bytes), { isSecret: isSecretData, hide })
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text
}
