/** A fleet's layer: runners that share a store, and with it their runs, their limits and their session. */
import { hostname } from "node:os"
import * as SqlClient from "@effect/sql/SqlClient"
import { InputError, Options, SessionStore, Transport } from "@quartet/sdk/extend"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { FleetError } from "../fleet-error.js"
import * as Limiter from "../store/limits.js"
import * as Sessions from "../store/sessions.js"
import * as Store from "../store/store.js"
import type { Crew } from "./crew.js"
import { Wakes } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Delivery } from "./delivery.js"
import { type Fences, heard, isShut } from "./fence.js"
import { Gate } from "./gate.js"
import type { Job } from "./job.js"
import { Fleet, type Service } from "./run.js"
import { run } from "./runner.js"
import * as Runs from "./runs.js"
import { tables } from "./tables.js"

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
  /** What delivers pages to runners, such as the user's own pg-boss or BullMQ; the store itself, by default. Give every runner the same. */
  readonly delivery?: Delivery
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
  delivery: "object",
  runner: "string"
} as const

const check = <A extends object>(operation: string, options: A, names: Readonly<Record<keyof A, unknown>>) =>
  Options.read(operation, "options", options, names)

/** The context that jobs run in. */
const provided = <R>(definition: Definition<R>, context: Context.Context<R>): Definition<never> => {
  const { baseline, each, eachPage, finish, onUnknown, source } = definition
  return {
    ...definition,
    source: (input, skip) => {
      const items = source(input, skip)
      return "from" in items
        ? { from: items.from, items: Stream.provideContext(items.items, context) }
        : Stream.provideContext(items, context)
    },
    each: each && ((item, about) => Effect.provide(each(item, about), context)),
    eachPage: eachPage && ((items, about) => Effect.provide(eachPage(items, about), context)),
    onUnknown: onUnknown && ((item, about) => Effect.provide(onUnknown(item, about), context)),
    baseline: baseline && ((item, about) => Effect.provide(baseline(item, about), context)),
    finish: finish && ((input, run) => Effect.provide(finish(input, run), context))
  }
}

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
      const { clients, delivery, jobs, limits, store, ...rest } = yield* check("Fleet.layer", options, known)
      const refuse = (field: string, rule: string) =>
        new InputError({ operation: "Fleet.layer", field, rule })
      if (!Array.isArray(jobs) || jobs.length === 0) return yield* refuse("jobs", "must be a list of jobs")
      const stranger = jobs.findIndex((job) => !hasProperty(job, "definition"))
      if (stranger >= 0) return yield* refuse(`jobs[${stranger}]`, "must be what Fleet.job makes")
      if (clients !== undefined && !Layer.isLayer(clients)) return yield* refuse("clients", "must be a Layer")
      const names = jobs.map(({ name }) => name)
      const twice = names.find((name, index) => names.indexOf(name) !== index)
      if (twice !== undefined) return yield* refuse("jobs", `has two jobs of the name "${twice}"`)
      const runner = runnerName(rest.runner)
      const database = yield* Layer.build(Store.layer(store))
      const sql = Context.get(database, SqlClient.SqlClient)
      yield* Store.create(sql, tables)
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
      const crew: Crew = { sql, runner, wakes, stops: new Map(), limited, fences, gate: new Gate() }
      const definitions = jobs.map(({ definition }) => provided(definition, context))
      yield* Effect.forkScoped(run(crew, definitions, delivery))
      return Context.make(Fleet, awake(Runs.make(sql), wakes))
    }).pipe(Store.apart)
    // The conditions of this function's type say what the generator takes from `outside`.
  ) as never

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
        Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.as(Store.create(sql, tables), Runs.make(sql)))
      ).pipe(Layer.provide(Store.layer(store)))
    )
  )

/** A name that no other runner has, and that tells where it runs. */
const runnerName = (host: string = hostname()): string => `${host}-${crypto.randomUUID().slice(0, 8)}`
