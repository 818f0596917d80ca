// The chat of a Promise client, on a socket that the test plays: opening, callbacks and loops, sending, and its end.
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type AdminClient, createAdminClient, Errors, type PromiseChat } from "../../clients/promise/index.js"
import type { Message } from "../../core/chat/model.js"
import { ChatSocket } from "../../core/ports/chat-socket.js"
import { FakeSocket } from "../core/chat/fake-socket.js"
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
  socket.answer = (connection) => connection.accept()
  const chatSocket = Effect.runSync(Effect.provide(ChatSocket, socket.layer))
  client = createAdminClient({ ...config, chatSocket })
})

afterEach(() => client.close())

const open = (options: Parameters<AdminClient["chat"]["open"]>[0] = {}, signal?: AbortSignal) =>
  client.chat.open({ history: false, policy, ...options }, signal === undefined ? {} : { signal })

const message = (n: number) => ({
  _id: `m${n}`,
  conversationId: "c1",
  text: `text ${n}`,
  createdAt: `2024-05-01T10:00:0${n}.000Z`
})
const told = (n: number) => ({ ...message(n), createdAt: new Date(`2024-05-01T10:00:0${n}.000Z`) })

/** The items of a loop until there are so many, or it ends. */
const take = async <A>(
  items: AsyncIterable<A>,
  count = Number.POSITIVE_INFINITY
): Promise<ReadonlyArray<A>> => {
  const taken: Array<A> = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= count) break
  }
  return taken
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
  test("connects with the token as query, the session's headers and the API key", async () => {
    const chat = await open()
    expect(chat.state).toEqual({ status: "connected" })
    expect(socket.last.address).toEqual({
      origin: config.baseUrl,
      path: "/api_private/v1/chat",
      namespace: "/"
    })
    expect(socket.last.handshake).toEqual({
      query: { token },
      headers: { authorization: `Bearer ${token}`, "x-session-id": "session-1", "x-api-key": "key-1" }
    })
  })

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
    const other = createAdminClient(keyless)
    const opening = other.chat.open()
    await expect(opening).rejects.toBeInstanceOf(Errors.CredentialsError)
    await expect(opening).rejects.toMatchObject({
      tag: "CredentialsError",
      operation: "chat.open",
      reason: "Missing"
    })
  })

  test("rejects where the server does not accept the session, and leaves nothing open", async () => {
    socket.answer = (connection) => connection.refuse()
    const opening = open()
    await expect(opening).rejects.toBeInstanceOf(Errors.ChatError)
    await expect(opening).rejects.toMatchObject({ tag: "ChatError", reason: "Refused" })
    expect(socket.open).toBe(0)
  })

  test("rejects once its deadline has passed", async () => {
    socket.answer = () => undefined
    await expect(open({ policy: { ...policy, deadline: 30 } })).rejects.toMatchObject({ reason: "Timeout" })
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
  test("tells messages and history to callbacks", async () => {
    const messages: Array<Message> = []
    const histories: Array<ReadonlyArray<Message>> = []
    await open({
      onMessage: (item) => messages.push(item),
      onHistory: (items) => histories.push(items)
    })
    socket.last.say("history", [message(1), message(2)])
    socket.last.say("chat", message(3))
    expect(histories).toEqual([[told(1), told(2)]])
    expect(messages).toEqual([told(3)])
  })

  test("gives messages and history as loops, what came before them included", async () => {
    const chat = await open()
    socket.last.say("history", [message(1)])
    socket.last.say("chat", message(2))
    socket.last.say("chat", message(3))
    expect(await take(chat.messages, 2)).toEqual([told(2), told(3)])
    expect(await take(chat.history, 1)).toEqual([[told(1)]])
  })

  test("tells a message that came again with other content as an update, to its callback and to loops", async () => {
    const messages: Array<Message> = []
    const updates: Array<Message> = []
    const chat = await open({
      onMessage: (item) => messages.push(item),
      onUpdate: (item) => updates.push(item)
    })
    const looped = [take(chat.updates, 1), take(chat.events, 2)]
    // The loops are running once they have asked for their first item.
    await new Promise((resolve) => setTimeout(resolve))
    socket.last.say("chat", message(1))
    socket.last.say("chat", message(1))
    socket.last.say("chat", { ...message(1), seen: true })
    const seen = { ...told(1), seen: true }
    expect(messages).toEqual([told(1)])
    expect(updates).toEqual([seen])
    expect(await Promise.all(looped)).toEqual([
      [seen],
      [
        { _tag: "Message", message: told(1) },
        { _tag: "Update", message: seen }
      ]
    ])
    expect(chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 1, duplicates: 1 })
  })

  test("sends a message, and answers once the platform has taken it", async () => {
    const chat = await open()
    const sending = chat.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })
    const [emitted] = socket.last.emitted
    expect(emitted?.payload).toEqual({ conversationId: "c1", text: "hello", clientId: "mine-1" })
    emitted?.acknowledge({ message: { ...message(4), clientId: "mine-1" } })
    expect(await sending).toEqual({ clientId: "mine-1", message: { ...told(4), clientId: "mine-1" } })
  })

  test("rejects a message that the platform refuses, and one that breaks a rule", async () => {
    const chat = await open()
    const sending = chat.send({ conversationId: "c1", text: "hello" })
    socket.last.emitted[0]?.acknowledge({ error: { message: "archived" } })
    await expect(sending).rejects.toMatchObject({ tag: "ChatError", reason: "Rejected" })
    await expect(chat.send({ conversationId: "", text: "hello" })).rejects.toMatchObject({
      tag: "InputError",
      field: "conversationId"
    })
  })

  test("gives up on a message whose signal is aborted", async () => {
    const chat = await open()
    const controller = new AbortController()
    const sending = chat.send({ conversationId: "c1", text: "hello" }, { signal: controller.signal })
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
    await expect(chat.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject({
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
    const sending = expect(chat.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
      cancelled
    )
    // The loops are running once they have asked for their first item.
    await new Promise((resolve) => setTimeout(resolve))
    socket.last.say("chat", message(1))
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
