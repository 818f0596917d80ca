/** Names that are the same wherever they are made: of runs, and of the writes for their items. */
import * as Effect from "effect/Effect"

/** The id of a run: 20 hexadecimal digits of its job's name and its key. */
export const idOf = (job: string, key: string): Effect.Effect<string> =>
  Effect.promise(() =>
    crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([job, key])))
  ).pipe(
    Effect.map((bytes) =>
      Array.from(new Uint8Array(bytes).subarray(0, 10), (byte) => byte.toString(16).padStart(2, "0")).join("")
    )
  )

/** What the keys of a run begin with. It is kept with the run: the same input in another store is other work. */
export const makeSalt: Effect.Effect<string> = Effect.sync(() => crypto.randomUUID())

/** The idempotency key of an item's write: the same for all of its attempts, on all runners. */
export const keyOf = (salt: string, item: number): string => `${salt}-${item}`
