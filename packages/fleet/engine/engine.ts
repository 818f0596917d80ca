/** What the deliveries by an engine have in common: its promises, and pages as what it keeps. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type { Delivered, PageRef } from "../jobs/delivery.js"

/** A page as an engine keeps it. */
const Kept = Schema.Struct({ job: Schema.String, run: Schema.String, page: Schema.Int })

const isKept = Schema.is(Kept)

/** What an engine delivers, if it is a page: somebody may have put something else into its queue. */
export const pageIn = (data: unknown): PageRef | undefined => (isKept(data) ? data : undefined)

/** What names a page to an engine that is not to keep it twice. */
export const nameOf = ({ page, run }: PageRef): string => `${run}-${page < 0 ? "source" : page}`

/** Something that an engine does. */
export const asked = <A>(work: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: work, catch: (cause) => cause })

/** Milliseconds for which an engine keeps a page that another runner holds, at most: the store may have it free before. */
export const longestDelay = 5_000

/**
 * Lets an engine call an effect: `start` gets a function that works on what was delivered and answers a promise, and returns what ends the
 * deliveries. Interrupted, it waits for what is being worked on before.
 */
export const delivering = (
  handler: (page: PageRef) => Effect.Effect<Delivered>,
  start: (handle: (page: PageRef) => Promise<Delivered>) => Promise<() => Promise<unknown>>
): Effect.Effect<never, unknown> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const working = new Set<Fiber.RuntimeFiber<Delivered>>()
    const handle = async (page: PageRef): Promise<Delivered> => {
      const fiber = Runtime.runFork(runtime)(handler(page))
      working.add(fiber)
      try {
        return await Effect.runPromise(Fiber.join(fiber))
      } catch {
        // It was interrupted: another runner goes on with it.
        return { _tag: "Again", after: 0 }
      } finally {
        working.delete(fiber)
      }
    }
    const never = yield* Deferred.make<never>()
    return yield* Effect.acquireUseRelease(
      asked(() => start(handle)),
      () => Deferred.await(never),
      (end) =>
        Effect.zipRight(
          Effect.suspend(() => Fiber.interruptAll([...working])),
          Effect.ignore(asked(end))
        )
    )
  })
