/**
 * A server without an HTTP library: it keeps the bytes of every request and answers with bytes that the test has
 * crafted, on a real socket. What a well-behaved server would never send is the point.
 */
import { createServer, type Socket } from "node:net"
import { Framer, type Message } from "./framing.js"
import { listen } from "./servers.js"

/** One request as it came in. */
export interface Received extends Message {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  /** Header lines by lower-case name; what came twice is joined. */
  readonly headers: Readonly<Record<string, string>>
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

const unchunked = (bytes: Buffer): Buffer => {
  const pieces: Array<Buffer> = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at)
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16)
    if (!(size > 0)) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}

/** The parts of a request, which is whole. */
export const received = (message: Message): Received => {
  const [method = "", ...rest] = message.startLine.split(" ")
  const headers: Record<string, string> = {}
  for (const text of message.head.split("\r\n").slice(1)) {
    const colon = text.indexOf(":")
    const name = text.slice(0, colon).toLowerCase()
    const value = text.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const body = message.bytes.subarray(message.head.length + 4)
  const isChunked = headers["transfer-encoding"] !== undefined
  return {
    ...message,
    method,
    target: rest.slice(0, -1).join(" "),
    headers,
    body: isChunked ? unchunked(body) : body
  }
}

const write = async (socket: Socket, reply: Reply): Promise<void> => {
  for (const [index, piece] of reply.pieces.entries()) {
    if (index > 0 && reply.pause !== undefined) await new Promise((done) => setTimeout(done, reply.pause))
    if (socket.destroyed) return
    if (!socket.write(piece)) await new Promise((done) => socket.once("drain", done).once("close", done))
  }
  if (reply.after === "end") socket.end()
  if (reply.after === "reset") socket.resetAndDestroy()
}

/** Serves; `answer` decides on the bytes, undefined for none. Answers keep the order of their requests. */
export const serve = async (answer: (received: Received, socket: Socket) => Reply | undefined) => {
  const requests: Array<Received> = []
  let connections = 0
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1
    const framer = new Framer()
    let turn = Promise.resolve()
    socket.on("data", (chunk) => {
      for (const message of framer.push(chunk)) {
        const request = received(message)
        requests.push(request)
        const reply = answer(request, socket)
        if (reply !== undefined) turn = turn.then(() => write(socket, reply))
      }
    })
  })
  /** `connections`: how many were accepted. */
  return { ...(await listen(server)), requests, connections: () => connections }
}
export type RawServer = Awaited<ReturnType<typeof serve>>

/** Bytes as they are. */
export const raw = (after: Reply["after"], ...pieces: ReadonlyArray<Buffer | string>): Reply => ({
  pieces,
  after
})

/** An answer as a server would send it, with header lines of the test's own. */
export const answer = (
  status: string | number,
  lines: ReadonlyArray<string> = [],
  body: Buffer | string = "",
  after: Reply["after"] = "keep"
): Reply => {
  const bytes = Buffer.from(body)
  const line = typeof status === "number" ? `${status} Status` : status
  const head = [`HTTP/1.1 ${line}`, `content-length: ${bytes.length}`, ...lines, "", ""].join("\r\n")
  return raw(after, Buffer.concat([Buffer.from(head, "latin1"), bytes]))
}

/** An answer of JSON text. */
export const json = (text: string, lines: ReadonlyArray<string> = []): Reply =>
  answer(200, ["content-type: application/json", ...lines], text)
