// Messages that are not as they are declared: told as they came and reported as drift, never dropped, and never a
// reason for the chat to hang, to lose what is beside them, or to tell them again and again.
import { describe, expect } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { Message } from "../../../core/chat/model.js"
import * as Drift from "../../../core/kernel/codec/drift.js"
import {
  begin,
  draft,
  ids,
  inBothOrders,
  numbers,
  over,
  random,
  range,
  slow,
  texts,
  tick,
  told,
  wire
} from "./world.js"

/** Reports of drift, with a place to look at them. */
const makeDrift = () => {
  const drifts: Array<string> = []
  const onDrift = ({ came, operation, path }: Drift.Drift) =>
    Effect.sync(() => drifts.push(`${operation} ${path}: ${came}`))
  return { drift: Drift.make({ logDrift: false, onDrift }), drifts }
}

/** Pauses last half of what they may. */
const scenario = random(0.5)
const drift = Drift.make({ logDrift: false })

/** Something that a platform may hold for a message, whatever its type says. */
const odd = (message: object): Message => message as Message
const nameless = (n: number) => {
  const { _id: _, ...rest } = wire(n)
  return rest
}
const mine = { text: "ok", conversationId: "c1", sender: "u1", clientId: "1" }

describe("a message that is not as it is declared", () => {
  const at = told(1).createdAt
  scenario.each<readonly [what: string, message: object, drift: string]>([
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
    ["with a number beyond 2⁵³", wire(1, "c1", { n: 2 ** 60 }), "n: a whole number beyond ±2⁵³"]
  ])("%s is told as it came, and reported once", function* ([, message, place], world) {
    const { drift, drifts } = makeDrift()
    const chat = yield* world.listen({ drift })
    world.tell(message, { ...message, more: true })
    expect(world.heard[0]).toEqual(place.startsWith("createdAt") ? message : { ...message, createdAt: at })
    expect(drifts).toEqual([`chat.message ${place}`])
    expect(world.problems).toEqual([])
    expect(yield* chat.figures).toMatchObject({ malformed: 0, received: 2 })
  })

  scenario.each([true, false])(
    "with assumed fields of other kinds is told as it came, and reported, however strict the chat is (%s)",
    function* (isTolerant, world) {
      const { drift, drifts } = makeDrift()
      const chat = yield* world.listen({ drift, isTolerant })
      const message = wire(1, "c1", { seen: "yes", sender: { kind: 1, name: "Ada" } })
      world.tellHistory([message])
      world.tell(wire(2, "c1", { sender: "u1" }), message)
      expect(world.histories).toEqual([[{ ...message, createdAt: at }]])
      expect(world.heard).toEqual([{ ...told(2), sender: "u1" }])
      expect(drifts.sort()).toEqual([
        "chat.history [].seen: text",
        "chat.history [].sender.kind: number",
        "chat.message seen: text",
        "chat.message sender.kind: number",
        "chat.message sender: text"
      ])
      expect(world.problems).toEqual([])
      expect(yield* chat.figures).toMatchObject({ malformed: 0 })
    }
  )

  scenario("with a known field of another kind is none for a strict chat", function* (world) {
    const { drift, drifts } = makeDrift()
    yield* world.listen({ drift, isTolerant: false })
    world.tell(wire(1, "c1", { text: 7, seen: "yes" }), wire(2))
    expect(ids(world.heard)).toEqual(["m2"])
    expect(world.problems).toMatchObject([{ _tag: "Malformed" }])
    expect(drifts.filter((place) => place.includes("text:"))).toEqual([])
  })

  scenario("is none at all where it is no object, which is reported each time", function* (world) {
    const { drift, drifts } = makeDrift()
    const chat = yield* world.listen({ drift })
    world.tell("hello", 5, null, undefined, [wire(1)], wire(2))
    expect(ids(world.heard)).toEqual(["m2"])
    const problem = { _tag: "Malformed", event: "chat", field: "", rule: "must be an object" }
    expect(world.problems).toEqual(Array(5).fill(problem))
    const came = ["text", "number", "null", "nothing", "list"]
    expect(drifts).toEqual(came.map((what) => `chat.message : ${what}`))
    expect(yield* chat.figures).toMatchObject({ malformed: 5, delivered: 1 })
  })

  scenario("is none where it is a date-time, bytes or a Map: only objects are messages", function* (world) {
    const chat = yield* world.listen({ drift })
    const none = ["2024-05-01T09:30:00.000Z", new Date(0), new Uint8Array(2), new ArrayBuffer(2), new Map()]
    world.tell(...none, wire(1))
    world.tellHistory([...none, wire(2)])
    expect(ids([...world.heard, ...world.histories.flat()])).toEqual(["m1", "m2"])
    expect(world.problems.every(({ _tag }) => _tag === "Malformed")).toBe(true)
    expect(yield* chat.figures).toMatchObject({ malformed: 2 * none.length })
  })

  scenario(
    "is told to a callback whose Effect runs, beside the others, and is reported if it fails",
    function* (world) {
      const done: Array<unknown> = []
      const failed = new Error("mine")
      yield* world.listen({
        drift,
        onMessage: ({ _id }) =>
          _id === "m2"
            ? Effect.fail(failed)
            : _id === "m3"
              ? Effect.never
              : Effect.sync(() => done.push(_id)),
        onProblem: (problem) => Effect.sync(() => done.push(problem._tag))
      })
      world.tell(wire(1), wire(2), wire(3), wire(4))
      yield* tick(0)
      expect(done).toEqual(["m1", "CallbackFailed", "m4"])
    }
  )

  scenario.each([
    ["fails", () => Effect.die(new Error("mine"))],
    ["never ends", () => Effect.never]
  ] as const)("does not disturb the chat where the hook for drift %s", function* ([, onDrift], world) {
    yield* world.listen({ drift: Drift.make({ logDrift: false, onDrift }) })
    world.tell(nameless(1), wire(2))
    expect(texts(world.heard)).toEqual(["text 1", "text 2"])
  })

  scenario("is left out, counted and reported where messages are read strictly", function* (world) {
    const { heard, histories, listen, problems, tell, tellHistory } = world
    const chat = yield* listen()
    tellHistory([wire(1), nameless(2), wire(3)])
    tell(nameless(4), "not an object", wire(6, "c1", { createdAt: "2024-02-30T10:00:00Z" }))
    tell(wire(7, "c1", { orderNumber: 2 ** 60 }), wire(8))
    expect(ids([...histories.flat(), ...heard])).toEqual(["m1", "m3", "m8"])
    expect(
      problems.map((problem) => problem._tag === "Malformed" && `${problem.event} ${problem.field}`)
    ).toEqual(["history 1._id", "chat _id", "chat ", "chat createdAt", "chat "])
    expect(yield* chat.figures).toMatchObject({ malformed: 5, problems: 5, delivered: 1 })
  })
})

describe("a history with an entry that is not as it is declared", () => {
  scenario("tells it as it came, and all others", function* ({ histories, listen, problems, tellHistory }) {
    const { drift, drifts } = makeDrift()
    yield* listen({ drift })
    const entries = [
      wire(1),
      nameless(2),
      wire(3, "c1", { createdAt: 5 }),
      wire(4, "c1", { text: 4 }),
      wire(5)
    ]
    tellHistory({ messages: entries })
    expect(histories.map(texts)).toEqual([["text 1", "text 2", "text 3", 4, "text 5"]])
    const places = ["_id: nothing", "createdAt: number", "text: number"]
    expect(drifts).toEqual(places.map((place) => `chat.history messages[].${place}`))
    expect(problems).toEqual([])
  })

  scenario(
    "loses that entry alone where it is no object, or too deep, and names it shortly",
    function* (world) {
      const { histories, listen, problems, socket } = world
      const deep = JSON.parse(`${'{"abc":'.repeat(1_100)}1${"}".repeat(1_100)}`)
      const chat = yield* listen({ drift })
      socket.last.listener.onEvent("history", [wire(1), "junk", null, wire(2), deep, [], wire(3)])
      expect(histories.map(ids)).toEqual([range(1, 3)])
      const fields = problems.map((problem) => (problem._tag === "Malformed" ? problem.field : ""))
      expect(fields).toEqual(["1", "2", expect.stringMatching(/^4\.abc\.abc.*…$/), "5"])
      expect(fields[2]?.length).toBeLessThanOrEqual(200)
      expect(yield* chat.figures).toMatchObject({ malformed: 4, history: 3 })
    }
  )

  scenario("is none where it holds no list", function* ({ histories, listen, problems, tellHistory }) {
    yield* listen({ drift })
    tellHistory({ count: 3 })
    expect(histories).toEqual([])
    const rule = "must be a list, or an object that holds one"
    expect(problems).toMatchObject([{ _tag: "Malformed", event: "history", rule }])
  })
})

describe("a message without an id", () => {
  scenario(
    "is told as often as it comes: nothing tells it from another that says the same",
    function* (world) {
      const chat = yield* world.listen({ drift })
      world.tell({ text: "ok" }, { text: "ok" }, nameless(1), nameless(1))
      expect(texts(world.heard)).toEqual(["ok", "ok", "text 1", "text 1"])
      expect(yield* chat.figures).toMatchObject({ delivered: 4, duplicates: 0 })
    }
  )

  scenario("is known by the id that its sender's client made, where it has one", function* (world) {
    const [foreign, elsewhere] = [
      { ...mine, sender: { _id: "u2" } },
      { ...mine, conversationId: "c2" }
    ]
    yield* world.listen({ drift })
    world.tell(mine, mine, { ...mine, text: "better" }, foreign, elsewhere)
    expect(world.heard).toEqual([mine, foreign, elsewhere])
    expect(texts(world.updates)).toEqual(["better"])
  })

  scenario("that comes again with the platform's id is that message, with what was added", function* (world) {
    const stored = { ...mine, _id: "m1", seen: false }
    const chat = yield* world.listen({ drift })
    world.tell(mine, stored, stored, mine, { ...stored, seen: true })
    expect(world.heard).toEqual([mine])
    expect(world.updates).toEqual([stored, { ...stored, seen: true }])
    expect(yield* chat.figures).toMatchObject({ delivered: 1, updates: 2, duplicates: 2 })
  })

  scenario("that comes after its twin with the platform's id is left out", function* (world) {
    yield* world.listen({ drift })
    world.tell({ ...mine, _id: "m1" }, mine)
    expect(world.log).toEqual(["message m1 ok"])
  })

  scenario.each([{ text: "no" }, { sender: "u2" }, { conversationId: "c2" }, { clientId: "2" }])(
    "is another one than that with an id and %o",
    function* (foreign, world) {
      yield* world.listen({ drift })
      world.tell(mine, { ...mine, _id: "m1", ...foreign })
      expect(world.heard).toHaveLength(2)
      expect(world.updates).toEqual([])
    }
  )

  scenario("is the first one alone of two with ids, though their client named both alike", function* (world) {
    yield* world.listen({ drift })
    world.tell(mine, { ...mine, _id: "m1" }, { ...mine, _id: "m2" })
    expect(world.heard).toEqual([mine, { ...mine, _id: "m2" }])
    expect(ids(world.updates)).toEqual(["m1"])
  })

  scenario(
    "is acknowledged by its echo, or by an answer that holds it",
    function* ({ listen, socket, tell }) {
      const chat = yield* listen({ drift })
      const first = yield* Effect.fork(chat.send(draft("one", { clientId: "a" })))
      const second = yield* Effect.fork(chat.send(draft("two", { clientId: "b" })))
      const third = yield* begin(chat.send(draft("three", { clientId: "c" })))
      tell({ ...draft("one"), clientId: "a" })
      socket.last.emitted[1]?.acknowledge({ data: { ...draft("two"), createdAt: "soon" } })
      socket.last.emitted[2]?.acknowledge({ status: "ok", text: "taken" })
      expect(yield* first).toEqual({ clientId: "a", message: { ...draft("one"), clientId: "a" } })
      expect(yield* second).toEqual({ clientId: "b", message: { ...draft("two"), createdAt: "soon" } })
      expect(yield* third).toEqual({ clientId: "c", message: undefined })
    }
  )

  scenario("is not told again by the histories of later connections", function* (world) {
    const { heard, histories, listen, reconnect, socket, tell } = world
    const old = [{ text: "a" }, { text: "b" }, nameless(1)]
    socket.answer = (connection, number) => {
      connection.accept()
      connection.say("history", number === 1 ? old : [...old, { text: "live" }, { text: "missed" }])
    }
    yield* listen({ drift })
    tell({ text: "live" })
    for (let times = 0; times < 3; times++) yield* reconnect()
    expect(histories.map(texts)).toEqual([["a", "b", "text 1"]])
    expect(texts(heard)).toEqual(["live", "missed"])
  })

  inBothOrders("that was missed is told once from the platform's pages", 3, function* (world) {
    const { heard, history, listen, reconnect, tell } = world
    const happen = (from: number, to: number) => {
      for (const n of numbers(from, to)) history.add(odd({ ...nameless(n), createdAt: told(n).createdAt }))
    }
    yield* TestClock.setTime(Date.parse("2024-05-01T10:00:02.500Z"))
    happen(1, 2)
    const chat = yield* listen({ drift, history })
    happen(3, 3)
    tell(nameless(3))
    happen(4, 11)
    yield* reconnect()
    tell(nameless(12))
    happen(12, 13)
    yield* reconnect()
    yield* reconnect()
    expect(texts(heard)).toEqual(numbers(3, 13).map((n) => `text ${n}`))
    expect(yield* chat.figures).toMatchObject({ gaps: 0, delivered: 11 })
  })

  const both = odd({ text: "ok", conversationId: "c1" })
  scenario.each<readonly [string, pages: ReadonlyArray<Message>, came: number, ReadonlyArray<string>]>([
    [
      "twice while a gap is open is told twice, after what was missed",
      [told(2)],
      2,
      ["text 1", "text 2", "ok", "ok"]
    ],
    [
      "while a gap is open, and on the platform's pages too, is told once",
      [told(1), both],
      1,
      ["text 1", "ok"]
    ]
  ])("that comes in %s", function* ([, items, came, expected], { heard, listen, socket, tell }) {
    const history = slow({ page: () => Effect.succeed({ items, paging: {} }) }, "oldest-first")
    yield* listen({ drift, history })
    tell(wire(1))
    socket.last.lose()
    yield* tick(300)
    tell(...Array(came).fill(both))
    yield* tick(5_000)
    expect(texts(heard)).toEqual(expected)
  })
})

describe("a gap whose messages have odd times", () => {
  inBothOrders("is recovered in order, and as few pages are read as otherwise", 4, function* (world) {
    const { heard, history, listen, problems, reconnect, say } = world
    const times = [1_714_557_600_000, "soon", undefined, null]
    yield* listen({ history })
    say(1, 20)
    // All that stand at the ends of pages, and more.
    for (const n of numbers(21, 30))
      history.add(n % 2 === 0 ? told(n) : odd({ ...told(n), createdAt: times[n % times.length] }))
    yield* reconnect()
    const before = history.asked.length
    say(31)
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 31))
    expect(problems).toEqual([])
    expect(before).toBeLessThanOrEqual(history.settings.stands === "newest-first" ? 4 : 10)
  })

  inBothOrders("ends and loses nothing where no message has a time", 4, function* (world) {
    const { heard, history, listen, problems, reconnect, tell } = world
    yield* listen({ drift, history })
    tell(...numbers(1, 3).map((n) => ({ ...wire(n), createdAt: n })))
    for (const n of numbers(1, 15)) history.add(odd({ ...told(n), createdAt: n }))
    yield* reconnect()
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 15))
    expect(problems).toEqual([])
  })

  const paged = over({ stands: "newest-first", limit: 10 })
  paged("does not take one time that is out of place for the order of the platform", function* (world) {
    const { happen, heard, history, listen, reconnect, say } = world
    yield* listen({ history })
    say(1, 3)
    history.add(told(4), { ...told(5), createdAt: new Date(0) })
    yield* reconnect()
    happen(6, 7)
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 7))
  })

  paged("does not tell what was there before the chat was opened because its time is odd", function* (world) {
    const { happen, heard, history, listen, reconnect } = world
    happen(1, 2)
    history.add(odd({ ...told(3), createdAt: "soon" }))
    happen(4, 5)
    yield* TestClock.setTime(Date.parse("2024-05-01T10:00:05.500Z"))
    yield* listen({ history, conversations: ["c1"] })
    history.add(told(6), odd({ ...told(7), createdAt: 7 }), told(8))
    yield* reconnect()
    expect(ids(heard)).toEqual(["m6", "m7", "m8"])
  })
})

describe("a platform whose pages hold what is no message", () => {
  inBothOrders("costs those entries alone, which are reported", 3, function* (world) {
    const { happen, heard, history, listen, problems, reconnect, say } = world
    const chat = yield* listen({ history })
    say(1, 3)
    happen(4, 5)
    // Whole pages of it.
    history.conversations.get("c1")?.push(...numbers(1, 7).map((n) => odd(Object(`junk ${n}`).valueOf())))
    happen(6, 7)
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 7))
    expect(problems.every(({ _tag }) => _tag === "Malformed")).toBe(true)
    const { gaps, malformed } = yield* chat.figures
    expect(gaps).toBe(0)
    expect(malformed).toBeGreaterThanOrEqual(7)
  })

  scenario.each(["newest-first", "oldest-first", undefined] as const)(
    "or that answers two pages in turns, without an end, is read to an end (%s)",
    function* (order, { heard, listen, reconnect, tell }) {
      let requests = 0
      const page = (_: string, number: number) => {
        requests += 1
        const items = [odd({ ...told(number % 2 === 0 ? 2 : 3), createdAt: null })]
        return Effect.succeed({ items, paging: {} })
      }
      const chat = yield* listen({ history: order === undefined ? { page } : { order, page } })
      tell(wire(1))
      yield* reconnect()
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(ids(heard).sort()).toEqual(range(1, 3))
      expect(requests).toBeLessThanOrEqual(4)
    }
  )
})
