/** A small server on a bare socket: it keeps what it received and answers with bytes that the test knows. */
import { type AddressInfo, createServer, type Socket } from "node:net"

export interface Server {
  readonly port: number
  /** The requests, each as text, in the order in which they came. */
  readonly seen: ReadonlyArray<string>
  /** The connections that were made so far. */
  readonly sockets: ReadonlyArray<Socket>
  readonly close: () => Promise<void>
}

/** What is answered to a request; undefined for nothing. */
export type Reply = (target: string, socket: Socket) => string | undefined

/** The answer that a test can compare byte for byte. */
export const answerTo = (target: string): string => {
  const body = JSON.stringify({ _id: target, text: "a text of some length ".repeat(10) })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** The first request of a text, by its own reading: as many bytes of body as `content-length` says. */
const firstOf = (text: string): string | undefined => {
  const blank = text.indexOf("\r\n\r\n")
  if (blank < 0) return undefined
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, blank))?.[1] ?? 0)
  const end = blank + 4 + length
  return text.length < end ? undefined : text.slice(0, end)
}

/** Serves on a free port of the loopback. */
export const serve = async (reply: Reply = answerTo): Promise<Server> => {
  const seen: Array<string> = []
  const sockets: Array<Socket> = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket)
    socket.on("error", () => undefined)
    let text = ""
    const receive = (chunk: Buffer): void => {
      text += chunk.toString("latin1")
      for (let request = firstOf(text); request !== undefined; request = firstOf(text)) {
        text = text.slice(request.length)
        seen.push(request)
        const answer = reply(request.split(" ")[1] ?? "", socket)
        if (answer !== undefined) socket.write(answer, "latin1")
        // From here on the bytes are no longer HTTP: they go back as they come.
        if (answer?.startsWith("HTTP/1.1 101")) {
          socket.off("data", receive)
          socket.on("data", (bytes) => socket.write(bytes))
        }
      }
    }
    socket.on("data", receive)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    // A server that listens on a port has an address of this form.
    port: (server.address() as AddressInfo).port,
    seen,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
