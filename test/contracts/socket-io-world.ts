// A real socket.io server on loopback that the ChatSocket suite directs.
import { createServer } from "node:http"
import { Server } from "socket.io"
import * as SocketChat from "../../adapters/socket/index.js"
import { listen } from "../support/servers.js"
import type { World } from "./chat-socket.js"

const path = "/api_private/v1/chat"

export const socketIoWorld =
  (options: SocketChat.Options = {}) =>
  async (): Promise<World> => {
    const http = createServer()
    const io = new Server(http, { path })
    const heard: Array<unknown> = []
    io.use((socket, next) => {
      const { auth, headers, query } = socket.handshake
      const found = [query.token, headers["x-api-key"] ?? auth["x-api-key"], auth["x-session-id"]]
      next(found.join() === "good,key,session" ? undefined : new Error("who are you?"))
    })
    io.on("connection", (socket) => {
      socket.on("chat", (payload: unknown, acknowledge?: (answer: unknown) => void) => {
        heard.push(payload)
        acknowledge?.({ got: payload })
      })
    })
    const { close, url } = await listen(http)
    const headers = { authorization: "Bearer good", "x-api-key": "key", "x-session-id": "session" }
    return {
      socket: SocketChat.make(options),
      address: { origin: url, path, namespace: "/" },
      nowhere: { origin: "http://127.0.0.1:1", path, namespace: "/" },
      accepted: { query: { token: "good" }, headers },
      refused: { query: { token: "bad" }, headers },
      connections: () => io.of("/").sockets.size,
      heard: () => heard,
      say: (event, payload) => {
        io.emit(event, payload)
      },
      drop: () => {
        io.disconnectSockets(true)
      },
      close: async () => {
        const closing = io.close()
        await close()
        await closing
      }
    }
  }
