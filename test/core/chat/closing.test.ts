import { describe, expect } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope, Stream, Supervisor } from "effect"
import { begin, draft, failed, scenario, tick, wire, wires } from "./world.js"

describe("closing a chat", () => {
  scenario("closes its connection, ends its streams and fails what waits, once", function* (world) {
    const chat = yield* world.open()
    const reading = yield* Effect.fork(Stream.runCount(chat.messages))
    const histories = yield* Effect.fork(Stream.runCount(chat.history))
    const sending = yield* begin(chat.send(draft("on the wire")))
    world.tell(wire(1))
    yield* chat.close
    yield* chat.close
    expect(yield* Fiber.join(reading)).toBe(1)
    expect(yield* Fiber.join(histories)).toBe(0)
    expect(yield* failed(sending)).toMatchObject({ _tag: "OutcomeUnknown" })
    expect(yield* chat.state.get).toEqual({ status: "closed" })
    expect(world.socket.open).toBe(0)
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
    const chat = yield* world.open()
    world.tell(...wires(1, 3))
    yield* chat.close
    expect(yield* Stream.runCount(chat.messages)).toBe(3)
    expect(yield* Stream.runCount(chat.messages)).toBe(0)
  })

  scenario("makes later messages fail with Closed", function* ({ open }) {
    const chat = yield* open()
    yield* chat.close
    const error = yield* Effect.flip(chat.send(draft("late")))
    expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.send", reason: "Closed" })
    expect(error.message).toBe("chat.send: the chat was closed")
  })

  scenario("makes a connection that speaks on go unheard", function* ({ heard, listen, socket, tell }) {
    const chat = yield* listen()
    yield* chat.close
    tell(wire(1))
    socket.last.lose()
    yield* tick(60_000)
    expect(heard).toEqual([])
    expect(socket.connections).toHaveLength(1)
  })

  scenario.each(["connected", "waiting to reconnect", "connecting again", "catching up", "behind"] as const)(
    "leaves no fiber and no socket while it is %s",
    function* (moment, { happen, history, open, say, socket }) {
      const supervisor = yield* Supervisor.track
      const program = Effect.gen(function* () {
        const stuck = { page: () => Effect.never }
        const chat = yield* open({
          history: moment === "catching up" ? stuck : history,
          policy: { buffer: 1 }
        })
        say(1)
        if (moment === "behind") say(2)
        else happen(2, 2)
        if (moment === "connecting again") socket.answer = () => undefined
        if (moment !== "connected" && moment !== "behind") socket.last.lose()
        yield* tick(moment === "waiting to reconnect" ? 0 : 1_000)
        yield* Effect.fork(Stream.runDrain(chat.messages))
        yield* Effect.fork(Effect.exit(chat.send(draft("x"))))
        yield* tick(10)
        yield* chat.close
      })
      yield* Effect.supervised(Effect.scoped(program), supervisor)
      yield* tick(100)
      const alive = yield* supervisor.value
      expect(alive.length).toBe(0)
      expect(socket.open).toBe(0)
    }
  )
})
