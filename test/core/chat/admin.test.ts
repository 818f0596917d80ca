// The chat as an admin's program opens it, against the sandbox of the same process.
import { describe, expect } from "@effect/vitest"
import * as Sandbox from "@quartet/sandbox"
import { live } from "@quartet/support/effect.js"
import { Effect, Fiber, Layer, Option, type Scope, Stream } from "effect"
import { type Options, open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"
import type { Message } from "../../../core/chat/model.js"
import type { Drift } from "../../../core/kernel/codec/drift.js"
import { type Address, ChatSocket, type Handshake, type Listener } from "../../../core/ports/chat-socket.js"
import type { Transport } from "../../../core/ports/transport.js"
import { tokenOf } from "../../wire/platform.js"
import { collect, numbers } from "./world.js"

const baseUrl = "http://sandbox.test"
const { accounts } = Sandbox
const quick = { policy: { pause: 1, longestPause: 20 } }

/** A sandbox, what is opened on its socket, and clients of it. */
const makeWorld = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const opened: Array<{
    readonly address: Address
    readonly handshake: Handshake
    readonly listener: Listener
  }> = []
  const watched = Layer.succeed(ChatSocket, {
    open: (address, handshake, listener) => {
      opened.push({ address, handshake, listener })
      return sandbox.chatSocket.open(address, handshake, listener)
    }
  })
  const layers = Layer.provideMerge(watched, Sandbox.layerOf(sandbox))
  const { admin, apiKey, projectId } = accounts
  const client = (
    config: Partial<Pick<Admin.ClientConfig, "apiKey" | "signInCooldown" | "logDrift" | "onDrift">> = {}
  ) => Layer.provideMerge(Admin.layer({ baseUrl, projectId, apiKey, ...admin, ...config }), layers)
  const [conversation] = sandbox.control.state.conversations.all()
  if (conversation === undefined) return yield* Effect.die("the sandbox has no conversation")
  const { _id: conversationId, userId } = conversation
  const endUserSays = (text: string) => sandbox.hub.sayAs(userId, { conversationId, text })
  return { ...sandbox, client, conversationId, endUserSays, layers, opened }
})
type World = Effect.Effect.Success<typeof makeWorld>

/** Tests that have a world, and its admin's client. */
const served = live.within<[World], Admin.Client | ChatSocket | Transport | Scope.Scope>((use) =>
  Effect.flatMap(makeWorld, (world) => Effect.provide(use(world), world.client({ signInCooldown: 0 })))
)
/** Tests that make clients of their own. */
const apart = live.within<[World], Scope.Scope>((use) => Effect.flatMap(makeWorld, use))

describe("an admin's chat", () => {
  // Spec 7.16
  served(
    "connects at the platform's path with the token, the API key and the session",
    function* ({ opened }) {
      const chat = yield* open()
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      const { session } = yield* Admin.Client
      const { headers } = yield* Effect.clockWith(session.getCredentials)
      const query = { token: headers.authorization?.slice("Bearer ".length) }
      expect(opened).toMatchObject([
        {
          address: { origin: baseUrl, path: "/api_private/v1/chat", namespace: "/" },
          handshake: { query, headers: { ...headers, "x-api-key": accounts.apiKey } }
        }
      ])
      expect(Object.keys(opened[0]?.handshake.headers ?? {})).toHaveLength(3)
    }
  )

  apart("goes where it is told, under the header names of its client", function* ({ layers, opened }) {
    const address = { url: "https://chat.example.com:8443", path: "/socket", namespace: "/desk" }
    const client = Admin.layer({
      baseUrl,
      projectId: accounts.projectId,
      apiKey: "key",
      sessionId: "session",
      accessToken: tokenOf("a1"),
      headerNames: { session: "X-Desk-Session", apiKey: "X-Desk-Key" }
    })
    const opening = Effect.flip(open({ address, policy: { deadline: 100 } }))
    yield* Effect.provide(opening, Layer.provideMerge(client, layers))
    const { url: origin, ...rest } = address
    expect(opened[0]?.address).toEqual({ origin, ...rest })
    const names = ["authorization", "x-desk-session", "x-desk-key"]
    expect(Object.keys(opened[0]?.handshake.headers ?? {})).toEqual(names)
  })

  // Spec 4.8, 7.16
  served(
    "says and hears, and tells the history at first",
    function* ({ control, conversationId, endUserSays }) {
      const chat = yield* open()
      const history = yield* Stream.runHead(chat.history)
      const byTime = [...control.state.messages.all()].sort(
        (a, b) => a.createdAt.getTime() - b.createdAt.getTime()
      )
      expect(Option.getOrThrow(history)).toEqual(byTime.slice(-50))
      const reading = yield* Effect.fork(collect(Stream.take(chat.messages, 2)))
      const sent = yield* chat.send({ conversationId, text: "How can I help?" })
      expect(sent.message).toMatchObject({ text: "How can I help?", clientId: sent.clientId })
      expect(sent.message?.createdAt).toBeInstanceOf(Date)
      yield* endUserSays("The lift is stuck.")
      const heard = yield* Fiber.join(reading)
      expect(heard.map(({ text }) => text)).toEqual(["How can I help?", "The lift is stuck."])
    }
  )

  served("closes at a sign-out, and signs nobody in again", function* ({ control, opened }) {
    const { session } = yield* Admin.Client
    const chat = yield* open(quick)
    const requests = control.log().length
    yield* session.signOut
    expect(yield* chat.state.get).toEqual({ status: "closed" })
    yield* Stream.runDrain(chat.messages)
    yield* Effect.sleep(100)
    expect(opened).toHaveLength(1)
    expect(control.log()).toHaveLength(requests)
    const next = yield* open(quick)
    expect(yield* next.state.get).toEqual({ status: "connected" })
  })

  apart("closes with its client, though its own scope goes on", function* ({ client }) {
    const chat = yield* Effect.provide(open(quick), client())
    expect(yield* chat.state.get).toEqual({ status: "closed" })
    yield* Stream.runDrain(chat.messages)
  })

  served("that is being opened fails at a sign-out at once", function* () {
    const silent = Layer.succeed(ChatSocket, {
      open: () => ({ connected: () => false, emit: () => undefined, close: () => undefined })
    })
    const { session } = yield* Admin.Client
    yield* Effect.clockWith(session.getCredentials)
    const opening = yield* Effect.fork(Effect.provide(Effect.flip(open()), silent))
    yield* Effect.sleep(50)
    yield* session.signOut
    expect(yield* Fiber.join(opening)).toMatchObject({ _tag: "ChatError", reason: "Closed" })
  })

  served(
    "reads what it missed from the conversation's messages, more than a history holds",
    function* (world) {
      const { control, conversationId, endUserSays, hub } = world
      const heard: Array<string> = []
      const chat = yield* open({ ...quick, onMessage: ({ text }) => heard.push(text ?? "") })
      yield* endUserSays("before")
      yield* Effect.yieldNow()
      hub.disconnectAll()
      const missed = numbers(1, 120).map((n) => `missed ${n}`)
      yield* Effect.forEach(missed, endUserSays)
      yield* chat.state.changes.pipe(
        Stream.dropUntil(({ status }) => status === "reconnecting"),
        Stream.takeUntil(({ status }) => status === "connected"),
        Stream.runDrain
      )
      yield* endUserSays("after")
      yield* Effect.sleep(10)
      expect(heard).toEqual(["before", ...missed, "after"])
      const questions = control.log().filter(({ operation }) => operation === "conversations.messages")
      expect(questions.length).toBeGreaterThan(1)
      expect(questions.some(({ path }) => path.includes(conversationId))).toBe(true)
    }
  )

  served("signs in anew where its session has ended, and goes on", function* (world) {
    const { control, conversationId, hub, opened } = world
    const chat = yield* open(quick)
    control.expireSessions()
    hub.disconnectAll()
    yield* Effect.sleep(50)
    const sent = yield* chat.send({ conversationId, text: "still here" })
    expect(sent.message).toMatchObject({ text: "still here" })
    expect(new Set(opened.map(({ handshake }) => handshake.query.token)).size).toBe(2)
  })

  served("fails a message that the platform refuses with its reason", function* () {
    const chat = yield* open()
    const error = yield* Effect.flip(chat.send({ conversationId: "no-such", text: "hello?" }))
    expect(error).toMatchObject({ _tag: "ChatError", reason: "Rejected" })
  })

  apart("fails with Refused where the API key is wrong", function* ({ client }) {
    const wrong = client({ apiKey: "canary-key", signInCooldown: 0 })
    const error = yield* Effect.provide(Effect.flip(open()), wrong)
    expect(error).toMatchObject({ _tag: "ChatError", reason: "Refused" })
    expect(error.message).toContain("the API key is wrong")
  })

  apart("fails with CredentialsError where its client has no API key, and sends nothing", function* (world) {
    const { control, layers, opened } = world
    const bare = Admin.layer({ baseUrl, projectId: accounts.projectId, ...accounts.admin })
    const error = yield* Effect.provide(Effect.flip(open()), Layer.provideMerge(bare, layers))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
    expect(error.message).toBe("the chat needs the project's API key: give the admin client its apiKey")
    expect([control.log().length, opened.length]).toEqual([0, 0])
  })

  apart(
    "tells what is not as declared as it came, and reports it through its client's hook",
    function* (world) {
      const odd = { text: "no id", conversationId: "c1" }
      const drifts: Array<Drift> = []
      const heard: Array<Message> = []
      const onMessage = (message: Message) => heard.push(message)
      const onDrift = (drift: Drift) => Effect.sync(() => drifts.push(drift))
      yield* Effect.gen(function* () {
        yield* open({ history: false, onMessage, onHistory: () => undefined })
        world.opened[0]?.listener.onEvent("chat", { ...odd })
        world.opened[0]?.listener.onEvent("history", [{ ...odd }])
        yield* open({ history: false, answers: "strict", onMessage })
        world.opened[1]?.listener.onEvent("chat", { ...odd })
      }).pipe(Effect.provide(world.client({ logDrift: false, onDrift })))
      expect(heard).toEqual([odd])
      const missing = { expected: "a non-empty id", came: "nothing" }
      expect(drifts).toEqual([
        { operation: "chat.message", path: "_id", ...missing },
        { operation: "chat.history", path: "[]._id", ...missing }
      ])
    }
  )

  served.each<readonly [options: object, field: string]>([
    // What a program without types may pass.
    [{ answers: "loose" }, "answers"],
    [{ address: { path: "chat" } }, "address.path"],
    [{ address: { path: "/chat?token=x" } }, "address.path"],
    [{ address: { path: "/chat#x" } }, "address.path"],
    [{ address: { path: "/a b" } }, "address.path"],
    [{ address: { namespace: "desk" } }, "address.namespace"],
    [{ address: { namespace: "/desk?x" } }, "address.namespace"],
    [{ address: { url: "ftp://chat.example.com" } }, "address.url"],
    [{ address: { url: "https://user:pass@chat.example.com" } }, "address.url"],
    [{ address: { url: "https://chat.example.com/path" } }, "address.url"],
    [{ address: { url: "https://chat.example.com?x" } }, "address.url"]
  ])("is not opened with %o", function* ([options, field], { opened }) {
    const error = yield* Effect.flip(open(options as Options))
    expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field })
    expect(opened).toEqual([])
  })
})
