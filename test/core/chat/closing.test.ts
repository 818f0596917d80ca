import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Supervisor from "effect/Supervisor"
import * as TestClock from "effect/TestClock"
import { open } from "../../../core/chat/chat.js"
import { FakeHistory, optionsOf, scenario, setup, told, wire } from "./fixtures.js"

describe("closing a chat", () => {
  scenario("closes its connection, ends its streams and fails what waits, once", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const reading = yield* Effect.fork(Stream.runCount(chat.messages))
    const histories = yield* Effect.fork(Stream.runCount(chat.history))
    const sending = yield* Effect.fork(chat.send({ conversationId: "c1", text: "on the wire" }))
    yield* TestClock.adjust(0)
    socket.last.say("chat", wire(1))
    yield* chat.close
    yield* chat.close
    expect(yield* Fiber.join(reading)).toBe(1)
    expect(yield* Fiber.join(histories)).toBe(0)
    expect(yield* Effect.flip(Fiber.join(sending))).toMatchObject({ _tag: "OutcomeUnknown" })
    expect(yield* chat.state.get).toEqual({ status: "closed" })
    expect(socket.open).toBe(0)
  })

  scenario("happens with the scope that it was opened in", function* ({ open, socket }) {
    const scope = yield* Scope.make()
    const chat = yield* Scope.extend(open(), scope)
    expect(socket.open).toBe(1)
    yield* Scope.close(scope, Exit.void)
    expect(socket.open).toBe(0)
    expect(yield* chat.state.get).toEqual({ status: "closed" })
  })

  scenario("lets readers have what came in before, and readers to come nothing more", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    for (const n of [1, 2, 3]) socket.last.say("chat", wire(n))
    yield* chat.close
    expect(yield* Stream.runCount(chat.messages)).toBe(3)
    expect(yield* Stream.runCount(chat.messages)).toBe(0)
  })

  scenario("makes later messages fail with Closed", function* ({ open }) {
    const chat = yield* open()
    yield* chat.close
    const error = yield* Effect.flip(chat.send({ conversationId: "c1", text: "late" }))
    expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.send", reason: "Closed" })
    expect(error.message).toBe("chat.send: the chat was closed")
  })

  scenario("makes a connection that speaks on go unheard", function* ({ open, socket }) {
    const heard: Array<unknown> = []
    const chat = yield* open({ onMessage: (message) => heard.push(message) })
    yield* chat.close
    socket.last.say("chat", wire(1))
    socket.last.lose()
    yield* TestClock.adjust(60_000)
    expect(heard).toEqual([])
    expect(socket.connections).toHaveLength(1)
  })

  const moments = ["connected", "waiting to reconnect", "connecting again", "catching up", "behind"] as const
  for (const moment of moments) {
    scenario(`leaves no fiber and no socket while it is ${moment}`, function* ({ open, socket }) {
      const supervisor = yield* Supervisor.track
      const program = Effect.gen(function* () {
        const history = new FakeHistory()
        const stuck = { page: () => Effect.never }
        const chat = yield* open({
          history: moment === "catching up" ? stuck : history,
          policy: { buffer: 1 }
        })
        for (const n of [1, 2]) {
          history.add(told(n))
          if (n === 1 || moment === "behind") socket.last.say("chat", wire(n))
        }
        if (moment === "connecting again") socket.answer = () => undefined
        if (moment !== "connected" && moment !== "behind") socket.last.lose()
        yield* TestClock.adjust(moment === "waiting to reconnect" ? 0 : 1_000)
        yield* Effect.fork(Stream.runDrain(chat.messages))
        yield* Effect.fork(Effect.exit(chat.send({ conversationId: "c1", text: "x" })))
        yield* TestClock.adjust(10)
        yield* chat.close
      })
      yield* Effect.supervised(Effect.scoped(program), supervisor)
      yield* TestClock.adjust(100)
      const alive = yield* supervisor.value
      expect(alive.length).toBe(0)
      expect(socket.open).toBe(0)
    })
  }

  it.scopedLive("a hundred times over leaves nothing behind", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const supervisor = yield* Supervisor.track
      const cycle = Effect.scoped(
        Effect.tap(open(optionsOf(credentialsProvider)), () =>
          Effect.sync(() => socket.last.say("chat", wire(1)))
        )
      )
      yield* Effect.supervised(Effect.repeatN(cycle, 99), supervisor)
      expect(socket.connections).toHaveLength(100)
      expect(socket.open).toBe(0)
      expect((yield* supervisor.value).length).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  scenario("works for a chat that a layer opened", function* ({ open, socket }) {
    const service = Layer.scopedDiscard(Effect.asVoid(open()))
    yield* Effect.scoped(Layer.build(service))
    expect(socket.connections).toHaveLength(1)
    expect(socket.open).toBe(0)
  })
})
