/** Pauses, resumes, cancels, tries again and settles: the runners of the store see it within a second. */
import type { QuitException } from "@effect/platform/Terminal"
import { type Failure, Fleet, type FleetError, type Run } from "@quartet/fleet/extend"
import type { InputError } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { codes, Problem } from "../exit.js"
import { counted, json, listed, note } from "../output.js"
import type { Environment } from "../program.js"
import { confirm } from "../terminal.js"
import { asProblem, watching } from "./fleet.js"
import type { StoreOptions } from "./options.js"
import { type Place, placeOf } from "./place.js"

interface SteerOptions extends StoreOptions {
  readonly id: string
  readonly isJson: boolean
}

/** Does something with a run, and says what was done. */
const withRun = (
  { id, isJson, ...options }: SteerOptions,
  work: (
    run: Run,
    place: Place
  ) => Effect.Effect<string, FleetError | InputError | Problem | QuitException, Environment>
) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    yield* Effect.gen(function* () {
      const run = yield* Effect.flatMap(Fleet, (fleet) => fleet.run(id))
      const said = yield* work(run, place)
      yield* isJson ? Effect.flatMap(run.status, json) : note(`${run.id}: ${said}`)
    }).pipe(
      Effect.catchTags({ FleetError: asProblem, InputError: asProblem }),
      Effect.provide(watching(place))
    )
  }).pipe(Effect.scoped)

const goesOn = (place: Place): string =>
  `goes on, as soon as there is a runner: the one that is there, or quartet job work${place.words}`

export const pause = (options: SteerOptions) => withRun(options, (run) => Effect.as(run.pause, "paused"))

export const resume = (options: SteerOptions) =>
  withRun(options, (run, place) => Effect.as(run.resume, goesOn(place)))

export const cancel = ({ isAgreed, ...options }: SteerOptions & { readonly isAgreed: boolean }) =>
  withRun(options, (run) =>
    confirm(`Cancel the run ${run.id} of ${run.job}? It cannot be resumed.`, isAgreed).pipe(
      Effect.zipRight(run.cancel),
      Effect.as("cancelled")
    )
  )

interface RetryOptions extends SteerOptions {
  readonly items: Option.Option<ReadonlyArray<number>>
  readonly isUnknown: boolean
  readonly readAgain: boolean
}

/** The most numbers that are named. */
const most = 20

/** Refuses items that are not among those that were not done, before anything is changed. */
const checked = (
  run: Run,
  items: ReadonlyArray<number>,
  states: ReadonlyArray<Failure["state"]>,
  place: Place
) =>
  Effect.gen(function* () {
    const absent = new Set(items)
    yield* Stream.runForEach(run.failures, ({ item, state }) =>
      Effect.sync(() => states.includes(state) && absent.delete(item))
    )
    if (absent.size === 0) return
    const named = [...absent].slice(0, most).map(String)
    const more = absent.size > most ? [`${absent.size - most} more`] : []
    return yield* new Problem({
      message: `${listed([...named, ...more])} ${absent.size === 1 ? "is" : "are"} not among the items of the run ${run.id} that ${states.length === 1 ? "failed" : "were not done"}. Nothing was changed.`,
      next: `See: quartet job show ${run.id} --failures${place.words}${states.length === 1 ? "; --unknown takes those too that are unknown" : ""}`,
      code: codes.absent
    })
  })

const notDone: ReadonlyArray<Failure["state"]> = ["failed", "unknown"]

export const retry = ({ isUnknown, items, readAgain, ...options }: RetryOptions) =>
  withRun(options, (run, place) =>
    Effect.gen(function* () {
      const states = isUnknown ? notDone : notDone.slice(0, 1)
      if (Option.isSome(items)) yield* checked(run, items.value, states, place)
      const count = yield* run.retry({
        states,
        readAgain,
        ...(Option.isNone(items) ? {} : { items: items.value })
      })
      return count === 0
        ? "there is nothing to try again"
        : `${counted(count, "item")} to try again; the run ${goesOn(place)}`
    })
  )

export const settle = ({ items, ...options }: SteerOptions & { readonly items: ReadonlyArray<number> }) =>
  withRun(options, (run, place) =>
    Effect.gen(function* () {
      yield* checked(run, items, notDone, place)
      const count = yield* run.settle(items)
      const open = new Set(items).size - count
      if (open > 0)
        return yield* new Problem({
          message: `${counted(count, "item")} noted as done; ${open} of them the run ${run.id} tries again at this moment`,
          next: "Give the command again for these once it is at rest."
        })
      return `${counted(count, "item")} noted as done`
    })
  )
