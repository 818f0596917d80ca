/** The default Transport everywhere but on Node. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Service } from "../../core/ports/transport.js"
import * as FetchTransport from "../fetch/index.js"

export const make: Effect.Effect<Service, never, Scope.Scope> = /*#__PURE__*/ Effect.sync(() =>
  FetchTransport.make()
)
