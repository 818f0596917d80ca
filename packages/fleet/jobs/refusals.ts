/** The runs that a runner leaves to others, because it cannot work on them: what it says of them, in the store and in the log. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Schema from "effect/Schema"
import type { Definition } from "./definition.js"
import type { PageRef } from "./delivery.js"
import type { Row } from "./tables.js"
import { leaseTime, patience } from "./times.js"
import { describe, kept, legibly } from "./verdict.js"

/** What a job's `refuse` says of a run, and whether that is for good. */
interface Answer {
  readonly why: string | undefined
  readonly isFinal: boolean
}

/** What a job's `refuse` answers. One that fails, or does not answer, keeps up no other run, and is asked again. */
const answerOf = (refused: () => Effect.Effect<string | undefined>): Effect.Effect<Answer> =>
  Effect.suspend(refused).pipe(
    legibly,
    Effect.map((why): Answer => ({ why: why === undefined ? undefined : kept(why), isFinal: true })),
    Effect.disconnect,
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (answer) => answer,
      onTimeout: () => ({ why: "its refuse did not answer", isFinal: false })
    }),
    Effect.catchAllCause((cause) =>
      Effect.succeed({ why: kept(`its refuse failed: ${describe(cause).error}`), isFinal: false })
    )
  )

export class Refusals {
  /** Whether a run is refused, by its id. */
  private readonly known = new Map<string, boolean>()
  /** Runs whose job is being asked. */
  private readonly asked = new Map<string, Deferred.Deferred<boolean>>()
  /** Until when what a job did not say of a run holds. */
  private readonly unsaid = new Map<string, number>()

  constructor(
    private readonly of: {
      readonly runner: string
      readonly sql: SqlClient
      /** What jobs need. */
      readonly context: Context.Context<never>
    }
  ) {}

  /** Whether it is known that this runner leaves a run alone. */
  has({ run }: Pick<PageRef, "run">): boolean {
    return this.known.get(run) === true
  }

  /** Asks a job, and keeps what it says. */
  private ask({ input, name, refuse }: Definition<never>, run: string): Effect.Effect<boolean, SqlError> {
    const { known, unsaid } = this
    const { context, runner, sql } = this.of
    if (refuse === undefined) return Effect.succeed(false)
    return Effect.gen(function* () {
      const [row] = yield* sql<Row>`SELECT input FROM quartet_runs WHERE id = ${run}`
      if (row === undefined) return false
      const decoded = yield* Effect.exit(Schema.decodeUnknown(input)(JSON.parse(String(row.input))))
      // What no schema reads pauses the run, once it is claimed.
      const { isFinal, why } = Exit.isFailure(decoded)
        ? { why: undefined, isFinal: true }
        : yield* answerOf(() => Effect.provide(refuse(decoded.value), context))
      if (why !== undefined) {
        yield* sql`INSERT INTO quartet_refusals (run, runner, job, why) VALUES (${run}, ${runner}, ${name}, ${why}) ON CONFLICT DO NOTHING`
        yield* Effect.logWarning(`the run ${run} is left to other runners: ${why}`)
      }
      known.set(run, why !== undefined)
      if (!isFinal) unsaid.set(run, performance.now() + leaseTime)
      return why !== undefined
    })
  }

  /** Whether this runner leaves a run alone: its job is asked once. What cannot be told now is left alone for now. */
  isRefused(job: Definition<never>, { run }: Pick<PageRef, "run">): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const known = job.refuse === undefined ? false : this.known.get(run)
      if (known !== undefined) return Effect.succeed(known)
      const asked = this.asked.get(run)
      if (asked !== undefined) return Deferred.await(asked)
      const answer = Deferred.unsafeMake<boolean>(FiberId.none)
      this.asked.set(run, answer)
      return this.ask(job, run).pipe(
        Effect.orElseSucceed(() => true),
        Effect.onExit((exit) => {
          this.asked.delete(run)
          return Deferred.succeed(answer, Exit.isFailure(exit) || exit.value)
        })
      )
    })
  }

  /** Has jobs asked again that did not say whether they take a run. */
  readonly again: Effect.Effect<void, SqlError> = Effect.suspend(() => {
    const { runner, sql } = this.of
    const due = [...this.unsaid].flatMap(([run, until]) => (performance.now() < until ? [] : [run]))
    return Effect.forEach(
      due,
      (run) =>
        Effect.map(sql`DELETE FROM quartet_refusals WHERE run = ${run} AND runner = ${runner}`, () => {
          this.unsaid.delete(run)
          this.known.delete(run)
        }),
      { discard: true }
    )
  })

  /** Forgets what was said: this runner ends. */
  readonly end: Effect.Effect<void, SqlError> = Effect.suspend(() =>
    Effect.asVoid(this.of.sql`DELETE FROM quartet_refusals WHERE runner = ${this.of.runner}`)
  )
}
