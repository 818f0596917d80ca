// What becomes of a message that is sent while the chat is connected, and what its sender is told.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import type { Draft } from "../../../core/chat/model.js"
import { setup } from "./fake-socket.js"
import { draft, opened, optionsOf, told, wire } from "./fixtures.js"

describe("sending a message", () => {
  it.scoped("puts it on the wire under an id that the client made", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const at = new Date("2024-05-01T10:00:00Z")
      yield* Effect.fork(chat.send(draft("hello", { at })))
      yield* TestClock.adjust(0)
      expect(socket.last.emitted).toHaveLength(1)
      expect(socket.last.emitted[0]?.payload).toEqual({
        conversationId: "c1",
        text: "hello",
        at: "2024-05-01T10:00:00.000Z",
        clientId: expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{24}$/)
      })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("gives every message another id, out of Random and the Clock alone", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const round = Effect.gen(function* () {
        for (let n = 0; n < 50; n++) yield* Effect.fork(chat.send(draft("x")))
        yield* TestClock.adjust(0)
        return socket.last.emitted.splice(0).map(({ payload }) => payload.clientId)
      })
      const first = yield* Effect.withRandom(round, Random.make("seed"))
      expect(new Set(first).size).toBe(50)
      for (const clientId of first) socket.last.say("chat", wire(first.indexOf(clientId), "c1", { clientId }))
      yield* TestClock.adjust(0)
      expect(yield* Effect.withRandom(round, Random.make("seed"))).toEqual(first)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("answers once it is acknowledged, with the message where the answer holds it", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const bare = yield* Effect.fork(chat.send(draft("one", { clientId: "id-1" })))
      const full = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
      yield* TestClock.adjust(1_000)
      expect(bare.unsafePoll()).toBeNull()
      socket.last.emitted[0]?.acknowledge()
      socket.last.emitted[1]?.acknowledge({ message: wire(2) })
      expect(yield* Fiber.join(bare)).toEqual({ clientId: "id-1", message: undefined })
      expect(yield* Fiber.join(full)).toEqual({ clientId: "id-2", message: told(2) })
      expect(yield* chat.figures).toMatchObject({ emitted: 2, sent: 2 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("answers once it is echoed", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const sending = yield* Effect.fork(chat.send(draft("one", { clientId: "id-1" })))
      yield* TestClock.adjust(0)
      socket.last.say("chat", wire(1, "c1", { clientId: "someone else's" }))
      yield* TestClock.adjust(0)
      expect(sending.unsafePoll()).toBeNull()
      socket.last.say("chat", wire(2, "c1", { clientId: "id-1" }))
      expect(yield* Fiber.join(sending)).toEqual({
        clientId: "id-1",
        message: told(2, "c1", { clientId: "id-1" })
      })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with Rejected where the server answers with an error, its secrets masked", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      for (const answer of [
        { error: "token-1 may not write here" },
        { error: { message: "token-1 may not write here" } },
        { error: true, message: "token-1 may not write here" }
      ]) {
        const sending = yield* Effect.fork(chat.send(draft("x")))
        yield* TestClock.adjust(0)
        socket.last.emitted.at(-1)?.acknowledge(answer)
        const error = yield* Effect.flip(Fiber.join(sending))
        expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.send", reason: "Rejected" })
        expect(error.message).toBe("chat.send: the platform refused the message: ••• may not write here")
      }
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with OutcomeUnknown where no answer comes within its deadline", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider, { policy: { sendDeadline: 1_000 } }))
      const sending = yield* Effect.fork(chat.send(draft("x")))
      yield* TestClock.adjust(900)
      expect(sending.unsafePoll()).toBeNull()
      yield* TestClock.adjust(200)
      expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({
        _tag: "OutcomeUnknown",
        operation: "chat.send",
        reason: "Deadline",
        attempts: 1
      })
    }).pipe(Effect.provide(socket.layer))
  })

  const refused: ReadonlyArray<readonly [Record<string, unknown>, string, string]> = [
    [{ text: "x" }, "conversationId", "is required"],
    [{ conversationId: "", text: "x" }, "conversationId", "must be a non-empty id"],
    [{ conversationId: "c1", text: 3 }, "text", "must be a string"],
    [
      { conversationId: "c1", text: "x", clientId: "y".repeat(201) },
      "clientId",
      "text of 1 to 200 characters"
    ],
    [{ conversationId: "c1", text: "x", price: Number.NaN }, "price", "must be a finite number"],
    [{ conversationId: "c1", text: "x", id: 5n }, "id", "must not be a BigInt: pass it as text"]
  ]
  for (const [given, field, rule] of refused) {
    it.scoped(`refuses a draft whose ${field} breaks a rule (${rule}), and sends nothing`, () => {
      const { credentialsProvider, socket } = setup()
      return Effect.gen(function* () {
        const chat = yield* opened(optionsOf(credentialsProvider))
        // A program without types may pass anything.
        const error = yield* Effect.flip(chat.send(given as unknown as Draft))
        expect(error).toMatchObject({ _tag: "InputError", operation: "chat.send", field })
        expect("rule" in error && error.rule).toContain(rule)
        expect(socket.last.emitted).toEqual([])
      }).pipe(Effect.provide(socket.layer))
    })
  }

  it.scoped("sends what the draft held when it was sent, whatever becomes of it later", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const tags = ["a"]
      yield* Effect.fork(chat.send(draft("x", { tags })))
      yield* TestClock.adjust(0)
      tags.push("b")
      socket.last.lose()
      yield* TestClock.adjust(500)
      expect(socket.connections).toHaveLength(2)
      expect(socket.last.emitted[0]?.payload.tags).toEqual(["a"])
    }).pipe(Effect.provide(socket.layer))
  })
})
