/** What a client takes from its runtime, which core does not know. */
import * as Effect from "effect/Effect"
import { traced } from "../adapters/telemetry/tracing.js"
import type { Runtime } from "../core/kernel/dispatch/lifetime/lifetime.js"

/** How fibers are started, the page that runs the client, if one does, and how calls are traced. */
export const runtime = (): Runtime => ({
  start: Effect.runFork,
  page: globalThis.location?.origin ?? true,
  traced
})
