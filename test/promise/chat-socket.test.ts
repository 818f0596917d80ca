// The chat of a Promise client over a real socket.io connection: the client that is loaded when nobody gives another.
import { createServer } from "node:http"
import { Server } from "socket.io"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createAdminClient } from "../../clients/promise/index.js"
import { listen } from "../support/servers.js"
import { tokenOf } from "../wire/platform.js"

const token = tokenOf("admin-1")
const http = createServer()
const io = new Server(http, { path: "/api_private/v1/chat" })
let url = ""
const handshakes: Array<Record<string, unknown>> = []

beforeAll(async () => {
  io.on("connection", (socket) => {
    const { headers, query } = socket.handshake
    handshakes.push({
      token: query.token,
      authorization: headers.authorization,
      session: headers["x-session-id"],
      apiKey: headers["x-api-key"]
    })
    socket.emit("history", [{ _id: "m1", conversationId: "c1", text: "before" }])
    socket.on("chat", (draft: Record<string, unknown>, acknowledge: (answer: unknown) => void) => {
      const message = { ...draft, _id: "m2", createdAt: "2024-05-01T10:00:00.000Z" }
      acknowledge({ message })
      io.emit("chat", message)
    })
  })
  url = (await listen(http)).url
})

afterAll(() => io.close())

test("a message goes out, is acknowledged, and comes back to the loop", async () => {
  const client = createAdminClient({
    baseUrl: url,
    projectId: "p1",
    sessionId: "session-1",
    accessToken: token,
    apiKey: "key-1"
  })
  const left = new Promise<void>((resolve) => {
    io.once("connection", (socket) => socket.once("disconnect", () => resolve()))
  })
  const chat = await client.chat.open({ history: false })
  const heard = { _id: "m2", text: "hello", createdAt: new Date("2024-05-01T10:00:00.000Z") }
  const sent = await chat.send({ conversationId: "c1", text: "hello" })
  expect(sent).toMatchObject({ message: { ...heard, clientId: sent.clientId } })
  for await (const message of chat.messages) {
    expect(message).toMatchObject(heard)
    break
  }
  for await (const history of chat.history) {
    expect(history).toEqual([{ _id: "m1", conversationId: "c1", text: "before" }])
    break
  }
  expect(handshakes).toEqual([
    { token, authorization: `Bearer ${token}`, session: "session-1", apiKey: "key-1" }
  ])
  await client.close()
  await left
  expect(chat.state).toEqual({ status: "closed" })
})

test("what the server says otherwise than declared is told, and reported to onDrift once", async () => {
  const drifts: Array<string> = []
  const problems: Array<string> = []
  const client = createAdminClient({
    baseUrl: url,
    projectId: "p1",
    sessionId: "session-1",
    accessToken: token,
    apiKey: "key-1",
    onDrift: ({ came, operation, path }) => drifts.push(`${operation} ${path}: ${came}`)
  })
  const texts: Array<unknown> = []
  const updates: Array<unknown> = []
  const chat = await client.chat.open({
    history: false,
    onMessage: ({ text }) => texts.push(text),
    onUpdate: ({ text }) => updates.push(text),
    onProblem: (problem) => problems.push(problem._tag)
  })
  io.emit("chat", { text: "no id" })
  io.emit("chat", { _id: "m1", conversationId: "c1", text: ["no", "text"], createdAt: 1_714_557_600_000 })
  io.emit("chat", { text: "no id" })
  io.emit("chat", "no message")
  io.emit("chat", { _id: "m9", text: "the last" })
  for await (const { message } of chat.events) if (message._id === "m9") break
  expect(texts).toEqual(["no id", "no id", "the last"])
  expect(updates).toEqual([["no", "text"]])
  expect(drifts).toEqual([
    "chat.message _id: nothing",
    "chat.message text: list",
    "chat.message createdAt: number",
    "chat.message : text"
  ])
  expect(problems).toEqual(["Malformed"])
  await client.close()
})
