// What becomes of messages where a reader falls behind: the oldest are lost, or the rest is held back.
import { describe, expect } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { begin, ids, numbers, over, range, scenario, take, tick, told, wire, wires } from "./world.js"

const seen = (n: number) => wire(n, "c1", { seen: true })

describe("a reader that falls behind", () => {
  scenario("loses the oldest ones under drop-oldest, and the loss is counted", function* ({ open, tell }) {
    const chat = yield* open({ policy: { buffer: 10, overflow: "drop-oldest" } })
    tell(...wires(1, 25))
    expect(yield* take(chat.messages, 10)).toEqual(range(16, 25))
    expect(yield* chat.figures).toMatchObject({ received: 25, dropped: 15, peak: 10 })
  })

  scenario("loses nothing under backpressure: the platform's pages have what did not fit", function* (world) {
    const { history, open, say, socket } = world
    const chat = yield* open({ history, policy: { buffer: 10 } })
    say(1, 95)
    expect(yield* chat.figures).toMatchObject({ delivered: 10, deferred: 85, dropped: 0 })
    const reading = yield* Effect.fork(take(chat.messages, 100))
    yield* tick(1_000)
    say(96, 100)
    expect(yield* Fiber.join(reading)).toEqual(range(1, 100))
    const figures = yield* chat.figures
    expect(figures).toMatchObject({ delivered: 100, recovered: 85, dropped: 0, gaps: 0, peak: 10 })
    expect(socket.connections).toHaveLength(1)
  })

  over({ stands: "oldest-first", limit: 4, counts: true })(
    "holds back what comes in while it catches up, and tells it after",
    function* ({ history, open, say }) {
      const chat = yield* open({ history, policy: { buffer: 6 } })
      const heard: Array<string> = []
      say(1, 20)
      const slowly = Stream.mapEffect(Stream.rechunk(chat.messages, 1), (message) =>
        Effect.delay(Effect.succeed(message), 10)
      )
      yield* Effect.fork(Stream.runForEach(slowly, ({ _id }) => Effect.sync(() => heard.push(_id))))
      for (let n = 21; n <= 200; n += 4) {
        yield* tick(25)
        say(n, n + 3)
      }
      yield* tick(10_000)
      expect(heard).toEqual(range(1, 200))
      const figures = yield* chat.figures
      expect(figures.peak).toBeLessThanOrEqual(6)
      expect(figures.peakHeld).toBeLessThanOrEqual(6)
      expect(figures).toMatchObject({ delivered: 200, dropped: 0, gaps: 0 })
    }
  )

  scenario("finds the messages of a conversation that began while it was behind", function* (world) {
    const { history, open, say } = world
    const chat = yield* open({ history, policy: { buffer: 2 } })
    say(1, 2)
    say(3, 4, "new")
    say(5)
    expect([...(yield* take(chat.messages, 5))].sort()).toEqual(range(1, 5))
  })

  scenario("makes the others wait no longer than until it leaves", function* ({ history, open, say }) {
    const chat = yield* open({ history, policy: { buffer: 3 } })
    const stuck = yield* Deferred.make<void>()
    const slow = yield* Effect.fork(Stream.runForEach(chat.messages, () => Deferred.await(stuck)))
    const quick = yield* begin(take(chat.messages, 20))
    for (const n of numbers(1, 20)) {
      say(n)
      yield* tick(0)
    }
    expect(quick.unsafePoll()).toBeNull()
    yield* Fiber.interrupt(slow)
    expect(yield* Fiber.join(quick)).toEqual(range(1, 20))
  })

  scenario.each(["onUpdate", "onMessage"] as const)(
    "that nobody has begun never holds back %s, nor the messages that are sent",
    function* (callback, { history, open, socket, tell, tellHistory }) {
      const heard: Array<string> = []
      const chat = yield* open({
        history,
        policy: { buffer: 5 },
        onHistory: (messages) => heard.push(...ids(messages)),
        [callback]: ({ _id }: { readonly _id: string }) => heard.push(_id)
      })
      for (const n of numbers(1, 50)) tell(wire(n), ...(callback === "onUpdate" ? [seen(n)] : []))
      tellHistory([wire(0)])
      expect(heard).toEqual([...range(1, 50), "m0"])
      socket.last.lose()
      yield* tick(10_000)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      tell(callback === "onUpdate" ? wire(50, "c1", { seen: false }) : wire(51))
      expect(heard.at(-1)).toBe(callback === "onUpdate" ? "m50" : "m51")
      expect(yield* chat.figures).toMatchObject({ deferred: 0, dropped: 0, problems: 0 })
    }
  )

  scenario(
    "that begins beside `onUpdate` gets the newest of what waited, the rest is counted",
    function* (world) {
      const { history, open, tell } = world
      const chat = yield* open({ policy: { buffer: 4 }, onUpdate: () => undefined, history })
      for (const n of numbers(1, 5)) tell(wire(n), seen(n))
      expect((yield* chat.figures).dropped).toBe(0)
      expect(yield* take(chat.messages, 2)).toEqual(["m4", "m5"])
      expect((yield* chat.figures).dropped).toBe(3)
    }
  )

  scenario(
    "of updates alone loses nothing to what nobody else reads, and nothing is counted",
    function* (world) {
      const chat = yield* world.open({ policy: { buffer: 5 }, history: world.history })
      const updates = yield* begin(take(chat.updates, 30))
      for (const n of numbers(1, 30)) {
        world.tell(wire(n), seen(n))
        yield* tick(0)
      }
      expect(yield* Fiber.join(updates)).toEqual(range(1, 30))
      expect((yield* chat.figures).dropped).toBe(0)
    }
  )

  over({ stands: "newest-first", limit: 100 }).each([
    ["counts no update as lost that the platform's pages still bring", true],
    ["counts the updates that did not fit and that nothing brings back", false]
  ] as const)("of events %s", function* ([, holds], { history, open, say, tell }) {
    const chat = yield* open({ policy: { buffer: 5 }, history })
    const known = new Set<string>()
    yield* begin(
      Stream.runForEach(chat.events, ({ message }) =>
        Effect.sync(() => message.seen === true && known.add(message._id))
      )
    )
    for (const n of numbers(1, 30)) {
      say(n)
      yield* tick(0)
    }
    for (const n of numbers(1, 30)) {
      if (holds) history.change(told(n, "c1", { seen: true }))
      tell(seen(n))
    }
    yield* tick(10_000)
    expect((yield* chat.figures).dropped).toBe(30 - known.size)
    expect(known.size).toBe(holds ? 30 : 10)
  })
})
