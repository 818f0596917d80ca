/** A client on a bare socket, the fault proxy, and a raw server; whatever a test opens is closed after it. */
import { connect, type Socket } from "node:net"
import { expect, onTestFinished } from "vitest"
import { eventually } from "../../support/eventually.js"
import { type RawServer, raw, serve } from "../../support/raw-server.js"
import type { Plan } from "./plan.js"
import { type Proxy as FaultProxy, open } from "./proxy.js"

/** How a connection stands. */
type Ending = "open" | "ended" | "reset"

/** The client's side of a connection: it sees every byte, and whether it ended in order or by a reset. */
export interface Line {
  readonly send: (text: string) => void
  /** Asks for a target as the first thing, and answers what came once its answer is whole. */
  readonly ask: (target: string) => Promise<string>
  /** All that came so far, read as Latin-1. */
  readonly text: () => string
  readonly ending: () => Ending
  /** Waits until the connection has ended, and says how. */
  readonly ended: () => Promise<Ending>
  /** Waits until so many characters have come. */
  readonly received: (length: number) => Promise<string>
}

const dialAt = async (url: string): Promise<Line> => {
  const { hostname, port } = new URL(url)
  const chunks: Array<Buffer> = []
  let ending: Ending = "open"
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  onTestFinished(() => void socket.destroy())
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.on("end", () => {
    ending = "ended"
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    ending = error.code === "ECONNRESET" ? "reset" : ending
  })
  await new Promise<void>((resolve) => socket.once("connect", resolve))
  const text = (): string => Buffer.concat(chunks).toString("latin1")
  const send = (request: string) => socket.write(request, "latin1")
  const received = async (length: number): Promise<string> => {
    await eventually(() => expect(text().length).toBeGreaterThanOrEqual(length))
    return text()
  }
  return {
    send,
    ask: (target) => {
      send(get(target))
      return received(answerTo(target).length)
    },
    text,
    ending: () => ending,
    ended: async () => {
      await eventually(() => expect(ending).not.toBe("open"))
      return ending
    },
    received
  }
}

/** The bytes of a GET. */
export const get = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: bare\r\n\r\n`
export const post = (target: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`

/** The answer that a test can compare byte for byte. */
export const answerTo = (target: string): string => {
  const body = JSON.stringify({ _id: target, text: "a text of some length ".repeat(10) })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
export const answers = (...targets: ReadonlyArray<string>): string => targets.map(answerTo).join("")

/** What is answered to a request; undefined for nothing. */
export type Reply = (target: string, socket: Socket) => string | undefined

export interface World {
  readonly proxy: FaultProxy
  readonly server: RawServer
  /** The requests that came to the server, byte for byte. */
  readonly seen: () => ReadonlyArray<string>
  /** A new connection to the proxy. */
  readonly dial: () => Promise<Line>
}

/** Opens a proxy with a plan before a server. */
export const openWorld = async (plan: Plan, reply: Reply = answerTo): Promise<World> => {
  const server = await serve(({ target }, socket) => {
    const text = reply(target, socket)
    if (text?.startsWith("HTTP/1.1 101")) {
      // From here on the bytes are no longer HTTP: they go back as they come.
      socket.removeAllListeners("data").on("data", (bytes: Buffer) => socket.write(bytes))
    }
    return text === undefined ? undefined : raw("keep", Buffer.from(text, "latin1"))
  })
  onTestFinished(server.close)
  const proxy = await open(server.port, plan)
  onTestFinished(proxy.close)
  const seen = () => server.requests.map(({ bytes }) => bytes.toString("latin1"))
  return { proxy, server, seen, dial: () => dialAt(proxy.url) }
}
