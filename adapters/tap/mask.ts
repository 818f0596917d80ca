/** What of a request and its answer may be shown: everything but credentials, passwords, keys and tokens. */

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

const isSecret = (name: string): boolean =>
  /password|token|secret|session_?id|api_?key|private_?key|authorization/i.test(name)

const walk = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(walk)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) && typeof inner === "string" ? shown : walk(inner)
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
export const json = (text: string): string => {
  if (text === "") return ""
  const found = parsed(text)
  return found === undefined
    ? `(${text.length} characters, not JSON)`
    : JSON.stringify(walk(found.value), null, 2)
}

/** An answer as text: masked first, cut afterwards. */
export const answer = (bytes: Uint8Array): string => {
  if (bytes.byteLength > largest) return `(${bytes.byteLength} bytes)`
  const text = json(new TextDecoder().decode(bytes))
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text
}
