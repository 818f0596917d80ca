/** Runs as rows: started, found, watched and steered from any process that reaches the store. Runners see it within a second. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { type InputError, Options } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { FleetError } from "../fleet-error.js"
import * as SharedLimits from "../store/shared-limits.js"
import * as Store from "../store/store.js"
import { apart, now, numberOf, storeFailed, whileOpen } from "../store/store.js"
import type { Definition } from "./definition.js"
import type { Delivered, PageRef } from "./delivery.js"
import { idOf, makeSalt } from "./identity.js"
import { shortenLeases } from "./lease.js"
import { telling } from "./listen.js"
import { isOrphan, isThere } from "./orphans.js"
import { openItems } from "./page.js"
import * as Requests from "./requests.js"
import { ageOf, isOld } from "./retention.js"
import type {
  Failure,
  PageProgress,
  Progress,
  RetryOptions,
  Run,
  RunState,
  Service,
  WorkOptions
} from "./run.js"
import { type Row, readerPage } from "./tables.js"
import { watched } from "./times.js"

/** The text of a column, which may be null. */
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const dateOf = (value: unknown): Date => new Date(numberOf(value))

const pageOf = (row: Row): PageProgress => ({
  page: numberOf(row.page),
  state: row.state === "waiting" ? "waiting" : "working",
  runner: String(row.runner),
  error: textOf(row.error)
})

/** Items of one look at failures. */
const atOnce = 500

const unknownRun = (id: string): FleetError =>
  new FleetError({ reason: "Unknown", advice: `there is no run "${id}" in this store` })

/** Refuses what is no list of items by their numbers: nothing would match it. */
const checkItems = (operation: string, items: unknown): Either.Either<void, InputError> => {
  const refuse = Options.refuser(operation)
  if (!Array.isArray(items)) return refuse("items", "must be a list of numbers")
  const odd = items.findIndex((item) => !Number.isSafeInteger(item) || item < 0)
  return odd < 0 ? Either.void : refuse(`items[${odd}]`, "must be a whole number, from 0")
}

const checkRetry = (options: RetryOptions): Either.Either<void, InputError> =>
  Either.gen(function* () {
    const operation = "run.retry"
    const { items, states } = yield* Options.read<RetryOptions>(operation, "options", options, {
      states: "any",
      items: "any",
      readAgain: "boolean",
      send: "boolean"
    })
    if (items !== undefined) yield* checkItems(operation, items)
    const isState = (state: unknown) => state === "failed" || state === "unknown"
    if (states !== undefined && !(Array.isArray(states) && states.length > 0 && states.every(isState)))
      yield* Options.refuser(operation)("states", 'must be a list of "failed" and "unknown"')
  })

/** Whether a runner has a page, and has not given it back: its lease may have ended. */
const isTaken = (sql: SqlClient) => sql`state IN ('working', 'waiting')`

/** What a run says that was stopped for a moment, so that items of it can be added. A person who pauses or cancels it means it. */
const adding = "stopped for a moment, to add items that are tried again. Where it does not go on, resume it"

/** Works on a page of a job. None of a job that this process does not have. */
export type PageWorker = (ref: PageRef, options: WorkOptions) => Option.Option<Effect.Effect<Delivered>>

/** `worker` where pages are worked on here. */
export const make = (sql: SqlClient, worker: PageWorker = Option.none): Service => {
  const patient = <A, E extends SqlError | FleetError>(statement: Effect.Effect<A, E>) =>
    Store.patient(whileOpen(sql, statement))
  const ask = <A, E>(statement: Effect.Effect<A, E>) =>
    whileOpen(sql, Effect.mapError(apart(statement), storeFailed))

  const status = (id: string): Effect.Effect<Progress, FleetError> =>
    Effect.gen(function* () {
      const [row] = yield* patient(sql<Row>`
        SELECT r.*,
          (SELECT COUNT(*) FROM quartet_failures f WHERE f.run = r.id AND f.state = 'failed') AS failed,
          (SELECT COUNT(*) FROM quartet_failures f WHERE f.run = r.id AND f.state = 'unknown') AS unknown,
          (SELECT COUNT(*) FROM quartet_failures f WHERE f.run = r.id AND f.state = 'settled') AS settled,
          CASE WHEN ${isOrphan(sql)} THEN 1 ELSE 0 END AS is_orphan,
          (SELECT MIN(w.runner || ': ' || f.why) FROM quartet_refusals f JOIN quartet_runners w ON w.runner = f.runner AND w.job = f.job
            WHERE f.run = r.id AND ${isThere(sql)}) AS refusal,
          (SELECT COALESCE(SUM(p.done + LENGTH(p.states) - LENGTH(REPLACE(p.states, 'd', ''))), 0) FROM quartet_pages p
            WHERE p.run = r.id) AS done
        FROM quartet_runs r WHERE r.id = ${id}`)
      if (row === undefined) return yield* unknownRun(id)
      const held = yield* patient(sql<Row>`
        SELECT page, state, runner, error FROM quartet_pages
        WHERE run = ${id} AND state <> 'ended' AND lease_until > ${now(sql)} ORDER BY page`)
      // Who has ended a run gives back what it held a moment later.
      const pages = row.state === "done" ? [] : held.map(pageOf)
      const { areDifferent, lowest } = yield* patient(SharedLimits.look(sql))
      const read = numberOf(row.items)
      return {
        run: id,
        job: String(row.job),
        key: String(row.run_key),
        state: row.state as RunState,
        read,
        // What was counted ahead may be wrong: the source knows it in the end.
        total:
          numberOf(row.is_read) === 1
            ? read
            : row.counted === null
              ? undefined
              : Math.max(numberOf(row.counted), read),
        done: numberOf(row.done) + numberOf(row.settled),
        failed: numberOf(row.failed),
        unknown: numberOf(row.unknown),
        error:
          textOf(row.error) ??
          pages.find(({ page }) => page === readerPage)?.error ??
          (numberOf(row.is_orphan) === 1
            ? row.refusal === null
              ? `no runner has the job ${row.job}${numberOf(row.version) > 1 ? ` in version ${row.version}` : ""}: start one that has it`
              : `no runner takes this run. ${row.refusal}`
            : undefined) ??
          (areDifferent && row.state === "running"
            ? `the runners were given different limits, and the lowest hold: ${SharedLimits.words(lowest)}`
            : undefined),
        pages,
        startedAt: dateOf(row.started_at),
        endedAt: row.ended_at === null ? undefined : dateOf(row.ended_at)
      }
    })

  /** For those who wait for a run: they outlive what its runners do. */
  const lasting = (id: string) => Store.outlasting(status(id))

  const isEnd = (state: RunState): boolean => state === "done" || state === "cancelled"

  /** Whether a run goes no further by itself. */
  const hasStopped = ({ error, state }: Progress): boolean =>
    isEnd(state) || (state === "paused" && error !== adding)

  const progress = (id: string): Stream.Stream<Progress, FleetError> =>
    Stream.unfoldEffect<Progress | undefined, Progress, FleetError, never>(undefined, (last) =>
      last !== undefined && isEnd(last.state)
        ? Effect.succeed(Option.none())
        : Effect.map(last === undefined ? lasting(id) : Effect.delay(lasting(id), watched), (next) =>
            Option.some([next, next] as const)
          )
    ).pipe(Stream.changesWith((self, that) => JSON.stringify(self) === JSON.stringify(that)))

  const failures = (id: string): Stream.Stream<Failure, FleetError> =>
    Stream.paginateChunkEffect(-1, (after) =>
      Effect.map(
        Stream.runCollect(
          Stream.fromIterableEffect(
            patient(sql<Row>`
              SELECT * FROM quartet_failures WHERE run = ${id} AND item > ${after} AND state <> 'settled' ORDER BY item LIMIT ${atOnce}`)
          ).pipe(
            Stream.map(
              (row): Failure => ({
                item: numberOf(row.item),
                state: row.state === "failed" ? "failed" : "unknown",
                tag: String(row.tag),
                error: String(row.error),
                input: JSON.parse(String(row.input)),
                attempts: numberOf(row.attempts),
                at: dateOf(row.failed_at)
              })
            )
          )
        ),
        (batch) => {
          const last = [...batch].at(-1)
          return [batch, last === undefined ? Option.none() : Option.some(last.item)] as const
        }
      )
    )

  const stateError = (id: string, what: string, state: RunState): FleetError =>
    new FleetError({ reason: "State", advice: `the run ${id} is ${state}: it cannot be ${what}` })

  const rowOf = (id: string): Effect.Effect<{ state: RunState; error: unknown }, FleetError> =>
    Effect.flatMap(patient(sql<Row>`SELECT state, error FROM quartet_runs WHERE id = ${id}`), ([row]) =>
      row === undefined ? unknownRun(id) : Effect.succeed({ state: row.state as RunState, error: row.error })
    )

  const stateOf = (id: string): Effect.Effect<RunState, FleetError> =>
    Effect.map(rowOf(id), ({ state }) => state)

  const input = (id: string): Effect.Effect<unknown, FleetError> =>
    Effect.flatMap(patient(sql<Row>`SELECT input FROM quartet_runs WHERE id = ${id}`), ([row]) =>
      row === undefined ? unknownRun(id) : Effect.succeed(JSON.parse(String(row.input)))
    )

  /** Takes pages from runners that let their lease end: one that only stood still could renew it. */
  const takeBack = (id: string): Effect.Effect<unknown, FleetError> =>
    patient(sql`
      UPDATE quartet_pages SET state = 'idle', epoch = epoch + 1
      WHERE run = ${id} AND ${isTaken(sql)} AND lease_until <= ${now(sql)}
        AND EXISTS (SELECT 1 FROM quartet_runs WHERE id = ${id} AND state <> 'running')`)

  /** Waits until nobody has a page: no runner works on the run any more, nor can it. Or somebody else has it go on. */
  const released = (id: string): Effect.Effect<void, FleetError> =>
    Effect.zipRight(
      patient(shortenLeases(sql, id)),
      takeBack(id).pipe(
        Effect.zipRight(
          patient(sql<Row>`
            SELECT page FROM quartet_pages
            WHERE run = ${id} AND ${isTaken(sql)}
              AND EXISTS (SELECT 1 FROM quartet_runs WHERE id = ${id} AND state <> 'running') LIMIT 1`)
        ),
        Effect.tap((holders) => (holders.length === 0 ? Effect.void : Effect.sleep(watched))),
        Effect.repeat({ until: (holders) => holders.length === 0 })
      )
    )

  const stop = (id: string, state: "cancelled" | "paused"): Effect.Effect<void, FleetError> =>
    Effect.gen(function* () {
      const before = yield* stateOf(id)
      if (isEnd(before) && before !== state) return yield* stateError(id, state, before)
      // One that has paused itself keeps its reason.
      yield* state === "paused"
        ? patient(sql`
            UPDATE quartet_runs SET state = 'paused', error = NULL
            WHERE id = ${id} AND (state = 'running' OR state = 'paused' AND error = ${adding}) RETURNING id${telling(sql, id)}`)
        : patient(sql`
            UPDATE quartet_runs SET state = 'cancelled', error = NULL, ended_at = ${now(sql)}
            WHERE id = ${id} AND state IN ('running', 'paused') RETURNING id${telling(sql, id)}`)
      yield* released(id)
      if (state === "cancelled") {
        // Their states stay: they say how many items were done.
        for (const forgotten of [
          sql`UPDATE quartet_pages SET items = '[]'`,
          sql`UPDATE quartet_failures SET input = 'null'`,
          sql`DELETE FROM quartet_baselines`
        ])
          yield* patient(
            sql`${forgotten} WHERE run = ${id} AND EXISTS (SELECT 1 FROM quartet_runs WHERE id = ${id} AND state = 'cancelled')`
          )
        yield* Store.forget(sql)
      }
    })

  /** Has the source read on, and the pages worked on. Nothing where the run goes on already, or is cancelled, or is not of this kind. */
  const go = (id: string, kind = sql`state IN ('paused', 'done')`): Effect.Effect<void, FleetError> =>
    Effect.gen(function* () {
      yield* patient(sql`UPDATE quartet_pages SET put_at = 0 WHERE run = ${id} AND state <> 'ended'`)
      yield* patient(sql`
        UPDATE quartet_pages SET state = 'idle', put_at = 0, error = NULL
        WHERE run = ${id} AND page = ${readerPage} AND EXISTS (SELECT 1 FROM quartet_runs WHERE id = ${id} AND ${kind})`)
      yield* patient(sql`
        UPDATE quartet_runs SET state = 'running', error = NULL, ended_at = NULL,
          accepted = (SELECT COUNT(*) FROM quartet_failures WHERE run = ${id} AND state <> 'settled')
        WHERE id = ${id} AND ${kind} RETURNING id${telling(sql, id)}`)
    })

  const resume = (id: string): Effect.Effect<void, FleetError> =>
    Effect.gen(function* () {
      const state = yield* stateOf(id)
      if (state === "running") return
      if (state !== "paused") return yield* stateError(id, "resumed", state)
      yield* released(id)
      yield* go(id)
    })

  const remove = (id: string): Effect.Effect<void, FleetError> =>
    Effect.gen(function* () {
      const state = yield* stateOf(id)
      if (!isEnd(state)) return yield* stateError(id, "removed: cancel it first", state)
      yield* released(id)
      const deleted = Effect.gen(function* () {
        // Somebody may have tried items of it again meanwhile: then it stays.
        const [row] =
          yield* sql`DELETE FROM quartet_runs WHERE id = ${id} AND state IN ('done', 'cancelled') RETURNING id`
        if (row === undefined) return false
        for (const table of ["quartet_baselines", "quartet_failures", "quartet_refusals", "quartet_pages"])
          yield* sql`DELETE FROM ${sql(table)} WHERE run = ${id}`
        return true
      })
      if (!(yield* patient(sql.withTransaction(deleted)))) return yield* remove(id)
      yield* Store.forget(sql)
    })

  const retry = (id: string, options: RetryOptions): Effect.Effect<number, FleetError | InputError> =>
    Effect.gen(function* () {
      yield* checkRetry(options)
      const { error, state } = yield* rowOf(id)
      if (state === "cancelled") return yield* stateError(id, "tried again", state)
      const { count, request } = yield* patient(Requests.make(sql, id, options))
      if (count === 0) return 0
      // Whoever pauses it meanwhile is obeyed: what was added waits for resume.
      const wasPaused = state === "paused" && error !== adding
      const goOn = go(
        id,
        wasPaused ? undefined : sql`(state = 'done' OR state = 'paused' AND error = ${adding})`
      )
      // The reader cuts pages of them, and reads on where it has ended: so nobody may be at work.
      const added = Effect.gen(function* () {
        while (true) {
          yield* patient(
            sql`UPDATE quartet_runs SET state = 'paused', error = ${adding} WHERE id = ${id} AND state = 'running' RETURNING id${telling(sql, id)}`
          )
          yield* released(id)
          if (yield* whileOpen(sql, Requests.add(sql, id, request))) return
          if ((yield* stateOf(id)) === "cancelled") return yield* stateError(id, "tried again", "cancelled")
        }
      })
      yield* Effect.onError(added, () => Effect.ignore(go(id, sql`state = 'paused' AND error = ${adding}`)))
      yield* goOn
      // It may have been removed meanwhile.
      yield* stateOf(id)
      return count
    })

  const settle = (
    id: string,
    items?: ReadonlyArray<number>
  ): Effect.Effect<number, FleetError | InputError> =>
    Effect.gen(function* () {
      if (items !== undefined) yield* checkItems("run.settle", items)
      yield* stateOf(id)
      const named =
        items ??
        (yield* patient(
          sql<Row>`SELECT item FROM quartet_failures WHERE run = ${id} AND state = 'unknown'`
        )).map(({ item }) => numberOf(item))
      // What is tried again at this moment comes to an end of its own.
      const open = yield* patient(openItems(sql, id))
      const wanted = named.filter((item) => !open.has(item))
      let count = 0
      for (let start = 0; start < wanted.length; start += atOnce) {
        const isNamed = sql`run = ${id} AND ${sql.in("item", wanted.slice(start, start + atOnce))}`
        const settled = yield* ask(sql<Row>`
          UPDATE quartet_failures SET state = 'settled', input = 'null', error = ''
          WHERE ${isNamed} AND state <> 'settled' RETURNING item`)
        yield* patient(
          sql`DELETE FROM quartet_baselines WHERE ${isNamed} AND item IN (SELECT item FROM quartet_failures WHERE run = ${id} AND state = 'settled')`
        )
        count += settled.length
      }
      if (count > 0) yield* Store.forget(sql)
      return count
    })

  const openPages = (id: string): Effect.Effect<ReadonlyArray<number>, FleetError> =>
    Effect.zipRight(
      stateOf(id),
      Effect.map(
        patient(sql<Row>`
          SELECT p.page AS page FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run
          WHERE r.id = ${id} AND r.state = 'running' AND p.state <> 'ended' AND p.page < r.pages ORDER BY p.page`),
        (rows) => rows.map(({ page }) => numberOf(page))
      )
    )

  const work = (
    job: string,
    run: string,
    page: number,
    options: WorkOptions
  ): Effect.Effect<Delivered, FleetError | InputError> =>
    whileOpen(
      sql,
      Effect.gen(function* () {
        if (!Number.isSafeInteger(page) || page < readerPage)
          return yield* Options.refuser("run.work")("page", "must be a whole number, from -1")
        yield* Options.read<WorkOptions>("run.work", "options", options, { onProgress: "function" })
        const work = worker({ job, run, page }, options)
        if (Option.isSome(work)) return yield* apart(work.value)
        return yield* new FleetError({
          reason: "Unknown",
          advice: `this layer does not have the job "${job}": give it to Fleet.layer`
        })
      })
    )

  const runOf = (row: Row): Run => {
    const id = String(row.id)
    return {
      id,
      job: String(row.job),
      key: String(row.run_key),
      input: input(id),
      status: status(id),
      progress: progress(id),
      wait: Effect.repeat(
        Effect.tap(lasting(id), (current) => (hasStopped(current) ? Effect.void : Effect.sleep(watched))),
        { until: hasStopped }
      ),
      failures: failures(id),
      pause: stop(id, "paused"),
      resume: resume(id),
      cancel: stop(id, "cancelled"),
      openPages: openPages(id),
      work: (page, options = {}) => work(String(row.job), id, page, options),
      remove: remove(id),
      retry: (options = {}) => retry(id, options),
      settle: (items) => settle(id, items)
    }
  }

  const start = (job: Definition<unknown>, key: string, input: unknown): Effect.Effect<Run, FleetError> =>
    Effect.gen(function* () {
      const id = yield* idOf(job.name, key)
      const salt = yield* makeSalt
      const begun = Effect.gen(function* () {
        const [row] = yield* sql`
          INSERT INTO quartet_runs (id, salt, job, version, run_key, input, state, lanes, pages, items, is_read, accepted, started_at)
          VALUES (${id}, ${salt}, ${job.name}, ${job.version}, ${key}, ${JSON.stringify(input ?? null)}, 'running', ${job.lanes}, 0, 0, 0, 0, ${now(sql)})
          ON CONFLICT DO NOTHING RETURNING id${telling(sql, id)}`
        // Of one that was there the reading of its source is, too.
        if (row !== undefined)
          yield* sql`
            INSERT INTO quartet_pages (run, page, state, epoch, lease_until, put_at, numbers, items, states, done)
            VALUES (${id}, ${readerPage}, 'idle', 0, 0, 0, '[]', '[]', '', 0)`
      })
      yield* patient(sql.withTransaction(begun))
      return runOf({ id, job: job.name, run_key: key })
    })

  const columns = sql.literal("id, job, run_key")
  return {
    start,
    isForgotten: Store.isForgotten(sql),
    runs: (job) =>
      Effect.map(
        patient(sql<Row>`
          SELECT ${columns} FROM quartet_runs ${job === undefined ? sql`` : sql`WHERE job = ${job}`}
          ORDER BY started_at DESC, id`),
        (rows) => rows.map(runOf)
      ),
    ended: (olderThan, jobs) =>
      Effect.flatMap(ageOf("fleet.ended", "olderThan", olderThan), (age) =>
        Effect.map(
          patient(sql<Row>`
            SELECT ${columns} FROM quartet_runs
            WHERE ${isOld(sql, age)} ${jobs === undefined ? sql`` : sql`AND ${sql.in("job", jobs)}`}
            ORDER BY started_at DESC, id`),
          (rows) => rows.map(runOf)
        )
      ),
    run: (id) =>
      Effect.flatMap(
        patient(sql<Row>`
          SELECT ${columns} FROM quartet_runs WHERE SUBSTR(id, 1, ${id.length}) = ${id} LIMIT 2`),
        ([matchingRun, second]) => {
          if (matchingRun === undefined || id === "") return unknownRun(id)
          if (second === undefined || matchingRun.id === id) return Effect.succeed(runOf(matchingRun))
          return new FleetError({
            reason: "Unknown",
            advice: `several runs begin with "${id}": give more of the id`
          })
        }
      )
  }
}
