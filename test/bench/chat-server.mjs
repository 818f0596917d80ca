// The chat's server: socket.io in a process of its own. It accepts everybody, acknowledges what is sent, and sends as many
// messages as it is told to.

import { createServer } from "node:http"
import { setImmediate as turn } from "node:timers/promises"
import { Server } from "socket.io"

const http = createServer()
const io = new Server(http, { path: "/api_private/v1/chat" })

/** The only connection that is open. */
let current
let sent = 0

io.on("connection", (socket) => {
  current = socket
  socket.emit("history", [])
  socket.on("chat", (draft, acknowledge) => {
    sent += 1
    acknowledge({ ...draft, _id: `m${sent}`, createdAt: new Date().toISOString() })
  })
})

const message = () => {
  sent += 1
  const text = `Message number ${sent} about a delivery that came late`
  const sender = { _id: "u1", name: "Author 1" }
  return {
    _id: `m${sent}`,
    conversationId: "c1",
    text,
    sender,
    createdAt: new Date(1.7e12 + sent).toISOString()
  }
}

/** Sends `count` messages, a few hundred at a time, so that they wait in the client's socket and not here. */
const send = async (count) => {
  for (let left = count; left > 0; left--) {
    if (left % 200 === 0) {
      do await turn()
      while (current.conn.writeBuffer.length > 0)
    }
    current.emit("chat", message())
  }
}

process.on("message", ({ count }) => void send(count))
process.once("disconnect", () => process.exit(0))
http.listen(0, "127.0.0.1", () => process.send?.({ url: `http://127.0.0.1:${http.address().port}` }))
