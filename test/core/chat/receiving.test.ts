// Messages as callbacks and Streams are told them: once, and as an update where one comes again with other content.
import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, Option, Stream } from "effect"
import type { ChatEvent } from "../../../core/chat/model.js"
import { begin, collect, edited, ids, range, scenario, take, texts, told, wire, wires } from "./world.js"

describe("incoming messages", () => {
  // Spec 4.10
  scenario("are told to the callback as they come, with Dates for date-times", function* (world) {
    yield* world.listen()
    world.tell(wire(1, "c1", { sender: { _id: "u1", since: "2024-01-01T00:00:00Z" } }))
    const sender = { _id: "u1", since: new Date("2024-01-01T00:00:00Z") }
    expect(world.heard).toEqual([told(1, "c1", { sender })])
  })

  scenario(
    "are told to every run of the Stream from its start on, to the first those before it",
    function* (world) {
      const chat = yield* world.open()
      world.tell(wire(1))
      const first = yield* begin(take(chat.messages, 4))
      world.tell(wire(2))
      const second = yield* begin(take(chat.messages, 2))
      world.tell(...wires(3, 4))
      expect(yield* Fiber.join(first)).toEqual(range(1, 4))
      expect(yield* Fiber.join(second)).toEqual(range(3, 4))
    }
  )

  scenario("reach the other readers where a callback throws", function* ({ open, tell }) {
    const problems: Array<unknown> = []
    const chat = yield* open({
      onMessage: () => {
        throw new Error("mine")
      },
      onProblem: (problem) => {
        problems.push(problem)
        throw new Error("mine too")
      }
    })
    const reading = yield* begin(take(chat.messages, 1))
    tell(wire(1))
    expect(yield* Fiber.join(reading)).toEqual(["m1"])
    expect(problems).toMatchObject([{ _tag: "CallbackFailed", cause: { message: "mine" } }])
  })

  scenario(
    "are told to a callback whose Promise rejects, which is a problem of its own",
    function* ({ open, tell }) {
      const problems: Array<unknown> = []
      const chat = yield* open({
        onMessage: async ({ _id }) => {
          throw new Error(`of ${_id}`)
        },
        onProblem: async (problem) => {
          problems.push(problem)
          throw new Error("mine too")
        }
      })
      const reading = yield* begin(take(chat.messages, 2))
      tell(wire(1))
      tell(wire(2))
      expect(yield* Fiber.join(reading)).toEqual(range(1, 2))
      yield* Effect.promise(() => new Promise(setImmediate))
      expect(problems).toMatchObject([
        { _tag: "CallbackFailed", cause: { message: "of m1" } },
        { _tag: "CallbackFailed", cause: { message: "of m2" } }
      ])
    }
  )
})

describe("the history of the first connection", () => {
  // Spec 4.10
  scenario(
    "is told to its callback and as a Stream, oldest first",
    function* ({ histories, listen, tellHistory }) {
      const chat = yield* listen()
      const reading = yield* begin(Stream.runHead(chat.history))
      tellHistory([wire(3), wire(2), wire(1)])
      expect(histories.map(ids)).toEqual([range(1, 3)])
      expect(ids(Option.getOrThrow(yield* Fiber.join(reading)))).toEqual(range(1, 3))
    }
  )

  scenario("is read from an object that holds the list, and names its conversation once", function* (world) {
    yield* world.listen()
    world.tellHistory({ conversationId: "c9", messages: [{ _id: "a" }, { _id: "b" }] })
    expect(world.histories).toEqual([["a", "b"].map((_id) => ({ _id, conversationId: "c9" }))])
  })
})

describe("a message that comes again", () => {
  scenario("with other content is told as an update, whole, and is no new message", function* (world) {
    const chat = yield* world.listen()
    world.tell(wire(1, "c1", { seen: false }))
    world.tell(wire(1, "c1", { seen: true, seenAt: "2024-05-01T11:00:00Z" }))
    world.tell(wire(1, "c1", { text: "rather this", seen: true }))
    expect(world.heard).toEqual([told(1, "c1", { seen: false })])
    expect(world.updates).toEqual([
      told(1, "c1", { seen: true, seenAt: new Date("2024-05-01T11:00:00Z") }),
      told(1, "c1", { text: "rather this", seen: true })
    ])
    expect(yield* chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 2, duplicates: 0 })
  })

  scenario("with the same content is left out, in whatever order its fields stand", function* (world) {
    const chat = yield* world.listen()
    const sender = { _id: "u1", name: "Ana" }
    world.tell({ ...wire(1), sender, createdAt: "2024-05-01T10:00:01.000Z" })
    world.tell({ sender: { name: "Ana", _id: "u1" }, ...wire(1) })
    world.tell({ ...wire(1), sender, createdAt: "2024-05-01T12:00:01+02:00" })
    expect(world.log).toEqual(["message m1 text 1"])
    expect(yield* chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 0, duplicates: 2 })
  })

  scenario.each<
    readonly [string, live: ReadonlyArray<unknown>, history: ReadonlyArray<unknown>, log: string]
  >([
    [
      "with its first content is an update too",
      [wire(1), edited(1), wire(1), wire(1)],
      [],
      "message m1 text 1, update m1 edited 1, update m1 text 1"
    ],
    ["in a history that held it is told there alone", [], [wire(1), wire(1)], "history m1 text 1"],
    [
      "in a history after it is an update where it differs",
      [wire(2), wire(3)],
      [wire(1), wire(2), edited(3)],
      "message m2 text 2, message m3 text 3, history m1 text 1, update m3 edited 3"
    ]
  ])("%s", function* ([, live, history, expected], { listen, log, tell, tellHistory }) {
    yield* listen()
    tell(...live)
    tellHistory(history)
    expect(log.join(", ")).toBe(expected)
  })

  scenario("after a history that held it is an update where it differs, or left out", function* (world) {
    yield* world.listen()
    world.tellHistory(wires(1, 2))
    world.tell(wire(1), edited(2), wire(3))
    expect(world.log.slice(2)).toEqual(["update m2 edited 2", "message m3 text 3"])
  })

  scenario("twice in one history is told once there, with its newest content", function* (world) {
    const chat = yield* world.listen()
    world.tellHistory([wire(1), wire(2), edited(1), edited(1, "newest")])
    world.tell(edited(1, "newest"))
    expect(world.log).toEqual(["history m1 newest", "history m2 text 2"])
    expect(yield* chat.figures).toMatchObject({ history: 2, duplicates: 3, updates: 0 })
  })

  scenario("is told to streams: by kind, or all in the order in which they came", function* ({ open, tell }) {
    const chat = yield* open()
    tell(wire(1), edited(1, "early"))
    const updates = yield* begin(collect(chat.updates))
    const events = yield* begin(collect(chat.events))
    const messages = yield* begin(collect(chat.messages))
    tell(wire(2), edited(1, "late"), wire(3), edited(3))
    yield* chat.close
    const shown = ({ _tag, message }: ChatEvent) => `${_tag} ${message._id} ${message.text}`
    expect((yield* Fiber.join(events)).map(shown)).toEqual([
      "Message m1 text 1",
      "Update m1 early",
      "Message m2 text 2",
      "Update m1 late",
      "Message m3 text 3",
      "Update m3 edited 3"
    ])
    expect(ids(yield* Fiber.join(messages))).toEqual(["m2", "m3"])
    expect(texts(yield* Fiber.join(updates))).toEqual(["late", "edited 3"])
  })

  scenario("before anybody reads is no message to the first run of `messages`", function* ({ open, tell }) {
    const chat = yield* open()
    tell(wire(1), edited(1), wire(2))
    const messages = yield* begin(collect(chat.messages))
    yield* chat.close
    expect(ids(yield* Fiber.join(messages))).toEqual(["m1", "m2"])
  })

  scenario(
    "after so many others that it is forgotten is told as a message",
    function* ({ listen, log, tell }) {
      const chat = yield* listen({ policy: { buffer: 1 } })
      tell(...wires(1, 20_000), edited(1))
      expect(log.at(-1)).toBe("update m1 edited 1")
      tell(...wires(20_001, 60_000), edited(2))
      expect(log.at(-1)).toBe("message m2 edited 2")
      expect(yield* chat.figures).toMatchObject({ delivered: 60_001, updates: 1 })
    }
  )
})
