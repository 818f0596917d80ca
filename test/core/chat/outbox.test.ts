// What becomes of a message that is sent: while the chat is connected, and while it waits in the bounded outbox.
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import type { Draft } from "../../../core/chat/model.js"
import type { FakeSocket } from "./fake-socket.js"
import { draft, FakeHistory, scenario, told, wire } from "./fixtures.js"

const texts = (socket: FakeSocket) => socket.last.emitted.map(({ payload }) => payload.text)

describe("the outbox", () => {
  scenario(
    "keeps messages while there is no connection, and sends them in order with the next one",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      socket.answer = () => undefined
      socket.last.lose()
      yield* TestClock.adjust(200)
      for (const text of ["one", "two", "three"]) yield* Effect.fork(chat.send(draft(text)))
      yield* TestClock.adjust(1_000)
      expect(texts(socket)).toEqual([])
      socket.last.accept()
      yield* TestClock.adjust(100)
      expect(texts(socket)).toEqual(["one", "two", "three"])
    }
  )

  scenario(
    "sends a message again, under the same id, whose answer was lost with the connection",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      const sending = yield* Effect.fork(chat.send(draft("one")))
      yield* TestClock.adjust(0)
      const first = socket.last.emitted[0]?.payload
      socket.last.lose()
      yield* TestClock.adjust(500)
      expect(socket.last.emitted.map(({ payload }) => payload)).toEqual([first])
      socket.last.emitted[0]?.acknowledge()
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: first?.clientId })
    }
  )

  scenario(
    "does not send a message again that the platform's history shows to have arrived",
    function* (world) {
      const { open, socket } = world
      const history = new FakeHistory()
      const chat = yield* open({ history })
      socket.last.say("chat", wire(1))
      history.add(told(1))
      const sending = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
      yield* TestClock.adjust(0)
      history.add(told(2, "c1", { clientId: "id-2" }))
      socket.last.lose()
      yield* TestClock.adjust(500)
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: "id-2", message: { _id: "m2" } })
      expect(socket.last.emitted).toEqual([])
    }
  )

  scenario(
    "gives a message up with OutcomeUnknown after it was put on the wire three times",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      const sending = yield* Effect.fork(chat.send(draft("poison")))
      for (let n = 0; n < 3; n++) {
        yield* TestClock.adjust(1_000)
        expect(sending.unsafePoll()).toBeNull()
        socket.last.lose()
      }
      yield* TestClock.adjust(2_000)
      expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({
        _tag: "OutcomeUnknown",
        reason: "Network",
        attempts: 3
      })
      expect((yield* chat.figures).emitted).toBe(3)
    }
  )

  scenario("never sends twice where only one emission is allowed", function* ({ open, socket }) {
    const chat = yield* open({ policy: { emissions: 1 } })
    const sending = yield* Effect.fork(chat.send(draft("once")))
    yield* TestClock.adjust(0)
    socket.last.lose()
    yield* TestClock.adjust(1_000)
    expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({ _tag: "OutcomeUnknown", attempts: 1 })
    expect(texts(socket)).toEqual([])
  })

  scenario(
    "is bounded: one message too many fails with Overflow, and the others are not touched",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({ policy: { outbox: 2 } })
      socket.answer = () => undefined
      socket.last.lose()
      yield* TestClock.adjust(500)
      const first = yield* Effect.fork(chat.send(draft("one")))
      yield* Effect.fork(chat.send(draft("two")))
      yield* TestClock.adjust(0)
      const error = yield* Effect.flip(chat.send(draft("three")))
      expect(error).toMatchObject({ _tag: "ChatError", reason: "Overflow", retryable: true })
      expect(error.message).toBe("chat.send: 2 messages wait already; the message was not sent")
      socket.last.accept()
      yield* TestClock.adjust(100)
      expect(texts(socket)).toEqual(["one", "two"])
      socket.last.emitted[0]?.acknowledge()
      yield* Fiber.join(first)
      yield* Effect.fork(chat.send(draft("three")))
      yield* TestClock.adjust(0)
      expect(texts(socket)).toEqual(["one", "two", "three"])
    }
  )

  scenario(
    "fails a message with Timeout that found no connection within its deadline, and does not send it later",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({ policy: { sendDeadline: 1_000 } })
      socket.answer = () => undefined
      socket.last.lose()
      const sending = yield* Effect.fork(chat.send(draft("late")))
      yield* TestClock.adjust(1_100)
      expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({
        _tag: "ChatError",
        reason: "Timeout"
      })
      socket.last.accept()
      yield* TestClock.adjust(200)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(texts(socket)).toEqual([])
    }
  )

  scenario("drops a message whose sender was interrupted before it went out", function* ({ open, socket }) {
    const chat = yield* open()
    socket.answer = () => undefined
    socket.last.lose()
    yield* TestClock.adjust(500)
    const sending = yield* Effect.fork(chat.send(draft("never mind")))
    yield* TestClock.adjust(0)
    yield* Fiber.interrupt(sending)
    socket.last.accept()
    yield* TestClock.adjust(200)
    expect(texts(socket)).toEqual([])
  })

  scenario("refuses an id that is on its way already, and takes it again afterwards", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const first = yield* Effect.fork(chat.send(draft("x", { clientId: "same" })))
    yield* TestClock.adjust(0)
    expect(yield* Effect.flip(chat.send(draft("y", { clientId: "same" })))).toMatchObject({
      _tag: "InputError",
      field: "clientId"
    })
    socket.last.emitted[0]?.acknowledge()
    yield* Fiber.join(first)
    const again = yield* Effect.fork(chat.send(draft("z", { clientId: "same" })))
    yield* TestClock.adjust(0)
    socket.last.emitted[1]?.acknowledge()
    expect(Exit.isSuccess(yield* Fiber.await(again))).toBe(true)
  })

  scenario(
    "fails what waits with the reason that ended the chat, and what was on the wire as unknown",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      const onWire = yield* Effect.fork(chat.send(draft("one")))
      yield* TestClock.adjust(0)
      socket.answer = (connection) => connection.refuse("revoked")
      socket.last.lose()
      const waiting = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
      yield* TestClock.adjust(5_000)
      expect(yield* Effect.flip(Fiber.join(onWire))).toMatchObject({ _tag: "OutcomeUnknown" })
      expect(yield* Effect.flip(Fiber.join(waiting))).toMatchObject({
        _tag: "ChatError",
        operation: "chat.send",
        reason: "Refused",
        clientId: "id-2"
      })
      expect(yield* Effect.flip(chat.send(draft("three")))).toMatchObject({ reason: "Refused" })
    }
  )
})

describe("sending a message", () => {
  scenario("puts it on the wire under an id that the client made", function* ({ open, socket }) {
    const chat = yield* open()
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
  })

  scenario("gives every message another id, out of Random and the Clock alone", function* ({ open, socket }) {
    const chat = yield* open()
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
  })

  scenario("answers once it is acknowledged, with the message where the answer holds it", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const bare = yield* Effect.fork(chat.send(draft("one", { clientId: "id-1" })))
    const full = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
    yield* TestClock.adjust(1_000)
    expect(bare.unsafePoll()).toBeNull()
    socket.last.emitted[0]?.acknowledge()
    socket.last.emitted[1]?.acknowledge({ message: wire(2) })
    expect(yield* Fiber.join(bare)).toEqual({ clientId: "id-1", message: undefined })
    expect(yield* Fiber.join(full)).toEqual({ clientId: "id-2", message: told(2) })
    expect(yield* chat.figures).toMatchObject({ emitted: 2, sent: 2 })
  })

  scenario("answers once it is echoed", function* ({ open, socket }) {
    const chat = yield* open()
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
  })

  scenario(
    "fails with Rejected where the server answers with an error, its secrets masked",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
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
    }
  )

  scenario("fails with OutcomeUnknown where no answer comes within its deadline", function* ({ open }) {
    const chat = yield* open({ policy: { sendDeadline: 1_000 } })
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
    scenario(`refuses a draft whose ${field} breaks a rule (${rule}), and sends nothing`, function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      // A program without types may pass anything.
      const error = yield* Effect.flip(chat.send(given as unknown as Draft))
      expect(error).toMatchObject({ _tag: "InputError", operation: "chat.send", field })
      expect("rule" in error && error.rule).toContain(rule)
      expect(socket.last.emitted).toEqual([])
    })
  }

  scenario("sends what the draft held when it was sent, whatever becomes of it later", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const tags = ["a"]
    yield* Effect.fork(chat.send(draft("x", { tags })))
    yield* TestClock.adjust(0)
    tags.push("b")
    socket.last.lose()
    yield* TestClock.adjust(500)
    expect(socket.connections).toHaveLength(2)
    expect(socket.last.emitted[0]?.payload.tags).toEqual(["a"])
  })
})
