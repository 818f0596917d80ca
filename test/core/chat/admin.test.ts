// The chat as an admin's program opens it, against the sandbox of the same process.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Sandbox from "../../../adapters/sandbox/index.js"
import { type Options, open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"
import * as ChatScript from "../../../clients/testing/chat-script.js"
import type { Message } from "../../../core/chat/model.js"
import type { Drift } from "../../../core/kernel/codec/drift.js"
import { type Address, ChatSocket, type Handshake } from "../../../core/ports/chat-socket.js"
import { Transport } from "../../../core/ports/transport.js"

const baseUrl = "http://sandbox.test"
const { accounts } = Sandbox
const quick = { policy: { pause: 1, longestPause: 20 } }

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const token = `${part({ alg: "HS256" })}.${part({ sub: "a1", p: {} })}.c2ln`

const setup = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const opened: Array<{ readonly address: Address; readonly handshake: Handshake }> = []
  const watched = Layer.succeed(ChatSocket, {
    open: (address, handshake, listener) => {
      opened.push({ address, handshake })
      return sandbox.socket.open(address, handshake, listener)
    }
  })
  const layers = Layer.provideMerge(watched, Sandbox.layerOf(sandbox))
  const client = (config: { readonly apiKey?: string; readonly signInCooldown?: number } = {}) =>
    Layer.provideMerge(
      Admin.layer({
        baseUrl,
        projectId: accounts.projectId,
        apiKey: accounts.apiKey,
        ...accounts.admin,
        ...config
      }),
      layers
    )
  const conversation = sandbox.control.state.conversations.all()[0]
  if (conversation === undefined) return yield* Effect.die("the sandbox has no conversation")
  const endUserSays = (text: string) =>
    sandbox.hub.sayAs(conversation.userId, { conversationId: conversation._id, text })
  return { ...sandbox, client, conversation, endUserSays, layers, opened }
})

describe("an admin's chat", () => {
  // Spec 7.16
  it.scopedLive("connects at the platform's path with the token, the API key and the session", () =>
    Effect.gen(function* () {
      const { client, opened } = yield* setup
      yield* Effect.gen(function* () {
        const chat = yield* open()
        expect(yield* chat.state.get).toEqual({ status: "connected" })
        const { headers } = yield* Effect.flatMap(Admin.Client, ({ session }) =>
          Effect.clockWith(session.getCredentials)
        )
        const bearer = headers.authorization ?? ""
        expect(opened).toEqual([
          {
            address: { origin: baseUrl, path: "/api_private/v1/chat", namespace: "/" },
            handshake: {
              query: { token: bearer.slice("Bearer ".length) },
              headers: {
                authorization: bearer,
                "x-session-id": headers["x-session-id"],
                "x-api-key": accounts.apiKey
              }
            }
          }
        ])
      }).pipe(Effect.provide(client()))
    })
  )

  it.scopedLive("goes where it is told, under the header names of its client", () =>
    Effect.gen(function* () {
      const { layers, opened } = yield* setup
      const address = { url: "https://chat.example.com:8443", path: "/socket", namespace: "/desk" }
      const client = Admin.layer({
        baseUrl,
        projectId: accounts.projectId,
        apiKey: "key",
        sessionId: "session",
        accessToken: token,
        headerNames: { session: "X-Desk-Session", apiKey: "X-Desk-Key" }
      })
      yield* Effect.flip(open({ address, policy: { deadline: 100 } })).pipe(
        Effect.provide(Layer.provideMerge(client, layers))
      )
      expect(opened[0]?.address).toEqual({
        origin: "https://chat.example.com:8443",
        path: "/socket",
        namespace: "/desk"
      })
      expect(Object.keys(opened[0]?.handshake.headers ?? {})).toEqual([
        "authorization",
        "x-desk-session",
        "x-desk-key"
      ])
    })
  )

  // Spec 4.8, 7.16
  it.scopedLive("says and hears, and tells the history at first", () =>
    Effect.gen(function* () {
      const { client, control, conversation, endUserSays } = yield* setup
      yield* Effect.gen(function* () {
        const chat = yield* open()
        const history = yield* Stream.runHead(chat.history)
        const newest = [...control.state.messages.all()]
          .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
          .slice(-50)
        expect(Option.getOrThrow(history)).toEqual(newest)
        const reading = yield* Effect.fork(Stream.runCollect(Stream.take(chat.messages, 2)))
        const sent = yield* chat.send({ conversationId: conversation._id, text: "How can I help?" })
        expect(sent.message).toMatchObject({ text: "How can I help?", clientId: sent.clientId })
        expect(sent.message?.createdAt).toBeInstanceOf(Date)
        yield* endUserSays("The lift is stuck.")
        const heard = Chunk.toReadonlyArray(yield* Fiber.join(reading))
        expect(heard.map(({ text }) => text)).toEqual(["How can I help?", "The lift is stuck."])
      }).pipe(Effect.provide(client()))
    })
  )

  it.scopedLive("closes at a sign-out, and signs nobody in again", () =>
    Effect.gen(function* () {
      const { client, control, opened } = yield* setup
      yield* Effect.gen(function* () {
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
      }).pipe(Effect.provide(client()))
    })
  )

  it.scopedLive("closes with its client, though its own scope goes on", () =>
    Effect.gen(function* () {
      const { client } = yield* setup
      const chat = yield* Effect.provide(open(quick), client())
      expect(yield* chat.state.get).toEqual({ status: "closed" })
      yield* Stream.runDrain(chat.messages)
    })
  )

  it.scopedLive("that is being opened fails at a sign-out at once", () =>
    Effect.gen(function* () {
      const { client, layers } = yield* setup
      const silent = Layer.succeed(ChatSocket, {
        open: () => ({ connected: () => false, emit: () => undefined, close: () => undefined })
      })
      yield* Effect.gen(function* () {
        const { session } = yield* Admin.Client
        yield* Effect.clockWith(session.getCredentials)
        const opening = yield* Effect.fork(Effect.provide(Effect.flip(open()), silent))
        yield* Effect.sleep(50)
        yield* session.signOut
        expect(yield* Fiber.join(opening)).toMatchObject({ _tag: "ChatError", reason: "Closed" })
      }).pipe(Effect.provide(client()), Effect.provide(layers))
    })
  )

  it.scopedLive("reads what it missed from the conversation's messages, more than a history holds", () =>
    Effect.gen(function* () {
      const { client, control, conversation, endUserSays, hub } = yield* setup
      yield* Effect.gen(function* () {
        const heard: Array<string> = []
        const chat = yield* open({ ...quick, onMessage: ({ text }) => heard.push(text ?? "") })
        yield* endUserSays("before")
        yield* Effect.yieldNow()
        hub.disconnectAll()
        for (let n = 1; n <= 120; n++) yield* endUserSays(`missed ${n}`)
        yield* chat.state.changes.pipe(
          Stream.dropUntil(({ status }) => status === "reconnecting"),
          Stream.takeUntil(({ status }) => status === "connected"),
          Stream.runDrain
        )
        yield* endUserSays("after")
        yield* Effect.sleep(10)
        expect(heard).toEqual([
          "before",
          ...Array.from({ length: 120 }, (_, n) => `missed ${n + 1}`),
          "after"
        ])
        const asked = control.log().filter(({ operation }) => operation === "conversations.messages")
        expect(asked.length).toBeGreaterThan(1)
        expect(asked.some(({ path }) => path.includes(conversation._id))).toBe(true)
      }).pipe(Effect.provide(client()))
    })
  )

  it.scopedLive("signs in anew where its session has ended, and goes on", () =>
    Effect.gen(function* () {
      const { client, conversation, control, hub, opened } = yield* setup
      yield* Effect.gen(function* () {
        const chat = yield* open(quick)
        control.expireSessions()
        hub.disconnectAll()
        yield* Effect.sleep(50)
        const sent = yield* chat.send({ conversationId: conversation._id, text: "still here" })
        expect(sent.message).toMatchObject({ text: "still here" })
        const tokens = new Set(opened.map(({ handshake }) => handshake.query.token))
        expect(tokens.size).toBe(2)
      }).pipe(Effect.provide(client({ signInCooldown: 0 })))
    })
  )

  it.scopedLive("fails a message that the platform refuses with its reason", () =>
    Effect.gen(function* () {
      const { client } = yield* setup
      yield* Effect.gen(function* () {
        const chat = yield* open()
        const error = yield* Effect.flip(chat.send({ conversationId: "no-such", text: "hello?" }))
        expect(error).toMatchObject({ _tag: "ChatError", reason: "Rejected" })
      }).pipe(Effect.provide(client()))
    })
  )

  it.scopedLive("fails with Refused where the API key is wrong", () =>
    Effect.gen(function* () {
      const { client } = yield* setup
      const error = yield* Effect.flip(open()).pipe(
        Effect.provide(client({ apiKey: "canary-key", signInCooldown: 0 }))
      )
      expect(error).toMatchObject({ _tag: "ChatError", reason: "Refused" })
      expect(error.message).toContain("the API key is wrong")
    })
  )

  it.scopedLive("fails with CredentialsError where its client has no API key, before anything is sent", () =>
    Effect.gen(function* () {
      const { control, layers, opened } = yield* setup
      const bare = Admin.layer({ baseUrl, projectId: accounts.projectId, ...accounts.admin })
      const error = yield* Effect.flip(open()).pipe(Effect.provide(Layer.provideMerge(bare, layers)))
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
      expect(error.message).toBe("the chat needs the project's API key: give the admin client its apiKey")
      expect([control.log().length, opened.length]).toEqual([0, 0])
    })
  )

  const odd = { text: "no id", conversationId: "c1" }

  it.scopedLive(
    "tells what is not as declared as it came, and reports it through its client's own hook",
    () =>
      Effect.gen(function* () {
        const drifts: Array<Drift> = []
        const heard: Array<Message> = []
        const onDrift = (drift: Drift) => Effect.sync(() => drifts.push(drift))
        const script = ChatScript.make()
        const { transport } = yield* Sandbox.make()
        const client = Admin.layer({
          baseUrl,
          projectId: accounts.projectId,
          apiKey: accounts.apiKey,
          ...accounts.admin,
          logDrift: false,
          onDrift
        })
        yield* Effect.gen(function* () {
          yield* open({ onMessage: (message) => heard.push(message) })
          script.peers[0]?.say("chat", structuredClone(odd))
          script.peers[0]?.say("history", [structuredClone(odd)])
          yield* open({ answers: "strict", onMessage: (message) => heard.push(message) })
          script.peers[1]?.say("chat", structuredClone(odd))
          expect(heard).toEqual([odd])
          expect(drifts).toEqual([
            { operation: "chat.message", path: "_id", expected: "a non-empty id", came: "nothing" },
            { operation: "chat.history", path: "[]._id", expected: "a non-empty id", came: "nothing" }
          ])
        }).pipe(
          Effect.provide(Layer.provideMerge(client, Layer.succeed(Transport, transport))),
          Effect.provide(script.layer)
        )
      })
  )

  it.scopedLive("refuses a word for `answers` that is none", () =>
    Effect.gen(function* () {
      const { client } = yield* setup
      // What a program without types may pass.
      const options = { answers: "loose" } as unknown as Options
      const error = yield* Effect.flip(open(options)).pipe(Effect.provide(client()))
      expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field: "answers" })
    })
  )

  const broken: ReadonlyArray<readonly [Options["address"], string]> = [
    [{ path: "chat" }, "address.path"],
    [{ path: "/chat?token=x" }, "address.path"],
    [{ path: "/chat#x" }, "address.path"],
    [{ path: "/a b" }, "address.path"],
    [{ namespace: "desk" }, "address.namespace"],
    [{ namespace: "/desk?x" }, "address.namespace"],
    [{ url: "ftp://chat.example.com" }, "address.url"],
    [{ url: "https://user:pass@chat.example.com" }, "address.url"],
    [{ url: "https://chat.example.com/path" }, "address.url"],
    [{ url: "https://chat.example.com?x" }, "address.url"]
  ]
  for (const [address, field] of broken) {
    it.scopedLive(`refuses the address ${JSON.stringify(address)}`, () =>
      Effect.gen(function* () {
        const { client, opened } = yield* setup
        const error = yield* Effect.flip(open(address === undefined ? {} : { address })).pipe(
          Effect.provide(client())
        )
        expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field })
        expect(opened).toEqual([])
      })
    )
  }
})
