/** Pauses, resumes, cancels, tries again and settles: the runners of the store see it within a second. */
import type { QuitException } from "@effect/platform/Terminal"
import { type Failure, Fleet, type FleetError, type Run } from "@quartet/fleet/extend"
import type { InputError } from "@quartet/sdk/extend"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
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
  ) => Effect.Effect<string, FleetError | InputError | Problem | QuitException, Environment>,
  after: Effect.Effect<void, never, Fleet> = Effect.void
) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    yield* Effect.gen(function* () {
      const run = yield* Effect.flatMap(Fleet, (fleet) => fleet.run(id))
      const said = yield* work(run, place)
      yield* isJson ? Effect.flatMap(run.status, json) : note(`${run.id}: ${said}`)
      yield* after
    }).pipe(
      Effect.catchTags({ FleetError: asProblem, InputError: asProblem }),
      Effect.provide(watching(place))
    )
  }).pipe(Effect.scoped)

/** How long others are waited for who read what was deleted. */
const readers = Duration.seconds(3)

/** Waits a little until nothing of what was deleted can be read, and else says so. */
const forgotten = Effect.gen(function* () {
  const { isForgotten } = yield* Fleet
  yield* isForgotten.pipe(
    Effect.repeat({ until: (isDone) => isDone, schedule: Schedule.spaced(100) }),
    Effect.timeoutOption(readers)
  )
  if (!(yield* isForgotten))
    yield* note(
      "what was deleted can still be read in the store's file, which another program is reading: once that has ended, the next quartet job command overwrites it"
    )
})

const goesOn = (place: Place): string =>
  `goes on, as soon as there is a runner: the one that is there, or quartet job work${place.words}`

export const pause = (options: SteerOptions) => withRun(options, (run) => Effect.as(run.pause, "paused"))

export const resume = (options: SteerOptions) =>
  withRun(options, (run, place) => Effect.as(run.resume, goesOn(place)))

export const cancel = ({ isAgreed, ...options }: SteerOptions & { readonly isAgreed: boolean }) =>
  withRun(
    options,
    (run) =>
      run.status.pipe(
        // Nobody is asked about a run that has ended.
        Effect.flatMap(({ endedAt }) =>
          confirm(
            `Cancel the run ${run.id} of ${run.job}? It cannot be resumed.`,
            isAgreed || endedAt !== undefined
          )
        ),
        Effect.zipRight(run.cancel),
        Effect.as("cancelled")
      ),
    forgotten
  )

interface RemoveOptions extends StoreOptions {
  readonly id: Option.Option<string>
  /** In milliseconds. */
  readonly olderThan: Option.Option<number>
  readonly isAgreed: boolean
}

/** Refuses a run that has not ended, before anybody is asked about it. */
const checkEnded = (place: Place) => (run: Run) =>
  Effect.flatMap(run.status, ({ endedAt, state }) =>
    endedAt === undefined
      ? new Problem({
          message: `the run ${run.id} is ${state}: it cannot be removed`,
          next: `Cancel it first: quartet job cancel ${run.id}${place.words}`
        })
      : Effect.void
  )

/** Removes a run, or all that ended longer ago than so much. */
export const remove = ({ id, isAgreed, olderThan, ...options }: RemoveOptions) =>
  Effect.gen(function* () {
    if (Option.isSome(id) === Option.isSome(olderThan))
      return yield* new Problem({
        message: "which runs are to be removed?",
        next: "Give the id of one, or --older-than 30d for all that ended before that.",
        code: codes.usage
      })
    const place = yield* placeOf(options)
    yield* Effect.gen(function* () {
      const fleet = yield* Fleet
      // How long ago they ended, the store says: this machine's clock may be wrong.
      const ended = Option.isSome(olderThan)
        ? yield* fleet.ended(olderThan.value)
        : [yield* Effect.tap(fleet.run(Option.getOrElse(id, () => "")), checkEnded(place))]
      if (ended.length === 0) return yield* note("there is nothing to remove")
      yield* confirm(
        `Remove ${ended.length === 1 ? `the run ${ended[0]?.id}` : counted(ended.length, "run")}, with the items that were not done? Started again with the same key, a removed run does everything once more.`,
        isAgreed
      )
      yield* Effect.forEach(ended, (run) => run.remove, { discard: true })
      yield* note(`${counted(ended.length, "run")} removed`)
      yield* forgotten
    }).pipe(
      Effect.catchTags({ FleetError: asProblem, InputError: asProblem }),
      Effect.provide(watching(place))
    )
  }).pipe(Effect.scoped)

interface RetryOptions extends SteerOptions {
  readonly items: Option.Option<ReadonlyArray<number>>
  readonly isUnknown: boolean
  readonly isSent: boolean
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

export const retry = ({ isSent, isUnknown, items, readAgain, ...options }: RetryOptions) =>
  withRun(options, (run, place) =>
    Effect.gen(function* () {
      if (isSent && !isUnknown)
        return yield* new Problem({
          message: "--send is for items that are unknown",
          next: "Give --unknown beside it: it takes those that failed, too.",
          code: codes.usage
        })
      const states = isUnknown ? notDone : notDone.slice(0, 1)
      if (Option.isSome(items)) yield* checked(run, items.value, states, place)
      const count = yield* run.retry({
        states,
        readAgain,
        send: isSent,
        ...(Option.isNone(items) ? {} : { items: items.value })
      })
      return count === 0
        ? "there is nothing to try again"
        : `${counted(count, "item")} to try again; the run ${goesOn(place)}`
    })
  )

interface SettleOptions extends SteerOptions {
  readonly items: Option.Option<ReadonlyArray<number>>
  readonly isAll: boolean
}

export const settle = ({ isAll, items, ...options }: SettleOptions) =>
  withRun(
    options,
    (run, place) =>
      Effect.gen(function* () {
        if (Option.isSome(items) === isAll)
          return yield* new Problem({
            message: "which items were done?",
            next: `Give their numbers, or all that are unknown: quartet job settle ${run.id} --items <numbers>${place.words}, or --all`,
            code: codes.usage
          })
        if (Option.isNone(items)) return `${counted(yield* run.settle(), "item")} noted as done`
        yield* checked(run, items.value, notDone, place)
        const count = yield* run.settle(items.value)
        const open = new Set(items.value).size - count
        if (open > 0)
          return yield* new Problem({
            message: `${counted(count, "item")} noted as done; ${open} of them the run ${run.id} tries again at this moment`,
            next: "Give the command again for these once it is at rest."
          })
        return `${counted(count, "item")} noted as done`
      }),
    forgotten
  )
