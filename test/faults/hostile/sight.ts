/** A request as the far end saw it, byte for byte: it comes back inside the answer, so that each case sees its own. */

export interface Sight {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  /** Names in lower case, in their order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
}

/** Puts a request into an answer that every call can decode: one value, and a list. */
export const echoed = (request: Buffer): string => {
  const seen = { _id: "echo", seen: request.toString("base64") }
  return JSON.stringify({ ...seen, items: [seen] })
}

const textOf = (answer: unknown): string | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined
  const items: unknown = Reflect.get(answer, "items")
  const holder: unknown = Array.isArray(items) ? items[0] : answer
  const seen: unknown =
    typeof holder === "object" && holder !== null ? Reflect.get(holder, "seen") : undefined
  return typeof seen === "string" ? seen : undefined
}

/** The body of a request that came in chunks. */
const unchunked = (bytes: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  let at = 0
  while (true) {
    const lineEnd = bytes.indexOf("\r\n", at)
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

/** Reads the request that an answer holds; undefined where it holds none. */
export const sightOf = (answer: unknown): Sight | undefined => {
  const text = textOf(answer)
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, "base64")
  const blank = bytes.indexOf("\r\n\r\n")
  const [line = "", ...fields] = bytes.toString("latin1", 0, blank).split("\r\n")
  const [method = "", ...rest] = line.split(" ")
  const headers = fields.map((field): readonly [string, string] => {
    const colon = field.indexOf(":")
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
  })
  const body = bytes.subarray(blank + 4)
  const isChunked = headers.some(([name, value]) => name === "transfer-encoding" && value === "chunked")
  return {
    method,
    target: rest.slice(0, -1).join(" "),
    headers,
    body: isChunked ? unchunked(body) : body
  }
}

/** The values of a header. */
export const valuesOf = ({ headers }: Sight, name: string): ReadonlyArray<string> =>
  headers.filter(([header]) => header === name).map(([, value]) => value)

/** Path and query, apart. */
export const partsOf = ({ target }: Sight): { readonly path: string; readonly query: string } => {
  const at = target.indexOf("?")
  return at < 0 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
