// HTTP servers that tests make up, and connections of the adapter to them; what a test opened is closed after it.
import { createHash } from "node:crypto"
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener
} from "node:http"
import type { AddressInfo } from "node:net"
import * as SocketChat from "../../adapters/socket/index.js"
import type { Connection, Handshake, Trouble } from "../../core/ports/chat-socket.js"

export const path = "/api_private/v1/chat"

export const handshake: Handshake = {
  query: { token: "canary-token" },
  headers: {
    authorization: "Bearer canary-token",
    "x-api-key": "canary-key",
    "x-session-id": "canary-session"
  }
}

/** What is closed after a test, the last one first. */
export const closers: Array<() => unknown> = []

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close()
}

export const listen = async (listener?: RequestListener): Promise<{ http: HttpServer; origin: string }> => {
  const http = listener === undefined ? createServer() : createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  closers.push(() => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(resolve))
  })
  return { http, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

export const open = (
  origin: string,
  options: SocketChat.Options = {},
  namespace = "/"
): { connection: Connection; troubles: Array<Trouble> } => {
  const troubles: Array<Trouble> = []
  const connection = SocketChat.make(options).open({ origin, path, namespace }, handshake, {
    onEvent: () => undefined,
    onTrouble: (trouble) => troubles.push(trouble)
  })
  closers.push(() => connection.close())
  return { connection, troubles }
}

/** How many connections a server holds. */
export const connections = (http: HttpServer): Promise<number> =>
  new Promise((resolve, reject) =>
    http.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  )

const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")

/** The answer that goes over to a WebSocket. */
export const upgraded = ({ headers }: IncomingMessage): string =>
  `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
  `sec-websocket-accept: ${acceptOf(headers["sec-websocket-key"] ?? "")}\r\n\r\n`
