// Credentials that are obtained by signing in: once for all, kept, renewed, given up.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as Authority from "../../../core/auth/authority.js"
import { now } from "../../../core/kernel/deadline.js"
import { type CallError, CredentialsError, NetworkError } from "../../../core/kernel/errors.js"
import {
  SessionStoreError,
  type Service as Store,
  type StoredSession
} from "../../../core/ports/session-store.js"

const session = (number: number): StoredSession => ({
  sessionId: `session-${number}`,
  accessToken: `token-${number}`
})
const credentials = ({ accessToken = "" }: StoredSession) => ({
  headers: { authorization: accessToken },
  grants: {}
})
const cooldown = 5_000

/** A platform that signs in within a second, and counts how often. */
const platform = () => {
  const count = { begun: 0, done: 0, stopped: 0 }
  let failure: CallError | undefined
  const signIn = Effect.suspend(() => {
    count.begun += 1
    const number = count.begun
    return Effect.sleep("1 second").pipe(
      Effect.flatMap(() => (failure === undefined ? Effect.succeed(session(number)) : Effect.fail(failure))),
      Effect.tap(() => {
        count.done += 1
      }),
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          count.stopped += 1
        })
      )
    )
  })
  return {
    count,
    signIn,
    failWith: (error: CallError | undefined) => {
      failure = error
    }
  }
}

/** A store in memory that can be slow, and can fail. */
const memory = (initial?: StoredSession) => {
  const held = new Map<string, StoredSession>(initial === undefined ? [] : [["key", initial]])
  const log: Array<string> = []
  const trouble = { delay: 0, load: false, save: false, clear: false }
  const work = <A>(method: "load" | "save" | "clear", run: () => A): Effect.Effect<A, SessionStoreError> =>
    Effect.sleep(trouble.delay).pipe(
      Effect.flatMap(() => {
        log.push(method)
        return trouble[method]
          ? new SessionStoreError({ method, cause: new Error("disk") })
          : Effect.sync(run)
      })
    )
  const store: Store = {
    load: (key) => work("load", () => Option.fromNullable(held.get(key))),
    save: (key, kept) => work("save", () => void held.set(key, kept)),
    clear: (key) => work("clear", () => void held.delete(key))
  }
  return { store, log, trouble, held: () => held.get("key") }
}

const make = (own: Partial<Authority.Source> = {}) => {
  const fake = platform()
  const authority = Authority.make({
    signIn: fake.signIn,
    given: undefined,
    present: (kept) => Effect.succeed(credentials(kept)),
    isFresh: () => true,
    store: undefined,
    key: "key",
    cooldown,
    secrets: ["correct horse"],
    ...own
  })
  /** The token at hand, where there is one. */
  const current = Effect.map(
    Effect.clock,
    (clock) => authority.current(now(clock), clock)?.headers.authorization
  )
  return { ...fake, authority, current }
}

const fork = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.tap(Effect.fork(Effect.either(effect)), () => Effect.yieldNow())
const after = <A, E>(effect: Effect.Effect<A, E>, pass: number | string = "1 second") =>
  Effect.gen(function* () {
    const fiber = yield* fork(effect)
    yield* TestClock.adjust(pass as "1 second")
    return yield* Fiber.join(fiber)
  })
const tokenOf = Either.map(
  (found: { headers: Readonly<Record<string, string>> }) => found.headers.authorization
)

const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })

describe("signing in", () => {
  it.effect("waits for the first call", () =>
    Effect.gen(function* () {
      const { count, current } = make()
      yield* TestClock.adjust("1 minute")
      expect(count.begun).toBe(0)
      expect(yield* current).toBeUndefined()
    })
  )

  it.effect("happens once for a thousand calls at once, and once for all that follow", () =>
    Effect.gen(function* () {
      const { authority, count, current } = make()
      const all = Effect.all(
        Array.from({ length: 1_000 }, () => authority.obtain),
        { concurrency: "unbounded" }
      )
      const obtained = Either.getOrThrow(yield* after(all))
      expect(new Set(obtained).size).toBe(1)
      expect(yield* current).toBe("token-1")
      yield* TestClock.adjust("1 hour")
      yield* authority.obtain
      expect(count).toEqual({ begun: 1, done: 1, stopped: 0 })
    })
  )

  it.effect("keeps the user with the token and the session id", () =>
    Effect.gen(function* () {
      const kept = { ...session(1), user: { _id: "ada" } }
      const { held, store } = memory()
      const { authority } = make({ signIn: Effect.succeed(kept), store })
      expect(yield* authority.user).toEqual({ _id: "ada" })
      expect(held()).toEqual(kept)
      const next = make({ store })
      expect(yield* next.authority.user).toEqual({ _id: "ada" })
      expect(next.count.begun).toBe(0)
    })
  )

  it.effect("goes on for the others when the call that began it is interrupted", () =>
    Effect.gen(function* () {
      const { authority, count } = make()
      const first = yield* fork(authority.obtain)
      const second = yield* fork(authority.obtain)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(second))).toEqual(Either.right("token-1"))
      expect(count).toEqual({ begun: 1, done: 1, stopped: 0 })
    })
  )

  it.effect(
    "is stopped when all calls that wait for it are interrupted, and begins anew without a cooldown",
    () =>
      Effect.gen(function* () {
        const { authority, count } = make()
        const calls = yield* Effect.all([fork(authority.obtain), fork(authority.obtain)])
        yield* Fiber.interruptAll(calls)
        yield* TestClock.adjust("10 millis")
        expect(count).toEqual({ begun: 1, done: 0, stopped: 1 })
        expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-2"))
      })
  )
})

describe("a sign-in that fails", () => {
  it.effect("fails all calls that wait for it, alike", () =>
    Effect.gen(function* () {
      const { authority, count, failWith } = make()
      failWith(rejected)
      const all = Effect.all(
        Array.from({ length: 100 }, () => Effect.flip(authority.obtain)),
        { concurrency: "unbounded" }
      )
      expect(new Set(Either.getOrThrow(yield* after(all)))).toEqual(new Set([rejected]))
      expect(count.begun).toBe(1)
    })
  )

  it.effect("is not tried again before its cooldown has passed", () =>
    Effect.gen(function* () {
      const { authority, count, failWith } = make()
      failWith(rejected)
      yield* after(authority.obtain)
      yield* TestClock.adjust(cooldown - 1)
      const refused = yield* Effect.flip(authority.obtain)
      expect(refused).toMatchObject({ _tag: "CredentialsError", reason: "Cooldown" })
      expect(refused.cause).toBe(rejected)
      expect(count.begun).toBe(1)
      failWith(undefined)
      yield* TestClock.adjust(1)
      expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-2"))
    })
  )

  it.effect("for any reason has the cooldown: an outage is no reason to hammer", () =>
    Effect.gen(function* () {
      const { authority, count, failWith } = make()
      failWith(new NetworkError({ operation: "auth.login", reason: "Refused" }))
      yield* after(authority.obtain)
      for (let call = 0; call < 100; call++) yield* Effect.flip(authority.obtain)
      expect(count.begun).toBe(1)
    })
  )

  it.effect("because its session cannot be used counts as failed", () =>
    Effect.gen(function* () {
      const unusable = new CredentialsError({ operation: "client", reason: "Malformed", advice: "no" })
      const { authority, count, current } = make({ present: () => Effect.fail(unusable) })
      expect(yield* after(authority.obtain)).toEqual(Either.left(unusable))
      expect(yield* current).toBeUndefined()
      expect(yield* Effect.flip(authority.obtain)).toMatchObject({ reason: "Cooldown" })
      expect(count.begun).toBe(1)
    })
  )
})

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

describe("signing out", () => {
  it.effect("forgets the session, here and in the store", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { authority, current } = make({ store })
      yield* after(authority.obtain)
      expect(held()).toEqual(session(1))
      yield* authority.signOut
      expect(yield* current).toBeUndefined()
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while a sign-in is under way is not undone by it", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { authority, current } = make({ store })
      const call = yield* fork(authority.obtain)
      yield* TestClock.adjust("500 millis")
      yield* authority.signOut
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(call)), "who waited for it may still use it").toEqual(
        Either.right("token-1")
      )
      expect(yield* current).toBeUndefined()
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while the session is being stored leaves nothing in the store", () =>
    Effect.gen(function* () {
      const { held, store, trouble } = memory()
      const { authority } = make({ store })
      const call = yield* fork(authority.obtain)
      trouble.delay = 500
      yield* TestClock.adjust("1100 millis")
      const out = yield* fork(authority.signOut)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      yield* Fiber.join(out)
      expect(held()).toBeUndefined()
    })
  )

  it.effect("while a stored session is being read is not undone by it", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.delay = 500
      const { authority, current } = make({ store })
      const call = yield* fork(authority.obtain)
      yield* TestClock.adjust("100 millis")
      const out = yield* fork(authority.signOut)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      yield* Fiber.join(out)
      expect(yield* current).toBeUndefined()
    })
  )

  it.effect("lets the next call sign in anew, with a session of its own", () =>
    Effect.gen(function* () {
      const { authority, count } = make()
      const early = yield* fork(authority.obtain)
      yield* TestClock.adjust("500 millis")
      yield* authority.signOut
      const late = yield* fork(authority.obtain)
      yield* TestClock.adjust("1 second")
      expect(tokenOf(yield* Fiber.join(early))).toEqual(Either.right("token-1"))
      expect(tokenOf(yield* Fiber.join(late))).toEqual(Either.right("token-2"))
      expect(count.begun).toBe(2)
    })
  )

  it.effect("does not bring back a stored session that could not be cleared", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.clear = true
      const { authority } = make({ store })
      yield* authority.signOut
      expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-1"))
    })
  )

  it.effect("works whatever the store does", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory()
      trouble.clear = true
      const { authority, current } = make({ store })
      yield* after(authority.obtain)
      yield* authority.signOut
      expect(yield* current).toBeUndefined()
    })
  )
})

describe("a store", () => {
  it.effect("that holds a session spares the sign-in", () =>
    Effect.gen(function* () {
      const { log, store } = memory(session(7))
      const { authority, count, current } = make({ store })
      expect((yield* authority.obtain).headers.authorization).toBe("token-7")
      expect(yield* current).toBe("token-7")
      expect(count.begun).toBe(0)
      expect(log).toEqual(["load"])
    })
  )

  it.effect("that holds one which has ended does not", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { held, store } = memory(session(7))
      const times: Array<number> = []
      const isFresh = (_: StoredSession, time: number) => {
        times.push(time)
        return false
      }
      const { authority } = make({ store, isFresh })
      expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-1"))
      expect(times).toEqual([1_000_000])
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("that holds one which cannot be used does not", () =>
    Effect.gen(function* () {
      const { store } = memory(session(7))
      const unusable = new CredentialsError({ operation: "client", reason: "Malformed", advice: "no" })
      const present = (kept: StoredSession) =>
        kept.sessionId === "session-7" ? Effect.fail(unusable) : Effect.succeed(credentials(kept))
      const { authority } = make({ store, present })
      expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-1"))
    })
  )

  it.effect("whose session the platform refuses is given another one", () =>
    Effect.gen(function* () {
      const { held, store } = memory(session(7))
      const { authority } = make({ store })
      const stored = yield* authority.obtain
      expect(tokenOf(yield* after(authority.renew?.(stored) ?? authority.obtain))).toEqual(
        Either.right("token-1")
      )
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("keeps every session that is signed in for", () =>
    Effect.gen(function* () {
      const { held, store } = memory()
      const { authority } = make({ store })
      yield* after(authority.obtain)
      expect(held()).toEqual(session(1))
    })
  )

  it.effect("that fails costs a sign-in and nothing else", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.load = true
      trouble.save = true
      const { authority, current } = make({ store })
      expect(tokenOf(yield* after(authority.obtain))).toEqual(Either.right("token-1"))
      expect(yield* current).toBe("token-1")
    })
  )

  it.effect("that never answers does not keep calls waiting for ever", () =>
    Effect.gen(function* () {
      const { store, trouble } = memory(session(7))
      trouble.delay = 1e9
      const { authority, current } = make({ store })
      expect(tokenOf(yield* after(authority.obtain, "30 seconds"))).toEqual(Either.right("token-1"))
      expect(yield* current).toBe("token-1")
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
