/**
 * A server without an HTTP library: it keeps the bytes of every request and answers with bytes that the test has
 * crafted, on a real socket. What a well-behaved server would never send is the point.
 */
import * as Net from "node:net"

/** One request as it came in. */
export interface Received {
  /** `GET /v1/box/1 HTTP/1.1` */
  readonly line: string
  /** The target of the request line. */
  readonly target: string
  readonly method: string
  /** Header lines by lower-case name; what came twice is joined. */
  readonly headers: Readonly<Record<string, string>>
  /** All before the body, byte for byte. */
  readonly head: string
  readonly body: Buffer
}

/** What is written in answer: pieces with pauses between them, and what becomes of the connection after them. */
export interface Reply {
  readonly pieces: ReadonlyArray<Buffer | string>
  /** `keep`: it stays open. `end`: it is closed after the last piece. `reset`: it is cut off. */
  readonly after: "keep" | "end" | "reset"
  /** Milliseconds between pieces; 0. */
  readonly pause?: number
}

export interface RawServer {
  readonly url: string
  readonly origin: string
  readonly port: number
  readonly requests: ReadonlyArray<Received>
  /** How many connections were accepted. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

const parse = (bytes: Buffer): { readonly received: Received; readonly rest: Buffer } | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const head = bytes.subarray(0, end + 4).toString("latin1")
  const [line = "", ...lines] = head.trimEnd().split("\r\n")
  const headers: Record<string, string> = {}
  for (const text of lines) {
    const colon = text.indexOf(":")
    const name = text.slice(0, colon).toLowerCase()
    const value = text.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const body = bodyOf(bytes.subarray(end + 4), headers)
  if (body === undefined) return undefined
  const [method = "", target = ""] = line.split(" ")
  return { received: { line, method, target, headers, head, body: body.content }, rest: body.rest }
}

const bodyOf = (
  bytes: Buffer,
  headers: Readonly<Record<string, string>>
): { readonly content: Buffer; readonly rest: Buffer } | undefined => {
  if (headers["transfer-encoding"] === undefined) {
    const length = Number(headers["content-length"] ?? 0)
    return bytes.length < length
      ? undefined
      : { content: bytes.subarray(0, length), rest: bytes.subarray(length) }
  }
  const pieces: Array<Buffer> = []
  let at = 0
  while (true) {
    const line = bytes.indexOf("\r\n", at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16)
    if (bytes.length < line + 2 + size + 2) return undefined
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
    if (size === 0) return { content: Buffer.concat(pieces), rest: bytes.subarray(at) }
  }
}

const write = async (socket: Net.Socket, reply: Reply): Promise<void> => {
  for (const [index, piece] of reply.pieces.entries()) {
    if (index > 0 && reply.pause !== undefined) await new Promise((done) => setTimeout(done, reply.pause))
    if (socket.destroyed) return
    if (!socket.write(piece)) await new Promise((done) => socket.once("drain", done).once("close", done))
  }
  if (reply.after === "end") socket.end()
  if (reply.after === "reset") socket.resetAndDestroy()
}

/** Serves on loopback; `answer` decides on the bytes. */
export const serve = async (answer: (received: Received, place: number) => Reply): Promise<RawServer> => {
  const requests: Array<Received> = []
  const sockets = new Set<Net.Socket>()
  let connections = 0
  const server = Net.createServer((socket) => {
    connections += 1
    sockets.add(socket)
    let bytes: Buffer = Buffer.alloc(0)
    let turn = Promise.resolve()
    socket.setNoDelay(true)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let found = parse(bytes); found !== undefined; found = parse(bytes)) {
        bytes = found.rest
        requests.push(found.received)
        const reply = answer(found.received, requests.length - 1)
        turn = turn.then(() => write(socket, reply))
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      })
  }
}

/** An answer as a server would send it, with header lines of the test's own. */
export const answer = (
  status: string | number,
  lines: ReadonlyArray<string> = [],
  body: Buffer | string = "",
  after: Reply["after"] = "keep"
): Reply => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  const status_ = typeof status === "number" ? `${status} Status` : status
  const head = [`HTTP/1.1 ${status_}`, `content-length: ${bytes.length}`, ...lines, "", ""].join("\r\n")
  return { pieces: [Buffer.concat([Buffer.from(head, "latin1"), bytes])], after }
}

/** An answer of JSON text. */
export const json = (text: string, lines: ReadonlyArray<string> = []): Reply =>
  answer(200, ["content-type: application/json", ...lines], text)

/** Bytes as they are. */
export const raw = (after: Reply["after"], ...pieces: ReadonlyArray<Buffer | string>): Reply => ({
  pieces,
  after
})
