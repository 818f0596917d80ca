// The chat of a Promise client, on a socket that the test plays: opening, callbacks and loops, sending, and its end; and
// over a real socket.io connection, with the client that is loaded when nobody gives another.
import { createServer } from "node:http"
import { listen } from "@quartet/support/servers.js"
import * as Effect from "effect/Effect"
import { Server } from "socket.io"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { type AdminClient, createAdminClient, Errors, type PromiseChat } from "../../clients/promise/index.js"
import type { Message } from "../../core/chat/model.js"
import { ChatSocket } from "../../core/ports/chat-socket.js"
import { FakeSocket, told, wire } from "../core/chat/world.js"
import { tokenOf } from "../wire/platform.js"

const token = tokenOf("admin-1")
const config = {
  baseUrl: "http://127.0.0.1:1",
  projectId: "p1",
  sessionId: "session-1",
  accessToken: token,
  apiKey: "key-1"
}

/** The Promise client runs on the system's clock: nothing here waits longer than this between two looks. */
const policy = { poll: 1, pause: 1 }

let socket: FakeSocket
let client: AdminClient

beforeEach(() => {
  socket = new FakeSocket()
  const chatSocket = Effect.runSync(Effect.provide(ChatSocket, socket.layer))
  client = createAdminClient({ ...config, chatSocket })
})

afterEach(() => client.close())

const open = (options: Parameters<AdminClient["chat"]["open"]>[0] = {}, signal?: AbortSignal) =>
  client.chat.open({ history: false, policy, ...options }, signal === undefined ? {} : { signal })

const draft = { conversationId: "c1", text: "hello" }

/** The items of a loop until there are so many, or it ends. */
const take = async <A>(items: AsyncIterable<A>, count?: number): Promise<ReadonlyArray<A>> => {
  const collected: Array<A> = []
  for await (const item of items) {
    collected.push(item)
    if (collected.length === count) break
  }
  return collected
}

/** Leaves the next attempt to connect without an answer; fulfilled once it is made. */
const nextAttempt = (): Promise<void> =>
  new Promise((resolve) => {
    socket.answer = () => resolve()
  })

/** Waits for a state of the chat. */
const reach = async (chat: PromiseChat, status: PromiseChat["state"]["status"]): Promise<void> => {
  for await (const state of chat.states) if (state.status === status) return
  throw new Error(`the chat is over and was never ${status}`)
}

describe("opening a chat", () => {
  test("waits until it is connected", async () => {
    const attempt = nextAttempt()
    const opening = open()
    await attempt
    expect(await Promise.race([opening, Promise.resolve("waiting")])).toBe("waiting")
    socket.last.accept()
    expect((await opening).state.status).toBe("connected")
  })

  test("rejects where the client has no API key, and opens nothing", async () => {
    const { apiKey: _, ...keyless } = config
    const opening = createAdminClient(keyless).chat.open()
    await expect(opening).rejects.toBeInstanceOf(Errors.CredentialsError)
    await expect(opening).rejects.toMatchObject({ operation: "chat.open", reason: "Missing" })
  })

  test("rejects where the server does not accept the session, and leaves nothing open", async () => {
    socket.answer = (connection) => connection.refuse()
    const opening = open()
    await expect(opening).rejects.toBeInstanceOf(Errors.ChatError)
    await expect(opening).rejects.toMatchObject({ tag: "ChatError", reason: "Refused" })
    expect(socket.open).toBe(0)
  })

  test("is cancelled by a signal, and leaves nothing open", async () => {
    const attempt = nextAttempt()
    const controller = new AbortController()
    const opening = open({}, controller.signal)
    await attempt
    controller.abort(new Error("never mind"))
    await expect(opening).rejects.toThrow("never mind")
    expect(socket.open).toBe(0)
  })
})

describe("an open chat", () => {
  test("gives messages and history as loops, what came before them included", async () => {
    const chat = await open()
    socket.last.say("history", [wire(1)])
    for (const n of [2, 3]) socket.last.say("chat", wire(n))
    expect(await take(chat.messages, 2)).toEqual([told(2), told(3)])
    expect(await take(chat.history, 1)).toEqual([[told(1)]])
  })

  test("tells a message that came again with other content as an update, to its callback and to loops", async () => {
    const messages: Array<Message> = []
    const updates: Array<Message> = []
    const histories: Array<ReadonlyArray<Message>> = []
    const chat = await open({
      onHistory: (items) => histories.push(items),
      onMessage: (item) => messages.push(item),
      onUpdate: (item) => updates.push(item)
    })
    const looped = [take(chat.updates, 1), take(chat.events, 2)]
    // The loops are running once they have asked for their first item.
    await new Promise((resolve) => setTimeout(resolve))
    socket.last.say("chat", wire(1))
    socket.last.say("chat", wire(1))
    socket.last.say("chat", { ...wire(1), seen: true })
    const seen = { ...told(1), seen: true }
    expect(messages).toEqual([told(1)])
    expect(updates).toEqual([seen])
    socket.last.say("history", [wire(0)])
    expect(histories).toEqual([[told(0)]])
    expect(await Promise.all(looped)).toEqual([
      [seen],
      [
        { _tag: "Message", message: told(1) },
        { _tag: "Update", message: seen }
      ]
    ])
    expect(chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 1, duplicates: 1 })
  })

  test("rejects a message that the platform refuses, and one that breaks a rule", async () => {
    const chat = await open()
    const sending = chat.send(draft)
    socket.last.emitted[0]?.acknowledge({ error: { message: "archived" } })
    await expect(sending).rejects.toMatchObject({ tag: "ChatError", reason: "Rejected" })
    const refused = { tag: "InputError", field: "conversationId" }
    await expect(chat.send({ ...draft, conversationId: "" })).rejects.toMatchObject(refused)
  })

  test("gives up on a message whose signal is aborted", async () => {
    const chat = await open()
    const controller = new AbortController()
    const sending = chat.send(draft, { signal: controller.signal })
    controller.abort()
    await expect(sending).rejects.toMatchObject({ name: "AbortError" })
  })

  test("tells its states, and connects again by itself", async () => {
    const chat = await open()
    const attempt = nextAttempt()
    socket.last.lose()
    await reach(chat, "reconnecting")
    await attempt
    socket.last.accept()
    await reach(chat, "connected")
    expect(chat.figures.connections).toBe(2)
  })
})

describe("the end of a chat", () => {
  test("by close: its loops end, and later messages are refused", async () => {
    const chat = await open()
    const [messages, states] = [take(chat.messages), take(chat.states)]
    await chat.close()
    expect(await messages).toEqual([])
    expect((await states).at(-1)).toEqual({ status: "closed" })
    expect(chat.state).toEqual({ status: "closed" })
    expect(socket.open).toBe(0)
    await expect(chat.send(draft)).rejects.toMatchObject({
      tag: "ChatError",
      reason: "Closed"
    })
    await expect(chat.close()).resolves.toBeUndefined()
  })

  test("by its signal", async () => {
    const controller = new AbortController()
    const chat = await open({}, controller.signal)
    controller.abort()
    await reach(chat, "closed")
    expect(socket.open).toBe(0)
  })

  test("by the end of its client: its loops end with what was told before, messages under way are cancelled", async () => {
    const chat = await open()
    const loops = [chat.messages, chat.updates, chat.events, chat.history].map((loop) => take<unknown>(loop))
    const states = take(chat.states)
    const cancelled = { name: "AbortError", message: "the client was closed" }
    const sending = expect(chat.send(draft)).rejects.toMatchObject(cancelled)
    // The loops are running once they have asked for their first item.
    await new Promise((resolve) => setTimeout(resolve))
    socket.last.say("chat", wire(1))
    await client.close()
    await sending
    expect(await Promise.all(loops)).toEqual([[told(1)], [], [{ _tag: "Message", message: told(1) }], []])
    expect((await states).at(-1)).toEqual({ status: "closed" })
    expect(await take(chat.messages)).toEqual([])
    expect(socket.open).toBe(0)
    expect(chat.state).toEqual({ status: "closed" })
    await expect(open()).rejects.toMatchObject({ tag: "InputError", rule: "is closed: make a new one" })
  })

  test("by the sign-out of its client: its loops end", async () => {
    const chat = await open()
    const messages = take(chat.messages)
    await client.session.signOut()
    expect(await messages).toEqual([])
    expect(socket.open).toBe(0)
    expect(chat.state).toEqual({ status: "closed" })
  })

  test("by the end of an `await using` block", async () => {
    {
      await using chat = await open()
      expect(chat.state.status).toBe("connected")
    }
    expect(socket.open).toBe(0)
  })

  test("by an error, with which its loops reject", async () => {
    const chat = await open({ policy: { ...policy, attempts: 1 } })
    const messages = take(chat.messages)
    socket.answer = (connection) => connection.fail()
    socket.last.lose()
    await expect(messages).rejects.toMatchObject({ tag: "ChatError", reason: "Unreachable" })
    expect(chat.state).toMatchObject({ status: "failed" })
  })
})

test("over socket.io, a message goes out, is acknowledged, comes back to the loop, and drift is reported", async () => {
  const http = createServer()
  const io = new Server(http, { path: "/api_private/v1/chat" })
  const handshakes: Array<Record<string, unknown>> = []
  io.on("connection", (socket) => {
    handshakes.push({ ...socket.handshake.headers, token: socket.handshake.query.token })
    socket.emit("history", [{ _id: "m1", conversationId: "c1", text: "before" }])
    socket.on("chat", (sent: Record<string, unknown>, acknowledge: (answer: unknown) => void) => {
      const message = { ...sent, _id: "m2", createdAt: "2024-05-01T10:00:00.000Z" }
      acknowledge({ message })
      io.emit("chat", message)
    })
  })
  const { url } = await listen(http)
  onTestFinished(() => io.close())
  const left = new Promise<void>((resolve) => {
    io.once("connection", (socket) => socket.once("disconnect", () => resolve()))
  })
  const drifts: Array<string> = []
  const problems: Array<string> = []
  const real = createAdminClient({
    ...config,
    baseUrl: url,
    logDrift: false,
    onDrift: ({ came, operation, path }) => drifts.push(`${operation} ${path}: ${came}`)
  })
  const chat = await real.chat.open({ history: false, onProblem: ({ _tag }) => problems.push(_tag) })
  const heard = { ...draft, _id: "m2", createdAt: new Date("2024-05-01T10:00:00.000Z") }
  const sent = await chat.send(draft)
  expect(sent).toMatchObject({ message: { ...heard, clientId: sent.clientId } })
  expect(await take(chat.messages, 1)).toMatchObject([heard])
  expect(await take(chat.history, 1)).toEqual([[{ _id: "m1", conversationId: "c1", text: "before" }]])
  expect(handshakes).toMatchObject([
    { token, authorization: `Bearer ${token}`, "x-session-id": "session-1", "x-api-key": "key-1" }
  ])
  const events = take(chat.events, 4)
  await new Promise((resolve) => setTimeout(resolve))
  io.emit("chat", { text: "no id" })
  io.emit("chat", { _id: "m2", conversationId: "c1", text: ["no", "text"], createdAt: 1_714_557_600_000 })
  for (const odd of [{ text: "no id" }, "no message", { _id: "m9", text: "the last" }]) io.emit("chat", odd)
  const texts = (await events).map(({ _tag, message }) => [_tag, message.text])
  const [message, update] = ["Message", "Update"]
  expect(texts).toEqual([
    [message, "no id"],
    [update, ["no", "text"]],
    [message, "no id"],
    [message, "the last"]
  ])
  const places = ["_id: nothing", "text: list", "createdAt: number", ": text"]
  expect(drifts).toEqual(places.map((place) => `chat.message ${place}`))
  expect(problems).toEqual(["Malformed"])
  await real.close()
  await left
  expect(chat.state).toEqual({ status: "closed" })
})
