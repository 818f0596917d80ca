// Credentials of an authority that are refused are renewed once for all calls, those that were given never; each
// one that was held stays a secret.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import type * as Authority from "../../../core/auth/authority.js"
import { after, cooldown, credentials, make, session, tokenOf } from "./sample-authority.js"

describe("credentials that are refused", () => {
  const signedIn = (own: Partial<Authority.Source> = {}) =>
    Effect.gen(function* () {
      const made = make(own)
      const held = Either.getOrThrow(yield* after(made.authority.obtain))
      return { ...made, held, renew: made.authority.renew ?? (() => made.authority.obtain) }
    })

  it.effect("are renewed once, however many calls were refused", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      yield* TestClock.adjust(cooldown)
      const all = Effect.all(
        Array.from({ length: 1_000 }, () => renew(held)),
        { concurrency: "unbounded" }
      )
      expect(
        new Set(Either.getOrThrow(yield* after(all)).map(({ headers }) => headers.authorization))
      ).toEqual(new Set(["token-2"]))
      expect(count.begun).toBe(2)
    })
  )

  it.effect("long ago are not renewed again: the present ones are given", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      yield* TestClock.adjust(cooldown)
      yield* after(renew(held))
      expect((yield* renew(held)).headers.authorization).toBe("token-2")
      expect(count.begun).toBe(2)
    })
  )

  it.effect("moments after they were obtained are not renewed: they would be refused again", () =>
    Effect.gen(function* () {
      const { count, held, renew } = yield* signedIn()
      yield* TestClock.adjust(cooldown - 1)
      for (let call = 0; call < 100; call++) {
        expect(yield* Effect.flip(renew(held))).toMatchObject({ _tag: "Unauthenticated", status: 401 })
      }
      expect(count.begun).toBe(1)
      yield* TestClock.adjust(1)
      expect(tokenOf(yield* after(renew(held)))).toEqual(Either.right("token-2"))
    })
  )
})

describe("a session that was given", () => {
  const given = { session: session(9), credentials: credentials(session(9)) }

  it.effect("is at hand at once and cannot be renewed", () =>
    Effect.gen(function* () {
      const { authority, current } = make({ signIn: undefined, given })
      expect(yield* current).toBe("token-9")
      expect((yield* authority.obtain).headers.authorization).toBe("token-9")
      expect(authority.renew).toBeUndefined()
    })
  )

  it.effect("that is signed out is gone for good", () =>
    Effect.gen(function* () {
      const { authority } = make({ signIn: undefined, given })
      yield* authority.signOut
      expect(yield* Effect.flip(authority.obtain)).toMatchObject({
        _tag: "CredentialsError",
        reason: "Missing"
      })
    })
  )
})

describe("the secrets of an authority", () => {
  it.effect("are the password and every session, also those that have been replaced", () =>
    Effect.gen(function* () {
      const { authority } = make()
      expect(authority.secrets()).toContain("correct horse")
      const first = Either.getOrThrow(yield* after(authority.obtain))
      yield* TestClock.adjust(cooldown)
      yield* after(authority.renew?.(first) ?? authority.obtain)
      for (const secret of ["correct horse", "session-1", "token-1", "session-2", "token-2"]) {
        expect(authority.secrets()).toContain(secret)
      }
      yield* authority.signOut
      expect(authority.secrets()).toContain("token-2")
    })
  )
})
