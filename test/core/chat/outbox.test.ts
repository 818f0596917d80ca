// What becomes of a message that is sent: while the chat is connected, and while it waits in the bounded outbox.
import { describe, expect } from "@effect/vitest"
import { Effect, Fiber, Random } from "effect"
import type { Sendable } from "../../../core/chat/model.js"
import * as Raw from "../../../core/kernel/operation/raw.js"
import { begin, draft, type FakeSocket, failed, scenario, tick, told, wire } from "./world.js"

const payloads = (socket: FakeSocket) => socket.last.emitted.map(({ payload }) => payload)
const sent = (socket: FakeSocket) => payloads(socket).map(({ text }) => text)

/** Loses the connection, and leaves the next one without an answer. */
const disconnect = (socket: FakeSocket) =>
  Effect.suspend(() => {
    socket.answer = () => undefined
    socket.last.lose()
    return tick(500)
  })

/** Lets the connection that was left without an answer come about. */
const connect = (socket: FakeSocket) =>
  Effect.suspend(() => {
    socket.last.accept()
    return tick(200)
  })

describe("the outbox", () => {
  scenario(
    "keeps messages while there is no connection, and sends them in order with the next one",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      yield* disconnect(socket)
      for (const text of ["one", "two", "three"]) yield* Effect.fork(chat.send(draft(text)))
      yield* tick(1_000)
      expect(sent(socket)).toEqual([])
      yield* connect(socket)
      expect(sent(socket)).toEqual(["one", "two", "three"])
    }
  )

  scenario(
    "sends a message again, under the same id, whose answer was lost",
    function* ({ open, reconnect, socket }) {
      const chat = yield* open()
      const sending = yield* begin(chat.send(draft("one")))
      const [first] = payloads(socket)
      yield* reconnect()
      expect(payloads(socket)).toEqual([first])
      socket.last.emitted[0]?.acknowledge()
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: first?.clientId })
    }
  )

  scenario(
    "does not send a message again that the platform's history shows to have arrived",
    function* (world) {
      const { history, open, reconnect, say, socket } = world
      const chat = yield* open({ history })
      say(1)
      const sending = yield* begin(chat.send(draft("two", { clientId: "id-2" })))
      history.add(told(2, "c1", { clientId: "id-2" }))
      yield* reconnect()
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: "id-2", message: { _id: "m2" } })
      expect(socket.last.emitted).toEqual([])
    }
  )

  scenario(
    "counts a message as sent that a history of the socket holds, without an acknowledgement",
    function* ({ open, socket }) {
      const chat = yield* open()
      const sending = yield* begin(chat.send(draft("two", { clientId: "id-2" })))
      socket.last.say("history", [wire(1), wire(2, "c1", { clientId: "id-2" })])
      expect(yield* Fiber.join(sending)).toMatchObject({ clientId: "id-2", message: { _id: "m2" } })
    }
  )

  scenario.each([3, 1])(
    "gives a message up with OutcomeUnknown after %i emissions",
    function* (emissions, world) {
      const { open, socket } = world
      const chat = yield* open(emissions === 3 ? {} : { policy: { emissions } })
      const sending = yield* begin(chat.send(draft("poison")))
      for (let n = 0; n < emissions; n++) {
        yield* tick(1_000)
        expect(sending.unsafePoll()).toBeNull()
        socket.last.lose()
      }
      yield* tick(2_000)
      const unknown = { _tag: "OutcomeUnknown", reason: "Network", attempts: emissions }
      expect(yield* failed(sending)).toMatchObject(unknown)
      expect((yield* chat.figures).emitted).toBe(emissions)
    }
  )

  scenario(
    "is bounded: one message too many fails with Overflow, the others go out",
    function* ({ open, socket }) {
      const chat = yield* open({ policy: { outbox: 2 } })
      yield* disconnect(socket)
      const first = yield* begin(chat.send(draft("one")))
      yield* begin(chat.send(draft("two")))
      const error = yield* Effect.flip(chat.send(draft("three")))
      expect(error).toMatchObject({ _tag: "ChatError", reason: "Overflow", retryable: true })
      expect(error.message).toBe("chat.send: 2 messages wait already; the message was not sent")
      yield* connect(socket)
      expect(sent(socket)).toEqual(["one", "two"])
      socket.last.emitted[0]?.acknowledge()
      yield* Fiber.join(first)
      yield* begin(chat.send(draft("three")))
      expect(sent(socket)).toEqual(["one", "two", "three"])
    }
  )

  scenario(
    "fails with Timeout where no connection came within the deadline, and sends nothing",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({ policy: { sendDeadline: 1_000 } })
      yield* disconnect(socket)
      const sending = yield* begin(chat.send(draft("late")))
      yield* tick(1_100)
      expect(yield* failed(sending)).toMatchObject({ _tag: "ChatError", reason: "Timeout" })
      yield* connect(socket)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(sent(socket)).toEqual([])
    }
  )

  scenario("drops a message whose sender was interrupted before it went out", function* ({ open, socket }) {
    const chat = yield* open()
    yield* disconnect(socket)
    yield* Fiber.interrupt(yield* begin(chat.send(draft("never mind"))))
    yield* connect(socket)
    expect(sent(socket)).toEqual([])
  })

  scenario(
    "refuses an id that is on its way already, and takes it again afterwards",
    function* ({ open, socket }) {
      const chat = yield* open()
      const first = yield* begin(chat.send(draft("x", { clientId: "same" })))
      const refused = yield* Effect.flip(chat.send(draft("y", { clientId: "same" })))
      expect(refused).toMatchObject({ _tag: "InputError", field: "clientId" })
      socket.last.emitted[0]?.acknowledge()
      yield* Fiber.join(first)
      const again = yield* begin(chat.send(draft("z", { clientId: "same" })))
      socket.last.emitted[1]?.acknowledge()
      expect(yield* Fiber.join(again)).toMatchObject({ clientId: "same" })
    }
  )

  scenario(
    "fails what waits with what ended the chat, and what was on the wire as unknown",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open()
      const onWire = yield* begin(chat.send(draft("one")))
      socket.answer = (connection) => connection.refuse("revoked")
      socket.last.lose()
      const waiting = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
      yield* tick(5_000)
      expect(yield* failed(onWire)).toMatchObject({ _tag: "OutcomeUnknown" })
      const refused = { _tag: "ChatError", operation: "chat.send", reason: "Refused" }
      expect(yield* failed(waiting)).toMatchObject({ ...refused, clientId: "id-2" })
      expect(yield* Effect.flip(chat.send(draft("three")))).toMatchObject(refused)
    }
  )
})

describe("sending a message", () => {
  scenario("puts it on the wire under an id that the client made", function* ({ open, socket }) {
    const chat = yield* open()
    yield* begin(chat.send(draft("hello")))
    const clientId = expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{24}$/)
    expect(payloads(socket)).toEqual([{ ...draft("hello"), clientId }])
  })

  scenario(
    "sends what comes through Input.raw as it is, and adds its id alone",
    function* ({ open, socket }) {
      const chat = yield* open()
      yield* begin(chat.send(Raw.raw({ room: "r1", body: { at: new Date("2024-05-01T10:00:00Z") } })))
      const clientId = expect.stringMatching(/^[0-9a-z]+-[0-9a-f]{24}$/)
      expect(payloads(socket)).toEqual([{ room: "r1", body: { at: "2024-05-01T10:00:00.000Z" }, clientId }])
      yield* begin(chat.send(Raw.raw({ room: "r1", clientId: "mine" })))
      expect(payloads(socket)[1]).toEqual({ room: "r1", clientId: "mine" })
    }
  )

  scenario("gives every message another id, out of Random and the Clock alone", function* ({ open, socket }) {
    /** The ids of a chat's messages, without their time. */
    const idsOf = (seed: string) =>
      Effect.gen(function* () {
        const chat = yield* open()
        for (let n = 0; n < 50; n++) yield* Effect.fork(chat.send(draft("x")))
        yield* tick(0)
        return socket.last.emitted.map(({ payload }) => `${payload.clientId}`.split("-")[1])
      }).pipe(Effect.withRandom(Random.make(seed)))
    const first = yield* idsOf("seed")
    expect(yield* idsOf("seed")).toEqual(first)
    expect(new Set([...first, ...(yield* idsOf("other seed"))]).size).toBe(100)
  })

  scenario("answers once it is acknowledged, with the message where the answer holds it", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const bare = yield* Effect.fork(chat.send(draft("one", { clientId: "id-1" })))
    const full = yield* Effect.fork(chat.send(draft("two", { clientId: "id-2" })))
    yield* tick(1_000)
    expect(bare.unsafePoll()).toBeNull()
    socket.last.emitted[0]?.acknowledge()
    socket.last.emitted[1]?.acknowledge({ message: wire(2) })
    expect(yield* Fiber.join(bare)).toEqual({ clientId: "id-1", message: undefined })
    expect(yield* Fiber.join(full)).toEqual({ clientId: "id-2", message: told(2) })
    expect(yield* chat.figures).toMatchObject({ emitted: 2, sent: 2 })
  })

  scenario("answers once it is echoed", function* ({ open, tell }) {
    const chat = yield* open()
    const sending = yield* begin(chat.send(draft("one", { clientId: "id-1" })))
    tell(wire(1, "c1", { clientId: "someone else's" }))
    yield* tick(0)
    expect(sending.unsafePoll()).toBeNull()
    tell(wire(2, "c1", { clientId: "id-1" }))
    const message = told(2, "c1", { clientId: "id-1" })
    expect(yield* Fiber.join(sending)).toEqual({ clientId: "id-1", message })
  })

  scenario.each([
    { error: "token-1 may not write here" },
    { error: { message: "token-1 may not write here" } },
    { error: true, message: "token-1 may not write here" }
  ])(
    "fails with Rejected where the server answers %j, its secrets masked",
    function* (answer, { open, socket }) {
      const chat = yield* open()
      const sending = yield* begin(chat.send(draft("x")))
      socket.last.emitted[0]?.acknowledge(answer)
      const error = yield* failed(sending)
      expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.send", reason: "Rejected" })
      expect(error.message).toBe("chat.send: the platform refused the message: ••• may not write here")
    }
  )

  scenario("fails with OutcomeUnknown where no answer comes within its deadline", function* ({ open }) {
    const chat = yield* open({ policy: { sendDeadline: 1_000 } })
    const sending = yield* Effect.fork(chat.send(draft("x")))
    yield* tick(900)
    expect(sending.unsafePoll()).toBeNull()
    yield* tick(200)
    const unknown = { _tag: "OutcomeUnknown", operation: "chat.send", reason: "Deadline", attempts: 1 }
    expect(yield* failed(sending)).toMatchObject(unknown)
  })

  scenario.each<readonly [unknown, string, string]>([
    [{ ...draft("x"), to: "u1" }, "to", "is not a field of this body; Input.raw passes others"],
    [{ conversationId: "c1", txt: "x" }, "txt", 'is not a field of this body (did you mean "text"?)'],
    [null, "message", "must be an object"],
    [Raw.raw("x"), "message", "must be an object"],
    [Raw.raw({ ...draft("x"), clientId: 5 }), "clientId", "must be"],
    [Raw.raw({ ...draft("x"), price: Number.NaN }), "price", "must be a finite number"],
    [Raw.raw({ ...draft("x"), id: 5n }), "id", "must not be a BigInt: pass it as text"],
    [{ text: "x" }, "conversationId", "is required"],
    [{ conversationId: "", text: "x" }, "conversationId", "must be a non-empty id"],
    [{ conversationId: "c1", text: 3 }, "text", "must be a string"],
    [draft("x", { clientId: "y".repeat(201) }), "clientId", "text of 1 to 200 characters"]
  ])("refuses the draft %o, and sends nothing", function* ([draft, field, rule], { open, socket }) {
    const chat = yield* open()
    // A program without types may pass anything.
    const error = yield* Effect.flip(chat.send(draft as Sendable))
    expect(error).toMatchObject({ _tag: "InputError", operation: "chat.send", field })
    expect("rule" in error && error.rule).toContain(rule)
    expect(socket.last.emitted).toEqual([])
  })

  scenario("sends what the draft held when it was sent, whatever becomes of it later", function* (world) {
    const { open, reconnect, socket } = world
    const chat = yield* open()
    const tags = ["a"]
    yield* begin(chat.send(Raw.raw({ ...draft("x"), tags })))
    tags.push("b")
    yield* reconnect()
    expect(socket.connections).toHaveLength(2)
    expect(payloads(socket)[0]?.tags).toEqual(["a"])
  })
})
