/**
 * The version of a store. All its tables are of one: who begins on an empty store makes them, a newer fleet has what an older one has left
 * become its own, and an older one leaves a newer store alone. The first fleet knew of no versions: it is barred from all later stores.
 *
 * A store is migrated while nobody works on it: an older runner that has a lease goes on sending, whatever the tables are by then. So a
 * runner that starts beside older ones waits for as long as the lease of a dead one lasts, and then gives up; those go on undisturbed. And a
 * runner that stood still meanwhile is granted no page of a store that has become a newer one's.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { FleetError } from "../fleet-error.js"
import * as Limiter from "../store/limits.js"
import * as Sessions from "../store/sessions.js"
import {
  compact,
  create,
  isPostgres,
  isThere,
  now,
  numberOf,
  patient,
  patientOfOthers
} from "../store/store.js"
import { type Row, readerPage, tables } from "./tables.js"
import { leaseTime, look } from "./times.js"

/** The version of the stores of this fleet. */
export const current = 2

/** All tables of a store. That of its version is made last: with it they are all there. */
const all: ReadonlyArray<string> = [
  ...tables,
  ...Limiter.tables,
  ...Sessions.tables,
  "CREATE TABLE IF NOT EXISTS quartet_store (id BIGINT PRIMARY KEY, version BIGINT NOT NULL)"
]

/** The version of a store that says one. */
export const storeVersion = (sql: SqlClient): Fragment =>
  sql`(SELECT version FROM quartet_store WHERE id = 1)`

/** Notes the version of a store that has none. */
const note = (sql: SqlClient) =>
  sql`INSERT INTO quartet_store (id, version) VALUES (1, ${current}) ON CONFLICT DO NOTHING`

/** The version that a store says. The first fleet said none, and had lanes. undefined where nobody has begun. */
const versionOf = (sql: SqlClient): Effect.Effect<number | undefined, SqlError> =>
  Effect.gen(function* () {
    if (yield* isThere(sql, "quartet_store")) {
      const [row] = yield* sql<Row>`SELECT version FROM quartet_store WHERE id = 1`
      if (row !== undefined) return numberOf(row.version)
    }
    return (yield* isThere(sql, "quartet_lanes")) ? 1 : undefined
  })

/**
 * What bars the first fleet, which asks for no version: a thing in the place of its lanes that is no table. Making those tables is the first it
 * does, with IF NOT EXISTS, and only this makes that fail: a table would be taken for its own.
 */
const bar = (sql: SqlClient) =>
  sql.unsafe(
    isPostgres(sql)
      ? "CREATE TYPE quartet_lanes AS ENUM ('this store needs a newer @quartet/fleet')"
      : "CREATE INDEX quartet_lanes ON quartet_store (version /* this store needs a newer @quartet/fleet */)"
  )

const isBarred = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    isPostgres(sql)
      ? sql`SELECT 1 AS found WHERE to_regtype('quartet_lanes') IS NOT NULL AND to_regclass('quartet_lanes') IS NULL`
      : sql`SELECT 1 AS found FROM sqlite_schema WHERE name = 'quartet_lanes' AND type = 'index'`,
    (rows) => rows.length > 0
  )

/**
 * Bars the first fleet from a store that says its version, and takes away what it has made there again. Who may not make tables leaves it to
 * others.
 */
const barred = (sql: SqlClient): Effect.Effect<void, FleetError> =>
  Effect.flatMap(patient(isBarred(sql)), (isDone) =>
    isDone
      ? Effect.void
      : Effect.gen(function* () {
          yield* lock(sql)
          if (yield* isBarred(sql)) return
          yield* dropFirst(sql)
          yield* bar(sql)
        }).pipe(
          sql.withTransaction,
          patientOfOthers,
          Effect.catchAll((error) => Effect.logDebug("an older fleet is not barred from the store", error))
        )
  )

const versionFailed = (version: number, advice: string): FleetError =>
  new FleetError({
    reason: "Version",
    advice: `the store is of version ${version}, and this fleet needs version ${current}: ${advice}`
  })

const tooNew = (version: number): FleetError =>
  versionFailed(
    version,
    "a newer @quartet/fleet has made or migrated it. Install that one here, or a newer one; this one changes nothing in it"
  )

const inUse = (version: number, runners: ReadonlyArray<string>): FleetError =>
  versionFailed(
    version,
    `it is migrated once no older runner is there. Stop ${runners.join(", ")}, and start this again. The older ones go on meanwhile`
  )

/**
 * The runners of the first fleet that are there: those that have a lease, and those that only wait for work. A time farther ahead than that is
 * of before the store's clock was set back.
 */
const olderRunners = (sql: SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.gen(function* () {
    const holders =
      yield* sql<Row>`SELECT runner FROM quartet_lanes WHERE lease_until > ${now(sql)} AND lease_until <= ${now(sql)} + ${leaseTime}`
    const age = `${leaseTime / 1000} seconds`
    const recent = sql.literal(isPostgres(sql) ? `NOW() - INTERVAL '${age}'` : `DATETIME('now', '-${age}')`)
    const soon = sql.literal(isPostgres(sql) ? `NOW() + INTERVAL '${age}'` : `DATETIME('now', '+${age}')`)
    const waiting = (yield* isThere(sql, "quartet_cluster_locks"))
      ? yield* sql<Row>`SELECT address AS runner FROM quartet_cluster_locks WHERE acquired_at > ${recent} AND acquired_at <= ${soon}`
      : []
    // An address has a port, which was always the same.
    return [...new Set([...holders, ...waiting].map(({ runner }) => String(runner).replace(/:\d+$/, "")))]
  })

const cluster = ["replies", "messages", "runners", "locks", "migrations"].map(
  (name) => `quartet_cluster_${name}`
)

/** Takes away the first fleet's tables that no other has. */
const dropFirst = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.forEach(["quartet_lanes", ...cluster], (table) => sql.unsafe(`DROP TABLE IF EXISTS ${table}`), {
    discard: true
  })

/**
 * From the first fleet's tables to these. Its lanes counted what was done, which one ended page now says for all of them. Pages that a crash
 * has left behind are those that a lane has counted, and those that the run does not: the source has them still.
 */
const fromFirst = (sql: SqlClient): Effect.Effect<void, SqlError> => {
  const kept =
    "id, salt, job, run_key, input, state, error, lanes, pages, items, is_read, retry, accepted, started_at, ended_at"
  const page = "run, page, state, epoch, runner, lease_until, error, put_at, numbers, items, states, done"
  const run = (statement: string) => sql.unsafe(statement)
  return Effect.gen(function* () {
    for (const table of ["quartet_runs", "quartet_pages"])
      yield* run(`ALTER TABLE ${table} RENAME TO ${table}_1`)
    for (const statement of all) yield* run(statement)
    yield* run(`INSERT INTO quartet_runs (version, ${kept}) SELECT 1, ${kept} FROM quartet_runs_1`)
    yield* run(`
      INSERT INTO quartet_pages (${page})
      SELECT p.run, p.page, 'idle', p.epoch, NULL, 0, NULL, 0, p.numbers, p.items, p.states, 0
      FROM quartet_pages_1 p JOIN quartet_runs_1 r ON r.id = p.run
        JOIN quartet_lanes l ON l.run = p.run AND l.lane = p.page % r.lanes
      WHERE p.page < r.pages AND p.page >= l.next_page`)
    yield* run(`
      INSERT INTO quartet_pages (${page})
      SELECT r.id, ${readerPage}, CASE r.state WHEN 'done' THEN 'ended' ELSE 'idle' END, 0, NULL, 0, NULL, 0, '[]', '[]', '', 0
      FROM quartet_runs_1 r`)
    yield* run(`
      INSERT INTO quartet_pages (${page})
      SELECT r.id, ${readerPage - 1}, 'ended', 0, NULL, 0, NULL, 0, '[]', '[]', '',
        (SELECT COALESCE(SUM(l.done), 0) FROM quartet_lanes l WHERE l.run = r.id)
      FROM quartet_runs_1 r`)
    for (const table of ["quartet_runs_1", "quartet_pages_1"]) yield* run(`DROP TABLE ${table}`)
    yield* dropFirst(sql)
    yield* note(sql)
    yield* bar(sql)
  })
}

/** What is, or would be, migrated: it is all kept. @category models */
export interface Migration {
  /** The store's version, and this fleet's. They are the same where there is nothing to migrate. */
  readonly from: number
  readonly to: number
  readonly runs: number
  /** Pages that are not done, their items, and those of them that may have been sent. */
  readonly pages: number
  readonly items: number
  readonly inDoubt: number
  /** Items that were not done. */
  readonly failures: number
  /** Older runners that are there: it is migrated once there is none. */
  readonly runners: ReadonlyArray<string>
}

const nothing: Migration = {
  from: current,
  to: current,
  runs: 0,
  pages: 0,
  items: 0,
  inDoubt: 0,
  failures: 0,
  runners: []
}

/** What would be migrated of a store. Nothing is changed. */
export const survey = (sql: SqlClient): Effect.Effect<Migration, FleetError> =>
  Effect.gen(function* () {
    const version = (yield* versionOf(sql)) ?? current
    if (version > current) return yield* tooNew(version)
    if (version === current) return nothing
    const [row] = yield* sql<Row>`
      SELECT (SELECT COUNT(*) FROM quartet_runs) AS runs, (SELECT COUNT(*) FROM quartet_failures) AS failures,
        COUNT(*) AS pages, COALESCE(SUM(LENGTH(p.states)), 0) AS items,
        COALESCE(SUM(LENGTH(p.states) - LENGTH(REPLACE(p.states, 's', ''))), 0) AS doubts
      FROM quartet_pages p JOIN quartet_runs r ON r.id = p.run JOIN quartet_lanes l ON l.run = p.run AND l.lane = p.page % r.lanes
      WHERE p.page < r.pages AND p.page >= l.next_page`
    return {
      from: version,
      to: current,
      runs: numberOf(row?.runs),
      pages: numberOf(row?.pages),
      items: numberOf(row?.items),
      inDoubt: numberOf(row?.doubts),
      failures: numberOf(row?.failures),
      runners: yield* olderRunners(sql)
    }
  }).pipe(patientOfOthers)

/** One migration after another, and no older runner beside them: what they lock is all there was. */
const lock = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  isPostgres(sql)
    ? Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext('quartet_store'), hashtext(current_schema()))`
        if ((yield* versionOf(sql)) === 1)
          yield* sql`LOCK TABLE quartet_runs, quartet_lanes, quartet_pages, quartet_failures, quartet_baselines`
      })
    : Effect.void

/** Migrates a store in one transaction, once no older runner is there. Where another process has just done so, nothing is left to do. */
export const migrate = (sql: SqlClient): Effect.Effect<Migration, FleetError> =>
  Effect.gen(function* () {
    let before = yield* survey(sql)
    // A runner that died has its lease until then.
    for (let waited = 0; before.runners.length > 0 && waited < leaseTime + 2 * look; waited += look) {
      yield* Effect.sleep(look)
      before = yield* survey(sql)
    }
    if (before.from === before.to) {
      if (yield* patient(isThere(sql, "quartet_store"))) yield* barred(sql)
      return before
    }
    yield* patientOfOthers(
      Effect.gen(function* () {
        yield* lock(sql)
        if ((yield* versionOf(sql)) !== 1) return
        const runners = yield* olderRunners(sql)
        if (runners.length > 0) return yield* inUse(1, runners)
        yield* fromFirst(sql)
      }).pipe(sql.withTransaction)
    )
    // An older fleet has left what it deleted in the file.
    yield* compact(sql)
    return before
  })

/**
 * Has a store be of this fleet's version: one where nobody has begun gets its tables, by whoever comes. One that is older is migrated for a
 * runner alone: who only looks changes nothing. Fails with FleetError `Version` where it cannot be so.
 */
export const prepare = (sql: SqlClient, isRunner: boolean): Effect.Effect<void, FleetError> =>
  Effect.gen(function* () {
    let version = yield* patient(versionOf(sql))
    if (version === undefined) {
      yield* create(sql, all)
      yield* patient(note(sql))
      // Others may have begun, or migrated, meanwhile.
      version = yield* patient(versionOf(sql))
      if (version === current) yield* barred(sql)
    }
    if (version !== undefined && version > current) return yield* tooNew(version)
    if (version === current) return isRunner ? yield* barred(sql) : undefined
    if (isRunner) return yield* Effect.asVoid(migrate(sql))
    return yield* versionFailed(
      1,
      "a runner of this fleet migrates it when it starts, once no older runner is there; so does quartet job migrate, and with --dry-run it shows what it would do"
    )
  })
