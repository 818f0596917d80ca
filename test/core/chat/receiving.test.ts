import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Problem } from "../../../core/chat/figures.js"
import type { Message } from "../../../core/chat/model.js"
import { FakeAuthority, FakeSocket } from "./fake-socket.js"
import { FakeHistory, ids, opened, optionsOf, range, told, wire } from "./fixtures.js"

const setup = () => {
  const socket = new FakeSocket()
  socket.answer = (connection) => connection.accept()
  return { socket, authority: new FakeAuthority() }
}

const take = (messages: Stream.Stream<Message, unknown>, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(messages, count)), (chunk) => ids(Chunk.toReadonlyArray(chunk)))

describe("incoming messages", () => {
  it.scoped("are told to the callback as they come, with Dates for date-times", () => {
    const { authority, socket } = setup()
    const heard: Array<Message> = []
    return Effect.gen(function* () {
      yield* opened(optionsOf(authority, { onMessage: (message) => heard.push(message) }))
      socket.last.say("chat", wire(1, "c1", { sender: { _id: "u1", since: "2024-01-01T00:00:00Z" } }))
      expect(heard).toEqual([
        told(1, "c1", { sender: { _id: "u1", since: new Date("2024-01-01T00:00:00Z") } })
      ])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("are told as a Stream, those before its first run included", () => {
    const { authority, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority))
      socket.last.say("chat", wire(1))
      const reading = yield* Effect.fork(take(chat.messages, 3))
      yield* TestClock.adjust(0)
      socket.last.say("chat", wire(2))
      socket.last.say("chat", wire(3))
      expect(yield* Fiber.join(reading)).toEqual(range(1, 3))
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("are told to every run of the Stream, to each from its start on", () => {
    const { authority, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority))
      const first = yield* Effect.fork(take(chat.messages, 4))
      yield* TestClock.adjust(0)
      for (const n of [1, 2]) socket.last.say("chat", wire(n))
      const second = yield* Effect.fork(take(chat.messages, 2))
      yield* TestClock.adjust(0)
      for (const n of [3, 4]) socket.last.say("chat", wire(n))
      expect(yield* Fiber.join(first)).toEqual(range(1, 4))
      expect(yield* Fiber.join(second)).toEqual(range(3, 4))
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("that come twice are told once", () => {
    const { authority, socket } = setup()
    const heard: Array<Message> = []
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { onMessage: (message) => heard.push(message) }))
      for (const n of [1, 2, 1, 2, 3]) socket.last.say("chat", wire(n))
      expect(ids(heard)).toEqual(range(1, 3))
      expect(yield* chat.figures).toMatchObject({ received: 5, delivered: 3, duplicates: 2 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("that cannot be read are left out, counted and reported with the field", () => {
    const { authority, socket } = setup()
    const problems: Array<Problem> = []
    const heard: Array<Message> = []
    return Effect.gen(function* () {
      const chat = yield* opened(
        optionsOf(authority, {
          onMessage: (message) => heard.push(message),
          onProblem: (problem) => problems.push(problem)
        })
      )
      socket.last.say("chat", { text: "no id" })
      socket.last.say("chat", "not an object")
      socket.last.say("chat", wire(1, "c1", { createdAt: "2024-02-30T10:00:00Z" }))
      socket.last.say("chat", wire(2, "c1", { orderNumber: 2 ** 60 }))
      socket.last.say("history", { count: 3 })
      socket.last.say("chat", wire(3))
      expect(ids(heard)).toEqual(["m3"])
      expect(problems.map((problem) => problem._tag === "Malformed" && problem.field)).toEqual([
        "_id",
        "",
        "createdAt",
        "",
        ""
      ])
      expect(yield* chat.figures).toMatchObject({ malformed: 5, problems: 5, delivered: 1 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("reach the other readers where a callback throws", () => {
    const { authority, socket } = setup()
    const problems: Array<Problem> = []
    return Effect.gen(function* () {
      const chat = yield* opened(
        optionsOf(authority, {
          onMessage: () => {
            throw new Error("mine")
          },
          onProblem: (problem) => {
            problems.push(problem)
            throw new Error("mine too")
          }
        })
      )
      const reading = yield* Effect.fork(take(chat.messages, 1))
      yield* TestClock.adjust(0)
      socket.last.say("chat", wire(1))
      expect(yield* Fiber.join(reading)).toEqual(["m1"])
      expect(problems).toMatchObject([{ _tag: "CallbackFailed", cause: { message: "mine" } }])
    }).pipe(Effect.provide(socket.layer))
  })
})

describe("the history of the first connection", () => {
  it.scoped("is told to its callback and as a Stream, oldest first", () => {
    const { authority, socket } = setup()
    const heard: Array<ReadonlyArray<Message>> = []
    return Effect.gen(function* () {
      const chat = yield* opened(
        optionsOf(authority, { onHistory: (messages) => heard.push(messages), onMessage: () => undefined })
      )
      const reading = yield* Effect.fork(Stream.runHead(chat.history))
      yield* TestClock.adjust(0)
      socket.last.say("history", [wire(3), wire(2), wire(1)])
      expect(heard.map(ids)).toEqual([range(1, 3)])
      expect((yield* Fiber.join(reading))._tag).toBe("Some")
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is read from an object that holds the list, and names its conversation once", () => {
    const { authority, socket } = setup()
    const heard: Array<Message> = []
    return Effect.gen(function* () {
      yield* opened(optionsOf(authority, { onHistory: (messages) => heard.push(...messages) }))
      socket.last.say("history", { conversationId: "c9", messages: [{ _id: "a" }, { _id: "b" }] })
      expect(heard).toEqual([
        { _id: "a", conversationId: "c9" },
        { _id: "b", conversationId: "c9" }
      ])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("does not tell again what came in live, nor live what it told", () => {
    const { authority, socket } = setup()
    const heard: Array<Message> = []
    const old: Array<Message> = []
    return Effect.gen(function* () {
      yield* opened(
        optionsOf(authority, {
          onMessage: (message) => heard.push(message),
          onHistory: (messages) => old.push(...messages)
        })
      )
      socket.last.say("chat", wire(3))
      socket.last.say("history", [wire(1), wire(2), wire(3)])
      socket.last.say("chat", wire(2))
      socket.last.say("chat", wire(4))
      expect(ids(old)).toEqual(["m1", "m2"])
      expect(ids(heard)).toEqual(["m3", "m4"])
    }).pipe(Effect.provide(socket.layer))
  })
})

describe("a reader that falls behind", () => {
  it.scoped("loses the oldest ones under drop-oldest, and the loss is counted", () => {
    const { authority, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { policy: { buffer: 10, overflow: "drop-oldest" } }))
      for (let n = 1; n <= 25; n++) socket.last.say("chat", wire(n))
      expect(yield* take(chat.messages, 10)).toEqual(range(16, 25))
      expect(yield* chat.figures).toMatchObject({ received: 25, dropped: 15, peak: 10 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("loses nothing under backpressure: what did not fit is read from the platform's history", () => {
    const { authority, socket } = setup()
    const history = new FakeHistory({ stands: "newest-first", limit: 7 })
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { history, policy: { buffer: 10 } }))
      for (let n = 1; n <= 95; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
      }
      expect(yield* chat.figures).toMatchObject({ delivered: 10, deferred: 85, dropped: 0 })
      const reading = yield* Effect.fork(take(chat.messages, 100))
      yield* TestClock.adjust(1_000)
      for (let n = 96; n <= 100; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
      }
      expect(yield* Fiber.join(reading)).toEqual(range(1, 100))
      const figures = yield* chat.figures
      expect(figures).toMatchObject({ delivered: 100, recovered: 85, dropped: 0, gaps: 0, peak: 10 })
      expect(socket.connections).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("holds back what comes in while it catches up, and tells it after", () => {
    const { authority, socket } = setup()
    const history = new FakeHistory({ stands: "oldest-first", limit: 4, counts: true })
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { history, policy: { buffer: 6 } }))
      const say = (from: number, to: number) => {
        for (let n = from; n <= to; n++) {
          history.add(told(n))
          socket.last.say("chat", wire(n))
        }
      }
      const heard: Array<string> = []
      say(1, 20)
      yield* Effect.fork(
        Stream.runForEach(Stream.rechunk(chat.messages, 1), ({ _id }) =>
          Effect.delay(
            Effect.sync(() => heard.push(_id)),
            10
          )
        )
      )
      for (let n = 21; n <= 200; n += 4) {
        yield* TestClock.adjust(25)
        say(n, n + 3)
      }
      yield* TestClock.adjust(10_000)
      expect(heard).toEqual(range(1, 200))
      const figures = yield* chat.figures
      expect(figures.peak).toBeLessThanOrEqual(6)
      expect(figures.peakHeld).toBeLessThanOrEqual(6)
      expect(figures).toMatchObject({ delivered: 200, dropped: 0, gaps: 0 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("finds the messages of a conversation that began while it was behind", () => {
    const { authority, socket } = setup()
    const history = new FakeHistory()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { history, policy: { buffer: 2 } }))
      const all = [told(1), told(2), told(3, "new"), told(4, "new"), told(5)]
      history.add(...all)
      for (const n of [1, 2]) socket.last.say("chat", wire(n))
      for (const n of [3, 4]) socket.last.say("chat", wire(n, "new"))
      socket.last.say("chat", wire(5))
      const heard = yield* take(chat.messages, 5)
      expect([...heard].sort()).toEqual(range(1, 5))
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("makes the others wait no longer than until it leaves", () => {
    const { authority, socket } = setup()
    const history = new FakeHistory()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(authority, { history, policy: { buffer: 3 } }))
      const stuck = yield* Deferred.make<void>()
      const slow = yield* Effect.fork(Stream.runForEach(chat.messages, () => Deferred.await(stuck)))
      const quick = yield* Effect.fork(take(chat.messages, 20))
      yield* TestClock.adjust(0)
      for (let n = 1; n <= 20; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
        yield* TestClock.adjust(0)
      }
      expect(quick.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(slow)
      expect(yield* Fiber.join(quick)).toEqual(range(1, 20))
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is never waited for by callbacks", () => {
    const { authority, socket } = setup()
    const heard: Array<Message> = []
    return Effect.gen(function* () {
      const history = new FakeHistory()
      const options = optionsOf(authority, {
        history,
        onMessage: (message) => heard.push(message),
        policy: { buffer: 2 }
      })
      yield* opened(options)
      for (let n = 1; n <= 50; n++) socket.last.say("chat", wire(n))
      expect(ids(heard)).toEqual(range(1, 50))
      expect(history.asked).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })
})
