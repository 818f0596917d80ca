/** Runners without a cluster: all lanes of a run in one fiber, which may die at any of its statements. */

import * as Client from "@effect/sql/SqlClient"
import * as Statement from "@effect/sql/Statement"
import { Context, Effect, type Exit, Layer, Option, type Scope } from "effect"
import type { Crew } from "../jobs/crew.js"
import { Stop, Wakes } from "../jobs/crew.js"
import type { Job } from "../jobs/job.js"
import { keep, pages } from "../jobs/lane.js"
import { read } from "../jobs/reader.js"
import type { Run } from "../jobs/run.js"
import * as Runs from "../jobs/runs.js"
import { watch } from "../jobs/supervisor.js"
import { type Row, readerLane, tables } from "../jobs/tables.js"
import { create, layer, numberOf } from "../store/store.js"

/** A database in memory, with the tables of runs. */
export const memory: Effect.Effect<Client.SqlClient, never, Scope.Scope> = Layer.build(
  layer("file::memory:")
).pipe(
  Effect.orDie,
  Effect.map((context) => Context.get(context, Client.SqlClient)),
  Effect.tap((sql) => Effect.orDie(create(sql, tables)))
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

/** Works on all lanes of a run until each of them has nothing to do. */
export const work = <I>(
  sql: Client.SqlClient,
  job: Job<I, never>,
  id: string,
  life = new Life()
): Effect.Effect<Exit.Exit<void>> =>
  Effect.gen(function* () {
    const lanes = yield* sql<Row>`SELECT lane, generation FROM quartet_lanes WHERE run = ${id}`
    const crew: Crew = {
      sql,
      runner: "runner",
      wakes: new Wakes(),
      stops: new Map(),
      limited: (work) => work,
      fences: new Map()
    }
    const working = Effect.forEach(
      lanes,
      (row) => {
        const duty = { run: id, lane: numberOf(row.lane), generation: numberOf(row.generation) }
        return keep(crew, job.definition, duty, new Stop(), duty.lane === readerLane ? read : pages)
      },
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.raceFirst(working, Effect.forever(Effect.zipRight(watch(crew), Effect.sleep(20))))
  }).pipe(life.through, Effect.orDie, Effect.exit)
