// What a chat missed while it was not connected is told after its reconnection, once and in order.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { History } from "../../../core/chat/recovery.js"
import { NetworkError } from "../../../core/kernel/errors/errors.js"
import { always, FakeHistory, ids, opened, range, told, wire } from "./fixtures.js"
import { reconnect, setup } from "./reconnection.js"

describe("after a reconnection", () => {
  const platforms = [
    ["newest first, in pages", { stands: "newest-first", limit: 3 }],
    ["newest first, in counted pages", { stands: "newest-first", limit: 3, counts: true }],
    ["newest first, without pages", { stands: "newest-first", limit: 3, whole: true }],
    ["oldest first, in pages", { stands: "oldest-first", limit: 3 }],
    ["oldest first, in counted pages", { stands: "oldest-first", limit: 3, counts: true }],
    ["oldest first, without pages", { stands: "oldest-first", limit: 3, whole: true }]
  ] as const

  for (const [name, platform] of platforms) {
    it.scoped(`the missed messages are told once and in order, from a platform that answers ${name}`, () => {
      const { happen, heard, options, problems, say, socket } = setup(new FakeHistory(platform))
      return Effect.gen(function* () {
        happen(1, 10)
        const chat = yield* opened(options)
        say(11, 12)
        for (const first of [13, 23, 33]) {
          happen(first, first + 7)
          yield* reconnect(socket)
          say(first + 8, first + 9)
        }
        expect(ids(heard)).toEqual(range(11, 42))
        expect(problems).toEqual([])
        expect(yield* chat.figures).toMatchObject({ delivered: 32, recovered: 24, gaps: 0 })
      }).pipe(Effect.provide(socket.layer))
    })
  }

  it.scoped("nothing from before the chat was opened is told", () => {
    const { happen, heard, options, socket } = setup()
    return Effect.gen(function* () {
      happen(1, 10)
      yield* TestClock.setTime(Date.parse("2024-05-01T10:00:11Z"))
      yield* opened({ ...options, conversations: ["c1"] })
      yield* reconnect(socket)
      expect(heard).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("live messages wait until what was missed has been told", () => {
    const { happen, heard, history, options, say, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(options)
      say(1, 1)
      happen(2, 5)
      history.failures.push(new NetworkError({ operation: "conversations.messages", reason: "Reset" }))
      socket.answer = (connection) => {
        connection.accept()
        connection.say("chat", wire(6))
        history.add(told(6))
      }
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(range(1, 6))
      expect(yield* chat.figures).toMatchObject({ duplicates: 0, recovered: 5 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("the state is connected only once the chat has caught up", () => {
    const { happen, heard, options, say, socket } = setup()
    return Effect.gen(function* () {
      const slow = { page: () => Effect.delay(Effect.succeed({ items: [], paging: {} }), 5_000) }
      const chat = yield* opened({ ...options, history: slow })
      say(1, 1)
      happen(2, 2)
      yield* reconnect(socket)
      socket.last.say("chat", wire(3))
      expect(yield* chat.state.get).toMatchObject({ status: "reconnecting" })
      expect(ids(heard)).toEqual(["m1"])
      yield* TestClock.adjust(5_000)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(ids(heard)).toEqual(["m1", "m3"])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("every conversation that was heard of is looked at, and those that are named", () => {
    const { happen, heard, history, options, say, socket } = setup()
    return Effect.gen(function* () {
      yield* opened({ ...options, conversations: ["named"] })
      say(1, 1, "a")
      say(2, 2, "b")
      happen(3, 3, "a")
      happen(4, 5, "b")
      happen(6, 6, "named")
      yield* reconnect(socket)
      expect(new Set(history.asked.map((asked) => asked.split("/")[0]))).toEqual(new Set(["a", "b", "named"]))
      expect(ids(heard.filter(({ conversationId }) => conversationId === "b"))).toEqual(["m2", "m4", "m5"])
      expect(new Set(ids(heard))).toEqual(new Set(range(1, 6)))
      expect(heard).toHaveLength(6)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("a conversation that was only written to is looked at too", () => {
    const { happen, heard, options, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(options)
      yield* Effect.fork(chat.send({ conversationId: "mine", text: "anyone?" }))
      yield* TestClock.adjust(0)
      socket.last.emitted[0]?.acknowledge()
      yield* TestClock.setTime(Date.parse("2024-05-01T09:00:00Z"))
      happen(1, 2, "mine")
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(["m1", "m2"])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped(
    "a conversation that is heard of only then is looked at too, from the time of the loss on",
    () => {
      const { happen, heard, options, say, socket } = setup()
      return Effect.gen(function* () {
        happen(1, 3, "quiet")
        yield* opened(options)
        say(5, 5)
        happen(6, 7, "quiet")
        socket.answer = (connection) => {
          connection.accept()
          connection.say("chat", wire(8, "quiet"))
        }
        happen(8, 8, "quiet")
        yield* reconnect(socket)
        expect(ids(heard)).toEqual(range(5, 8))
      }).pipe(Effect.provide(socket.layer))
    }
  )

  it.scoped("what comes in meanwhile and cannot all be held is read once more", () => {
    const { heard, history, options, say, socket } = setup()
    // Pages are as they were when they were asked for, and arrive half a second later.
    const page: History["page"] = (id, number) =>
      Effect.flatMap(history.page(id, number), (found) => Effect.delay(Effect.succeed(found), 500))
    return Effect.gen(function* () {
      const chat = yield* opened({
        ...options,
        history: { page, order: "newest-first" },
        policy: { buffer: 3 }
      })
      say(1, 2)
      socket.last.lose()
      yield* TestClock.adjust(300)
      say(3, 12)
      yield* TestClock.adjust(5_000)
      expect(ids(heard)).toEqual(range(1, 12))
      expect(yield* chat.figures).toMatchObject({ deferred: 7, peakHeld: 3, dropped: 0 })
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    }).pipe(always(0.5), Effect.provide(socket.layer))
  })

  it.scoped("a message that overtook another one on the socket does not hide it", () => {
    const { heard, history, options, socket } = setup(new FakeHistory({ stands: "newest-first", limit: 10 }))
    return Effect.gen(function* () {
      yield* opened(options)
      for (const n of [1, 3]) socket.last.say("chat", wire(n))
      history.add(told(1), told(2), told(3), told(4))
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(["m1", "m3", "m2", "m4"])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("messages of one and the same millisecond keep the platform's order", () => {
    const { heard, history, options, socket } = setup(new FakeHistory({ stands: "newest-first", limit: 4 }))
    const at = (n: number) => ({ ...told(n), createdAt: new Date("2024-05-01T10:00:00Z") })
    return Effect.gen(function* () {
      yield* opened(options)
      socket.last.say("chat", { ...wire(1), createdAt: "2024-05-01T10:00:00Z" })
      for (let n = 1; n <= 9; n++) history.add(at(n))
      yield* reconnect(socket)
      expect(new Set(ids(heard))).toEqual(new Set(range(1, 9)))
      expect(heard).toHaveLength(9)
    }).pipe(Effect.provide(socket.layer))
  })
})
