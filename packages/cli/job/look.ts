/** Lists runs, and shows one. */

import {
  type Failure,
  Fleet,
  type PageProgress,
  type Progress,
  type Run,
  shownFailure,
  shownInput
} from "@quartet/fleet/extend"
import { Texts } from "@quartet/sdk/extend"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { colours, columns, json, line, print } from "../output.js"
import { inline } from "../text.js"
import { asProblem, watching } from "./fleet.js"
import type { StoreOptions } from "./options.js"
import { type Place, placeOf } from "./place.js"
import { remedies, span, words } from "./progress.js"

const states = {
  running: colours.cyan,
  paused: colours.yellow,
  cancelled: colours.dim,
  done: colours.green
} as const

interface ListOptions extends StoreOptions {
  readonly job: Option.Option<string>
  readonly isJson: boolean
}

/** How many runs are asked about at a time. */
const atOnce = 4

export const list = ({ isJson, job, ...options }: ListOptions) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    const runs = yield* Effect.gen(function* () {
      const fleet = yield* Fleet
      const runs = yield* fleet.runs(Option.getOrUndefined(job))
      return yield* Effect.forEach(runs, (run) => Effect.map(run.status, (progress) => ({ run, progress })), {
        concurrency: atOnce
      })
    }).pipe(Effect.catchTag("FleetError", asProblem), Effect.provide(watching(place)))
    if (isJson) return yield* json(runs.map(({ progress }) => progress))
    if (runs.length === 0) return yield* print("There are no runs.")
    const width = Math.max(...runs.map(({ run }) => run.job.length))
    yield* Effect.forEach(runs, ({ progress, run }) =>
      print(
        `${run.id.slice(0, 8)}  ${run.job.padEnd(width)}  ${states[progress.state](progress.state.padEnd(9))}  ${words(progress)}  ${colours.dim(inline(run.key))}`
      )
    )
  }).pipe(Effect.scoped)

/** Failures that are shown without being asked for. */
const first = 5

const pageOf = ({ error, page, runner, state }: PageProgress): readonly [string, string] => [
  page < 0 ? "reader" : `page ${page}`,
  [state, `by ${inline(runner)}`, error === undefined ? [] : inline(error)].flat().join(", ")
]

const failureOf = ({ attempts, error, item, state, tag }: Failure): string =>
  `  ${colours.red(`#${item}`)} ${state}, ${inline(tag)}: ${inline(error)}${attempts > 1 ? colours.dim(` (${attempts} attempts)`) : ""}`

interface ShowOptions extends StoreOptions {
  readonly id: string
  readonly hasFailures: boolean
  readonly isJson: boolean
}

const text = (run: Run, input: unknown, progress: Progress, failures: ReadonlyArray<Failure>, place: Place) =>
  Effect.gen(function* () {
    const { endedAt, error, failed, startedAt, state, unknown } = progress
    yield* print(`${colours.bold(run.id)}  ${run.job}  ${states[state](state)}`)
    yield* print(
      columns(
        [
          ["key", inline(run.key)],
          ["input", new Texts(input).line],
          ["items", words(progress)],
          ["started", startedAt.toISOString()],
          ...(endedAt === undefined
            ? []
            : [
                [
                  "ended",
                  `${endedAt.toISOString()}, after ${span(endedAt.getTime() - startedAt.getTime())}`
                ] as const
              ]),
          ...(error === undefined ? [] : [["why", inline(error)] as const]),
          ...(endedAt === undefined ? progress.pages.map(pageOf) : [])
        ],
        colours
      )
    )
    yield* Effect.forEach(failures, (failure) => print(failureOf(failure)))
    const more = failed + unknown - failures.length
    if (more > 0) yield* print(colours.dim(`  and ${more} more: --failures prints all`))
    if (failed + unknown > 0)
      yield* Effect.forEach(remedies(progress, run.id, place.words), (line) =>
        print(colours.dim(`  ${line}`))
      )
  })

export const show = ({ hasFailures, id, isJson, ...options }: ShowOptions) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    yield* Effect.gen(function* () {
      const run = yield* Effect.flatMap(Fleet, (fleet) => fleet.run(id))
      const all = Stream.map(run.failures, shownFailure)
      if (hasFailures) return yield* Stream.runForEach(all, line)
      const progress = yield* run.status
      const failures = Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(all, first)))
      const input = yield* run.input
      const moreFailures = progress.failed + progress.unknown - failures.length
      return yield* isJson
        ? json({
            ...progress,
            input: shownInput(input),
            failures,
            ...(moreFailures > 0 ? { moreFailures } : {})
          })
        : text(run, input, progress, failures, place)
    }).pipe(Effect.catchTag("FleetError", asProblem), Effect.provide(watching(place)))
  }).pipe(Effect.scoped)
