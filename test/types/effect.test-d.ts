import type * as Effect from "effect/Effect"

declare const needsText: Effect.Effect<number, never, string>

/** A program runs only when nothing is missing: the property that the clients' tags rely on. */
declare const run: (program: Effect.Effect<number>) => void

// @ts-expect-error the requirement is not met
run(needsText)
