import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { open } from "../../../core/chat/chat.js"
import { CredentialsError, NetworkError } from "../../../core/kernel/errors/errors.js"
import { FakeCredentialsProvider, FakeSocket } from "./fake-socket.js"
import { address, opened, optionsOf } from "./fixtures.js"

const setup = () => ({ socket: new FakeSocket(), credentialsProvider: new FakeCredentialsProvider() })

/** Opens a chat in the background; answers its fiber once it has run as far as it can. */
const opening = (options: Parameters<typeof open>[0]) =>
  Effect.tap(Effect.fork(Effect.scoped(open(options))), () => TestClock.adjust(0))

describe("opening a chat", () => {
  // Spec 4.9, 9.1
  it.scoped("polls the connection every 100 ms until it stands", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("sends the address and the handshake that it was given", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection) => connection.accept()
    return Effect.gen(function* () {
      yield* opened(optionsOf(credentialsProvider))
      expect(socket.last.address).toEqual(address)
      expect(socket.last.handshake).toEqual({
        query: { token: "Bearer token-1" },
        headers: { authorization: "Bearer token-1", "x-session-id": "session-1" }
      })
    }).pipe(Effect.provide(socket.layer))
  })

  // Spec 4.9
  it.scoped("fails with Timeout after 10 s, says why, and leaves no socket", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection) => connection.fail("connection refused")
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      yield* TestClock.adjust(9_900)
      expect(fiber.unsafePoll()).toBeNull()
      yield* TestClock.adjust(200)
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error).toMatchObject({ _tag: "ChatError", operation: "chat.open", reason: "Timeout" })
      expect(error.message).toBe("chat.open: there was no connection within 10000 ms: connection refused")
      expect(socket.connections.length).toBeGreaterThan(1)
      expect(socket.open).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("tries again while the server cannot be reached, within the deadline", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection, number) => (number < 3 ? connection.fail() : connection.accept())
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
      yield* TestClock.adjust(2_000)
      const chat = yield* Fiber.join(fiber)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
      expect(socket.connections).toHaveLength(3)
      expect(socket.open).toBe(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("renews refused credentials once, and connects with the new ones", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection, number) => (number === 1 ? connection.refuse() : connection.accept())
    return Effect.gen(function* () {
      yield* opened(optionsOf(credentialsProvider))
      expect(credentialsProvider).toMatchObject({ obtained: 1, renewed: 1 })
      expect(socket.connections.map(({ handshake }) => handshake.query.token)).toEqual([
        "Bearer token-1",
        "Bearer token-2"
      ])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with Refused where the new credentials are refused too", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection) => connection.refuse("the token has expired")
    return Effect.gen(function* () {
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with what the server said, its data too", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection) => connection.refuse("API key expired", { code: "EXPIRED", key: "token-2" })
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      yield* TestClock.adjust(1_000)
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error).toMatchObject({ reason: "Refused", data: { code: "EXPIRED", key: "•••" } })
      expect(error.message).toBe(
        'chat.open: the server refused the connection, with new credentials too: API key expired {"code":"EXPIRED","key":"•••"}'
      )
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with what the server said, without its data where that is null", () => {
    const { credentialsProvider, socket } = setup()
    credentialsProvider.renew = () => Effect.succeed(undefined)
    socket.answer = (connection) => connection.refuse("API key expired", null)
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error).not.toHaveProperty("data")
      expect(error.message).toBe("chat.open: the server refused the connection: API key expired")
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with what the server said where no others can be had", () => {
    const { credentialsProvider, socket } = setup()
    credentialsProvider.renew = () => Effect.succeed(undefined)
    socket.answer = (connection) => connection.refuse("API key expired")
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error.message).toBe("chat.open: the server refused the connection: API key expired")
      expect(socket.connections).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with what the server said where the sign-in is refused then", () => {
    const { credentialsProvider, socket } = setup()
    const cause = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "check it" })
    credentialsProvider.renew = () => Effect.fail(cause)
    socket.answer = (connection) => connection.refuse("API key expired", { code: 7 })
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      const error = yield* Effect.flip(Fiber.join(fiber))
      expect(error).toMatchObject({ reason: "Refused", data: { code: 7 }, cause })
      expect(error.message).toBe(
        'chat.open: the server refused the connection: API key expired {"code":7}; no credentials: auth.login: check it'
      )
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with Refused at once where credentials cannot be renewed", () => {
    const { credentialsProvider, socket } = setup()
    credentialsProvider.renew = undefined
    socket.answer = (connection) => connection.refuse()
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Refused" })
      expect(socket.connections).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("fails with Refused and its cause where the sign-in is refused", () => {
    const { credentialsProvider, socket } = setup()
    const refused = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "check it" })
    credentialsProvider.failures.push(refused)
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Refused", cause: refused })
      expect(socket.connections).toHaveLength(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("asks for credentials again where the sign-in could not be reached", () => {
    const { credentialsProvider, socket } = setup()
    const lost = new NetworkError({ operation: "auth.login", reason: "Refused" })
    const cooldown = new CredentialsError({ operation: "auth.login", reason: "Cooldown", advice: "wait" })
    credentialsProvider.failures.push(lost, cooldown)
    socket.answer = (connection) => connection.accept()
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
      yield* TestClock.adjust(2_000)
      yield* Fiber.join(fiber)
      expect(credentialsProvider.obtained).toBe(3)
      expect(socket.connections).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("closes the connection under way when it is interrupted", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const fiber = yield* opening(optionsOf(credentialsProvider))
      yield* TestClock.adjust(500)
      expect(socket.open).toBe(1)
      const exit = yield* Fiber.interrupt(fiber)
      expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
      expect(socket.open).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("keeps its deadline in a region that cannot be interrupted, such as a layer's", () => {
    const { credentialsProvider, socket } = setup()
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(
        Effect.uninterruptible(Effect.scoped(open(optionsOf(credentialsProvider))))
      )
      yield* TestClock.adjust(10_100)
      expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ reason: "Timeout" })
      expect(socket.open).toBe(0)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("masks credentials that a server's refusal repeats", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection, number) => connection.refuse(`no: token-${number} of session-${number}\r\n!`)
    return Effect.gen(function* () {
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
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("turns an adapter that throws into an attempt that failed", () => {
    const { credentialsProvider, socket } = setup()
    socket.answer = (connection, number) => {
      if (number === 1) throw new Error("broken adapter")
      connection.accept()
    }
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(open(optionsOf(credentialsProvider)))
      yield* TestClock.adjust(1_000)
      const chat = yield* Fiber.join(fiber)
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    }).pipe(Effect.provide(socket.layer))
  })
})

describe("the policy of a chat", () => {
  const cases = [
    [{ poll: 0 }, "policy.poll", "must be from 1 to 2147483647 milliseconds"],
    [{ deadline: Number.POSITIVE_INFINITY }, "policy.deadline", "must be from 1 to 2147483647 milliseconds"],
    [{ sendDeadline: Number.NaN }, "policy.sendDeadline", "must be from 1 to 2147483647 milliseconds"],
    [{ pause: -1 }, "policy.pause", "must be from 0 to 2147483647 milliseconds"],
    [{ buffer: 0 }, "policy.buffer", "must be a whole number, at least 1"],
    [{ outbox: 1.5 }, "policy.outbox", "must be a whole number, at least 1"],
    [{ emissions: Number.POSITIVE_INFINITY }, "policy.emissions", "must be a whole number, at least 1"],
    [
      { overflow: "backpressure" },
      "policy.overflow",
      "must be drop-oldest where there is no history to recover from"
    ]
  ] as const

  for (const [policy, field, rule] of cases) {
    it.scoped(`refuses ${inspect(policy)}`, () => {
      const { credentialsProvider, socket } = setup()
      return Effect.gen(function* () {
        const error = yield* Effect.flip(open(optionsOf(credentialsProvider, { policy })))
        expect(error).toMatchObject({ _tag: "InputError", operation: "chat.open", field, rule })
        expect(socket.connections).toHaveLength(0)
      }).pipe(Effect.provide(socket.layer))
    })
  }
})
