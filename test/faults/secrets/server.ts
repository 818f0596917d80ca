/** The server that tells everything that it was told, on a bare socket. It signs everyone in. */
import { createServer, type Socket } from "node:net"
import { Framer, type Message } from "../../support/framing.js"
import { canary, token } from "./canaries.js"
import { spill, type Treatment, treatments } from "./spill.js"

export interface Spiller {
  readonly url: string
  readonly close: () => Promise<void>
}

const numbered = /qt-leak-(\d+)/

/** A call that is answered late, after what it was sent with is no longer in use. */
const slow = /qt-slow-\d+/
const slowMillis = 200

/** Tokens that the server gives out: the first one first, then the second. */
export const issued = [token("issued0"), token("issued1")] as const
export const issuedSession = canary("issuedSession")

const json = (value: unknown): Buffer => {
  const body = JSON.stringify(value)
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

const treat = (socket: Socket, request: Message, treatment: Treatment): void => {
  if (treatment._tag === "Spill") socket.write(spill(request, treatment.status, treatment.form))
  else if (treatment.loss === "reset") socket.resetAndDestroy()
  else if (treatment.loss === "half") socket.end(spill(request, 200, "message").subarray(0, 60))
}

/** Serves on a free port of the loopback. */
export const open = async (): Promise<Spiller> => {
  let logins = 0
  const sockets = new Set<Socket>()
  const answer = (socket: Socket, request: Message): void => {
    const text = request.bytes.toString("latin1")
    const number = numbered.exec(text)?.[1]
    const treatment = number === undefined ? undefined : treatments[Number(number)]
    if (treatment !== undefined) treat(socket, request, treatment)
    else if (request.startLine.includes("/auth/admin/login")) {
      const { text: accessToken } = issued[Math.min(logins, 1)] ?? issued[0]
      logins += 1
      socket.write(json({ accessToken, user: {} }))
    } else if (request.startLine.includes("/auth/login"))
      socket.write(json({ sessionId: issuedSession.text }))
    else if (slow.test(text)) setTimeout(() => socket.write(spill(request, 500, "message")), slowMillis)
    else if (text.includes(issued[0].text)) socket.write(spill(request, 401, "message"))
    else socket.write(json({ _id: "x" }))
  }
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
    const framer = new Framer()
    socket.on("data", (chunk) => {
      for (const message of framer.push(chunk)) answer(socket, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
