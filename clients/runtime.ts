/** What a client takes from its runtime, which core does not know. */
import * as Effect from "effect/Effect"
import { traced } from "../adapters/telemetry/tracing.js"
import type { Runtime } from "../core/kernel/dispatch/lifetime/lifetime.js"

/**
 * How fibers are started, and the page that runs the client, if one does. Promise clients need no more: no tracer of Effect is installed where
 * they run, and middleware makes their spans.
 */
export const untraced = (): Runtime => ({
  start: Effect.runFork,
  page: globalThis.location?.origin ?? true
})

/** The same, and how calls are traced. */
export const runtime = (): Runtime => ({ ...untraced(), traced })
