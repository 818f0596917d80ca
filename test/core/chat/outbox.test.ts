// Messages that cannot go out, or whose answer is lost, wait in a bounded outbox and go out under the same id.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { type FakeSocket, setup } from "./fake-socket.js"
import { draft, FakeHistory, opened, optionsOf, told, wire } from "./fixtures.js"

const texts = (socket: FakeSocket) => socket.last.emitted.map(({ payload }) => payload.text)

describe("the outbox", () => {
  it.scoped("keeps messages while there is no connection, and sends them in order with the next one", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      socket.answer = () => undefined
      socket.last.lose()
      yield* TestClock.adjust(200)
      for (const text of ["one", "two", "three"]) yield* Effect.fork(chat.send(draft(text)))
      yield* TestClock.adjust(1_000)
      expect(texts(socket)).toEqual([])
      socket.last.accept()
      yield* TestClock.adjust(100)
      expect(texts(socket)).toEqual(["one", "two", "three"])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("sends a message again, under the same id, whose answer was lost with the connection", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      const sending = yield* Effect.fork(chat.send(draft("one")))
      yield* TestClock.adjust(0)
      const first = socket.last.emitted[0]?.payload
      socket.last.lose()
      yield* TestClock.adjust(500)
      expect(socket.last.emitted.map(({ payload }) => payload)).toEqual([first])
      socket.last.emitted[0]?.acknowledge()
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: first?.clientId })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("does not send a message again that the platform's history shows to have arrived", () => {
    const { credentialsProvider, socket } = setup()
    const history = new FakeHistory()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider, { history }))
      socket.last.say("chat", wire(1))
      history.add(told(1))
      const sending = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
      yield* TestClock.adjust(0)
      history.add(told(2, "c1", { clientId: "id-2" }))
      socket.last.lose()
      yield* TestClock.adjust(500)
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: "id-2", message: { _id: "m2" } })
      expect(socket.last.emitted).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("gives a message up with OutcomeUnknown after it was put on the wire three times", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("never sends twice where only one emission is allowed", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider, { policy: { emissions: 1 } }))
      const sending = yield* Effect.fork(chat.send(draft("once")))
      yield* TestClock.adjust(0)
      socket.last.lose()
      yield* TestClock.adjust(1_000)
      expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({ _tag: "OutcomeUnknown", attempts: 1 })
      expect(texts(socket)).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is bounded: one message too many fails with Overflow, and the others are not touched", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider, { policy: { outbox: 2 } }))
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped(
    "fails a message with Timeout that found no connection within its deadline, and does not send it later",
    () => {
      const { credentialsProvider, socket } = setup()
      return Effect.gen(function* () {
        const chat = yield* opened(optionsOf(credentialsProvider, { policy: { sendDeadline: 1_000 } }))
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
      }).pipe(Effect.provide(socket.layer))
    }
  )

  it.scoped("drops a message whose sender was interrupted before it went out", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      socket.answer = () => undefined
      socket.last.lose()
      yield* TestClock.adjust(500)
      const sending = yield* Effect.fork(chat.send(draft("never mind")))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(sending)
      socket.last.accept()
      yield* TestClock.adjust(200)
      expect(texts(socket)).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("refuses an id that is on its way already, and takes it again afterwards", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped(
    "fails what waits with the reason that ended the chat, and what was on the wire as unknown",
    () => {
      const { credentialsProvider, socket } = setup()
      return Effect.gen(function* () {
        const chat = yield* opened(optionsOf(credentialsProvider))
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
      }).pipe(Effect.provide(socket.layer))
    }
  )
})
