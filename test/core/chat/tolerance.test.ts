// Messages that are not as they are declared: told as they came and reported as drift, never dropped, and never a
// reason for the chat to hang, to lose what is beside them, or to tell them again and again.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Options } from "../../../core/chat/chat.js"
import type { Message } from "../../../core/chat/model.js"
import type { Problem } from "../../../core/chat/state.js"
import * as Drift from "../../../core/kernel/codec/drift.js"
import {
  draft,
  FakeHistory,
  ids,
  opened,
  optionsOf,
  play,
  range,
  scenarios,
  setup,
  told,
  wire
} from "./fixtures.js"
import { setup as gap, scenario as missing, reconnect } from "./reconnection.js"

/** A tolerant chat, with all that it tells. */
const listening = () => {
  const { credentialsProvider, socket } = setup()
  const heard: Array<Message> = []
  const histories: Array<ReadonlyArray<Message>> = []
  const updates: Array<Message> = []
  const problems: Array<Problem> = []
  const drifts: Array<string> = []
  const drift = Drift.make({
    logDrift: false,
    onDrift: ({ came, operation, path }) => Effect.sync(() => drifts.push(`${operation} ${path}: ${came}`))
  })
  const options = (more: Partial<Options> = {}) =>
    optionsOf(credentialsProvider, {
      drift,
      onHistory: (messages) => histories.push(messages),
      onMessage: (message) => heard.push(message),
      onProblem: (problem) => problems.push(problem),
      onUpdate: (message) => updates.push(message),
      ...more
    })
  const say = (...messages: ReadonlyArray<unknown>) => {
    for (const message of messages) socket.last.say("chat", message)
  }
  return { drifts, heard, histories, options, problems, say, socket, updates }
}

const scenario = scenarios(listening, 0.5)

/** Something that a platform may hold for a message, whatever its type says. */
const odd = (message: object): Message => message as Message
const nameless = (n: number, more: object = {}) => {
  const { _id: _, ...rest } = wire(n, "c1", { ...more })
  return rest
}
const texts = (messages: ReadonlyArray<Message>) => messages.map(({ text }) => text)

describe("a message that is not as it is declared", () => {
  it.scoped.each<readonly [what: string, message: object, drift: string]>([
    ["without an id", nameless(1), "_id: nothing"],
    ["with an id that is a number", wire(1, "c1", { _id: 17 }), "_id: number"],
    ["with an empty id", wire(1, "c1", { _id: "" }), "_id: empty text"],
    ["with a text that is an object", wire(1, "c1", { text: { en: "hello" } }), "text: object"],
    ["with a text that is a list", wire(1, "c1", { text: ["hello"] }), "text: list"],
    ["with a time that is an epoch", wire(1, "c1", { createdAt: 1_714_557_600_000 }), "createdAt: number"],
    ["with a time that is no time", wire(1, "c1", { createdAt: "soon" }), "createdAt: text"],
    ["with a day that there is not", wire(1, "c1", { createdAt: "2024-02-30T10:00:00Z" }), "createdAt: text"],
    ["with a conversation that is a number", wire(1, "c1", { conversationId: 5 }), "conversationId: number"],
    ["with an id of its sender that is a number", wire(1, "c1", { clientId: 5 }), "clientId: number"],
    [
      "with a number beyond 2⁵³",
      wire(1, "c1", { order: { number: 2 ** 60 } }),
      "order.number: a whole number beyond ±2⁵³"
    ]
  ])("%s is told as it came, and reported once", ([, message, drift]) => {
    const { drifts, heard, options, problems, say, socket } = listening()
    return Effect.gen(function* () {
      const chat = yield* opened(options())
      say(message, { ...message, more: true })
      expect(heard[0]).toEqual(
        "createdAt" in message && message.createdAt === wire(1).createdAt
          ? { ...message, createdAt: told(1).createdAt }
          : message
      )
      expect(drifts).toEqual([`chat.message ${drift}`])
      expect(problems).toEqual([])
      expect(yield* chat.figures).toMatchObject({ malformed: 0, received: 2 })
    }).pipe(Effect.provide(socket.layer))
  })

  scenario("is none at all where it is no object, which is reported each time", function* (world) {
    const { drifts, heard, options, problems, say } = world
    const chat = yield* opened(options())
    say("hello", 5, null, undefined, [wire(1)], wire(2))
    expect(ids(heard)).toEqual(["m2"])
    expect(problems).toEqual(
      Array.from({ length: 5 }, () => ({
        _tag: "Malformed",
        event: "chat",
        field: "",
        rule: "must be an object"
      }))
    )
    expect(drifts).toEqual(
      ["text", "number", "null", "nothing", "list"].map((came) => `chat.message : ${came}`)
    )
    expect(yield* chat.figures).toMatchObject({ malformed: 5, delivered: 1 })
  })

  scenario("does not disturb the chat where the hook for drift fails or never ends", function* (world) {
    const { heard, options, say } = world
    const hooks = [() => Effect.die(new Error("mine")), () => Effect.never]
    yield* Effect.forEach(hooks, (onDrift) =>
      Effect.scoped(
        Effect.gen(function* () {
          yield* opened(options({ drift: Drift.make({ logDrift: false, onDrift }) }))
          say(nameless(1), wire(2))
        })
      )
    )
    expect(texts(heard)).toEqual(["text 1", "text 2", "text 1", "text 2"])
  })

  scenario("is left out and reported where messages are read strictly", function* (world) {
    const { drifts, heard, histories, options, problems, say, socket } = world
    const { drift: _, ...strict } = options()
    yield* opened(strict)
    socket.last.say("history", [wire(1), nameless(2), wire(3)])
    say(nameless(4), wire(5))
    expect([...histories.flat(), ...heard].map(({ _id }) => _id)).toEqual(["m1", "m3", "m5"])
    expect(problems).toMatchObject([
      { _tag: "Malformed", event: "history", field: "1._id" },
      { _tag: "Malformed", event: "chat", field: "_id" }
    ])
    expect(drifts).toEqual([])
  })
})

describe("a history with an entry that is not as it is declared", () => {
  scenario("tells it as it came, and all others", function* (world) {
    const { drifts, histories, options, problems, socket } = world
    yield* opened(options())
    socket.last.say("history", {
      messages: [wire(1), nameless(2), wire(3, "c1", { createdAt: 5 }), wire(4, "c1", { text: 4 }), wire(5)]
    })
    expect(histories.map(texts)).toEqual([["text 1", "text 2", "text 3", 4, "text 5"]])
    expect(drifts).toEqual([
      "chat.history messages[]._id: nothing",
      "chat.history messages[].createdAt: number",
      "chat.history messages[].text: number"
    ])
    expect(problems).toEqual([])
  })

  scenario("loses that entry alone where it is no object, or too deep, and says so", function* (world) {
    const { histories, options, problems, socket } = world
    const deep = JSON.parse(`${'{"a":'.repeat(1_100)}1${"}".repeat(1_100)}`)
    const chat = yield* opened(options())
    socket.last.listener.onEvent("history", [wire(1), "junk", null, wire(2), deep, [], wire(3)])
    expect(histories.map(ids)).toEqual([range(1, 3)])
    expect(problems.map((problem) => problem._tag === "Malformed" && problem.field.split(".")[0])).toEqual([
      "1",
      "2",
      "4",
      "5"
    ])
    expect(yield* chat.figures).toMatchObject({ malformed: 4, history: 3 })
  })

  scenario("names a place that is deep within it in few characters", function* (world) {
    const { options, problems, socket } = world
    const deep = JSON.parse(`${'{"abc":'.repeat(1_100)}1${"}".repeat(1_100)}`)
    yield* opened(options())
    socket.last.listener.onEvent("history", [wire(1), deep])
    const fields = problems.map((problem) => (problem._tag === "Malformed" ? problem.field : ""))
    expect(fields).toEqual([expect.stringMatching(/^1\.abc\.abc.*…$/)])
    expect(fields[0]?.length).toBeLessThanOrEqual(200)
  })

  scenario("is none where it holds no list", function* ({ histories, options, problems, socket }) {
    yield* opened(options())
    socket.last.say("history", { count: 3 })
    expect(histories).toEqual([])
    expect(problems).toMatchObject([
      { _tag: "Malformed", event: "history", rule: "must hold one list of items" }
    ])
  })
})

describe("a message without an id", () => {
  scenario(
    "is told as often as it comes, since nothing tells it from another that says the same",
    function* (world) {
      const { heard, options, say } = world
      const chat = yield* opened(options())
      say({ text: "ok" }, { text: "ok" }, nameless(1), nameless(1))
      expect(texts(heard)).toEqual(["ok", "ok", "text 1", "text 1"])
      expect(yield* chat.figures).toMatchObject({ delivered: 4, duplicates: 0 })
    }
  )

  scenario("is known by the id that its sender's client made, where it has one", function* (world) {
    const { heard, options, say, updates } = world
    const mine = { text: "ok", conversationId: "c1", sender: { _id: "u1" }, clientId: "1" }
    yield* opened(options())
    say(
      mine,
      mine,
      { ...mine, text: "better" },
      { ...mine, sender: { _id: "u2" } },
      { ...mine, conversationId: "c2" }
    )
    expect(heard).toEqual([mine, { ...mine, sender: { _id: "u2" } }, { ...mine, conversationId: "c2" }])
    expect(texts(updates)).toEqual(["better"])
  })

  scenario(
    "that comes again with the platform's id is that message, with what the platform added",
    function* (world) {
      const { heard, options, say, updates } = world
      const mine = { text: "ok", conversationId: "c1", sender: "u1", clientId: "1" }
      const taken = { ...mine, _id: "m1", seen: false }
      const chat = yield* opened(options())
      say(mine, taken, taken, mine, { ...taken, seen: true })
      expect(heard).toEqual([mine])
      expect(updates).toEqual([taken, { ...taken, seen: true }])
      expect(yield* chat.figures).toMatchObject({ delivered: 1, updates: 2, duplicates: 2 })
    }
  )

  scenario("that comes after its twin with the platform's id is left out", function* (world) {
    const { heard, options, say, updates } = world
    const mine = { text: "ok", conversationId: "c1", sender: "u1", clientId: "1" }
    yield* opened(options())
    say({ ...mine, _id: "m1" }, mine)
    expect(ids(heard)).toEqual(["m1"])
    expect(updates).toEqual([])
  })

  it.scoped.each<readonly [what: string, other: object]>([
    ["another text", { text: "no" }],
    ["another sender", { sender: "u2" }],
    ["another conversation", { conversationId: "c2" }],
    ["another client's id", { clientId: "2" }]
  ])("is another one than that with an id and %s", ([, other]) => {
    const { heard, options, say, socket, updates } = listening()
    const mine = { text: "ok", conversationId: "c1", sender: "u1", clientId: "1" }
    return Effect.gen(function* () {
      yield* opened(options())
      say(mine, { ...mine, _id: "m1", ...other })
      expect(heard).toHaveLength(2)
      expect(updates).toEqual([])
    }).pipe(Effect.provide(socket.layer))
  })

  scenario(
    "is the first one alone of two with ids of their own, though their sender's client named both alike",
    function* (world) {
      const { heard, options, say, updates } = world
      const mine = { text: "ok", conversationId: "c1", sender: "u1", clientId: "1" }
      yield* opened(options())
      say(mine, { ...mine, _id: "m1" }, { ...mine, _id: "m2" })
      expect(heard).toEqual([mine, { ...mine, _id: "m2" }])
      expect(ids(updates)).toEqual(["m1"])
    }
  )

  scenario("is acknowledged by its echo, or by an answer that holds it", function* (world) {
    const { options, say, socket } = world
    const chat = yield* opened(options())
    const first = yield* Effect.fork(chat.send(draft("one", { clientId: "a" })))
    const second = yield* Effect.fork(chat.send(draft("two", { clientId: "b" })))
    const third = yield* Effect.fork(chat.send(draft("three", { clientId: "c" })))
    yield* TestClock.adjust(0)
    say({ ...draft("one"), clientId: "a" })
    socket.last.emitted[1]?.acknowledge({ data: { ...draft("two"), createdAt: "soon" } })
    socket.last.emitted[2]?.acknowledge({ status: "ok", text: "taken" })
    expect(yield* first).toEqual({ clientId: "a", message: { ...draft("one"), clientId: "a" } })
    expect(yield* second).toEqual({ clientId: "b", message: { ...draft("two"), createdAt: "soon" } })
    expect(yield* third).toEqual({ clientId: "c", message: undefined })
  })

  scenario("is not told again by the histories of later connections", function* (world) {
    const { heard, histories, options, say, socket } = world
    socket.answer = (connection) => {
      connection.accept()
      connection.say("history", [{ text: "a" }, { text: "b" }, nameless(1)])
    }
    yield* opened(options())
    say({ text: "live" })
    socket.answer = (connection) => {
      connection.accept()
      connection.say("history", [
        { text: "a" },
        { text: "b" },
        nameless(1),
        { text: "live" },
        { text: "missed" }
      ])
    }
    for (let times = 0; times < 3; times++) yield* reconnect(socket)
    expect(histories.map(texts)).toEqual([["a", "b", "text 1"]])
    expect(texts(heard)).toEqual(["live", "missed"])
  })

  for (const stands of ["newest-first", "oldest-first"] as const) {
    scenario(`that was missed is told once from the platform's pages (${stands})`, function* (world) {
      const { heard, options, say, socket } = world
      const history = new FakeHistory({ stands, limit: 3 })
      const happen = (from: number, to: number) => {
        for (let n = from; n <= to; n++) history.add(odd({ ...nameless(n), createdAt: told(n).createdAt }))
      }
      yield* TestClock.setTime(Date.parse("2024-05-01T10:00:02.500Z"))
      happen(1, 2)
      const chat = yield* opened(options({ history }))
      happen(3, 3)
      say(nameless(3))
      happen(4, 11)
      yield* reconnect(socket)
      say(nameless(12))
      happen(12, 13)
      yield* reconnect(socket)
      yield* reconnect(socket)
      expect(texts(heard)).toEqual(Array.from({ length: 11 }, (_, n) => `text ${n + 3}`))
      expect(yield* chat.figures).toMatchObject({ gaps: 0, delivered: 11 })
    })
  }

  scenario("that comes in twice while a gap is open is told twice, after what was missed", function* (world) {
    const { heard, options, say, socket } = world
    const slow = { page: () => Effect.delay(Effect.succeed({ items: [told(2)], paging: {} }), 500) }
    yield* opened(options({ history: slow }))
    say(wire(1))
    socket.last.lose()
    yield* TestClock.adjust(300)
    say({ text: "ok", conversationId: "c1" }, { text: "ok", conversationId: "c1" })
    yield* TestClock.adjust(5_000)
    expect(texts(heard)).toEqual(["text 1", "text 2", "ok", "ok"])
  })

  scenario(
    "that comes in while a gap is open and stands on the platform's pages too is told once",
    function* (world) {
      const { heard, options, say, socket } = world
      const both = odd({ text: "ok", conversationId: "c1" })
      const slow = { page: () => Effect.delay(Effect.succeed({ items: [told(1), both], paging: {} }), 500) }
      yield* opened(options({ history: { ...slow, order: "oldest-first" } }))
      say(wire(1))
      socket.last.lose()
      yield* TestClock.adjust(300)
      say(both)
      yield* TestClock.adjust(5_000)
      expect(texts(heard)).toEqual(["text 1", "ok"])
    }
  )
})

describe("a gap whose messages have odd times", () => {
  for (const stands of ["newest-first", "oldest-first"] as const) {
    it.scoped(`is recovered in order, and as few pages are read as otherwise (${stands})`, () =>
      play(
        gap(new FakeHistory({ stands, limit: 4 })),
        function* ({ heard, history, options, problems, say, socket }) {
          const times = [1_714_557_600_000, "soon", undefined, null]
          yield* opened(options)
          say(1, 20)
          // All that stand at the ends of pages, and more.
          for (let n = 21; n <= 30; n++)
            history.add(n % 2 === 0 ? told(n) : odd({ ...told(n), createdAt: times[n % times.length] }))
          yield* reconnect(socket)
          const asked = history.asked.length
          say(31, 31)
          yield* reconnect(socket)
          expect(ids(heard)).toEqual(range(1, 31))
          expect(problems).toEqual([])
          expect(asked).toBeLessThanOrEqual(stands === "newest-first" ? 4 : 10)
        }
      )
    )

    it.scoped(`ends and loses nothing where no message has a time (${stands})`, () =>
      play(
        gap(new FakeHistory({ stands, limit: 4 })),
        function* ({ heard, history, options, problems, socket }) {
          const timeless = (n: number) => odd({ ...told(n), createdAt: n })
          yield* opened({ ...options, drift: Drift.make({ logDrift: false }) })
          for (let n = 1; n <= 3; n++) {
            history.add(timeless(n))
            socket.last.say("chat", { ...wire(n), createdAt: n })
          }
          for (let n = 4; n <= 15; n++) history.add(timeless(n))
          yield* reconnect(socket)
          yield* reconnect(socket)
          expect(ids(heard)).toEqual(range(1, 15))
          expect(problems).toEqual([])
        }
      )
    )
  }

  it.scoped("does not take one time that is out of place for the order of the platform", () =>
    play(
      gap(new FakeHistory({ stands: "newest-first", limit: 5 })),
      function* ({ heard, history, options, say, socket }) {
        yield* opened(options)
        say(1, 3)
        history.add(told(4))
        history.add({ ...told(5), createdAt: new Date(0) })
        yield* reconnect(socket)
        history.add(told(6), told(7))
        yield* reconnect(socket)
        expect(ids(heard)).toEqual(range(1, 7))
      }
    )
  )

  it.scoped("does not tell what was there before the chat was opened because its time is odd", () =>
    play(
      gap(new FakeHistory({ stands: "newest-first", limit: 10 })),
      function* ({ heard, history, options, socket }) {
        for (let n = 1; n <= 5; n++) history.add(n === 3 ? odd({ ...told(3), createdAt: "soon" }) : told(n))
        yield* TestClock.setTime(Date.parse("2024-05-01T10:00:05.500Z"))
        yield* opened({ ...options, conversations: ["c1"] })
        history.add(told(6), odd({ ...told(7), createdAt: 7 }), told(8))
        yield* reconnect(socket)
        expect(ids(heard)).toEqual(["m6", "m7", "m8"])
      }
    )
  )
})

describe("a platform whose pages hold what is no message", () => {
  for (const stands of ["newest-first", "oldest-first"] as const) {
    it.scoped(`costs those entries alone, which are reported (${stands})`, () =>
      play(
        gap(new FakeHistory({ stands, limit: 3 })),
        function* ({ heard, history, options, problems, say, socket }) {
          const chat = yield* opened(options)
          say(1, 3)
          history.add(told(4), told(5))
          // Whole pages of it.
          const junk = Array.from({ length: 7 }, (_, n) => odd(Object(`junk ${n}`).valueOf()))
          history.conversations.get("c1")?.push(...junk)
          history.add(told(6), told(7))
          yield* reconnect(socket)
          expect(ids(heard)).toEqual(range(1, 7))
          expect(problems.every(({ _tag }) => _tag === "Malformed")).toBe(true)
          const { gaps, malformed } = yield* chat.figures
          expect(gaps).toBe(0)
          expect(malformed).toBeGreaterThanOrEqual(7)
        }
      )
    )
  }

  for (const order of ["newest-first", "oldest-first", undefined] as const) {
    missing(
      `or that answers two pages in turns, without an end, is read to an end (${order ?? "unknown"} order)`,
      function* (world) {
        const { heard, options, socket } = world
        let asked = 0
        const timeless = (n: number) => odd({ ...told(n), createdAt: null })
        const page = (_: string, number: number) => {
          asked += 1
          return Effect.succeed({ items: [timeless(number % 2 === 0 ? 2 : 3)], paging: {} })
        }
        const chat = yield* opened({
          ...options,
          history: order === undefined ? { page } : { order, page }
        })
        socket.last.say("chat", wire(1))
        yield* reconnect(socket)
        expect(yield* chat.state.get).toEqual({ status: "connected" })
        expect([...ids(heard)].sort()).toEqual(range(1, 3))
        expect(asked).toBeLessThanOrEqual(4)
      }
    )
  }
})
