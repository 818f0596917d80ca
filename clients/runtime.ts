/** What a client takes from its runtime, which core does not know. */
import * as Effect from "effect/Effect"
import type { Runtime } from "../core/kernel/dispatch/lifetime.js"

/** How fibers are started, and the page that runs the client, if one does. */
export const runtime = (): Runtime => ({
  start: Effect.runFork,
  page: globalThis.location?.origin ?? true
})
