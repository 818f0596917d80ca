import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { defaults, pauseBefore } from "../../../core/chat/policy.js"
import type { State } from "../../../core/chat/state.js"
import { NetworkError, Unauthenticated } from "../../../core/kernel/errors/errors.js"
import { scenario } from "./fixtures.js"

const statusOf = (state: State) => state.status

describe("a lost connection", () => {
  scenario("is replaced by another one with fresh credentials", function* (world) {
    const { credentialsProvider, open, socket } = world
    const chat = yield* open()
    socket.last.lose()
    yield* TestClock.adjust(300)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
    expect(credentialsProvider.obtained).toBe(2)
    expect(socket.connections).toHaveLength(2)
    expect(socket.open).toBe(1)
    expect((yield* chat.figures).connections).toBe(2)
  })

  scenario(
    "shows in the state, with the reason and the attempt",
    function* ({ open, socket }) {
      const chat = yield* open()
      socket.answer = (connection) => connection.fail("HTTP 503")
      socket.last.lose("ping timeout")
      yield* TestClock.adjust(0)
      expect(yield* chat.state.get).toEqual({
        status: "reconnecting",
        attempt: 1,
        trouble: { reason: "Lost", message: "ping timeout" }
      })
      yield* TestClock.adjust(200)
      expect(yield* chat.state.get).toEqual({
        status: "reconnecting",
        attempt: 2,
        trouble: { reason: "Unreachable", message: "HTTP 503" }
      })
    },
    0.99
  )

  scenario("is told to whoever watches the state, from the present one to the end", function* (world) {
    const { open, socket } = world
    const chat = yield* open()
    const watching = yield* Effect.fork(Stream.runCollect(chat.state.changes))
    yield* TestClock.adjust(0)
    socket.last.lose()
    yield* TestClock.adjust(500)
    yield* chat.close
    const states = Chunk.toReadonlyArray(yield* Fiber.join(watching)).map(statusOf)
    expect(states).toEqual(["connected", "reconnecting", "connected", "closed"])
  })

  scenario(
    "waits longer before each attempt, at random below a bound of 200 ms · 2ⁿ, at most 8 s",
    function* ({ open, socket }) {
      yield* open()
      socket.answer = (connection) => connection.fail()
      socket.last.lose()
      for (const bound of [200, 400, 800, 1_600, 3_200, 6_400, 8_000, 8_000]) {
        const before = socket.connections.length
        yield* TestClock.adjust(bound / 2 - 1)
        expect(socket.connections).toHaveLength(before)
        yield* TestClock.adjust(1)
        expect(socket.connections).toHaveLength(before + 1)
      }
    },
    0.5
  )

  scenario(
    "does not storm a server that accepts and drops",
    function* ({ open, socket }) {
      const chat = yield* open()
      for (let n = 0; n < 200; n++) {
        if (socket.last.isConnected) socket.last.lose()
        yield* TestClock.adjust(100)
      }
      // Pauses of 100, 200, 400 … and at last 4,000 ms: about nine of them fit into 20 s.
      expect((yield* chat.figures).connections).toBeGreaterThan(5)
      expect(socket.connections.length).toBeLessThan(13)
      expect(socket.open).toBeLessThanOrEqual(1)
    },
    0.5
  )

  scenario(
    "starts the doubling anew after a connection that stood for 8 s",
    function* ({ open, socket }) {
      yield* open()
      socket.answer = (connection, number) => (number < 5 ? connection.fail() : connection.accept())
      socket.last.lose()
      yield* TestClock.adjust(5_000)
      expect(socket.connections).toHaveLength(5)
      yield* TestClock.adjust(8_000)
      socket.last.lose()
      yield* TestClock.adjust(99)
      expect(socket.connections).toHaveLength(5)
      yield* TestClock.adjust(1)
      expect(socket.connections).toHaveLength(6)
    },
    0.5
  )

  scenario(
    "fails the chat with Unreachable once the attempts that are allowed are used up",
    function* (world) {
      const { open, socket } = world
      const chat = yield* open({ policy: { attempts: 3 } })
      const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(chat.messages)))
      socket.answer = (connection) => connection.fail("no route")
      socket.last.lose()
      yield* TestClock.adjust(60_000)
      expect(socket.connections).toHaveLength(1 + 3)
      const error = yield* Fiber.join(reading)
      expect(error).toMatchObject({ _tag: "ChatError", reason: "Unreachable" })
      expect(error.message).toBe("chat.open: 3 attempts to connect failed: no route")
      expect(yield* chat.state.get).toEqual({ status: "failed", error })
      expect(socket.open).toBe(0)
    }
  )

  scenario(
    "gives up an attempt that hangs for 10 s, closes it, and makes another",
    function* ({ open, socket }) {
      const chat = yield* open()
      socket.answer = (connection, number) => (number === 2 ? undefined : connection.accept())
      socket.last.lose()
      yield* TestClock.adjust(100 + 9_900)
      expect(socket.connections).toHaveLength(2)
      expect(socket.connections[1]).toMatchObject({ isClosed: false })
      yield* TestClock.adjust(1_000)
      expect(socket.connections).toHaveLength(3)
      expect(socket.connections[1]).toMatchObject({ isClosed: true })
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    },
    0.5
  )
})

describe("credentials that are refused while reconnecting", () => {
  scenario("are renewed once for each connection that stood", function* (world) {
    const { credentialsProvider, open, socket } = world
    const chat = yield* open()
    for (const round of [1, 2, 3]) {
      const first = socket.connections.length + 1
      socket.answer = (connection, number) => (number === first ? connection.refuse() : connection.accept())
      socket.last.lose()
      yield* TestClock.adjust(2_000)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(credentialsProvider.renewed).toBe(round)
    }
  })

  scenario("fail the chat with Refused where new ones are refused too", function* (world) {
    const { credentialsProvider, open, socket } = world
    const chat = yield* open()
    socket.answer = (connection) => connection.refuse("revoked")
    socket.last.lose()
    yield* TestClock.adjust(10_000)
    expect(yield* chat.state.get).toMatchObject({ status: "failed", error: { reason: "Refused" } })
    expect(socket.connections).toHaveLength(3)
    expect(credentialsProvider.renewed).toBe(1)
  })

  scenario("are renewed later where the sign-in cannot be reached now", function* (world) {
    const { credentialsProvider, open, socket } = world
    const chat = yield* open()
    socket.answer = (connection, number) => (number === 2 ? connection.refuse() : connection.accept())
    // The first is for asking before the refusal, which goes well.
    socket.last.lose()
    yield* TestClock.adjust(0)
    credentialsProvider.renew = ((renew) => (refused) => {
      if (credentialsProvider.renewed === 0)
        credentialsProvider.failures.push(new NetworkError({ operation: "auth.login", reason: "Reset" }))
      return renew(refused)
    })(credentialsProvider.renew ?? (() => Effect.die("gone")))
    yield* TestClock.adjust(5_000)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
    expect(credentialsProvider.renewed).toBe(2)
    expect(socket.last.handshake.query.token).toBe("Bearer token-2")
  })

  scenario("fail the chat with Refused where the renewal is refused", function* (world) {
    const { credentialsProvider, open, socket } = world
    const cause = new Unauthenticated({ operation: "auth.login", status: 401 })
    const chat = yield* open()
    socket.answer = (connection) => connection.refuse()
    credentialsProvider.renew = () => Effect.fail(cause)
    socket.last.lose()
    yield* TestClock.adjust(5_000)
    expect(yield* chat.state.get).toMatchObject({ status: "failed", error: { reason: "Refused", cause } })
  })
})

describe("the default policy", () => {
  it("is that of the platform's description, and of calls", () => {
    expect(defaults).toEqual({
      poll: 100,
      deadline: 10_000,
      sendDeadline: 30_000,
      pause: 200,
      longestPause: 8_000,
      attempts: Number.POSITIVE_INFINITY,
      emissions: 3,
      outbox: 1_000,
      buffer: 10_000,
      overflow: "backpressure",
      historyWait: 1_000,
      longestGap: 100_000
    })
  })
})

describe("the pause before an attempt", () => {
  it("is spread evenly between nothing and its bound", () => {
    expect(pauseBefore(defaults, 0, 0)).toBe(0)
    expect(pauseBefore(defaults, 0, 0.5)).toBe(100)
    expect(pauseBefore(defaults, 3, 0.25)).toBe(400)
  })
  it("stays below 8 s however many attempts failed", () => {
    for (const failures of [6, 60, 5_000]) expect(pauseBefore(defaults, failures, 0.999)).toBeLessThan(8_000)
  })
})
