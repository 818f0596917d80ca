/** Starts a run, or goes on with it, and works on it until it is done. */
import { existsSync } from "node:fs"
import { Fleet, located, type Rule, type Run, shownInput } from "@quartet/fleet/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { clientFor, connect, type Platform } from "../configuration.js"
import { codes, Problem } from "../exit.js"
import { counted, line, note } from "../output.js"
import { confirm } from "../terminal.js"
import { checkRun, checkSource } from "./before.js"
import * as Clients from "./clients.js"
import { asProblem, watching, working } from "./fleet.js"
import { load, type Module, none } from "./module.js"
import type {
  ExportOptions,
  ImportOptions,
  NotifyOptions,
  OwnOptions,
  RefundsOptions,
  RunOptions
} from "./options.js"
import { missingFile, type Place, placeOf } from "./place.js"
import {
  exportPlan,
  importPlan,
  notifyPlan,
  ownPlan,
  type Plan,
  type Planned,
  refundsPlan,
  type Source,
  shownItems
} from "./plan.js"
import { end, follow } from "./progress.js"

/** How many rows that would be refused are shown. */
const shownRows = 20

/** Reads a whole file: shows what would be called for the first rows, and lists those that would be refused. */
const survey = ({ file, options }: Source, judge: NonNullable<Plan["judge"]>) =>
  Effect.gen(function* () {
    const judged = judge()
    const refused: Array<string> = []
    let rows = 0
    let bad = 0
    let good = 0
    const refuse = (text: string) => {
      bad += 1
      if (refused.length < shownRows) refused.push(text)
    }
    yield* Stream.runForEach(located(file, options), ({ line: at, row }) => {
      rows += 1
      const would = Either.flatMap(
        Either.mapLeft(row, (rule): Rule => ({ rule })),
        judged
      )
      if (Either.isLeft(would)) {
        const { column, rule } = would.left
        refuse(`line ${at}${column === undefined ? "" : `, column "${column}"`}: ${rule}`)
        return Effect.void
      }
      good += 1
      return good > shownItems ? Effect.void : line(shownInput(would.right))
    }).pipe(
      // Behind what is no row at all nothing can be told apart.
      Effect.catchTag("FleetError", ({ message }) =>
        Effect.sync(() => refuse(`${message}; nothing behind it was read`))
      )
    )
    yield* Effect.forEach(refused, (text) => note(`quartet: ${text}`))
    if (bad > refused.length)
      yield* note(`quartet: and ${counted(bad - refused.length, "more row", "more rows")}`)
    if (bad > 0)
      return yield* new Problem({
        message: `${counted(bad, "row")} of ${file} would be refused, of ${counted(Math.max(rows, bad), "row")}. Nothing was started.`,
        next: "Correct the file, and give the command again."
      })
    yield* note(
      rows === 0
        ? `quartet: ${file} has no rows. Nothing was started.`
        : `quartet: ${counted(rows, "row")} can be read; these are the first calls. Nothing was started.`
    )
  })

/** Shows what would be called. */
const preview = (plan: Plan, platform: Platform | undefined) =>
  Effect.gen(function* () {
    if (plan.source !== undefined && plan.judge !== undefined) return yield* survey(plan.source, plan.judge)
    if (plan.preview === undefined || platform === undefined)
      return yield* new Problem({
        message: "--dry-run cannot know what a job of a module would do",
        next: "Leave it out, or try the job over a sandbox.",
        code: codes.usage
      })
    const clients = Layer.provide(Clients.layer(platform), Layer.succeedContext(platform.ports))
    yield* Stream.runForEach(Stream.map(plan.preview, shownInput), line).pipe(
      Effect.catchTag("FleetError", asProblem),
      Effect.provide(clients)
    )
    yield* note("quartet: these are the first calls. Nothing was started.")
  })

/** Whether there is such a run already: somebody has agreed to it. */
const isBegun = (plan: Plan, place: Place) =>
  plan.key === undefined || missingFile(place) !== undefined
    ? Effect.succeed(false)
    : Effect.gen(function* () {
        const runs = yield* Effect.flatMap(Fleet, (fleet) => fleet.runs(plan.job))
        const existing = runs.find(({ key }) => key === plan.key)
        if (existing !== undefined) yield* checkRun(plan, existing)
        return existing !== undefined
      }).pipe(Effect.catchTag("FleetError", asProblem), Effect.provide(watching(place)))

/** Asks before what a run writes. */
const agree = (plan: Plan, { isAgreed }: RunOptions, place: Place) =>
  Effect.gen(function* () {
    if (yield* isBegun(plan, place)) return
    if (plan.question !== undefined) yield* confirm(plan.question, isAgreed)
    if (plan.output !== undefined && existsSync(plan.output))
      yield* confirm(`Overwrite ${plan.output}?`, isAgreed)
  })

/** A run that is not at its end goes on: whoever gives the command again wants that. */
const begun = (run: Run) =>
  Effect.gen(function* () {
    const { state } = yield* run.status
    if (state === "paused") yield* run.resume
    if (state === "done")
      yield* note(`quartet: the run ${run.id} was done before. --key <text> makes another one.`)
  })

/** The file of a run that is done has to be there: somebody may have taken it away, or a runner has written it on another machine. */
const written = ({ output }: Plan, run: Run): Effect.Effect<void, Problem> =>
  output === undefined || existsSync(output)
    ? Effect.void
    : new Problem({
        message: `the run ${run.id} is done, and its file ${output} is not there`,
        next: "The same command with --key <text> is another run, which writes it anew."
      })

/** A reader of stdout that has enough ends a command well; a run that is not at its end does not end well by it. */
const isUnfinished = Effect.sync(() => {
  if (process.exitCode === 0) process.exitCode = codes.failed
})

const run = <Options extends RunOptions>(
  planOf: Planned<Options>,
  options: Options,
  /** With the user's own jobs, in place of those that the command line has. */
  module?: Module
) =>
  Effect.gen(function* () {
    // Before anything is asked for.
    const { calls, source } = yield* planOf(options, { address: "" })
    const guessed =
      source === undefined
        ? undefined
        : yield* Effect.catchTag(checkSource(source, options.isDry), "FleetError", asProblem)
    const platform = module !== undefined && !options.isSandbox ? undefined : yield* connect(options)
    for (const audience of new Set(calls.map((call) => call.audience)))
      if (platform !== undefined) yield* clientFor(platform, audience)
    const plan = yield* planOf(options, {
      address: platform?.baseUrl ?? "",
      // It is known once the clients are there.
      project: platform?.project(),
      // What was guessed once stays: the run reads its file again.
      delimiter: guessed
    })
    if (options.isDry) return yield* preview(plan, platform)
    const place = yield* placeOf(options, options.isSandbox)
    yield* agree(plan, options, place)
    yield* Effect.gen(function* () {
      const run = yield* plan.start
      yield* checkRun(plan, run)
      yield* begun(run)
      yield* note(`quartet: run ${run.id}`)
      const last = yield* follow(run.progress, options.isJson).pipe(
        Effect.onInterrupt(() => note("quartet: stopping: what was begun is ended first"))
      )
      if (last !== undefined) yield* end(last, run.id, place.words)
      yield* written(plan, run)
    }).pipe(
      Effect.catchTags({ FleetError: asProblem, InputError: asProblem }),
      Effect.provide(working(place, options, platform, module ?? none)),
      Effect.onInterrupt(() =>
        note(
          options.isSandbox
            ? "quartet: stopped."
            : `quartet: stopped. It goes on with the same command, or with: quartet job work${place.words}`
        ).pipe(Effect.ensuring(isUnfinished))
      )
    )
  }).pipe(Effect.scoped)

export const runImport = (options: ImportOptions) => run(importPlan, options)

export const runExport = (options: ExportOptions) => run(exportPlan, options)

export const runNotify = (options: NotifyOptions) => run(notifyPlan, options)

export const runRefunds = (options: RefundsOptions) => run(refundsPlan, options)

export const runOwn = (options: OwnOptions) =>
  Effect.flatMap(load(options.module), (module) => run(ownPlan(module.jobs), options, module))
