// What a chat missed while it was not connected is told after its reconnection, once and in order, or reported.
import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { TestContext } from "effect/TestContext"
import type { Message } from "../../../core/chat/model.js"
import type { History } from "../../../core/chat/recovery.js"
import { NetworkError, NotFound, PermissionDenied } from "../../../core/kernel/errors/errors.js"
import { FakeHistory, ids, opened, play, range, told, wire } from "./fixtures.js"
import { reconnect, scenario, setup } from "./reconnection.js"

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
    it.scoped(`the missed messages are told once and in order, from a platform that answers ${name}`, () =>
      play(setup(new FakeHistory(platform)), function* ({ happen, heard, options, problems, say, socket }) {
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
      })
    )
  }

  scenario("nothing from before the chat was opened is told", function* ({ happen, heard, options, socket }) {
    happen(1, 10)
    yield* TestClock.setTime(Date.parse("2024-05-01T10:00:11Z"))
    yield* opened({ ...options, conversations: ["c1"] })
    yield* reconnect(socket)
    expect(heard).toEqual([])
  })

  scenario("live messages wait until what was missed has been told", function* (world) {
    const { happen, heard, history, options, say, socket } = world
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
  })

  scenario("the state is connected only once the chat has caught up", function* (world) {
    const { happen, heard, options, say, socket } = world
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
  })

  scenario("every conversation that was heard of is looked at, and those that are named", function* (world) {
    const { happen, heard, history, options, say, socket } = world
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
  })

  scenario("a conversation that was only written to is looked at too", function* (world) {
    const { happen, heard, options, socket } = world
    const chat = yield* opened(options)
    yield* Effect.fork(chat.send({ conversationId: "mine", text: "anyone?" }))
    yield* TestClock.adjust(0)
    socket.last.emitted[0]?.acknowledge()
    yield* TestClock.setTime(Date.parse("2024-05-01T09:00:00Z"))
    happen(1, 2, "mine")
    yield* reconnect(socket)
    expect(ids(heard)).toEqual(["m1", "m2"])
  })

  scenario(
    "a conversation that is heard of only then is looked at too, from the time of the loss on",
    function* (world) {
      const { happen, heard, options, say, socket } = world
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
    }
  )

  scenario("what comes in meanwhile and cannot all be held is read once more", function* (world) {
    const { heard, history, options, say, socket } = world
    // Pages are as they were when they were asked for, and arrive half a second later.
    const page: History["page"] = (id, number) =>
      Effect.flatMap(history.page(id, number), (found) => Effect.delay(Effect.succeed(found), 500))
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
  })

  it.scoped("a message that overtook another one on the socket does not hide it", () =>
    play(
      setup(new FakeHistory({ stands: "newest-first", limit: 10 })),
      function* ({ heard, history, options, socket }) {
        yield* opened(options)
        for (const n of [1, 3]) socket.last.say("chat", wire(n))
        history.add(told(1), told(2), told(3), told(4))
        yield* reconnect(socket)
        expect(ids(heard)).toEqual(["m1", "m3", "m2", "m4"])
      }
    )
  )

  it.scoped("messages of one and the same millisecond keep the platform's order", () =>
    play(
      setup(new FakeHistory({ stands: "newest-first", limit: 4 })),
      function* ({ heard, history, options, socket }) {
        const at = (n: number) => ({ ...told(n), createdAt: new Date("2024-05-01T10:00:00Z") })
        yield* opened(options)
        socket.last.say("chat", { ...wire(1), createdAt: "2024-05-01T10:00:00Z" })
        for (let n = 1; n <= 9; n++) history.add(at(n))
        yield* reconnect(socket)
        expect(new Set(ids(heard))).toEqual(new Set(range(1, 9)))
        expect(heard).toHaveLength(9)
      }
    )
  )
})

describe("the server's own history after a reconnection", () => {
  scenario("is merged with what was recovered, and is not told as history again", function* (world) {
    const { happen, heard, history, options, say, socket } = world
    const histories: Array<ReadonlyArray<Message>> = []
    happen(1, 3)
    socket.answer = (connection) => {
      connection.accept()
      connection.say("history", history.conversations.get("c1")?.slice(-5) ?? [])
    }
    yield* opened({ ...options, onHistory: (messages) => histories.push(messages) })
    say(4, 4)
    happen(5, 12)
    yield* reconnect(socket)
    expect(ids(heard)).toEqual(range(4, 12))
    expect(histories.map(ids)).toEqual([range(1, 3)])
  })

  scenario(
    "closes the gap alone where there is nothing to recover from, as far as it goes",
    function* (world) {
      const { happen, heard, history, options, say, socket } = world
      const { history: _, ...bare } = options
      happen(1, 3)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("history", [...(history.conversations.get("c1") ?? [])].reverse().slice(0, 20))
      }
      yield* opened(bare)
      say(4, 4)
      happen(5, 12)
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(range(4, 12))
    }
  )

  scenario("is waited for, up to a second, where the server sent one before", function* (world) {
    const { heard, options, socket } = world
    const { history: _, ...bare } = options
    socket.answer = (connection) => {
      connection.accept()
    }
    const chat = yield* opened(bare)
    socket.last.say("history", [wire(1)])
    socket.last.lose()
    yield* TestClock.adjust(300)
    socket.last.say("chat", wire(4))
    yield* TestClock.adjust(300)
    expect(heard).toEqual([])
    socket.last.say("history", [wire(1), wire(2), wire(3)])
    yield* TestClock.adjust(0)
    expect(ids(heard)).toEqual(range(2, 4))
    socket.last.lose()
    yield* TestClock.adjust(200)
    socket.last.say("chat", wire(5))
    yield* TestClock.adjust(1_100)
    expect(ids(heard)).toEqual(range(2, 5))
    expect(yield* chat.state.get).toEqual({ status: "connected" })
  })

  scenario("is used where it comes late, after the chat went on without it", function* (world) {
    const { heard, options, socket } = world
    const { history: _, ...bare } = options
    yield* opened(bare)
    socket.last.say("chat", wire(1))
    yield* reconnect(socket)
    socket.last.say("chat", wire(4))
    socket.last.say("history", [wire(0), wire(1), wire(2), wire(3), wire(4)])
    expect(ids(heard)).toEqual(["m1", "m4", "m2", "m3"])
  })
})

describe("a gap that cannot be recovered", () => {
  scenario("is reported with its conversation and its error, and the chat goes on", function* (world) {
    const { happen, heard, history, options, problems, say, socket } = world
    const error = new PermissionDenied({
      operation: "conversations.messages",
      reason: "Server",
      resource: "conversations",
      action: "messages",
      required: 1
    })
    const chat = yield* opened(options)
    say(1, 1)
    happen(2, 3)
    history.failures.push(error)
    yield* reconnect(socket)
    say(4, 4)
    expect(ids(heard)).toEqual(["m1", "m4"])
    expect(problems).toEqual([{ _tag: "Gap", conversationId: "c1", error }])
    expect(yield* chat.figures).toMatchObject({ gaps: 1 })
  })

  scenario("is asked for three times where the fault may pass", function* (world) {
    const { heard, history, options, problems, say, socket } = world
    const error = new NetworkError({ operation: "conversations.messages", reason: "Timeout" })
    yield* opened(options)
    say(1, 1)
    history.add(told(2))
    history.failures.push(error, error)
    yield* reconnect(socket)
    expect(ids(heard)).toEqual(["m1", "m2"])
    history.add(told(3))
    history.failures.push(error, error, error)
    socket.last.lose()
    yield* TestClock.adjust(2_000)
    expect(ids(heard)).toEqual(["m1", "m2"])
    expect(problems).toHaveLength(1)
  })

  scenario("is none where the conversation is gone", function* ({ history, options, problems, say, socket }) {
    const chat = yield* opened(options)
    say(1, 1)
    history.failures.push(new NotFound({ operation: "conversations.messages", status: 404 }))
    yield* reconnect(socket)
    expect(problems).toEqual([])
    expect(yield* chat.state.get).toEqual({ status: "connected" })
  })

  for (const stands of ["newest-first", "oldest-first"] as const) {
    it.scoped(`is reported where it is longer than may be recovered (${stands})`, () =>
      play(
        setup(new FakeHistory({ stands, limit: 5 })),
        function* ({ happen, options, problems, say, socket }) {
          yield* opened({ ...options, policy: { longestGap: 20 } })
          say(1, 1)
          happen(2, 100)
          yield* reconnect(socket)
          expect(problems).toMatchObject([
            { _tag: "Gap", conversationId: "c1", error: { _tag: "ChatError", reason: "Overflow" } }
          ])
        }
      )
    )
  }
})

const Rounds = Schema.Array(
  Schema.Struct({
    live: Schema.Int.pipe(Schema.between(0, 6)),
    missed: Schema.Int.pipe(Schema.between(0, 9))
  })
).pipe(Schema.minItems(1), Schema.maxItems(5))

describe("whatever is missed", () => {
  const property = (stands: "newest-first" | "oldest-first", counts: boolean) =>
    FastCheck.asyncProperty(
      Arbitrary.make(Rounds),
      FastCheck.integer({ min: 2, max: 5 }),
      FastCheck.integer({ min: 1, max: 12 }),
      (rounds, limit, buffer) => {
        const { happen, history, options, say, socket } = setup(new FakeHistory({ stands, limit, counts }))
        const program = Effect.gen(function* () {
          const { onMessage: _, ...streaming } = options
          const chat = yield* opened({ ...streaming, policy: { buffer, longestPause: 500 } })
          // The first message makes the conversation known.
          say(1, 1)
          const reading = yield* Effect.fork(Stream.runCollect(chat.messages))
          yield* TestClock.adjust(0)
          let last = 1
          for (const { live, missed } of rounds) {
            say(last + 1, last + live)
            happen(last + live + 1, last + live + missed)
            last += live + missed
            yield* reconnect(socket)
          }
          yield* TestClock.adjust(1_000)
          const { gaps, peak } = yield* chat.figures
          yield* chat.close
          const heard = ids(Chunk.toReadonlyArray(yield* Fiber.join(reading)))
          expect(heard).toEqual(range(1, last))
          expect(gaps).toBe(0)
          expect(peak).toBeLessThanOrEqual(buffer)
          expect(history.asked.length).toBeGreaterThan(0)
        })
        return Effect.runPromise(
          program.pipe(Effect.scoped, Effect.provide(socket.layer), Effect.provide(TestContext))
        )
      }
    )

  for (const stands of ["newest-first", "oldest-first"] as const) {
    for (const counts of [false, true]) {
      it(`is told once, in order, and within the buffer's bound (${stands}, ${counts ? "" : "not "}counted)`, () =>
        FastCheck.assert(property(stands, counts), { numRuns: 15 }))
    }
  }
})
