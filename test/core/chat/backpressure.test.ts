// What becomes of messages where a reader falls behind: the oldest are lost, or the rest is held back.
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Message } from "../../../core/chat/model.js"
import { FakeHistory, ids, opened, optionsOf, range, scenario, setup, take, told, wire } from "./fixtures.js"

describe("a reader that falls behind", () => {
  scenario("loses the oldest ones under drop-oldest, and the loss is counted", function* ({ open, socket }) {
    const chat = yield* open({ policy: { buffer: 10, overflow: "drop-oldest" } })
    for (let n = 1; n <= 25; n++) socket.last.say("chat", wire(n))
    expect(yield* take(chat.messages, 10)).toEqual(range(16, 25))
    expect(yield* chat.figures).toMatchObject({ received: 25, dropped: 15, peak: 10 })
  })

  scenario(
    "loses nothing under backpressure: what did not fit is read from the platform's history",
    function* (world) {
      const { open, socket } = world
      const history = new FakeHistory({ stands: "newest-first", limit: 7 })
      const chat = yield* open({ history, policy: { buffer: 10 } })
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
    }
  )

  scenario("holds back what comes in while it catches up, and tells it after", function* ({ open, socket }) {
    const history = new FakeHistory({ stands: "oldest-first", limit: 4, counts: true })
    const chat = yield* open({ history, policy: { buffer: 6 } })
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
  })

  scenario("finds the messages of a conversation that began while it was behind", function* (world) {
    const { open, socket } = world
    const history = new FakeHistory()
    const chat = yield* open({ history, policy: { buffer: 2 } })
    const all = [told(1), told(2), told(3, "new"), told(4, "new"), told(5)]
    history.add(...all)
    for (const n of [1, 2]) socket.last.say("chat", wire(n))
    for (const n of [3, 4]) socket.last.say("chat", wire(n, "new"))
    socket.last.say("chat", wire(5))
    const heard = yield* take(chat.messages, 5)
    expect([...heard].sort()).toEqual(range(1, 5))
  })

  scenario("makes the others wait no longer than until it leaves", function* ({ open, socket }) {
    const history = new FakeHistory()
    const chat = yield* open({ history, policy: { buffer: 3 } })
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
  })

  scenario("is never waited for by callbacks", function* ({ credentialsProvider, socket }) {
    const heard: Array<Message> = []
    const history = new FakeHistory()
    const options = optionsOf(credentialsProvider, {
      history,
      onMessage: (message) => heard.push(message),
      policy: { buffer: 2 }
    })
    yield* opened(options)
    for (let n = 1; n <= 50; n++) socket.last.say("chat", wire(n))
    expect(ids(heard)).toEqual(range(1, 50))
    expect(history.asked).toEqual([])
  })

  it.scoped.each(["onUpdate", "onMessage"] as const)(
    "that nobody has begun never holds back %s, nor the messages that are sent",
    (callback) => {
      const { open, socket } = setup()
      const heard: Array<string> = []
      const history = new FakeHistory()
      return Effect.gen(function* () {
        const chat = yield* open({
          history,
          policy: { buffer: 5 },
          onHistory: (messages) => heard.push(...ids(messages)),
          [callback]: ({ _id }: Message) => heard.push(_id)
        })
        for (let n = 1; n <= 50; n++) {
          socket.last.say("chat", wire(n))
          if (callback === "onUpdate") socket.last.say("chat", wire(n, "c1", { seen: true }))
        }
        socket.last.say("history", [wire(0)])
        expect(heard).toEqual([...range(1, 50), "m0"])
        socket.last.lose()
        yield* TestClock.adjust(10_000)
        expect(yield* chat.state.get).toEqual({ status: "connected" })
        socket.last.say("chat", callback === "onUpdate" ? wire(50, "c1", { seen: false }) : wire(51))
        expect(heard.at(-1)).toBe(callback === "onUpdate" ? "m50" : "m51")
        expect(yield* chat.figures).toMatchObject({ deferred: 0, dropped: 0, problems: 0 })
      }).pipe(Effect.provide(socket.layer))
    }
  )

  scenario(
    "that begins beside `onUpdate` gets the newest of what waited for it, and the rest is counted",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({
        policy: { buffer: 4 },
        onUpdate: () => undefined,
        history: new FakeHistory()
      })
      for (let n = 1; n <= 5; n++) {
        socket.last.say("chat", wire(n))
        socket.last.say("chat", wire(n, "c1", { seen: true }))
      }
      expect((yield* chat.figures).dropped).toBe(0)
      expect(yield* take(chat.messages, 2)).toEqual(["m4", "m5"])
      expect((yield* chat.figures).dropped).toBe(3)
    }
  )

  scenario(
    "of updates alone loses nothing to what nobody else reads, and nothing is counted",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({ policy: { buffer: 5 }, history: new FakeHistory() })
      const updates = yield* Effect.fork(take(chat.updates, 30))
      yield* TestClock.adjust(0)
      for (let n = 1; n <= 30; n++) {
        socket.last.say("chat", wire(n))
        socket.last.say("chat", wire(n, "c1", { seen: true }))
        yield* TestClock.adjust(0)
      }
      expect(yield* Fiber.join(updates)).toEqual(range(1, 30))
      expect((yield* chat.figures).dropped).toBe(0)
    }
  )

  for (const holds of [true, false]) {
    const what = holds
      ? "counts no update as lost that the platform's pages still bring"
      : "counts the updates that did not fit and that nothing brings back"
    scenario(`of events ${what}`, function* ({ open, socket }) {
      const history = new FakeHistory({ stands: "newest-first", limit: 100 })
      const chat = yield* open({ policy: { buffer: 5 }, history })
      const seen = new Set<string>()
      yield* Effect.fork(
        Stream.runForEach(chat.events, ({ message }) =>
          Effect.sync(() => message.seen === true && seen.add(message._id))
        )
      )
      yield* TestClock.adjust(0)
      for (let n = 1; n <= 30; n++) {
        history.add(told(n))
        socket.last.say("chat", wire(n))
        yield* TestClock.adjust(0)
      }
      for (let n = 1; n <= 30; n++) {
        if (holds) history.change(told(n, "c1", { seen: true }))
        socket.last.say("chat", wire(n, "c1", { seen: true }))
      }
      yield* TestClock.adjust(10_000)
      const { dropped } = yield* chat.figures
      expect(dropped).toBe(30 - seen.size)
      expect(seen.size).toBe(holds ? 30 : 10)
    })
  }
})
