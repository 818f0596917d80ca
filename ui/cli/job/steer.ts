/** Pauses, resumes, cancels, tries again and settles: the runners of the store see it within a second. */
import type { QuitException } from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { FleetError } from "../../../adapters/fleet/store.js"
import { Fleet } from "../../../clients/fleet/fleet.js"
import type { Run } from "../../../clients/fleet/run.js"
import { confirm } from "../confirmation.js"
import type { Problem } from "../exit.js"
import { counted, json, note } from "../output.js"
import type { Environment } from "../program.js"
import { asProblem, type Place, placeOf, watching } from "./fleet.js"
import type { StoreGiven } from "./given.js"

interface Given extends StoreGiven {
  readonly id: string
  readonly isJson: boolean
}

/** Does something with a run, and says what was done. */
const withRun = (
  { id, isJson, ...given }: Given,
  work: (run: Run, place: Place) => Effect.Effect<string, FleetError | Problem | QuitException, Environment>
) =>
  Effect.gen(function* () {
    const place = yield* placeOf(given)
    yield* Effect.gen(function* () {
      const run = yield* Effect.flatMap(Fleet, (fleet) => fleet.run(id))
      const said = yield* work(run, place)
      yield* isJson ? Effect.flatMap(run.status, json) : note(`${run.id}: ${said}`)
    }).pipe(Effect.catchTag("FleetError", asProblem), Effect.provide(watching(place)))
  }).pipe(Effect.scoped)

const goesOn = (place: Place): string =>
  `goes on, as soon as there is a runner: the one that is there, or quartet job work${place.words}`

export const pause = (given: Given) => withRun(given, (run) => Effect.as(run.pause, "paused"))

export const resume = (given: Given) => withRun(given, (run, place) => Effect.as(run.resume, goesOn(place)))

export const cancel = ({ isAgreed, ...given }: Given & { readonly isAgreed: boolean }) =>
  withRun(given, (run) =>
    confirm(`Cancel the run ${run.id} of ${run.job}? It cannot be resumed.`, isAgreed).pipe(
      Effect.zipRight(run.cancel),
      Effect.as("cancelled")
    )
  )

interface RetryGiven extends Given {
  readonly items: Option.Option<ReadonlyArray<number>>
  readonly isUnknown: boolean
  readonly readAgain: boolean
}

export const retry = ({ isUnknown, items, readAgain, ...given }: RetryGiven) =>
  withRun(given, (run, place) =>
    Effect.map(
      run.retry({
        states: isUnknown ? ["failed", "unknown"] : ["failed"],
        readAgain,
        ...(Option.isNone(items) ? {} : { items: items.value })
      }),
      (count) =>
        count === 0
          ? "there is nothing to try again"
          : `${counted(count, "item")} to try again; the run ${goesOn(place)}`
    )
  )

export const settle = ({ items, ...given }: Given & { readonly items: ReadonlyArray<number> }) =>
  withRun(given, (run) => Effect.map(run.settle(items), (count) => `${counted(count, "item")} noted as done`))
