// How a chat comes to its connection: its first one, and the ones after it.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Duration, Effect, Either, Exit, Fiber, Stream } from "effect"
import * as Policy from "../../../core/chat/policy.js"
import { CredentialsError, NetworkError, Unauthenticated } from "../../../core/kernel/errors/errors.js"
import { begin, collect, failed, random, scenario, tick } from "./world.js"

const connected = { status: "connected" }
const cause = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "check it" })

describe("opening a chat", () => {
  // Spec 4.9, 9.1
  scenario("polls the connection every 100 ms until it stands", function* ({ connect, socket }) {
    socket.answer = () => undefined
    const fiber = yield* Effect.fork(connect())
    yield* tick(1_000)
    expect(fiber.unsafePoll()).toBeNull()
    socket.last.accept()
    yield* tick(99)
    expect(fiber.unsafePoll()).toBeNull()
    yield* tick(1)
    expect(yield* (yield* Fiber.join(fiber)).state.get).toEqual(connected)
    expect(socket.connections).toHaveLength(1)
  })

  // Spec 4.9
  scenario("fails with Timeout after 10 s, says why, and leaves no socket", function* ({ connect, socket }) {
    socket.answer = (connection) => connection.fail("connection refused")
    const fiber = yield* begin(Effect.scoped(connect()))
    yield* tick(9_900)
    expect(fiber.unsafePoll()).toBeNull()
    yield* tick(200)
    const error = yield* failed(fiber)
    expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.open", reason: "Timeout" })
    expect(error.message).toBe("chat.open: there was no connection within 10000 ms: connection refused")
    expect(socket.connections.length).toBeGreaterThan(1)
    expect(socket.open).toBe(0)
  })

  random(0.99)(
    "tries again while the server cannot be reached, within the deadline",
    function* ({ connect, socket }) {
      socket.answer = (connection, number) => {
        if (number === 1) throw new Error("broken adapter")
        else if (number === 2) connection.fail()
        else connection.accept()
      }
      const fiber = yield* Effect.fork(connect())
      yield* tick(2_000)
      expect(yield* (yield* Fiber.join(fiber)).state.get).toEqual(connected)
      expect([socket.connections.length, socket.connections[2]?.isClosed]).toEqual([3, false])
    }
  )

  scenario("renews refused credentials once, and connects with the new ones", function* (world) {
    const { credentialsProvider, open, socket } = world
    socket.answer = (connection, number) => (number === 1 ? connection.refuse() : connection.accept())
    yield* open()
    expect(credentialsProvider).toMatchObject({ obtained: 1, renewed: 1 })
    const tokens = socket.connections.map(({ handshake }) => handshake.query.token)
    expect(tokens).toEqual(["Bearer token-1", "Bearer token-2"])
  })

  const again = "chat.open: the server refused the connection, with new credentials too: "
  const once = "chat.open: the server refused the connection: "
  const none = () => Effect.succeed(undefined)
  type Renew = "renewed" | undefined | (() => Effect.Effect<undefined, CredentialsError>)
  const more = { code: 1, key: "token-2" }
  const masked = { code: 1, key: "•••" }
  scenario.each<
    readonly [where: string, Renew, said: readonly [string, unknown?], told: string, more?: object]
  >([
    ["the new credentials are refused too", "renewed", ["it expired"], `${again}it expired`],
    ["it says more", "renewed", ["no", more], `${again}no ${JSON.stringify(masked)}`, { data: masked }],
    ["it repeats credentials", "renewed", ["no: token-2 of session-2\r\n!"], `${again}no: ••• of ••• !`],
    ["what it says more is null", none, ["no", null], `${once}no`],
    ["no others can be had", none, ["no"], `${once}no`],
    [
      "the sign-in is refused then",
      () => Effect.fail(cause),
      ["no", { code: 7 }],
      `${once}no {"code":7}; no credentials: auth.login: check it`,
      { data: { code: 7 }, cause }
    ],
    ["credentials cannot be renewed", undefined, ["no"], `${once}no`]
  ])(
    "fails with Refused and what the server said where %s",
    function* ([, renew, said, reported, more], world) {
      const { connect, credentialsProvider, socket } = world
      if (renew !== "renewed") credentialsProvider.renew = renew
      socket.answer = (connection) => connection.refuse(...said)
      const fiber = yield* begin(Effect.scoped(connect()))
      yield* tick(1_000)
      const error = yield* failed(fiber)
      expect(error).toMatchObject({ reason: "Refused", retryable: false, ...more })
      expect("data" in error).toBe(more !== undefined)
      expect(error.message).toBe(reported)
      expect(`${inspect(error, { depth: 20 })} ${JSON.stringify(error)}`).not.toMatch(/token-|session-/)
      expect(socket.connections).toHaveLength(renew === "renewed" ? 2 : 1)
      expect(socket.open).toBe(0)
    }
  )

  scenario("fails with Refused and its cause where the sign-in is refused", function* (world) {
    world.credentialsProvider.failures.push(cause)
    expect(yield* Effect.flip(world.connect())).toMatchObject({ reason: "Refused", cause })
    expect(world.socket.connections).toHaveLength(0)
  })

  scenario("asks for credentials again where the sign-in could not be reached", function* (world) {
    const { connect, credentialsProvider, socket } = world
    const lost = new NetworkError({ operation: "auth.login", reason: "Refused" })
    const cooldown = new CredentialsError({ operation: "auth.login", reason: "Cooldown", advice: "wait" })
    credentialsProvider.failures.push(lost, cooldown)
    const fiber = yield* Effect.fork(connect())
    yield* tick(2_000)
    yield* Fiber.join(fiber)
    expect(credentialsProvider.obtained).toBe(3)
    expect(socket.connections).toHaveLength(1)
  })

  scenario("closes the connection under way when it is interrupted", function* ({ connect, socket }) {
    socket.answer = () => undefined
    const fiber = yield* begin(Effect.scoped(connect()))
    yield* tick(500)
    expect(socket.open).toBe(1)
    const exit = yield* Fiber.interrupt(fiber)
    expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
    expect(socket.open).toBe(0)
  })

  scenario(
    "keeps its deadline where it cannot be interrupted, as in a layer",
    function* ({ connect, socket }) {
      socket.answer = () => undefined
      const fiber = yield* Effect.fork(Effect.uninterruptible(Effect.scoped(connect())))
      yield* tick(10_100)
      expect(yield* failed(fiber)).toMatchObject({ reason: "Timeout" })
      expect(socket.open).toBe(0)
    }
  )
})

describe("a lost connection", () => {
  scenario("is replaced by another one with fresh credentials", function* (world) {
    const { credentialsProvider, open, reconnect, socket } = world
    const chat = yield* open()
    yield* reconnect()
    expect(yield* chat.state.get).toEqual(connected)
    expect(credentialsProvider.obtained).toBe(2)
    expect([socket.connections.length, socket.open]).toEqual([2, 1])
    expect((yield* chat.figures).connections).toBe(2)
  })

  random(0.5)("shows in the state, with the reason and the attempt", function* ({ open, socket }) {
    const chat = yield* open()
    const status = "reconnecting"
    socket.answer = (connection) => connection.fail("HTTP 503")
    socket.last.lose("ping timeout")
    yield* tick(0)
    const lost = { reason: "Lost", message: "ping timeout" }
    expect(yield* chat.state.get).toEqual({ status, attempt: 1, trouble: lost })
    yield* tick(200)
    const failed = { reason: "Unreachable", message: "HTTP 503" }
    expect(yield* chat.state.get).toEqual({ status, attempt: 2, trouble: failed })
  })

  scenario("is told to whoever watches the state, from the present one to the end", function* (world) {
    const chat = yield* world.open()
    const watching = yield* begin(collect(chat.state.changes))
    yield* world.reconnect()
    yield* chat.close
    const states = (yield* Fiber.join(watching)).map(({ status }) => status)
    expect(states).toEqual(["connected", "reconnecting", "connected", "closed"])
  })

  random(0.5)(
    "waits longer before each attempt, at random below 200 ms · 2ⁿ, at most 8 s",
    function* (world) {
      const { open, socket } = world
      yield* open()
      socket.answer = (connection) => connection.fail()
      socket.last.lose()
      for (const bound of [200, 400, 800, 1_600, 3_200, 6_400, 8_000, 8_000]) {
        const before = socket.connections.length
        yield* tick(bound / 2 - 1)
        expect(socket.connections).toHaveLength(before)
        yield* tick(1)
        expect(socket.connections).toHaveLength(before + 1)
      }
    }
  )

  random(0.5)("does not storm a server that accepts and drops", function* ({ open, socket }) {
    const chat = yield* open()
    for (let n = 0; n < 200; n++) {
      if (socket.last.isConnected) socket.last.lose()
      yield* tick(100)
    }
    // Pauses of 100, 200, 400 … and at last 4,000 ms: about nine of them fit into 20 s.
    expect((yield* chat.figures).connections).toBeGreaterThan(5)
    expect(socket.connections.length).toBeLessThan(13)
    expect(socket.open).toBeLessThanOrEqual(1)
  })

  random(0.5)("starts the doubling anew after a connection that stood for 8 s", function* ({ open, socket }) {
    yield* open()
    socket.answer = (connection, number) => (number < 5 ? connection.fail() : connection.accept())
    socket.last.lose()
    yield* tick(5_000)
    expect(socket.connections).toHaveLength(5)
    yield* tick(8_000)
    socket.last.lose()
    yield* tick(99)
    expect(socket.connections).toHaveLength(5)
    yield* tick(1)
    expect(socket.connections).toHaveLength(6)
  })

  scenario("fails the chat with Unreachable once the attempts are used up", function* ({ open, socket }) {
    const chat = yield* open({ policy: { attempts: 3 } })
    const reading = yield* Effect.fork(Stream.runDrain(chat.messages))
    socket.answer = (connection) => connection.fail("no route")
    socket.last.lose()
    yield* tick(60_000)
    expect(socket.connections).toHaveLength(1 + 3)
    const error = yield* failed(reading)
    expect(error).toMatchObject({ _tag: "ChatError", reason: "Unreachable" })
    expect(error.message).toBe("chat.open: 3 attempts to connect failed: no route")
    expect(yield* chat.state.get).toEqual({ status: "failed", error })
    expect(socket.open).toBe(0)
  })

  random(0.5)(
    "gives up an attempt that hangs for 10 s, closes it, and makes another",
    function* ({ open, socket }) {
      const chat = yield* open()
      socket.answer = (connection, number) => (number === 2 ? undefined : connection.accept())
      socket.last.lose()
      yield* tick(100 + 9_900)
      expect(socket.connections.map(({ isClosed }) => isClosed)).toEqual([true, false])
      yield* tick(1_000)
      expect(socket.connections.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
      expect(yield* chat.state.get).toEqual(connected)
    }
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
      yield* tick(2_000)
      expect(yield* chat.state.get).toEqual(connected)
      expect(credentialsProvider.renewed).toBe(round)
    }
  })

  scenario("are renewed later where the sign-in cannot be reached now", function* (world) {
    const { credentialsProvider, open, socket } = world
    const chat = yield* open()
    socket.answer = (connection, number) => {
      if (number > 2) return connection.accept()
      credentialsProvider.failures.push(new NetworkError({ operation: "auth.login", reason: "Reset" }))
      connection.refuse()
    }
    socket.last.lose()
    yield* tick(5_000)
    expect(yield* chat.state.get).toEqual(connected)
    expect(credentialsProvider.renewed).toBe(2)
    expect(socket.last.handshake.query.token).toBe("Bearer token-2")
  })

  scenario.each<readonly [where: string, cause: Unauthenticated | undefined]>([
    ["new ones are refused too", undefined],
    ["the renewal is refused", new Unauthenticated({ operation: "auth.login", status: 401 })]
  ])("fail the chat with Refused where %s", function* ([, cause], { credentialsProvider, open, socket }) {
    const chat = yield* open()
    if (cause !== undefined) credentialsProvider.renew = () => Effect.fail(cause)
    socket.answer = (connection) => connection.refuse("revoked")
    socket.last.lose()
    yield* tick(10_000)
    const error = { reason: "Refused", ...(cause && { cause }) }
    expect(yield* chat.state.get).toMatchObject({ status: "failed", error })
    expect(socket.connections).toHaveLength(cause === undefined ? 3 : 2)
  })
})

describe("the policy of a chat", () => {
  it("is by default that of the platform's description, and of calls", () => {
    expect(Policy.defaults).toEqual({
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

  it.each<[NonNullable<Policy.PolicyInput["deadline"]>, number]>([
    [1_500, 1_500],
    ["5 seconds", 5_000],
    [Duration.minutes(1), 60_000],
    [[1, 500_000_000], 1_500],
    [2_000_000n, 2]
  ])("takes the duration %o as %i milliseconds", (deadline, millis) => {
    expect(Policy.read({ deadline }, true)).toEqual(Either.right({ ...Policy.defaults, deadline: millis }))
  })

  const millis = (least: number) => `must be from ${least} to 2147483647 milliseconds`
  const whole = "must be a whole number, at least 1"
  scenario.each<readonly [Policy.PolicyInput, rule: string]>([
    [{ poll: 0 }, millis(1)],
    [{ deadline: Number.POSITIVE_INFINITY }, millis(1)],
    [{ sendDeadline: Number.NaN }, millis(1)],
    [{ pause: -1 }, millis(0)],
    [{ pause: "-1 seconds" }, millis(0)],
    [{ historyWait: "soon" as "1 seconds" }, millis(0)],
    [{ deadline: "30 days" }, millis(1)],
    [{ buffer: 0 }, whole],
    [{ outbox: 1.5 }, whole],
    [{ emissions: Number.POSITIVE_INFINITY }, whole],
    [{ overflow: "backpressure" }, "must be drop-oldest where there is no history to recover from"]
  ])("refuses %o", function* ([policy, rule], { connect, socket }) {
    const field = `policy.${Object.keys(policy)[0]}`
    const error = yield* Effect.flip(connect({ policy }))
    expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field, rule })
    expect(socket.connections).toHaveLength(0)
  })
})

it("the pause before an attempt is spread evenly between nothing and its bound, and stays below 8 s", () => {
  const pauses = [Policy.pauseBefore(Policy.defaults, 0, 0), Policy.pauseBefore(Policy.defaults, 3, 0.25)]
  expect(pauses).toEqual([0, 400])
  for (const failures of [6, 60, 5_000])
    expect(Policy.pauseBefore(Policy.defaults, failures, 0.999)).toBeLessThan(8_000)
})
