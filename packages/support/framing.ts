/** Cuts the bytes of one direction of an HTTP/1.1 connection into whole messages, so that faults can hit one of them. */

/** One request or one answer, with its bytes as they came. */
export interface Message {
  readonly startLine: string
  /** Start line and headers, read as Latin-1. */
  readonly head: string
  readonly bytes: Buffer
}

const headEnd = "\r\n\r\n"

const header = (head: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*)`, "i").exec(head)?.[1]

/** The end of a chunked body that begins at `from`; undefined while it is not all there. */
const endOfChunks = (bytes: Buffer, from: number): number | undefined => {
  let at = from
  while (true) {
    const lineEnd = bytes.indexOf("\r\n", at, "latin1")
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16)
    if (!(size >= 0)) throw new Error("the proxy met a chunk without a size")
    at = lineEnd + 2 + size + 2
    if (at > bytes.length) return undefined
    if (size === 0) return at
  }
}

const hasNoBody = (startLine: string): boolean => /^HTTP\/1\.1 (1\d\d|204|304)/.test(startLine)

/** Where the message that begins at 0 ends; undefined while it is not all there. */
const endOf = (bytes: Buffer): { readonly end: number; readonly head: string } | undefined => {
  const blank = bytes.indexOf(headEnd, 0, "latin1")
  if (blank < 0) return undefined
  const head = bytes.toString("latin1", 0, blank)
  const body = blank + headEnd.length
  if (hasNoBody(head)) return { head, end: body }
  if (/chunked/i.test(header(head, "transfer-encoding") ?? "")) {
    const end = endOfChunks(bytes, body)
    return end === undefined ? undefined : { head, end }
  }
  const length = Number(header(head, "content-length") ?? 0)
  if (!(length >= 0)) throw new Error("the proxy met a length that is no number")
  const end = body + length
  return bytes.length < end ? undefined : { head, end }
}

/** Collects bytes and gives out messages. Bodies without a stated length are not met between the SDK and the sandbox. */
export class Framer {
  private rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): ReadonlyArray<Message> {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    const messages: Array<Message> = []
    while (this.rest.length > 0) {
      const ending = endOf(this.rest)
      if (ending === undefined) break
      const { end, head } = ending
      const lineEnd = head.indexOf("\r\n")
      messages.push({
        startLine: lineEnd < 0 ? head : head.slice(0, lineEnd),
        head,
        bytes: this.rest.subarray(0, end)
      })
      this.rest = this.rest.subarray(end)
    }
    return messages
  }

  /** What has come of a message that is not whole. */
  take(): Buffer {
    const { rest } = this
    this.rest = Buffer.alloc(0)
    return rest
  }
}

/** Whether bytes are one whole message and nothing else. */
export const isOneMessage = (bytes: Buffer): boolean => {
  try {
    return endOf(bytes)?.end === bytes.length
  } catch {
    return false
  }
}

export const isUpgrade = ({ head }: Message): boolean => header(head, "upgrade") !== undefined

/** The status of an answer. */
export const statusOf = ({ startLine }: Message): number => Number(startLine.slice(9, 12))
