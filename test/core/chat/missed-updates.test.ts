// What was changed while the chat was not connected, or while its reader was behind, is told as an update too.
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
import type { ChatEvent, Message } from "../../../core/chat/model.js"
import type { History } from "../../../core/chat/recovery.js"
import { FakeHistory, ids, opened, play, range, told, wire } from "./fixtures.js"
import { reconnect, scenario, setup } from "./reconnection.js"

const edited = (n: number, text = `edited ${n}`) => told(n, "c1", { text })
const editedWire = (n: number, text = `edited ${n}`) => wire(n, "c1", { text })
const texts = (messages: ReadonlyArray<Message>) => messages.map(({ text }) => text)

describe("an update that was missed in a gap", () => {
  for (const stands of ["newest-first", "oldest-first"] as const) {
    it.scoped(`is told where the platform's messages differ from what was told (${stands})`, () =>
      play(
        setup(new FakeHistory({ stands, limit: 5 })),
        function* ({ happen, heard, history, options, say, socket, updates }) {
          const chat = yield* opened(options)
          say(1, 6)
          history.change(edited(5))
          history.change(edited(6))
          happen(7, 9)
          history.change(edited(8))
          yield* reconnect(socket)
          expect(ids(heard)).toEqual(range(1, 9))
          expect(texts(updates)).toEqual(["edited 5", "edited 6"])
          yield* reconnect(socket)
          expect(yield* chat.figures).toMatchObject({ delivered: 9, recovered: 3, updates: 2 })
        }
      )
    )
  }

  scenario("is told where nothing else was missed", function* (world) {
    const { heard, history, options, say, socket, updates } = world
    yield* opened(options)
    say(1, 2)
    history.change(edited(2))
    yield* reconnect(socket)
    expect(ids(heard)).toEqual(range(1, 2))
    expect(texts(updates)).toEqual(["edited 2"])
  })

  scenario("is told from the history that the server sends of itself", function* (world) {
    const { options, socket, updates } = world
    const { history: _, ...bare } = options
    socket.answer = (connection, number) => {
      connection.accept()
      connection.say("history", number === 1 ? [wire(1), wire(2)] : [editedWire(1), wire(2)])
    }
    yield* opened(bare)
    yield* reconnect(socket)
    expect(texts(updates)).toEqual(["edited 1"])
    socket.last.say("history", [editedWire(1), editedWire(2)])
    expect(texts(updates)).toEqual(["edited 1", "edited 2"])
  })
})

describe("a platform that writes a message otherwise in its pages than in the history that it sends", () => {
  scenario("has it told as an update once, and not at every reconnection", function* (world) {
    const { happen, heard, options, socket, updates } = world
    socket.answer = (connection) => {
      connection.accept()
      connection.say(
        "history",
        [1, 2].map((n) => wire(n, "c1", { sender: { _id: "u1", name: "Ana" } }))
      )
    }
    happen(1, 2)
    yield* opened(options)
    for (let times = 0; times < 3; times++) yield* reconnect(socket)
    expect(heard).toEqual([])
    expect(updates).toEqual([told(1), told(2)])
  })
})

describe("an update that comes in while a gap is recovered", () => {
  /** A platform whose pages are as they were when they were asked for, and arrive half a second later. */
  const slow = (history: FakeHistory): History => ({
    order: "newest-first",
    page: (id, number) =>
      Effect.flatMap(history.page(id, number), (found) => Effect.delay(Effect.succeed(found), 500))
  })

  scenario("is told after what was missed, in its place among live messages", function* (world) {
    const { happen, history, options, say, socket } = world
    const heard: Array<string> = []
    yield* opened({
      ...options,
      history: slow(history),
      onMessage: ({ _id }) => heard.push(`message ${_id}`),
      onUpdate: ({ _id }) => heard.push(`update ${_id}`)
    })
    say(1, 2)
    happen(3, 3)
    socket.last.lose()
    yield* TestClock.adjust(300)
    say(4, 4)
    socket.last.say("chat", editedWire(1))
    say(5, 5)
    yield* TestClock.adjust(5_000)
    expect(heard).toEqual(["message m1", "message m2", "message m3", "message m4", "update m1", "message m5"])
  })

  scenario("is the content of a message that was not told yet, which is told once", function* (world) {
    const { happen, heard, history, options, say, socket, updates } = world
    yield* opened({ ...options, history: slow(history) })
    say(1, 1)
    happen(2, 2)
    socket.last.lose()
    yield* TestClock.adjust(300)
    for (const text of ["first", "second"]) socket.last.say("chat", editedWire(2, text))
    say(3, 3)
    socket.last.say("chat", editedWire(3))
    yield* TestClock.adjust(5_000)
    expect(texts(heard)).toEqual(["text 1", "second", "edited 3"])
    expect(updates).toEqual([])
  })

  scenario("is not undone by what the server's history said before it", function* (world) {
    const { heard, history, options, say, socket, updates } = world
    yield* opened({ ...options, history: slow(history) })
    say(1, 2)
    socket.last.lose()
    yield* TestClock.adjust(300)
    socket.last.say("history", [wire(1), wire(2), wire(3)])
    for (const n of [2, 3]) socket.last.say("chat", editedWire(n))
    yield* TestClock.adjust(5_000)
    expect(texts(heard)).toEqual(["text 1", "text 2", "edited 3"])
    expect(texts(updates)).toEqual(["edited 2"])
  })

  scenario(
    "is newer than a history that came before it, however late that one is looked at",
    function* (world) {
      const { options, say, socket, heard, updates } = world
      const { history: _, ...bare } = options
      yield* opened({
        ...bare,
        onMessage: (message) => {
          heard.push(message)
          if (message._id !== "m4") return
          // While what was held is being told.
          socket.last.say("history", [editedWire(1), editedWire(2, "older"), wire(3)])
          socket.last.say("chat", editedWire(2, "newer"))
        }
      })
      say(1, 2)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("chat", wire(4))
      }
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(["m1", "m2", "m4", "m3"])
      expect(texts(updates)).toEqual(["newer", "edited 1"])
      say(5, 5)
      expect(ids(heard).at(-1)).toBe("m5")
    }
  )

  scenario(
    "waits for a reader that is behind, and is told after the messages that came before it",
    function* (world) {
      const { history, options, socket } = world
      const { onMessage: _, onUpdate: __, ...streaming } = options
      const chat = yield* opened({ ...streaming, policy: { buffer: 3 } })
      for (let n = 1; n <= 6; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
      }
      // The reader is full with 1 to 3; 4 to 6 are let go.
      for (const text of ["old", "new"]) socket.last.say("chat", editedWire(2, text))
      history.change(edited(2, "new"))
      const reading = yield* Effect.fork(Stream.runCollect(chat.events))
      yield* TestClock.adjust(1_000)
      const figures = yield* chat.figures
      yield* chat.close
      const events = Chunk.toReadonlyArray(yield* Fiber.join(reading))
      expect(events.filter(({ _tag }) => _tag === "Message").map(({ message }) => message._id)).toEqual(
        range(1, 6)
      )
      expect(events.filter(({ _tag }) => _tag === "Update").map(({ message }) => message.text)).toEqual([
        "new"
      ])
      expect(figures).toMatchObject({ updates: 1, dropped: 0 })
    }
  )

  scenario(
    "counts as dropped where more wait than the buffer holds and the platform's pages do not bring it",
    function* (world) {
      const { history, options, socket } = world
      const { onMessage: _, ...streaming } = options
      const chat = yield* opened({ ...streaming, policy: { buffer: 3 } })
      const reading = yield* Effect.fork(Stream.runDrain(chat.messages))
      yield* TestClock.adjust(0)
      for (let n = 1; n <= 6; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
        yield* TestClock.adjust(0)
      }
      yield* Fiber.interrupt(reading)
      const stuck = yield* Effect.fork(Stream.runForEach(chat.messages, () => Effect.never))
      yield* TestClock.adjust(0)
      for (let n = 7; n <= 12; n++) socket.last.say("chat", wire(n))
      for (let n = 1; n <= 6; n++) socket.last.say("chat", editedWire(n))
      expect(yield* chat.figures).toMatchObject({ dropped: 0, peakHeld: 3 })
      yield* Fiber.interrupt(stuck)
      yield* TestClock.adjust(1_000)
      expect(yield* chat.figures).toMatchObject({ dropped: 3, updates: 3 })
    }
  )
})

/**
 * What happens on the platform: so many messages, then edits of some of the last ones; live, or while there is no
 * connection. What is changed then is on a page that a recovery reads in any case.
 */
const Turn = Schema.Struct({
  isLive: Schema.Boolean,
  messages: Schema.Int.pipe(Schema.between(0, 4)),
  edits: Schema.Array(Schema.Int.pipe(Schema.between(0, 2))).pipe(Schema.maxItems(4))
})
const Plan = Schema.Array(Turn).pipe(Schema.minItems(1), Schema.maxItems(6))

describe("whatever is said and changed", () => {
  const property = (stands: "newest-first" | "oldest-first") =>
    FastCheck.asyncProperty(
      Arbitrary.make(Plan),
      FastCheck.integer({ min: 4, max: 6 }),
      // No fewer than the messages of which updates can wait at one time.
      FastCheck.integer({ min: 3, max: 12 }),
      (plan, limit, buffer) => {
        const { history, options, socket } = setup(new FakeHistory({ stands, limit }))
        const { onMessage: _, onUpdate: __, ...streaming } = options
        const program = Effect.gen(function* () {
          const chat = yield* opened({ ...streaming, policy: { buffer, longestPause: 500 } })
          const reading = yield* Effect.fork(Stream.runCollect(chat.events))
          yield* TestClock.adjust(0)
          const now = new Map<number, string>()
          let count = 0
          let changes = 0
          const put = (n: number, text: string, isLive: boolean) => {
            if (now.has(n)) history.change(edited(n, text))
            else history.add(edited(n, text))
            now.set(n, text)
            if (isLive) socket.last.say("chat", editedWire(n, text))
          }
          const more = (isLive: boolean) => {
            count += 1
            put(count, `said ${count}`, isLive)
          }
          more(true)
          for (const { edits, isLive, messages } of plan) {
            if (!isLive) socket.last.lose()
            for (let said = 0; said < messages; said++) more(isLive)
            for (const back of edits) {
              const n = isLive || stands === "newest-first" ? count - back : count
              changes += 1
              put(Math.max(1, n), `changed ${changes}`, isLive)
            }
            yield* TestClock.adjust(1_000)
          }
          yield* TestClock.adjust(2_000)
          const figures = yield* chat.figures
          yield* chat.close
          const events: ReadonlyArray<ChatEvent> = Chunk.toReadonlyArray(yield* Fiber.join(reading))
          const last = new Map<string, string>()
          for (const { _tag, message } of events) {
            // The first word about a message is a message, and every later one says something else.
            expect(_tag).toBe(last.has(message._id) ? "Update" : "Message")
            expect(message.text).not.toBe(last.get(message._id))
            last.set(message._id, message.text ?? "")
          }
          expect(last).toEqual(new Map([...now].map(([n, text]) => [`m${n}`, text])))
          expect(ids(events.filter(({ _tag }) => _tag === "Message").map(({ message }) => message))).toEqual(
            range(1, count)
          )
          expect(figures).toMatchObject({ delivered: count, dropped: 0, gaps: 0 })
        })
        return Effect.runPromise(
          program.pipe(Effect.scoped, Effect.provide(socket.layer), Effect.provide(TestContext))
        )
      }
    )

  for (const stands of ["newest-first", "oldest-first"] as const) {
    it(`is told: every message once, in order, and then its newest content (${stands})`, () =>
      FastCheck.assert(property(stands), { numRuns: 12 }))
  }
})
