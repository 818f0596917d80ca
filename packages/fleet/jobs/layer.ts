/** A fleet's layer: runners that share a store, and with it their runs, their limits and their session. */
import { hostname } from "node:os"
import * as SqlClient from "@effect/sql/SqlClient"
import { InputError, Options, SessionStore, Transport } from "@quartet/sdk/extend"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import type { FleetError } from "../fleet-error.js"
import { StoreClock } from "../store/elapsed.js"
import * as Limiter from "../store/limits.js"
import * as Sessions from "../store/sessions.js"
import * as Store from "../store/store.js"
import type { Crew } from "./crew.js"
import { Wakes } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivery } from "./delivery.js"
import { type Fences, heard, isShut } from "./fence.js"
import { Gates } from "./gate.js"
import { gracefully, handle } from "./handle.js"
import type { Job } from "./job.js"
import { Marks } from "./marks.js"
import { count } from "./orphans.js"
import { Refusals } from "./refusals.js"
import { ageOf, removeOld } from "./retention.js"
import { Fleet, type Service } from "./run.js"
import { run, steer } from "./runner.js"
import * as Runs from "./runs.js"
import { StateWriter } from "./state-writer.js"
import { termination } from "./times.js"
import * as Version from "./version.js"

/** Where a fleet keeps its runs. @category models */
export interface StoreOptions {
  /**
   * `file:fleet.db`, for runners of one machine, or `postgres://…`, for those of many. All runners of a store work on its runs, so each
   * job is run by those that have it.
   */
  readonly store: string | Redacted.Redacted
}

/** How a runner takes part. @category models */
export interface LayerOptions<Jobs, ROut = never, E = never, RIn = never> extends StoreOptions {
  readonly jobs: Jobs
  /** What all runners of the store together may send. Give every runner the same. */
  readonly limits?: Limiter.Limits
  /**
   * The clients of the jobs, such as `Admin.layer({ … })`. They get a Transport that keeps the limits for each request, and a
   * SessionStore that all runners share, if `QUARTET_FLEET_KEY` is set. Without them, a job's needs are the layer's own, and the
   * limits are kept for each item.
   */
  readonly clients?: Layer.Layer<ROut, E, RIn>
  /**
   * What delivers pages to runners, such as the user's own pg-boss or BullMQ; the store itself, by default. Give every runner the same.
   * `"manual"`: nothing does, and this process works on what `run.work` is called for.
   */
  readonly delivery?: Delivery | "manual"
  /**
   * How long runs of these jobs are kept once they are done or cancelled, such as `"30 days"`: then this runner removes them, with the items that
   * were not done. For ever by default.
   */
  readonly keep?: Duration.DurationInput
  /** The name of this runner in what is shown of runs; the host's, by default. It need not be unique. */
  readonly runner?: string
}

/** What jobs need. */
type Needs<Jobs extends ReadonlyArray<Job<never, unknown>>> = {
  readonly [K in keyof Jobs]: Jobs[K] extends Job<never, infer R> ? R : never
}[number]

const known = {
  jobs: "any",
  store: "any",
  limits: "object",
  clients: "any",
  delivery: "any",
  keep: "any",
  runner: "string"
} as const

const check = <A extends object>(operation: string, options: A, names: Readonly<Record<keyof A, unknown>>) =>
  Options.read(operation, "options", options, names)

/**
 * A runner: it works on the runs of its jobs, with all others that have the same store. Fails with InputError where an option breaks a
 * rule, and with FleetError where the store cannot be reached.
 * @category layers
 */
export const layer = <
  const Jobs extends ReadonlyArray<Job<never, unknown>>,
  ROut = never,
  E = never,
  RIn = never
>(
  options: LayerOptions<Jobs, ROut, E, RIn>
): Layer.Layer<Fleet, E | InputError | FleetError, Exclude<Needs<Jobs>, ROut> | Exclude<RIn, SessionStore>> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { clients, delivery, jobs, keep, limits, store, ...rest } = yield* check(
        "Fleet.layer",
        options,
        known
      )
      const refuse = (field: string, rule: string) =>
        new InputError({ operation: "Fleet.layer", field, rule })
      if (!Array.isArray(jobs) || jobs.length === 0) return yield* refuse("jobs", "must be a list of jobs")
      const stranger = jobs.findIndex((job) => !hasProperty(job, "definition"))
      if (stranger >= 0) return yield* refuse(`jobs[${stranger}]`, "must be what Fleet.job makes")
      if (clients !== undefined && !Layer.isLayer(clients)) return yield* refuse("clients", "must be a Layer")
      if (delivery !== undefined && delivery !== "manual" && !hasProperty(delivery, "deliver"))
        return yield* refuse("delivery", 'must be a Delivery, or "manual"')
      const names = jobs.map(({ name }) => name)
      const twice = names.find((name, index) => names.indexOf(name) !== index)
      if (twice !== undefined) return yield* refuse("jobs", `has two jobs of the name "${twice}"`)
      const kept = keep === undefined ? undefined : yield* ageOf("Fleet.layer", "keep", keep)
      const runner = runnerName(rest.runner)
      const database = yield* Layer.build(Store.layer(store))
      const sql = Context.get(database, SqlClient.SqlClient)
      yield* Version.prepare(sql, true)
      const limiter = yield* Limiter.make(sql, runner, limits)
      const fences: Fences = new Map()
      const key = yield* Effect.orDie(Config.option(Config.redacted("QUARTET_FLEET_KEY")))
      const sessions = Option.isSome(key)
        ? Layer.succeed(SessionStore, yield* Sessions.make(sql, runner, key.value))
        : Layer.empty
      // What the types of clients and jobs say is here, of which this function can name nothing.
      const outside = (yield* Effect.context<never>()) as Context.Context<unknown>
      const isOurs = clients !== undefined
      const ports = Layer.mergeAll(
        sessions,
        Option.match(Context.getOption(outside as Context.Context<Transport>, Transport), {
          onNone: () => Layer.empty,
          onSome: (port) => Layer.succeed(Transport, limiter.transport(heard(fences, port), isShut(fences)))
        })
      )
      const built = isOurs ? yield* Layer.build(Layer.provide(clients, ports)) : Context.empty()
      const context = Context.merge(outside, built)
      const wakes = new Wakes()
      const limited: Limiter.Limiter["run"] = isOurs ? (work) => work : limiter.run
      const storeClock = new StoreClock(yield* Effect.clock)
      const refusals = new Refusals({ sql, runner, context })
      const crew: Crew = {
        sql,
        runner,
        wakes,
        stops: new Map(),
        limited,
        fences,
        gates: new Gates(),
        marks: new Marks(limiter.share),
        refusals,
        states: new StateWriter(sql),
        context,
        storeClock
      }
      // What they need is in the crew's context.
      const definitions = jobs.map(({ definition }) => definition as Definition<never>)
      // What is worked on for a caller gives its pages back before the store is closed.
      yield* Effect.addFinalizer(() => ended(crew))
      yield* Effect.forkScoped(
        delivery === "manual" ? steer(crew, definitions) : run(crew, definitions, delivery)
      )
      yield* Effect.forkScoped(count(sql))
      if (kept !== undefined) yield* Effect.forkScoped(removeOld(Runs.make(sql), names, kept))
      const worker: Runs.PageWorker = (ref, options) =>
        Option.map(Option.fromNullable(definitions.find(({ name }) => name === ref.job)), (job) =>
          gracefully((stop) => handle(crew, job, ref, stop, { ...options, waits: false }))
        )
      return Context.make(Fleet, awake(Runs.make(sql, worker), wakes))
    }).pipe(Store.apart)
    // The conditions of this function's type say what the generator takes from `outside`.
  ) as never

/** Has all pages of a process stop, and waits until they were given back. */
const ended = ({ refusals, stops }: Crew): Effect.Effect<void> =>
  Effect.suspend(() => Effect.forEach(stops.keys(), (stop) => stop.set, { discard: true })).pipe(
    Effect.zipRight(Effect.repeat(Effect.sleep(10), { until: () => stops.size === 0 })),
    Effect.timeoutOption(termination),
    // What it said of runs was of this runner.
    Effect.zipRight(Effect.ignore(refusals.end))
  )

/** The same, whose runs are begun here at once. */
const awake = (service: Service, wakes: Wakes): Service => ({
  ...service,
  start: (job, key, input) => Effect.tap(service.start(job, key, input), () => wakes.wake(""))
})

/**
 * A fleet that only looks and steers: it starts, finds, pauses and resumes runs, and works on none. For a page or a
 * command beside the runners. Fails with FleetError where the store is out of reach.
 *
 * @example
 * ```ts
 * import * as Fleet from "@quartet/fleet"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   return yield* fleet.runs()
 * }).pipe(Effect.provide(Fleet.layerClient({ store: "file:fleet.db" })))
 * ```
 * @category layers
 */
export const layerClient = (options: StoreOptions): Layer.Layer<Fleet, InputError | FleetError> =>
  Layer.unwrapEffect(
    Effect.map(check("Fleet.layerClient", options, { store: "any" }), ({ store }) =>
      Layer.effect(
        Fleet,
        Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.as(Version.prepare(sql, false), Runs.make(sql)))
      ).pipe(Layer.provide(Store.layer(store)))
    )
  )

/** How a store is migrated. @category models */
export interface MigrateOptions extends StoreOptions {
  /** Only tells what would be migrated. */
  readonly dryRun?: boolean
}

/**
 * Has the store of an older fleet become one of this version, as a runner does when it starts. All of it is done, or nothing. Fails with
 * FleetError `Version` while older runners are there, or where the store is a newer fleet's.
 * @category constructors
 */
export const migrate = (options: MigrateOptions): Effect.Effect<Version.Migration, InputError | FleetError> =>
  Effect.flatMap(
    check("Fleet.migrate", options, { store: "any", dryRun: "boolean" }),
    ({ dryRun = false, store }) =>
      Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, dryRun ? Version.survey : Version.migrate),
        Store.layer(store)
      )
  )

/** A name that no other runner has, and that tells where it runs. */
const runnerName = (host: string = hostname()): string => `${host}-${crypto.randomUUID().slice(0, 8)}`
