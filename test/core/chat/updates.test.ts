// A message that comes again: with the same content it is left out, with another one it is told as an update.
import { describe, expect } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { ChatEvent, Message } from "../../../core/chat/model.js"
import { FakeHistory, ids, range, scenario, told, wire } from "./fixtures.js"

/** What the callbacks of a chat hear, in the order in which they are called. */
const listening = () => {
  const heard: Array<string> = []
  const note = (kind: string) => (message: Message) => {
    heard.push(`${kind} ${message._id} ${message.text}`)
  }
  return {
    heard,
    onMessage: note("message"),
    onUpdate: note("update"),
    onHistory: (messages: ReadonlyArray<Message>) => messages.forEach(note("history"))
  }
}

const edited = (n: number, text = `edited ${n}`) => wire(n, "c1", { text })

/** Everything that a Stream has told when the chat is closed. */
const collect = <A>(stream: Stream.Stream<A, unknown>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

const shown = (events: ReadonlyArray<ChatEvent>) =>
  events.map(({ _tag, message }) => `${_tag} ${message._id} ${message.text}`)

describe("a message that comes again", () => {
  scenario("with other content is told as an update, whole, and is no new message", function* (world) {
    const { open, socket } = world
    const messages: Array<Message> = []
    const updates: Array<Message> = []
    const chat = yield* open({
      onMessage: (message) => messages.push(message),
      onUpdate: (message) => updates.push(message)
    })
    socket.last.say("chat", wire(1, "c1", { seen: false }))
    socket.last.say("chat", wire(1, "c1", { seen: true, seenAt: "2024-05-01T11:00:00Z" }))
    socket.last.say("chat", wire(1, "c1", { text: "rather this", seen: true }))
    expect(messages).toEqual([told(1, "c1", { seen: false })])
    expect(updates).toEqual([
      told(1, "c1", { seen: true, seenAt: new Date("2024-05-01T11:00:00Z") }),
      told(1, "c1", { text: "rather this", seen: true })
    ])
    expect(yield* chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 2, duplicates: 0 })
  })

  scenario("with the same content is left out, in whatever order its fields stand", function* (world) {
    const { open, socket } = world
    const { heard, ...listeners } = listening()
    const chat = yield* open(listeners)
    const sender = { _id: "u1", name: "Ana" }
    socket.last.say("chat", { ...wire(1), sender, createdAt: "2024-05-01T10:00:01.000Z" })
    socket.last.say("chat", { sender: { name: "Ana", _id: "u1" }, ...wire(1) })
    socket.last.say("chat", { ...wire(1), sender, createdAt: "2024-05-01T12:00:01+02:00" })
    expect(heard).toEqual(["message m1 text 1"])
    expect(yield* chat.figures).toMatchObject({ received: 3, delivered: 1, updates: 0, duplicates: 2 })
  })

  scenario("with its first content once more is an update too", function* ({ open, socket }) {
    const { heard, ...listeners } = listening()
    yield* open(listeners)
    for (const message of [wire(1), edited(1), wire(1), wire(1)]) socket.last.say("chat", message)
    expect(heard).toEqual(["message m1 text 1", "update m1 edited 1", "update m1 text 1"])
  })

  scenario(
    "after a history that held it is an update where it differs, and is left out where it does not",
    function* (world) {
      const { open, socket } = world
      const { heard, ...listeners } = listening()
      yield* open(listeners)
      socket.last.say("history", [wire(1), wire(2)])
      socket.last.say("chat", wire(1))
      socket.last.say("chat", edited(2))
      socket.last.say("chat", wire(3))
      expect(heard).toEqual([
        "history m1 text 1",
        "history m2 text 2",
        "update m2 edited 2",
        "message m3 text 3"
      ])
    }
  )

  scenario("in a history that came after it is an update where it differs", function* ({ open, socket }) {
    const { heard, ...listeners } = listening()
    yield* open(listeners)
    socket.last.say("chat", wire(2))
    socket.last.say("chat", wire(3))
    socket.last.say("history", [wire(1), wire(2), edited(3)])
    expect(heard).toEqual([
      "message m2 text 2",
      "message m3 text 3",
      "history m1 text 1",
      "update m3 edited 3"
    ])
  })

  scenario("twice in one history is told once there, with its newest content", function* ({ open, socket }) {
    const { heard, ...listeners } = listening()
    const chat = yield* open(listeners)
    socket.last.say("history", [wire(1), wire(2), edited(1), edited(1, "newest")])
    socket.last.say("chat", edited(1, "newest"))
    expect(heard).toEqual(["history m1 newest", "history m2 text 2"])
    expect(yield* chat.figures).toMatchObject({ history: 2, duplicates: 3, updates: 0 })
  })

  scenario("is told to streams: by kind, or all in the order in which they came", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    socket.last.say("chat", wire(1))
    socket.last.say("chat", edited(1, "early"))
    const updates = yield* Effect.fork(collect(chat.updates))
    yield* TestClock.adjust(0)
    const events = yield* Effect.fork(collect(chat.events))
    const messages = yield* Effect.fork(collect(chat.messages))
    yield* TestClock.adjust(0)
    for (const message of [wire(2), edited(1, "late"), wire(3), edited(3)]) socket.last.say("chat", message)
    yield* TestClock.adjust(0)
    yield* chat.close
    expect(shown(yield* Fiber.join(events))).toEqual([
      "Message m1 text 1",
      "Update m1 early",
      "Message m2 text 2",
      "Update m1 late",
      "Message m3 text 3",
      "Update m3 edited 3"
    ])
    expect(ids(yield* Fiber.join(messages))).toEqual(["m2", "m3"])
    expect((yield* Fiber.join(updates)).map(({ text }) => text)).toEqual(["late", "edited 3"])
  })

  scenario("before anybody reads is no message to the first run of `messages`", function* ({ open, socket }) {
    const chat = yield* open()
    for (const message of [wire(1), edited(1), wire(2)]) socket.last.say("chat", message)
    const messages = yield* Effect.fork(collect(chat.messages))
    yield* TestClock.adjust(0)
    yield* chat.close
    expect(ids(yield* Fiber.join(messages))).toEqual(["m1", "m2"])
  })

  scenario("is told to one who reads updates alone, however many messages nobody reads", function* (world) {
    const { open, socket } = world
    const history = new FakeHistory()
    const chat = yield* open({ history, policy: { buffer: 5 } })
    const updates = yield* Effect.fork(collect(chat.updates))
    yield* TestClock.adjust(0)
    for (let n = 1; n <= 50; n++) {
      socket.last.say("chat", wire(n))
      socket.last.say("chat", edited(n))
      yield* TestClock.adjust(0)
    }
    yield* chat.close
    expect(ids(yield* Fiber.join(updates))).toEqual(range(1, 50))
  })

  scenario("after so many others that it is forgotten is told as a message", function* ({ open, socket }) {
    const { heard, ...listeners } = listening()
    const chat = yield* open({ ...listeners, policy: { buffer: 1 } })
    for (let n = 1; n <= 20_000; n++) socket.last.say("chat", wire(n))
    socket.last.say("chat", edited(1))
    expect(heard.at(-1)).toBe("update m1 edited 1")
    for (let n = 20_001; n <= 60_000; n++) socket.last.say("chat", wire(n))
    socket.last.say("chat", edited(2))
    expect(heard.at(-1)).toBe("message m2 edited 2")
    expect(yield* chat.figures).toMatchObject({ delivered: 60_001, updates: 1 })
  })
})
