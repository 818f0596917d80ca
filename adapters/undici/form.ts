/**
 * Multipart form data as a stream: of known length, so that progress can be reported, unless one of its files is a
 * stream.
 */
import { randomBytes } from "node:crypto"
import { Readable } from "node:stream"
import { refusedPiece } from "../../core/kernel/codec/form.js"
import type { Outcome, Part, StreamedPart } from "../../core/ports/transport.js"

/** Names are quoted: characters that would end them are escaped as browsers do. */
const quoted = (name: string): string =>
  `"${name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`

/** A media type, if a header can hold it: a subclass of Blob may have any. */
const typeOf = (type: string): string => (/^[ -~]+$/.test(type) ? type : "application/octet-stream")

const head = (part: Part | StreamedPart, boundary: string): Uint8Array => {
  const file = "text" in part ? "" : `; filename=${quoted(part.fileName)}`
  const type =
    "text" in part ? "" : `\r\ncontent-type: ${typeOf("file" in part ? part.file.type : part.type)}`
  return Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(part.name)}${file}${type}\r\n\r\n`
  )
}

/** The bytes of a part; unknown for a stream, and so for its form. */
const sizeOf = (part: Part | StreamedPart): number => {
  if ("stream" in part) return Number.NaN
  return "file" in part ? part.file.size : Buffer.byteLength(part.text)
}

/** A form that is being sent. */
export interface Sending {
  readonly headers: Record<string, string>
  readonly body: Readable
  /** The file that could not be read, and why. */
  readonly unreadable: () => Extract<Outcome, { readonly _tag: "Unreadable" }> | undefined
  /** Cancels the unsent rest, and its source streams. */
  readonly end: () => void
}

/** The headers and the body of a form. `onUpload` is called as the socket takes bytes. */
export const encode = (
  parts: ReadonlyArray<Part | StreamedPart>,
  onUpload: ((sent: number, total: number) => void) | undefined
): Sending => {
  const boundary = `quartet-${randomBytes(16).toString("hex")}`
  const heads = parts.map((part) => head(part, boundary))
  const tail = Buffer.from(`--${boundary}--\r\n`)
  const total =
    parts.reduce((sum, part, index) => sum + (heads[index]?.byteLength ?? 0) + sizeOf(part) + 2, 0) +
    tail.byteLength
  const isKnown = Number.isFinite(total)
  let sent = 0
  const counted = (bytes: Uint8Array): Uint8Array => {
    sent += bytes.byteLength
    onUpload?.(sent, isKnown ? total : 0)
    return bytes
  }
  const readers = new Map<Part | StreamedPart, ReadableStreamDefaultReader<Uint8Array>>()
  let unreadable: Extract<Outcome, { readonly _tag: "Unreadable" }> | undefined
  const reading = async (
    part: Part | StreamedPart,
    reader: ReadableStreamDefaultReader<Uint8Array>
  ): Promise<ReadableStreamReadResult<Uint8Array>> => {
    try {
      const piece = await reader.read()
      const refused = piece.done ? undefined : refusedPiece(piece.value)
      if (refused !== undefined) throw refused
      return piece
    } catch (cause) {
      unreadable ??= { _tag: "Unreadable", part: part.name, cause }
      throw cause
    }
  }
  async function* read(part: Part | StreamedPart, stream: ReadableStream): AsyncGenerator<Uint8Array> {
    const reader = stream.getReader()
    readers.set(part, reader)
    for (let piece = await reading(part, reader); !piece.done; piece = await reading(part, reader))
      yield counted(piece.value)
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const [index, part] of parts.entries()) {
      yield counted(heads[index] ?? new Uint8Array())
      if ("text" in part) yield counted(Buffer.from(part.text))
      else yield* read(part, "file" in part ? part.file.stream() : part.stream)
      yield counted(Buffer.from("\r\n"))
    }
    yield counted(tail)
  }
  const body = Readable.from(pieces(), { objectMode: false })
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...(isKnown ? { "content-length": String(total) } : {})
    },
    body,
    unreadable: () => unreadable,
    end: () => {
      // First, so that the end of the form's stream is not mistaken for the end of the file.
      body.destroy()
      for (const part of parts) {
        const begun = readers.get(part) ?? ("stream" in part ? part.stream : undefined)
        begun?.cancel().catch(() => undefined)
      }
    }
  }
}
