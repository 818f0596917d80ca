/** The chat on real sockets: who may connect, what they hear, and what they are answered. */
import { expect } from "@effect/vitest"
import * as SocketChat from "@quartet/sdk/adapters/socket"
import * as Admin from "@quartet/sdk/admin"
import { adminHeaders, post, served, story } from "@quartet/support/clients.js"
import { patient } from "@quartet/support/patience.js"
import { Chunk, Effect, Fiber, type Scope, Stream } from "effect"
import { io, type Socket } from "socket.io-client"
import { accounts } from "../index.js"
import type * as SandboxServer from "../server/index.js"

interface Handshake {
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly auth?: Record<string, string>
  readonly transports?: Array<"polling" | "websocket">
}

/** What one connection has heard, and what it can do. */
interface Seat {
  readonly socket: Socket
  readonly heard: Array<{ readonly event: string; readonly payload: Payload }>
  readonly say: (payload: unknown) => Effect.Effect<Payload>
  readonly next: (event: string) => Effect.Effect<Payload>
}

// biome-ignore lint/suspicious/noExplicitAny: what a socket brings has no type here; the assertions say what it holds.
type Payload = any

/** Opens a connection; fails with the server's message where it is refused. */
const connect = (url: string, handshake: Handshake): Effect.Effect<Seat, string, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Seat, string>((resume) => {
      const socket = io(url, {
        path: "/api_private/v1/chat",
        forceNew: true,
        reconnection: false,
        transports: handshake.transports ?? ["polling", "websocket"],
        ...(handshake.query && { query: handshake.query }),
        ...(handshake.headers && { extraHeaders: handshake.headers }),
        ...(handshake.auth && { auth: handshake.auth })
      })
      const heard: Array<{ event: string; payload: Payload }> = []
      const waiting: Array<() => void> = []
      socket.onAny((event: string, payload: Payload) => {
        heard.push({ event, payload })
        for (const wake of waiting.splice(0)) wake()
      })
      const consumed = new Set<number>()
      const next = (event: string): Effect.Effect<Payload> =>
        Effect.suspend(() => {
          const at = heard.findIndex((entry, index) => entry.event === event && !consumed.has(index))
          if (at >= 0) {
            consumed.add(at)
            return Effect.succeed(heard[at]?.payload)
          }
          return Effect.async<void>((wake) => {
            waiting.push(() => wake(Effect.void))
          }).pipe(Effect.zipRight(next(event)))
        })
      const say = (payload: unknown) =>
        Effect.promise(() => socket.timeout(patient(5_000)).emitWithAck("chat", payload))
      socket.once("connect", () => resume(Effect.succeed({ socket, heard, say, next })))
      socket.once("connect_error", (error) => {
        socket.close()
        resume(Effect.fail(error.message))
      })
    }),
    ({ socket }) => Effect.sync(() => socket.close())
  )

/** The handshake of an admin, as the specification has it: a token in the query, the API key and the session as headers. */
const asAdmin = (url: string, account?: { email: string; password: string }) =>
  Effect.map(adminHeaders(url, account), ({ authorization, "x-session-id": session }) => ({
    query: { token: authorization.replace("Bearer ", "") },
    headers: { "x-api-key": accounts.apiKey, authorization, "x-session-id": session }
  }))

const asEndUser = (url: string, account: { email: string; password: string }) =>
  Effect.map(post(`${url}/auth/login`, account, { "x-api-key": accounts.apiKey }), ({ json }) => ({
    auth: { "x-api-key": accounts.apiKey, "x-session-id": String(json.sessionId) }
  }))

const conversationOf = ({ control }: SandboxServer.Served, email: string) => {
  const user = control.state.users.find((candidate) => candidate.email === email)
  const conversation = control.state.conversations.find((candidate) => candidate.userId === user?._id)
  return { userId: user?._id ?? "", conversationId: conversation?._id ?? "" }
}

served("an admin is told the history at once, oldest message first", function* ({ url }) {
  const seat = yield* connect(url, yield* asAdmin(url))
  const { messages } = yield* seat.next("history")
  expect(messages.length).toBe(50)
  expect(messages[0]).toMatchObject({ text: expect.any(String), sender: { name: expect.any(String) } })
  const times = messages.map((message: Payload) => message.createdAt)
  expect(times).toEqual([...times].sort())
})

story("what one says is acknowledged, heard by both sides, and kept", function* (sandbox) {
  const { url } = sandbox
  const { conversationId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const admin = yield* connect(url, yield* asAdmin(url))
  const ana = yield* connect(url, yield* asEndUser(url, accounts.endUsers.ana))

  const { message } = yield* admin.say({ conversationId, text: "Hello Ana", clientId: "c1" })
  expect(message).toMatchObject({ text: "Hello Ana", clientId: "c1", sender: { kind: "admin" } })
  expect(yield* ana.next("chat")).toEqual(message)
  expect(yield* admin.next("chat")).toEqual(message)

  yield* ana.say({ conversationId, text: "Hello!" })
  expect(yield* admin.next("chat")).toMatchObject({ text: "Hello!", sender: { name: "Ana Beridze" } })
  const { items } = yield* Admin.conversations.messages({ id: conversationId, limit: 500 })
  expect(items.slice(-2).map((message) => message.text)).toEqual(["Hello Ana", "Hello!"])
  const listed = yield* Admin.conversations.list({ limit: 1 })
  expect(listed.items[0]).toMatchObject({ _id: conversationId, lastMessage: "Hello!" })
})

story("a message that is seen is told again to both sides, to an admin as an update", function* (sandbox) {
  const { url } = sandbox
  const { conversationId, userId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const ana = yield* connect(url, yield* asEndUser(url, accounts.endUsers.ana))
  const chat = yield* Effect.provide(Admin.chat.open({ policy: { poll: 5 } }), SocketChat.layer)
  const events = yield* Effect.fork(Stream.runCollect(Stream.take(chat.events, 2)))
  const { _id } = yield* sandbox.hub.sayAs(userId, { conversationId, text: "Seen?" })
  yield* ana.next("chat")
  yield* Admin.conversations.markSeen({ id: conversationId, messageId: _id })
  expect(yield* ana.next("chat")).toMatchObject({ _id, seen: true })
  expect(Chunk.toReadonlyArray(yield* Fiber.join(events))).toMatchObject([
    { _tag: "Message", message: { _id, text: "Seen?", seen: false } },
    { _tag: "Update", message: { _id, text: "Seen?", seen: true } }
  ])
})

served("a message that is sent again under its own id is said once", function* (sandbox) {
  const { conversationId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const seat = yield* connect(sandbox.url, yield* asAdmin(sandbox.url))
  const before = sandbox.control.state.messages.size
  const first = yield* seat.say({ conversationId, text: "Once", clientId: "same" })
  const again = yield* seat.say({ conversationId, text: "Once", clientId: "same" })
  expect(again).toEqual(first)
  expect(sandbox.control.state.messages.size).toBe(before + 1)
})

served("an end user hears and says nothing in other people's conversations", function* (sandbox) {
  const { url } = sandbox
  const { conversationId, userId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const beka = yield* connect(url, yield* asEndUser(url, accounts.endUsers.beka))
  const { messages } = yield* beka.next("history")
  expect(messages.every((message: Payload) => message.conversationId !== conversationId)).toBe(true)
  const refused = yield* beka.say({ conversationId, text: "Let me in" })
  expect(refused).toMatchObject({ error: { code: "not_found" } })
  yield* sandbox.hub.sayAs(userId, { conversationId, text: "Private" })
  const own = conversationOf(sandbox, accounts.endUsers.beka.email)
  yield* beka.say({ conversationId: own.conversationId, text: "Mine" })
  expect(yield* beka.next("chat")).toMatchObject({ text: "Mine" })
  expect(beka.heard.filter(({ event }) => event === "chat").length).toBe(1)
})

served("an admin who may only read hears, and is refused when they speak", function* (sandbox) {
  const { conversationId, userId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const viewer = yield* connect(sandbox.url, yield* asAdmin(sandbox.url, accounts.viewer))
  yield* sandbox.hub.sayAs(userId, { conversationId, text: "Anybody there?" })
  expect(yield* viewer.next("chat")).toMatchObject({ text: "Anybody there?" })
  expect(yield* viewer.say({ conversationId, text: "Yes" })).toMatchObject({
    error: { code: "forbidden" }
  })
  expect(yield* viewer.say({ text: "Yes" })).toMatchObject({ error: { code: "forbidden" } })
})

served("a message without conversation or text is refused, naming the field", function* (sandbox) {
  const { conversationId } = conversationOf(sandbox, accounts.endUsers.ana.email)
  const seat = yield* connect(sandbox.url, yield* asAdmin(sandbox.url))
  const message = (payload: unknown) => Effect.map(seat.say(payload), ({ error }) => error.message)
  expect(yield* message({ text: "x" })).toContain("conversationId")
  expect(yield* message({ conversationId })).toContain("text")
  expect(yield* message("hello")).toContain("body")
})

served("credentials may come in query, headers or auth, by polling or websocket", function* ({ url }) {
  const { headers, query } = yield* asAdmin(url)
  yield* connect(url, { query, auth: headers, transports: ["websocket"] })
  yield* connect(url, { query, headers, transports: ["polling"] })
  yield* connect(url, { headers })
})

served("a handshake that proves nothing is refused, and says why", function* ({ url }) {
  const { headers, query } = yield* asAdmin(url)
  const { "x-api-key": key, ...noKey } = headers
  const refused = (handshake: Handshake) => Effect.flip(connect(url, handshake))
  expect(yield* refused({})).toContain("API key")
  expect(yield* refused({ query, headers: noKey })).toContain("API key")
  expect(yield* refused({ query, headers: { ...headers, "x-api-key": "wrong" } })).toContain("wrong")
  expect(yield* refused({ headers: { "x-api-key": key } })).toContain("token")
  expect(yield* refused({ query: { token: "nonsense" }, headers })).toContain("access token")
  expect(yield* refused({ query, headers: { ...headers, "x-session-id": "other" } })).toContain("session")
})

served("the platform can end all connections, and forgets those who leave", function* ({ hub, url }) {
  const handshake = yield* asAdmin(url)
  const seat = yield* connect(url, handshake)
  const second = yield* connect(url, handshake)
  expect(hub.size()).toBe(2)
  const gone = Effect.async<string>((resume) => {
    seat.socket.once("disconnect", (reason) => resume(Effect.succeed(reason)))
  })
  hub.disconnectAll()
  expect(yield* gone).toMatch(/server disconnect|transport close/)
  second.socket.close()
  expect(hub.size()).toBe(0)
})
