// What the tests of a credentials provider share: a platform that signs in within a second, a store that can fail, and an
// credentialsProvider over both.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import type { Credentials } from "../../../core/kernel/dispatch/credentials.js"
import { now } from "../../../core/kernel/dispatch/deadline.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import * as CredentialsProvider from "../../../core/kernel/session/credentials-provider.js"
import {
  SessionStoreError,
  type Service as Store,
  type StoredSession
} from "../../../core/ports/session-store.js"

export const session = (number: number): StoredSession => ({
  sessionId: `session-${number}`,
  accessToken: `token-${number}`
})

export const credentials = ({ accessToken = "" }: StoredSession) => ({
  headers: { authorization: accessToken },
  grants: {}
})

export const cooldown = 5_000

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
export const memory = (initial?: StoredSession) => {
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

export const make = (own: Partial<CredentialsProvider.Source> = {}) => {
  const fake = platform()
  const credentialsProvider = CredentialsProvider.make({
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
    (clock) => credentialsProvider.current(now(clock), clock)?.headers.authorization
  )
  /** New credentials for those that were refused, where they can be had. */
  const renew = (refused: Credentials, operation = "requests.list") =>
    credentialsProvider.renew?.(refused, operation) ?? Effect.die("these cannot be renewed")
  return { ...fake, credentialsProvider, current, renew }
}

export const fork = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.tap(Effect.fork(Effect.either(effect)), () => Effect.yieldNow())

export const after = <A, E>(effect: Effect.Effect<A, E>, pass: number | string = "1 second") =>
  Effect.gen(function* () {
    const fiber = yield* fork(effect)
    yield* TestClock.adjust(pass as "1 second")
    return yield* Fiber.join(fiber)
  })

export const tokenOf = Either.map(
  (found: { headers: Readonly<Record<string, string>> } | undefined) => found?.headers.authorization
)
