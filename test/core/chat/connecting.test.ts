import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { open } from "../../../core/chat/chat.js"
import * as Policy from "../../../core/chat/policy.js"
import { CredentialsError, NetworkError } from "../../../core/kernel/errors/errors.js"
import { FakeCredentialsProvider, FakeSocket } from "./fake-socket.js"
import { address, opened, optionsOf, scenarios } from "./fixtures.js"

const setup = () => ({ socket: new FakeSocket(), credentialsProvider: new FakeCredentialsProvider() })
const scenario = scenarios(setup)

/** Opens a chat in the background; answers its fiber once it has run as far as it can. */
const opening = (options: Parameters<typeof open>[0]) =>
  Effect.tap(Effect.fork(Effect.scoped(open(options))), () => TestClock.adjust(0))

describe("opening a chat", () => {
  // Spec 4.9, 9.1
  scenario("polls the connection every 100 ms until it stands", function* ({ credentialsProvider, socket }) {
    const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
    yield* TestClock.adjust(1_000)
    expect(fiber.unsafePoll()).toBeNull()
    socket.last.accept()
    yield* TestClock.adjust(99)
    expect(fiber.unsafePoll()).toBeNull()
    yield* TestClock.adjust(1)
    const chat = yield* Fiber.join(fiber)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
    expect(socket.connections).toHaveLength(1)
  })

  scenario("sends the address and the handshake that it was given", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection) => connection.accept()
    yield* opened(optionsOf(credentialsProvider))
    expect(socket.last.address).toEqual(address)
    expect(socket.last.handshake).toEqual({
      query: { token: "Bearer token-1" },
      headers: { authorization: "Bearer token-1", "x-session-id": "session-1" }
    })
  })

  // Spec 4.9
  scenario("fails with Timeout after 10 s, says why, and leaves no socket", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection) => connection.fail("connection refused")
    const fiber = yield* opening(optionsOf(credentialsProvider))
    yield* TestClock.adjust(9_900)
    expect(fiber.unsafePoll()).toBeNull()
    yield* TestClock.adjust(200)
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.open", reason: "Timeout" })
    expect(error.message).toBe("chat.open: there was no connection within 10000 ms: connection refused")
    expect(socket.connections.length).toBeGreaterThan(1)
    expect(socket.open).toBe(0)
  })

  scenario("tries again while the server cannot be reached, within the deadline", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection, number) => (number < 3 ? connection.fail() : connection.accept())
    const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
    yield* TestClock.adjust(2_000)
    const chat = yield* Fiber.join(fiber)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
    expect(socket.connections).toHaveLength(3)
    expect(socket.open).toBe(1)
  })

  scenario("renews refused credentials once, and connects with the new ones", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection, number) => (number === 1 ? connection.refuse() : connection.accept())
    yield* opened(optionsOf(credentialsProvider))
    expect(credentialsProvider).toMatchObject({ obtained: 1, renewed: 1 })
    expect(socket.connections.map(({ handshake }) => handshake.query.token)).toEqual([
      "Bearer token-1",
      "Bearer token-2"
    ])
  })

  scenario("fails with Refused where the new credentials are refused too", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection) => connection.refuse("the token has expired")
    const fiber = yield* opening(optionsOf(credentialsProvider))
    yield* TestClock.adjust(1_000)
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error).toMatchObject({ reason: "Refused", retryable: false })
    expect(error.message).toBe(
      "chat.open: the server refused the connection, with new credentials too: the token has expired"
    )
    expect(credentialsProvider.renewed).toBe(1)
    expect(socket.connections).toHaveLength(2)
    expect(socket.open).toBe(0)
  })

  scenario("fails with what the server said, its data too", function* ({ credentialsProvider, socket }) {
    socket.answer = (connection) => connection.refuse("API key expired", { code: "EXPIRED", key: "token-2" })
    const fiber = yield* opening(optionsOf(credentialsProvider))
    yield* TestClock.adjust(1_000)
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error).toMatchObject({ reason: "Refused", data: { code: "EXPIRED", key: "•••" } })
    expect(error.message).toBe(
      'chat.open: the server refused the connection, with new credentials too: API key expired {"code":"EXPIRED","key":"•••"}'
    )
  })

  scenario("fails with what the server said, without its data where that is null", function* (world) {
    const { credentialsProvider, socket } = world
    credentialsProvider.renew = () => Effect.succeed(undefined)
    socket.answer = (connection) => connection.refuse("API key expired", null)
    const fiber = yield* opening(optionsOf(credentialsProvider))
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error).not.toHaveProperty("data")
    expect(error.message).toBe("chat.open: the server refused the connection: API key expired")
  })

  scenario("fails with what the server said where no others can be had", function* (world) {
    const { credentialsProvider, socket } = world
    credentialsProvider.renew = () => Effect.succeed(undefined)
    socket.answer = (connection) => connection.refuse("API key expired")
    const fiber = yield* opening(optionsOf(credentialsProvider))
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error.message).toBe("chat.open: the server refused the connection: API key expired")
    expect(socket.connections).toHaveLength(1)
  })

  scenario("fails with what the server said where the sign-in is refused then", function* (world) {
    const { credentialsProvider, socket } = world
    const cause = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "check it" })
    credentialsProvider.renew = () => Effect.fail(cause)
    socket.answer = (connection) => connection.refuse("API key expired", { code: 7 })
    const fiber = yield* opening(optionsOf(credentialsProvider))
    const error = yield* Effect.flip(Fiber.join(fiber))
    expect(error).toMatchObject({ reason: "Refused", data: { code: 7 }, cause })
    expect(error.message).toBe(
      'chat.open: the server refused the connection: API key expired {"code":7}; no credentials: auth.login: check it'
    )
  })

  scenario("fails with Refused at once where credentials cannot be renewed", function* (world) {
    const { credentialsProvider, socket } = world
    credentialsProvider.renew = undefined
    socket.answer = (connection) => connection.refuse()
    const fiber = yield* opening(optionsOf(credentialsProvider))
    expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Refused" })
    expect(socket.connections).toHaveLength(1)
  })

  scenario("fails with Refused and its cause where the sign-in is refused", function* (world) {
    const { credentialsProvider, socket } = world
    const refused = new CredentialsError({
      operation: "auth.login",
      reason: "Rejected",
      advice: "check it"
    })
    credentialsProvider.failures.push(refused)
    const fiber = yield* opening(optionsOf(credentialsProvider))
    expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Refused", cause: refused })
    expect(socket.connections).toHaveLength(0)
  })

  scenario("asks for credentials again where the sign-in could not be reached", function* (world) {
    const { credentialsProvider, socket } = world
    const lost = new NetworkError({ operation: "auth.login", reason: "Refused" })
    const cooldown = new CredentialsError({ operation: "auth.login", reason: "Cooldown", advice: "wait" })
    credentialsProvider.failures.push(lost, cooldown)
    socket.answer = (connection) => connection.accept()
    const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
    yield* TestClock.adjust(2_000)
    yield* Fiber.join(fiber)
    expect(credentialsProvider.obtained).toBe(3)
    expect(socket.connections).toHaveLength(1)
  })

  scenario("closes the connection under way when it is interrupted", function* (world) {
    const { credentialsProvider, socket } = world
    const fiber = yield* opening(optionsOf(credentialsProvider))
    yield* TestClock.adjust(500)
    expect(socket.open).toBe(1)
    const exit = yield* Fiber.interrupt(fiber)
    expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
    expect(socket.open).toBe(0)
  })

  scenario("keeps its deadline in a region that cannot be interrupted, such as a layer's", function* (world) {
    const { credentialsProvider, socket } = world
    const fiber = yield* Effect.fork(
      Effect.uninterruptible(Effect.scoped(open(optionsOf(credentialsProvider))))
    )
    yield* TestClock.adjust(10_100)
    expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Timeout" })
    expect(socket.open).toBe(0)
  })

  scenario("masks credentials that a server's refusal repeats", function* ({ credentialsProvider, socket }) {
    socket.answer = (connection, number) => connection.refuse(`no: token-${number} of session-${number}\r\n!`)
    const fiber = yield* opening(optionsOf(credentialsProvider))
    yield* TestClock.adjust(1_000)
    const exit = yield* Effect.exit(Fiber.join(fiber))
    const printed = [
      inspect(exit, { depth: 20 }),
      JSON.stringify(exit),
      Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
    ].join("\n")
    expect(printed).toContain("••• of •••")
    expect(printed).not.toMatch(/token-|session-/)
  })

  scenario("turns an adapter that throws into an attempt that failed", function* (world) {
    const { credentialsProvider, socket } = world
    socket.answer = (connection, number) => {
      if (number === 1) throw new Error("broken adapter")
      connection.accept()
    }
    const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
    yield* TestClock.adjust(1_000)
    const chat = yield* Fiber.join(fiber)
    expect(yield* chat.state.get).toEqual({ status: "connected" })
  })
})

describe("the policy of a chat", () => {
  const cases = [
    [{ poll: 0 }, "policy.poll", "must be from 1 to 2147483647 milliseconds"],
    [{ deadline: Number.POSITIVE_INFINITY }, "policy.deadline", "must be from 1 to 2147483647 milliseconds"],
    [{ sendDeadline: Number.NaN }, "policy.sendDeadline", "must be from 1 to 2147483647 milliseconds"],
    [{ pause: -1 }, "policy.pause", "must be from 0 to 2147483647 milliseconds"],
    [{ pause: "-1 seconds" }, "policy.pause", "must be from 0 to 2147483647 milliseconds"],
    [
      { historyWait: "soon" as "1 seconds" },
      "policy.historyWait",
      "must be from 0 to 2147483647 milliseconds"
    ],
    [{ deadline: "30 days" }, "policy.deadline", "must be from 1 to 2147483647 milliseconds"],
    [{ buffer: 0 }, "policy.buffer", "must be a whole number, at least 1"],
    [{ outbox: 1.5 }, "policy.outbox", "must be a whole number, at least 1"],
    [{ emissions: Number.POSITIVE_INFINITY }, "policy.emissions", "must be a whole number, at least 1"],
    [
      { overflow: "backpressure" },
      "policy.overflow",
      "must be drop-oldest where there is no history to recover from"
    ]
  ] as const

  it.each<[NonNullable<Policy.PolicyInput["deadline"]>, number]>([
    [1_500, 1_500],
    ["5 seconds", 5_000],
    [Duration.minutes(1), 60_000],
    [[1, 500_000_000], 1_500],
    [2_000_000n, 2]
  ])("takes the duration %o as %i milliseconds", (deadline, millis) => {
    expect(Policy.read({ deadline }, true)).toEqual(Either.right({ ...Policy.defaults, deadline: millis }))
  })

  for (const [policy, field, rule] of cases) {
    scenario(`refuses ${inspect(policy)}`, function* ({ credentialsProvider, socket }) {
      const error = yield* Effect.flip(open(optionsOf(credentialsProvider, { policy })))
      expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field, rule })
      expect(socket.connections).toHaveLength(0)
    })
  }
})
