/** Runners in one process, which may die at any of their statements. */

import * as Client from "@effect/sql/SqlClient"
import * as Statement from "@effect/sql/Statement"
import { Context, Effect, type Exit, Layer, Option, type Scope } from "effect"
import type { Crew } from "../jobs/crew.js"
import { Wakes } from "../jobs/crew.js"
import { Gates } from "../jobs/gate.js"
import type { Job } from "../jobs/job.js"
import { Marks } from "../jobs/marks.js"
import { Refusals } from "../jobs/refusals.js"
import type { Run } from "../jobs/run.js"
import { run } from "../jobs/runner.js"
import * as Runs from "../jobs/runs.js"
import { StateWriter } from "../jobs/state-writer.js"
import type { Row } from "../jobs/tables.js"
import { prepare } from "../jobs/version.js"
import { StoreClock } from "../store/elapsed.js"
import { layer, now } from "../store/store.js"

/** A database in memory, with the tables of runs. */
export const memory: Effect.Effect<Client.SqlClient, never, Scope.Scope> = Layer.build(
  layer("file::memory:")
).pipe(
  Effect.orDie,
  Effect.map((context) => Context.get(context, Client.SqlClient)),
  Effect.tap((sql) => Effect.orDie(prepare(sql, true)))
)

/** When a process dies: before or after its n-th statement, counted from 1. */
export interface Death {
  readonly at: number
  readonly when: "before" | "after"
}

/** The life of a process: its statements are counted, and from its death on it does none. */
export class Life {
  statements = 0
  isOver = false

  constructor(private readonly death?: Death) {}

  private readonly die = Effect.suspend(() => {
    this.isOver = true
    return Effect.dieMessage("the process is dead")
  })

  /** Lives through some work. */
  readonly through = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(
      work,
      Statement.currentTransformer,
      Option.some((statement) =>
        Effect.suspend(() => {
          if (this.isOver) return this.die
          this.statements += 1
          if (this.statements !== this.death?.at) return Effect.succeed(statement)
          return this.death.when === "before"
            ? this.die
            : Effect.zipRight(Effect.orDie(Statement.withTransformerDisabled(statement)), this.die)
        })
      )
    )
}

/** Finds or starts a run. */
export const startRun = <I>(
  sql: Client.SqlClient,
  job: Job<I, never>,
  input: I,
  key = "one"
): Effect.Effect<Run> => Effect.orDie(Runs.make(sql).start(job.definition, key, input))

/** A page as a crash left it, which no runner holds. */
export const leavePage = (
  sql: Client.SqlClient,
  run: string,
  page: number,
  of: { readonly numbers: string; readonly items: string; readonly states: string }
) =>
  sql`INSERT INTO quartet_pages (run, page, state, epoch, lease_until, put_at, numbers, items, states, done)
    VALUES (${run}, ${page}, 'idle', 0, 0, 0, ${of.numbers}, ${of.items}, ${of.states}, 0)`

/** Works on a run until nothing of it is left to do, or its process dies. */
export const work = <I>(
  sql: Client.SqlClient,
  job: Job<I, never>,
  id: string,
  life = new Life()
): Effect.Effect<Exit.Exit<void>> =>
  Effect.gen(function* () {
    const runner = `runner-${crypto.randomUUID()}`
    const crew: Crew = {
      sql,
      runner,
      wakes: new Wakes(),
      stops: new Map(),
      limited: (work) => work,
      fences: new Map(),
      gates: new Gates(),
      marks: new Marks(() => Number.POSITIVE_INFINITY),
      refusals: new Refusals({ sql, runner, context: Context.empty() }),
      storeClock: new StoreClock(yield* Effect.clock),
      states: new StateWriter(sql),
      context: Context.empty()
    }
    const isAtWork = Statement.withTransformerDisabled(
      sql<Row>`
        SELECT r.id FROM quartet_runs r WHERE r.id = ${id} AND (r.state = 'running' OR EXISTS (
          SELECT 1 FROM quartet_pages p WHERE p.run = r.id AND p.runner = ${crew.runner} AND p.lease_until > ${now(sql)} AND p.state <> 'ended'))`
    )
    const isOver = Effect.map(isAtWork, (rows) => life.isOver || rows.length === 0)
    yield* Effect.raceFirst(
      run(crew, [job.definition]),
      Effect.repeat(Effect.zipRight(Effect.sleep(10), isOver), { until: (over) => over })
    )
    if (life.isOver) yield* Effect.dieMessage("the process is dead")
  }).pipe(life.through, Effect.orDie, Effect.exit)
