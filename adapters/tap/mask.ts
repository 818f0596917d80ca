/** What of a request and its answer may be shown: everything but credentials, passwords, keys and tokens. */

import { mask } from "../../core/kernel/credentials.js"
import { isSecret, sentSecrets } from "../../core/kernel/sent-secrets.js"
import type { AnyRequest } from "../../core/ports/transport.js"

const shown = "••••••"

/** The longest text of an answer that is told. */
const longest = 4_000
/** The largest answer that is looked into: a larger one is only counted. */
const largest = 256 * 1024

/** Headers that hold no secret. All others are masked: the names of credential headers are configurable. */
const plainHeaders = new Set(["accept", "content-type", "content-length", "user-agent", "idempotency-key"])

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

const walk = (value: unknown, hide: Hide): unknown => {
  if (typeof value === "string") return hide(value)
  if (Array.isArray(value)) return value.map((item) => walk(item, hide))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hide(name),
      isSecret(name) && typeof inner === "string" ? shown : walk(inner, hide)
    ])
  )
}

/** A path with query, in which values of parameters that are named like secrets are masked. */
export const path = (given: string): string =>
  given.replace(/([?&])([^=&]+)=([^&]*)/g, (whole, before: string, name: string) =>
    isSecret(name) ? `${before}${name}=${shown}` : whole
  )

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** JSON, indented, with the values of fields that are named like secrets masked. What is no JSON is not shown. */
export const json = (text: string, hide: Hide = (unchanged) => unchanged): string => {
  if (text === "") return ""
  const found = parsed(text)
  return found === undefined
    ? `(${text.length} characters, not JSON)`
    : JSON.stringify(walk(found.value, hide), null, 2)
}

/** Hides what a request has told, wherever its answer repeats it. */
const hider = ({ body, headers: sent, path: target }: AnyRequest): Hide => {
  const credentials = Object.entries(sent).filter(([name]) => !plainHeaders.has(name))
  const values = credentials.map(([, value]) => value.replace(/^bearer +/i, ""))
  const secrets = [...values, ...sentSecrets(target, body)]
  return (text) => mask(text, secrets)
}

/** The answer to a request as text: masked first, cut afterwards. */
export const answer = (bytes: Uint8Array, request: AnyRequest): string => {
  if (bytes.byteLength > largest) return `(${bytes.byteLength} bytes)`
  const text = json(new TextDecoder().decode(bytes), hider(request))
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text
}
