/**
 * Three servers on bare sockets. The first echoes every request inside its answer. The second gives the hostile answer
 * that the request names; apart, since a hostile answer may spoil its connection for the next request. The third
 * stands for an origin that must never be called, and counts who calls it.
 */
import { createServer, type Server, type Socket } from "node:net"
import { Framer, type Message } from "../../support/framing.js"
import { answerOf } from "../hostile/answers.js"
import { echoed } from "../hostile/sight.js"

export interface Recorder {
  readonly url: string
  /** Address of the server with the hostile answers. */
  readonly hostileUrl: string
  /** Host and port of the origin that must never be called. */
  readonly evil: string
  /** Requests that came since it was asked last, and connections that the other origin had. */
  readonly take: () => { readonly requests: number; readonly escapes: number }
  readonly close: () => Promise<void>
}

const named = /^\S+ \/v1\/box\/qt-ans-(\d+) /

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

const ended = (server: Server, sockets: Set<Socket>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })

const keep = (sockets: Set<Socket>, socket: Socket): void => {
  sockets.add(socket)
  socket.on("error", () => undefined)
  socket.on("close", () => sockets.delete(socket))
}

/** Opens the servers on free ports of the loopback. */
export const open = async (seed: number): Promise<Recorder> => {
  let requests = 0
  let escapes = 0
  const sockets = new Set<Socket>()
  const other = createServer((socket) => {
    escapes += 1
    keep(sockets, socket)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"_id":"x"}')
  })
  const evil = `127.0.0.1:${await listen(other)}`

  const serve = (reply: (socket: Socket, request: Message) => void): Server =>
    createServer({ noDelay: true }, (socket) => {
      keep(sockets, socket)
      const framer = new Framer()
      socket.on("data", (chunk) => {
        for (const message of framer.push(chunk)) {
          requests += 1
          reply(socket, message)
        }
      })
    })
  const echo = serve((socket, { bytes }) => {
    const body = echoed(bytes)
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    socket.write(head + body)
  })
  const hostile = serve((socket, { startLine }) => {
    const { bytes, ends } = answerOf(seed, Number(named.exec(startLine)?.[1]), evil)
    if (ends) socket.end(bytes)
    else socket.write(bytes)
  })
  const port = await listen(echo)
  const hostilePort = await listen(hostile)
  return {
    url: `http://127.0.0.1:${port}`,
    hostileUrl: `http://127.0.0.1:${hostilePort}`,
    evil,
    take: () => {
      const taken = { requests, escapes }
      requests = 0
      escapes = 0
      return taken
    },
    close: async () => {
      await Promise.all([echo, hostile, other].map((server) => ended(server, sockets)))
    }
  }
}
