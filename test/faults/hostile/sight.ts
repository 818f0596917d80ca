/** A request as the far end saw it, byte for byte: it comes back inside the answer, so that each case sees its own. */
import { Framer } from "@quartet/support/framing.js"
import { received, type Received as Sight } from "@quartet/support/raw-server.js"

export type { Sight }

/** Puts a request into an answer that every call can decode: one value, and a list. */
export const echoed = (request: Buffer): string => {
  const seen = { _id: "echo", seen: request.toString("base64") }
  return JSON.stringify({ ...seen, items: [seen] })
}

/** Reads the request that an answer holds; undefined where it holds none. */
export const sightOf = (answer: unknown): Sight | undefined => {
  const { items }: { readonly items?: unknown } = Object(answer)
  const { seen }: { readonly seen?: unknown } = Object(Array.isArray(items) ? items[0] : answer)
  if (typeof seen !== "string") return undefined
  const [message] = new Framer().push(Buffer.from(seen, "base64"))
  return message && received(message)
}

/** The values of a header, which may have been sent more than once. */
export const valuesOf = ({ head }: Sight, name: string): ReadonlyArray<string> =>
  head
    .split("\r\n")
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    .flatMap(([header, value]) => (header === name && value !== undefined ? [value] : []))

/** Path and query, apart. */
export const partsOf = ({ target }: Sight): { readonly path: string; readonly query: string } => {
  const at = target.indexOf("?")
  return at < 0 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
