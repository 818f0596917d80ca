// What a chat missed while it was not connected, messages and updates, is told after its reconnection, once and in
// order, or reported.
import { describe, expect } from "@effect/vitest"
import { Arbitrary, Effect, FastCheck, Fiber, Schema, Stream, TestClock } from "effect"
import type { Message } from "../../../core/chat/model.js"
import { NetworkError, NotFound, PermissionDenied, RateLimited } from "../../../core/kernel/errors/errors.js"
import {
  begin,
  collect,
  draft,
  edited,
  editedTold,
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
  wire,
  wires
} from "./world.js"

const operation = "conversations.messages"

/** Pauses last half of what they may. */
const scenario = random(0.5)

describe("after a reconnection", () => {
  const platforms = [
    ["newest first, in pages", { stands: "newest-first", limit: 3 }],
    ["newest first, in counted pages", { stands: "newest-first", limit: 3, counts: true }],
    ["newest first, without pages", { stands: "newest-first", limit: 3, whole: true }],
    ["oldest first, in pages", { stands: "oldest-first", limit: 3 }],
    ["oldest first, in counted pages", { stands: "oldest-first", limit: 3, counts: true }],
    ["oldest first, without pages", { stands: "oldest-first", limit: 3, whole: true }]
  ] as const
  for (const [name, settings] of platforms)
    over(settings)(
      `the missed messages are told once and in order, from a platform that answers ${name}`,
      function* (world) {
        const { happen, heard, history, listen, problems, reconnect, say } = world
        happen(1, 10)
        const chat = yield* listen({ history })
        say(11, 12)
        for (const first of [13, 23, 33]) {
          happen(first, first + 7)
          yield* reconnect()
          say(first + 8, first + 9)
        }
        expect(ids(heard)).toEqual(range(11, 42))
        expect(problems).toEqual([])
        expect(yield* chat.figures).toMatchObject({ delivered: 32, recovered: 24, gaps: 0 })
      }
    )

  /** What is told of another conversation. */
  const others = (from: number, to: number) => numbers(from, to).map((n) => wire(n, "c2"))
  const quiet = (heard: ReadonlyArray<Message>) =>
    ids(heard.filter(({ conversationId }) => conversationId === "c1"))

  inBothOrders(
    "what was told too long ago to be remembered is not told again, though one was changed since",
    100,
    function* ({ happen, heard, history, listen, reconnect, say, tell }) {
      yield* listen({ history })
      say(1, 10)
      tell(...others(11, 20_000), edited(4), ...others(20_001, 50_000))
      history.change(editedTold(4))
      happen(50_001, 50_002)
      yield* reconnect()
      expect(quiet(heard)).toEqual([...range(1, 10), "m50001", "m50002"])
    }
  )

  inBothOrders(
    "nor is it, though the server's history held a part of it",
    100,
    function* ({ happen, heard, history, listen, reconnect, say, socket, tell }) {
      yield* listen({ history })
      say(1, 5)
      tell(...others(11, 20_000))
      socket.answer = (connection) => {
        connection.accept()
        connection.say("history", wires(1, 7))
        happen(8, 10)
      }
      happen(6, 7)
      yield* reconnect()
      socket.answer = (connection) => connection.accept()
      tell(...others(20_001, 40_000))
      yield* reconnect()
      // For as long as it waits for another history.
      yield* tick(10_000)
      expect(quiet(heard)).toEqual(range(1, 10))
    }
  )

  scenario("nothing from before the chat was opened is told", function* (world) {
    world.happen(1, 10)
    yield* TestClock.setTime(Date.parse("2024-05-01T10:00:11Z"))
    yield* world.listen({ history: world.history, conversations: ["c1"] })
    yield* world.reconnect()
    expect(world.heard).toEqual([])
  })

  scenario("live messages wait until what was missed has been told", function* (world) {
    const { happen, heard, history, listen, reconnect, say, socket } = world
    const chat = yield* listen({ history })
    say(1)
    happen(2, 5)
    history.failures.push(new NetworkError({ operation, reason: "Reset" }))
    socket.answer = (connection) => {
      connection.accept()
      connection.say("chat", wire(6))
      happen(6, 6)
    }
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 6))
    expect(yield* chat.figures).toMatchObject({ duplicates: 0, recovered: 5 })
  })

  scenario("the state is connected only once the chat has caught up", function* (world) {
    const { heard, listen, reconnect, tell } = world
    const page = () => Effect.delay(Effect.succeed({ items: [], paging: {} }), 5_000)
    const chat = yield* listen({ history: { page } })
    tell(wire(1))
    yield* reconnect()
    tell(wire(3))
    expect(yield* chat.state.get).toMatchObject({ status: "reconnecting" })
    expect(ids(heard)).toEqual(["m1"])
    yield* tick(5_000)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
    expect(ids(heard)).toEqual(["m1", "m3"])
  })

  scenario("every conversation that was heard of is looked at, and those that are named", function* (world) {
    const { happen, heard, history, listen, reconnect, say } = world
    yield* listen({ history, conversations: ["named"] })
    say(1, 1, "a")
    say(2, 2, "b")
    happen(3, 3, "a")
    happen(4, 5, "b")
    happen(6, 6, "named")
    yield* reconnect()
    expect(new Set(history.asked.map((asked) => asked.split("/")[0]))).toEqual(new Set(["a", "b", "named"]))
    expect(ids(heard.filter(({ conversationId }) => conversationId === "b"))).toEqual(["m2", "m4", "m5"])
    expect(ids(heard).sort()).toEqual(range(1, 6))
  })

  scenario("a conversation that was only written to is looked at too", function* (world) {
    const { happen, heard, history, listen, reconnect, socket } = world
    const chat = yield* listen({ history })
    yield* begin(chat.send(draft("anyone?", { conversationId: "mine" })))
    socket.last.emitted[0]?.acknowledge()
    yield* TestClock.setTime(Date.parse("2024-05-01T09:00:00Z"))
    happen(1, 2, "mine")
    yield* reconnect()
    expect(ids(heard)).toEqual(["m1", "m2"])
  })

  scenario("a conversation that is heard of only then is looked at from the loss on", function* (world) {
    const { happen, heard, history, listen, reconnect, say, socket } = world
    happen(1, 3, "quiet")
    yield* listen({ history })
    say(5)
    happen(6, 7, "quiet")
    socket.answer = (connection) => {
      connection.accept()
      connection.say("chat", wire(8, "quiet"))
    }
    happen(8, 8, "quiet")
    yield* reconnect()
    expect(ids(heard)).toEqual(range(5, 8))
  })

  scenario("a recovery that is cut off goes on from where the gap began", function* (world) {
    const { happen, heard, history, listen, socket } = world
    const named = ["a", "b", "c", "d", "e"]
    const read = slow(history)
    // Four conversations are read at a time: the fifth one's page does not come before the next loss.
    const page = (id: string, number: number) =>
      id === "e" ? Effect.zipRight(Effect.sleep(500), read.page(id, number)) : read.page(id, number)
    yield* listen({ history: { page }, conversations: named })
    for (const [index, id] of named.entries()) happen(index + 1, index + 1, id)
    happen(6, 6, "a")
    for (const millis of [1_200, 5_000]) {
      socket.last.lose()
      yield* tick(millis)
    }
    expect(ids(heard).sort()).toEqual(range(1, 6))
  })

  scenario("what comes in meanwhile and cannot all be held is read once more", function* (world) {
    const { heard, history, listen, say, socket } = world
    const chat = yield* listen({ history: slow(history, "newest-first"), policy: { buffer: 3 } })
    say(1, 2)
    socket.last.lose()
    yield* tick(300)
    say(3, 12)
    yield* tick(5_000)
    expect(ids(heard)).toEqual(range(1, 12))
    expect(yield* chat.figures).toMatchObject({ deferred: 7, peakHeld: 3, dropped: 0 })
    expect(yield* chat.state.get).toEqual({ status: "connected" })
  })

  scenario("a message that overtook another one on the socket does not hide it", function* (world) {
    const { happen, heard, history, listen, reconnect, tell } = world
    yield* listen({ history })
    tell(wire(1), wire(3))
    happen(1, 3)
    yield* reconnect()
    expect(ids(heard)).toEqual(["m1", "m3", "m2"])
  })

  scenario("messages of one and the same millisecond keep the platform's order", function* (world) {
    const { heard, history, listen, reconnect, tell } = world
    const createdAt = new Date("2024-05-01T10:00:00Z")
    yield* listen({ history })
    tell(wire(1, "c1", { createdAt: createdAt.toISOString() }))
    history.add(...numbers(1, 9).map((n) => ({ ...told(n), createdAt })))
    yield* reconnect()
    expect(ids(heard).sort()).toEqual(range(1, 9))
  })
})

describe("the server's own history after a reconnection", () => {
  scenario("is merged with what was recovered, and is not told as history again", function* (world) {
    const { happen, heard, histories, history, listen, reconnect, say, socket } = world
    happen(1, 3)
    socket.answer = (connection) => {
      connection.accept()
      connection.say("history", history.conversations.get("c1")?.slice(-5) ?? [])
    }
    yield* listen({ history })
    say(4)
    happen(5, 12)
    yield* reconnect()
    expect(ids(heard)).toEqual(range(4, 12))
    expect(histories.map(ids)).toEqual([range(1, 3)])
  })

  scenario(
    "closes the gap alone where there is nothing to recover from, as far as it goes",
    function* (world) {
      const { happen, heard, history, listen, reconnect, say, socket } = world
      happen(1, 3)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("history", [...(history.conversations.get("c1") ?? [])].reverse().slice(0, 20))
      }
      yield* listen()
      say(4)
      happen(5, 12)
      yield* reconnect()
      expect(ids(heard)).toEqual(range(4, 12))
    }
  )

  scenario("is waited for, up to a second, where the server sent one before", function* (world) {
    const { heard, listen, socket, tell, tellHistory } = world
    const chat = yield* listen()
    tellHistory([wire(1)])
    socket.last.lose()
    yield* tick(300)
    tell(wire(4))
    yield* tick(300)
    expect(heard).toEqual([])
    tellHistory(wires(1, 3))
    yield* tick(0)
    expect(ids(heard)).toEqual(range(2, 4))
    socket.last.lose()
    yield* tick(200)
    tell(wire(5))
    yield* tick(1_100)
    expect(ids(heard)).toEqual(range(2, 5))
    expect(yield* chat.state.get).toEqual({ status: "connected" })
  })

  scenario("is used where it comes late, after the chat went on without it", function* (world) {
    const { heard, listen, reconnect, tell, tellHistory } = world
    yield* listen()
    tell(wire(1))
    yield* reconnect()
    tell(wire(4))
    tellHistory(wires(0, 4))
    expect(ids(heard)).toEqual(["m1", "m4", "m2", "m3"])
  })

  scenario("that writes a message otherwise than the pages has it told as an update once", function* (world) {
    const { happen, heard, history, listen, reconnect, socket, updates } = world
    const sender = { _id: "u1", name: "Ana" }
    socket.answer = (connection) => {
      connection.accept()
      connection.say(
        "history",
        [1, 2].map((n) => wire(n, "c1", { sender }))
      )
    }
    happen(1, 2)
    yield* listen({ history })
    for (let times = 0; times < 3; times++) yield* reconnect()
    expect(heard).toEqual([])
    expect(updates).toEqual([told(1), told(2)])
  })
})

describe("a gap that cannot be recovered", () => {
  const denied = { reason: "Server", resource: "conversations", action: "messages", required: 1 } as const
  for (const error of [
    new PermissionDenied({ operation, ...denied }),
    new RateLimited({ operation, status: 429, retryAfter: 3_600_000 })
  ])
    scenario(`is reported with its error (${error._tag}), and the chat goes on`, function* (world) {
      const { happen, heard, history, listen, problems, reconnect, say } = world
      const chat = yield* listen({ history })
      say(1)
      happen(2, 3)
      history.failures.push(error)
      yield* reconnect()
      say(4)
      expect(ids(heard)).toEqual(["m1", "m4"])
      expect(problems).toEqual([{ _tag: "Gap", conversationId: "c1", error }])
      expect(yield* chat.figures).toMatchObject({ gaps: 1 })
    })

  scenario("is asked for three times where the fault may pass", function* (world) {
    const { happen, heard, history, listen, problems, reconnect, say, socket } = world
    const error = new NetworkError({ operation, reason: "Timeout" })
    yield* listen({ history })
    say(1)
    happen(2, 2)
    history.failures.push(error, error)
    yield* reconnect()
    expect(ids(heard)).toEqual(["m1", "m2"])
    happen(3, 3)
    history.failures.push(error, error, error)
    socket.last.lose()
    yield* tick(2_000)
    expect(ids(heard)).toEqual(["m1", "m2"])
    expect(problems).toHaveLength(1)
  })

  scenario(
    "is none where the conversation is gone",
    function* ({ history, listen, problems, reconnect, say }) {
      const chat = yield* listen({ history })
      say(1)
      history.failures.push(new NotFound({ operation, status: 404 }))
      yield* reconnect()
      expect(problems).toEqual([])
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    }
  )

  inBothOrders("is reported where it is longer than may be recovered", 5, function* (world) {
    yield* world.listen({ history: world.history, policy: { longestGap: 20 } })
    world.say(1)
    world.happen(2, 100)
    yield* world.reconnect()
    const error = { _tag: "ChatError", reason: "Overflow" }
    expect(world.problems).toMatchObject([{ _tag: "Gap", conversationId: "c1", error }])
  })
})

describe("an update that was missed in a gap", () => {
  inBothOrders("is told where the platform's messages differ from what was told", 5, function* (world) {
    const { happen, heard, history, listen, reconnect, say, updates } = world
    const chat = yield* listen({ history })
    say(1, 6)
    happen(7, 9)
    for (const n of [5, 6, 8]) history.change(editedTold(n))
    yield* reconnect()
    expect(ids(heard)).toEqual(range(1, 9))
    expect(texts(updates)).toEqual(["edited 5", "edited 6"])
    history.change(editedTold(9))
    yield* reconnect()
    expect(texts(updates).at(-1), "where nothing else was missed").toBe("edited 9")
    expect(yield* chat.figures).toMatchObject({ delivered: 9, recovered: 3, updates: 3 })
  })

  scenario("is told from the history that the server sends of itself", function* (world) {
    const { listen, reconnect, socket, tellHistory, updates } = world
    socket.answer = (connection, number) => {
      connection.accept()
      connection.say("history", number === 1 ? wires(1, 2) : [edited(1), wire(2)])
    }
    yield* listen()
    yield* reconnect()
    expect(texts(updates)).toEqual(["edited 1"])
    tellHistory([edited(1), edited(2)])
    expect(texts(updates)).toEqual(["edited 1", "edited 2"])
  })
})

describe("an update that comes in while a gap is recovered", () => {
  scenario("is told after what was missed, in its place among live messages", function* (world) {
    const { happen, history, listen, log, say, socket, tell } = world
    yield* listen({ history: slow(history, "newest-first") })
    say(1, 2)
    happen(3, 3)
    socket.last.lose()
    yield* tick(300)
    say(4)
    tell(edited(1))
    say(5)
    yield* tick(5_000)
    expect(log.slice(2).map((line) => line.slice(0, 10))).toEqual([
      "message m3",
      "message m4",
      "update m1 ",
      "message m5"
    ])
  })

  scenario("is the content of a message that was not told yet, which is told once", function* (world) {
    const { happen, history, listen, log, say, socket, tell } = world
    yield* listen({ history: slow(history, "newest-first") })
    say(1)
    happen(2, 2)
    socket.last.lose()
    yield* tick(300)
    tell(edited(2, "first"), edited(2, "second"))
    say(3)
    tell(edited(3))
    yield* tick(5_000)
    expect(log).toEqual(["message m1 text 1", "message m2 second", "message m3 edited 3"])
  })

  scenario("is not undone by what the server's history said before it", function* (world) {
    const { heard, history, listen, say, socket, tell, tellHistory, updates } = world
    yield* listen({ history: slow(history, "newest-first") })
    say(1, 2)
    socket.last.lose()
    yield* tick(300)
    tellHistory(wires(1, 3))
    tell(edited(2), edited(3))
    yield* tick(5_000)
    expect(texts(heard)).toEqual(["text 1", "text 2", "edited 3"])
    expect(texts(updates)).toEqual(["edited 2"])
  })

  scenario(
    "is newer than a history that came before it, however late that one is looked at",
    function* (world) {
      const { heard, listen, reconnect, say, socket, tell, tellHistory, updates } = world
      yield* listen({
        onMessage: (message) => {
          heard.push(message)
          if (message._id !== "m4") return
          // While what was held is being told.
          tellHistory([edited(1), edited(2, "older"), wire(3)])
          tell(edited(2, "newer"))
        }
      })
      say(1, 2)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("chat", wire(4))
      }
      yield* reconnect()
      expect(ids(heard)).toEqual(["m1", "m2", "m4", "m3"])
      expect(texts(updates)).toEqual(["newer", "edited 1"])
      say(5)
      expect(ids(heard).at(-1)).toBe("m5")
    }
  )

  scenario("waits for a reader that is behind, and comes after the messages before it", function* (world) {
    const { history, open, say, tell } = world
    const chat = yield* open({ history, policy: { buffer: 3 } })
    say(1, 6)
    // The reader is full with 1 to 3; 4 to 6 are let go.
    tell(edited(2, "old"), edited(2, "new"))
    history.change(editedTold(2, "new"))
    const reading = yield* Effect.fork(collect(chat.events))
    yield* tick(1_000)
    const figures = yield* chat.figures
    yield* chat.close
    const events = yield* Fiber.join(reading)
    const of = (tag: string) => events.filter(({ _tag }) => _tag === tag).map(({ message }) => message)
    expect(ids(of("Message"))).toEqual(range(1, 6))
    expect(texts(of("Update"))).toEqual(["new"])
    expect(figures).toMatchObject({ updates: 1, dropped: 0 })
  })

  scenario("counts as dropped where more wait than fit and the pages do not bring it", function* (world) {
    const { history, open, say, tell } = world
    const chat = yield* open({ history, onUpdate: () => undefined, policy: { buffer: 3 } })
    const reading = yield* begin(Stream.runDrain(chat.messages))
    for (const n of numbers(1, 6)) {
      say(n)
      yield* tick(0)
    }
    yield* Fiber.interrupt(reading)
    const stuck = yield* begin(Stream.runForEach(chat.messages, () => Effect.never))
    tell(...wires(7, 12), ...numbers(1, 6).map((n) => edited(n)))
    expect(yield* chat.figures).toMatchObject({ dropped: 0, peakHeld: 3 })
    yield* Fiber.interrupt(stuck)
    yield* tick(1_000)
    expect(yield* chat.figures).toMatchObject({ dropped: 3, updates: 3 })
  })
})

/**
 * What happens on the platform: so many messages, then edits of some of the last ones; live, or while there is no
 * connection. What is changed then is on a page that a recovery reads in any case.
 */
const Turn = Schema.Struct({
  isLive: Schema.Boolean,
  messages: Schema.Int.pipe(Schema.between(0, 9)),
  edits: Schema.Array(Schema.Int.pipe(Schema.between(0, 2))).pipe(Schema.maxItems(4))
})
const Turns = Schema.Array(Turn).pipe(Schema.minItems(1), Schema.maxItems(6))

describe("whatever is said and changed", () => {
  const orders = [
    ["newest-first", false],
    ["newest-first", true],
    ["oldest-first", false],
    ["oldest-first", true]
  ] as const
  for (const [stands, counts] of orders)
    scenario.prop(
      `is told: every message once, in order, then its newest content (${stands}, ${counts ? "" : "not "}counted)`,
      // No fewer can wait than the messages of which updates can wait at one time.
      [Arbitrary.make(Turns), FastCheck.integer({ min: 4, max: 6 }), FastCheck.integer({ min: 3, max: 12 })],
      function* ([turns, limit, buffer], { history, open, socket, tell }) {
        Object.assign(history.settings, { stands, limit, counts })
        const chat = yield* open({ history, policy: { buffer, longestPause: 500 } })
        const reading = yield* begin(collect(chat.events))
        const now = new Map<string, string>()
        let count = 0
        let changes = 0
        const put = (n: number, text: string, isLive: boolean) => {
          if (now.has(`m${n}`)) history.change(editedTold(n, text))
          else history.add(editedTold(n, text))
          now.set(`m${n}`, text)
          if (isLive) tell(edited(n, text))
        }
        const more = (isLive: boolean) => {
          count += 1
          put(count, `said ${count}`, isLive)
        }
        // The first message makes the conversation known.
        more(true)
        for (const { edits, isLive, messages } of turns) {
          if (!isLive) socket.last.lose()
          for (let said = 0; said < messages; said++) more(isLive)
          for (const back of edits) {
            const n = isLive || stands === "newest-first" ? count - back : count
            changes += 1
            put(Math.max(1, n), `changed ${changes}`, isLive)
          }
          yield* tick(1_000)
        }
        yield* tick(2_000)
        const figures = yield* chat.figures
        yield* chat.close
        const last = new Map<string, string>()
        for (const { _tag, message } of yield* Fiber.join(reading)) {
          // The first word about a message is a message, and every later one says something else.
          expect(_tag).toBe(last.has(message._id) ? "Update" : "Message")
          expect(message.text).not.toBe(last.get(message._id))
          last.set(message._id, message.text ?? "")
        }
        expect(last).toEqual(now)
        expect([...last.keys()]).toEqual(range(1, count))
        expect(figures).toMatchObject({ delivered: count, dropped: 0, gaps: 0 })
        expect(figures.peak).toBeLessThanOrEqual(buffer)
      },
      15
    )
})
