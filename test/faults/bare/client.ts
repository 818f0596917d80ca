/** A client on a bare socket: it sees every byte, and whether a connection ended in order or by a reset. */
import { connect } from "node:net"
import { expect } from "vitest"
import { eventually } from "../../support/eventually.js"

/** How a connection stands. */
export type Ending = "open" | "ended" | "reset"

export interface Line {
  readonly send: (text: string) => void
  /** All that came so far, read as Latin-1. */
  readonly text: () => string
  readonly ending: () => Ending
  /** Waits until the connection has ended, and says how. */
  readonly ended: () => Promise<Ending>
  /** Waits until so many characters have come. */
  readonly received: (length: number) => Promise<string>
  readonly close: () => void
}

/** Connects to a proxy. */
export const dial = async (url: string): Promise<Line> => {
  const { hostname, port } = new URL(url)
  const chunks: Array<Buffer> = []
  let ending: Ending = "open"
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.on("end", () => {
    ending = "ended"
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    ending = error.code === "ECONNRESET" ? "reset" : ending
  })
  await new Promise<void>((resolve) => socket.once("connect", resolve))
  const text = (): string => Buffer.concat(chunks).toString("latin1")
  return {
    send: (request) => socket.write(request, "latin1"),
    text,
    ending: () => ending,
    ended: async () => {
      await eventually(() => expect(ending).not.toBe("open"))
      return ending
    },
    received: async (length) => {
      await eventually(() => expect(text().length).toBeGreaterThanOrEqual(length))
      return text()
    },
    close: () => socket.destroy()
  }
}

/** The bytes of a GET. */
export const get = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: bare\r\n\r\n`
