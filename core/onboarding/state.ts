/** Onboarding in memory: completing tasks and accepting documents (specification, point 4). */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { streamed } from "../kernel/dispatch/streaming.js"
import * as Actions from "./actions.js"
import type { Onboarding } from "./model.js"

export { UnknownId } from "./actions.js"

/** The onboarding and its actions. @category models */
export interface Service extends Omit<Actions.Actions, "changes"> {
  /** The present state, then every change. */
  readonly changes: Stream.Stream<Onboarding>
}

/** The onboarding that programs ask for: `Effect.provide` gives it by `layer`. @category services */
export class State extends Context.Tag("@quartet/sdk/Onboarding")<State, Service>() {}

/** Makes the state, from the demo data or the caller's own. States share nothing. @category constructors */
export const make = (initial?: Onboarding): Effect.Effect<Service> =>
  Effect.sync(() => {
    const actions = Actions.make(initial)
    return { ...actions, changes: streamed(actions.changes) }
  })

/** The state as a layer. @category layers */
export const layer = (initial?: Onboarding): Layer.Layer<State> => Layer.effect(State, make(initial))
