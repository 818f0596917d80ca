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
import { setup } from "./fake-socket.js"
import { FakeHistory, opened, optionsOf, told, wire } from "./fixtures.js"

describe("closing a chat", () => {
  it.scoped("closes its connection, ends its streams and fails what waits, once", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("happens with the scope that it was opened in", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const chat = yield* Scope.extend(opened(optionsOf(credentialsProvider)), scope)
      expect(socket.open).toBe(1)
      yield* Scope.close(scope, Exit.void)
      expect(socket.open).toBe(0)
      expect(yield* chat.state.get).toEqual({ status: "closed" })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("lets readers have what came in before, and readers to come nothing more", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      for (const n of [1, 2, 3]) socket.last.say("chat", wire(n))
      yield* chat.close
      expect(yield* Stream.runCount(chat.messages)).toBe(3)
      expect(yield* Stream.runCount(chat.messages)).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("makes later messages fail with Closed", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(optionsOf(credentialsProvider))
      yield* chat.close
      const error = yield* Effect.flip(chat.send({ conversationId: "c1", text: "late" }))
      expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.send", reason: "Closed" })
      expect(error.message).toBe("chat.send: the chat was closed")
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("makes a connection that speaks on go unheard", () => {
    const { credentialsProvider, socket } = setup()
    const heard: Array<unknown> = []
    return Effect.gen(function* () {
      const chat = yield* opened(
        optionsOf(credentialsProvider, { onMessage: (message) => heard.push(message) })
      )
      yield* chat.close
      socket.last.say("chat", wire(1))
      socket.last.lose()
      yield* TestClock.adjust(60_000)
      expect(heard).toEqual([])
      expect(socket.connections).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  const moments = ["connected", "waiting to reconnect", "connecting again", "catching up", "behind"] as const
  for (const moment of moments) {
    it.scoped(`leaves no fiber and no socket while it is ${moment}`, () => {
      const { credentialsProvider, socket } = setup()
      return Effect.gen(function* () {
        const supervisor = yield* Supervisor.track
        const program = Effect.gen(function* () {
          const history = new FakeHistory()
          const stuck = { page: () => Effect.never }
          const chat = yield* opened(
            optionsOf(credentialsProvider, {
              history: moment === "catching up" ? stuck : history,
              policy: { buffer: 1 }
            })
          )
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
      }).pipe(Effect.provide(socket.layer))
    })
  }

  it.scopedLive("a thousand times over leaves nothing behind", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const supervisor = yield* Supervisor.track
      const cycle = Effect.scoped(
        Effect.tap(open(optionsOf(credentialsProvider)), () =>
          Effect.sync(() => socket.last.say("chat", wire(1)))
        )
      )
      yield* Effect.supervised(Effect.repeatN(cycle, 999), supervisor)
      expect(socket.connections).toHaveLength(1_000)
      expect(socket.open).toBe(0)
      expect((yield* supervisor.value).length).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("works for a chat that a layer opened", () => {
    const { credentialsProvider, socket } = setup()
    const service = Layer.scopedDiscard(Effect.asVoid(opened(optionsOf(credentialsProvider))))
    return Effect.gen(function* () {
      yield* Effect.scoped(Layer.build(service))
      expect(socket.connections).toHaveLength(1)
      expect(socket.open).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })
})
