// Messages and the history of the first connection, as callbacks and Streams are told them.
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Message } from "../../../core/chat/model.js"
import type { Problem } from "../../../core/chat/state.js"
import { ids, range, scenario, take, told, wire } from "./fixtures.js"

describe("incoming messages", () => {
  // Spec 4.10
  scenario("are told to the callback as they come, with Dates for date-times", function* ({ open, socket }) {
    const heard: Array<Message> = []
    yield* open({ onMessage: (message) => heard.push(message) })
    socket.last.say("chat", wire(1, "c1", { sender: { _id: "u1", since: "2024-01-01T00:00:00Z" } }))
    expect(heard).toEqual([told(1, "c1", { sender: { _id: "u1", since: new Date("2024-01-01T00:00:00Z") } })])
  })

  scenario("are told as a Stream, those before its first run included", function* ({ open, socket }) {
    const chat = yield* open()
    socket.last.say("chat", wire(1))
    const reading = yield* Effect.fork(take(chat.messages, 3))
    yield* TestClock.adjust(0)
    socket.last.say("chat", wire(2))
    socket.last.say("chat", wire(3))
    expect(yield* Fiber.join(reading)).toEqual(range(1, 3))
  })

  scenario("are told to every run of the Stream, to each from its start on", function* ({ open, socket }) {
    const chat = yield* open()
    const first = yield* Effect.fork(take(chat.messages, 4))
    yield* TestClock.adjust(0)
    for (const n of [1, 2]) socket.last.say("chat", wire(n))
    const second = yield* Effect.fork(take(chat.messages, 2))
    yield* TestClock.adjust(0)
    for (const n of [3, 4]) socket.last.say("chat", wire(n))
    expect(yield* Fiber.join(first)).toEqual(range(1, 4))
    expect(yield* Fiber.join(second)).toEqual(range(3, 4))
  })

  scenario("that come twice are told once", function* ({ open, socket }) {
    const heard: Array<Message> = []
    const chat = yield* open({ onMessage: (message) => heard.push(message) })
    for (const n of [1, 2, 1, 2, 3]) socket.last.say("chat", wire(n))
    expect(ids(heard)).toEqual(range(1, 3))
    expect(yield* chat.figures).toMatchObject({ received: 5, delivered: 3, duplicates: 2 })
  })

  scenario("that cannot be read are left out, counted and reported with the field", function* (world) {
    const { open, socket } = world
    const problems: Array<Problem> = []
    const heard: Array<Message> = []
    const chat = yield* open({
      onMessage: (message) => heard.push(message),
      onProblem: (problem) => problems.push(problem)
    })
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
  })

  scenario("reach the other readers where a callback throws", function* ({ open, socket }) {
    const problems: Array<Problem> = []
    const chat = yield* open({
      onMessage: () => {
        throw new Error("mine")
      },
      onProblem: (problem) => {
        problems.push(problem)
        throw new Error("mine too")
      }
    })
    const reading = yield* Effect.fork(take(chat.messages, 1))
    yield* TestClock.adjust(0)
    socket.last.say("chat", wire(1))
    expect(yield* Fiber.join(reading)).toEqual(["m1"])
    expect(problems).toMatchObject([{ _tag: "CallbackFailed", cause: { message: "mine" } }])
  })
})

describe("the history of the first connection", () => {
  // Spec 4.10
  scenario("is told to its callback and as a Stream, oldest first", function* ({ open, socket }) {
    const heard: Array<ReadonlyArray<Message>> = []
    const chat = yield* open({
      onHistory: (messages) => heard.push(messages),
      onMessage: () => undefined
    })
    const reading = yield* Effect.fork(Stream.runHead(chat.history))
    yield* TestClock.adjust(0)
    socket.last.say("history", [wire(3), wire(2), wire(1)])
    expect(heard.map(ids)).toEqual([range(1, 3)])
    expect((yield* Fiber.join(reading))._tag).toBe("Some")
  })

  scenario("is read from an object that holds the list, and names its conversation once", function* (world) {
    const { open, socket } = world
    const heard: Array<Message> = []
    yield* open({ onHistory: (messages) => heard.push(...messages) })
    socket.last.say("history", { conversationId: "c9", messages: [{ _id: "a" }, { _id: "b" }] })
    expect(heard).toEqual([
      { _id: "a", conversationId: "c9" },
      { _id: "b", conversationId: "c9" }
    ])
  })

  scenario("does not tell again what came in live, nor live what it told", function* ({ open, socket }) {
    const heard: Array<Message> = []
    const old: Array<Message> = []
    yield* open({
      onMessage: (message) => heard.push(message),
      onHistory: (messages) => old.push(...messages)
    })
    socket.last.say("chat", wire(3))
    socket.last.say("history", [wire(1), wire(2), wire(3)])
    socket.last.say("chat", wire(2))
    socket.last.say("chat", wire(4))
    expect(ids(old)).toEqual(["m1", "m2"])
    expect(ids(heard)).toEqual(["m3", "m4"])
  })
})
