/** Multipart form data as a stream of known length, so that progress can be told. */
import { randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import type { Part } from "../../core/ports/transport.js"

/** Names stand in quotes: what would end them is escaped as browsers do. */
const quoted = (name: string): string =>
  `"${name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`

/** A blob's media type, where it can stand in a header: a subclass of Blob may say anything. */
const typeOf = ({ type }: Blob): string => (/^[ -~]+$/.test(type) ? type : "application/octet-stream")

const head = (part: Part, boundary: string): Uint8Array => {
  const file = "file" in part ? `; filename=${quoted(part.fileName)}` : ""
  const type = "file" in part ? `\r\ncontent-type: ${typeOf(part.file)}` : ""
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(part.name)}${file}${type}\r\n\r\n`
  )
}

const sizeOf = (part: Part): number => ("file" in part ? part.file.size : Buffer.byteLength(part.text))

/** The headers and the body of a form. `onUpload` is told of bytes as the socket takes them. */
export const encode = (
  parts: ReadonlyArray<Part>,
  onUpload: ((sent: number, total: number) => void) | undefined
): { readonly headers: Record<string, string>; readonly body: Readable } => {
  const boundary = `quartet-${randomBytes(16).toString("hex")}`
  const heads = parts.map((part) => head(part, boundary))
  const tail = Buffer.from(`--${boundary}--\r\n`)
  const total =
    parts.reduce((sum, part, index) => sum + (heads[index]?.byteLength ?? 0) + sizeOf(part) + 2, 0) +
    tail.byteLength
  let sent = 0
  const told = (bytes: Uint8Array): Uint8Array => {
    sent += bytes.byteLength
    onUpload?.(sent, total)
    return bytes
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      yield told(heads[index] ?? new Uint8Array())
      if ("file" in part) for await (const piece of part.file.stream()) yield told(piece)
      else yield told(Buffer.from(part.text))
      yield told(Buffer.from("\r\n"))
    }
    yield told(tail)
  }
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(total) },
    body: Readable.from(pieces(), { objectMode: false })
  }
}
