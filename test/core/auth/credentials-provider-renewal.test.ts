// Credentials of a credentials provider that are refused are renewed once for all calls, those that were given never; each
// one that was held stays a secret.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import type { Credentials } from "../../../core/kernel/dispatch/credentials.js"
import type * as CredentialsProvider from "../../../core/kernel/session/credentials-provider.js"
import { after, cooldown, credentials, fork, make, session, tokenOf } from "./sample-credentials-provider.js"

describe("credentials that are refused", () => {
  const signedIn = (own: Partial<CredentialsProvider.Source> = {}) =>
    Effect.gen(function* () {
      const made = make(own)
      const held = Either.getOrThrow(yield* after(made.credentialsProvider.obtain))
      return { ...made, held }
    })

  it.effect("are renewed once, however many calls were refused", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      const all = Effect.all(
        Array.from({ length: 1_000 }, () => renew(held)),
        { concurrency: "unbounded" }
      )
      expect(
        new Set(Either.getOrThrow(yield* after(all)).map((fresh) => fresh?.headers.authorization))
      ).toEqual(new Set(["token-2"]))
      expect(count.begun).toBe(2)
    })
  )

  it.effect("long ago are not renewed again: the present ones are given", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      yield* after(renew(held))
      expect(tokenOf(yield* Effect.either(renew(held)))).toEqual(Either.right("token-2"))
      expect(count.begun).toBe(2)
    })
  )

  it.effect("moments after a good sign-in are renewed like any other, as often as that happens", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, held, renew } = yield* signedIn()
      let present: Credentials | undefined = held
      for (let number = 2; number < 20 && present !== undefined; number++) {
        credentialsProvider.accepted(present, "requests.list")
        present = Either.getOrThrow(yield* after(renew(present)))
        expect(present?.headers.authorization).toBe(`token-${number}`)
      }
      expect(count.begun).toBe(19)
    })
  )

  it.effect("twice in a row with no success in between are renewed after the cooldown only", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      const second = Either.getOrThrow(yield* after(renew(held, "boxes.list"))) ?? held
      yield* TestClock.adjust(cooldown - 1)
      for (let call = 0; call < 100; call++) {
        expect(yield* renew(second, `operation.${call}`)).toBeUndefined()
      }
      expect(count.begun).toBe(2)
      yield* TestClock.adjust(1)
      expect(tokenOf(yield* after(renew(second)))).toEqual(Either.right("token-3"))
    })
  )

  it.effect("to one operation alone, though others succeed, lead to one sign-in in a cooldown", () =>
    Effect.gen(function* () {
      const { credentialsProvider, count, held, renew } = yield* signedIn()
      let present = held
      for (let time = 0; time < 4 * cooldown; time += 500) {
        credentialsProvider.accepted(present, "requests.list")
        const renewal = yield* fork(renew(present, "boxes.list"))
        yield* TestClock.adjust(500)
        const isDone = Option.isSome(yield* Fiber.poll(renewal))
        if (isDone) expect(tokenOf(yield* Fiber.join(renewal))).toEqual(Either.right(undefined))
        else {
          yield* TestClock.adjust(500)
          present = Either.getOrThrow(yield* Fiber.join(renewal)) ?? present
        }
      }
      expect(count.begun).toBeLessThanOrEqual(6)
    })
  )

  it.effect("to one operation do not keep another one's refusal from being renewed", () =>
    Effect.gen(function* () {
      const { credentialsProvider, held, renew } = yield* signedIn()
      const second = Either.getOrThrow(yield* after(renew(held, "boxes.list"))) ?? held
      credentialsProvider.accepted(second, "requests.list")
      expect(yield* renew(second, "boxes.list")).toBeUndefined()
      expect(tokenOf(yield* after(renew(second, "requests.list")))).toEqual(Either.right("token-3"))
    })
  )
})

describe("a session that was given", () => {
  const given = { session: session(9), credentials: credentials(session(9)) }

  it.effect("is at hand at once and cannot be renewed", () =>
    Effect.gen(function* () {
      const { credentialsProvider, current } = make({ signIn: undefined, given })
      expect(yield* current).toBe("token-9")
      expect((yield* credentialsProvider.obtain).headers.authorization).toBe("token-9")
      expect(credentialsProvider.renew).toBeUndefined()
    })
  )

  it.effect("that is signed out is gone for good", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = make({ signIn: undefined, given })
      yield* credentialsProvider.signOut
      expect(yield* Effect.flip(credentialsProvider.obtain)).toMatchObject({
        _tag: "CredentialsError",
        reason: "Missing"
      })
    })
  )
})

describe("the secrets of a credentials provider", () => {
  it.effect("are the password and every session, also those that have been replaced", () =>
    Effect.gen(function* () {
      const { credentialsProvider, renew } = make()
      expect(credentialsProvider.secrets()).toContain("correct horse")
      const first = Either.getOrThrow(yield* after(credentialsProvider.obtain))
      yield* TestClock.adjust(cooldown)
      yield* after(renew(first))
      for (const secret of ["correct horse", "session-1", "token-1", "session-2", "token-2"]) {
        expect(credentialsProvider.secrets()).toContain(secret)
      }
      yield* credentialsProvider.signOut
      expect(credentialsProvider.secrets()).toContain("token-2")
    })
  )
})
