/** A store as the first fleet has left it, which said no version: its own statements, and what stood there when its runner was killed. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { idOf } from "../jobs/identity.js"

/** What the first fleet did to every store, before anything else. */
export const firstStatements = [
  `CREATE TABLE IF NOT EXISTS quartet_runs (
    id TEXT PRIMARY KEY, salt TEXT NOT NULL, job TEXT NOT NULL, run_key TEXT NOT NULL, input TEXT NOT NULL, state TEXT NOT NULL, error TEXT,
    lanes BIGINT NOT NULL, pages BIGINT NOT NULL, items BIGINT NOT NULL, is_read BIGINT NOT NULL, retry TEXT,
    stalls BIGINT NOT NULL, accepted BIGINT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT)`,
  `CREATE TABLE IF NOT EXISTS quartet_pages (
    run TEXT NOT NULL, page BIGINT NOT NULL, epoch BIGINT NOT NULL, numbers TEXT NOT NULL, items TEXT NOT NULL, states TEXT NOT NULL,
    PRIMARY KEY (run, page))`,
  `CREATE TABLE IF NOT EXISTS quartet_lanes (
    run TEXT NOT NULL, lane BIGINT NOT NULL, generation BIGINT NOT NULL, begun BIGINT NOT NULL, epoch BIGINT NOT NULL, runner TEXT,
    lease_until BIGINT NOT NULL, next_page BIGINT NOT NULL, done BIGINT NOT NULL, state TEXT NOT NULL, error TEXT,
    PRIMARY KEY (run, lane))`,
  `CREATE TABLE IF NOT EXISTS quartet_failures (
    run TEXT NOT NULL, item BIGINT NOT NULL, state TEXT NOT NULL, tag TEXT NOT NULL, error TEXT NOT NULL, input TEXT NOT NULL,
    attempts BIGINT NOT NULL, failed_at BIGINT NOT NULL, PRIMARY KEY (run, item))`,
  "CREATE TABLE IF NOT EXISTS quartet_baselines (run TEXT NOT NULL, item BIGINT NOT NULL, baseline TEXT NOT NULL, PRIMARY KEY (run, item))"
]

const tables = [
  ...firstStatements,
  "CREATE TABLE IF NOT EXISTS quartet_rates (name TEXT PRIMARY KEY, first_at BIGINT NOT NULL, next_at BIGINT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS quartet_places (place INTEGER PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS quartet_sharers (owner TEXT PRIMARY KEY, lease_until BIGINT NOT NULL)",
  "CREATE TABLE quartet_cluster_migrations (migration_id INTEGER PRIMARY KEY NOT NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, name VARCHAR(255) NOT NULL)",
  "CREATE TABLE quartet_cluster_messages (id BIGINT PRIMARY KEY, message_id TEXT, shard_id TEXT NOT NULL, payload TEXT, request_id BIGINT NOT NULL)",
  "CREATE INDEX quartet_cluster_messages_shard_idx ON quartet_cluster_messages (shard_id)",
  "CREATE TABLE quartet_cluster_replies (id BIGINT PRIMARY KEY, kind INTEGER, request_id BIGINT NOT NULL, payload TEXT NOT NULL)",
  "CREATE TABLE quartet_cluster_runners (machine_id INTEGER PRIMARY KEY, address TEXT NOT NULL, runner TEXT NOT NULL)",
  "CREATE TABLE quartet_cluster_locks (shard_id VARCHAR(50) PRIMARY KEY, address VARCHAR(255) NOT NULL, acquired_at TIMESTAMP NOT NULL)"
]

/** What the run's job reads: 100 items. */
export const total = 100

/** What the platform had done when the runner was killed: two of those that were perhaps sent, and the fourth, which somebody did by hand. */
export const doneBefore = [
  ...Array.from({ length: 20 }, (_, item) => item).filter((item) => item !== 3),
  ...Array.from({ length: 20 }, (_, item) => 20 + item).filter((item) => item !== 25),
  ...Array.from({ length: 10 }, (_, item) => 40 + item),
  50,
  51
]

const listed = (from: number, count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => from + index))

/** The runs of the store. */
export const runs = Effect.all({
  /** Half done, of two lanes, when its runner was killed. */
  half: idOf("numbers", String(total)),
  /** Done, but for one item. */
  done: idOf("numbers", "50"),
  /** Paused, when somebody had asked for two items once more. */
  paused: idOf("numbers", "10")
})

/** Writes it. */
export const writeFirstStore = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { done, half, paused } = yield* runs
    const statements = [
      ...tables,
      `INSERT INTO quartet_runs VALUES
        ('${half}', 'salt-half', 'numbers', '100', '100', 'running', NULL, 2, 4, 80, 0, NULL, 1, 0, 1700000000000, NULL),
        ('${done}', 'salt-done', 'numbers', '50', '50', 'done', NULL, 2, 3, 50, 1, NULL, 0, 0, 1700000000000, 1700000001000),
        ('${paused}', 'salt-paused', 'numbers', '10', '10', 'paused', 'no more', 2, 1, 10, 1,
          '[{"states":["failed"],"readAgain":false,"items":[1,2],"after":-1,"at":1700000002000}]', 0, 0, 1700000000000, NULL)`,
      // Lane 0 has counted page 0, whose row was not yet removed; lane 1 has ended all of page 1, and not yet counted it.
      `INSERT INTO quartet_lanes VALUES
        ('${half}', -1, 1, 1, 1, 'host-a', 0, 0, 0, 'working', NULL),
        ('${half}', 0, 1, 1, 2, 'host-a', 0, 1, 18, 'working', NULL),
        ('${half}', 1, 2, 2, 3, 'host-b', 0, 0, 0, 'idle', NULL),
        ('${done}', -1, 1, 1, 1, 'host-a', 0, 0, 0, 'ended', NULL),
        ('${done}', 0, 1, 1, 1, 'host-a', 0, 3, 29, 'ended', NULL),
        ('${done}', 1, 1, 1, 1, 'host-a', 0, 2, 20, 'ended', NULL),
        ('${paused}', -1, 1, 1, 1, 'host-a', 0, 0, 0, 'idle', NULL),
        ('${paused}', 0, 1, 1, 1, 'host-a', 0, 1, 8, 'idle', NULL),
        ('${paused}', 1, 1, 1, 1, 'host-a', 0, 0, 0, 'idle', NULL)`,
      `INSERT INTO quartet_pages VALUES
        ('${half}', 0, 2, '0', '${listed(0, 20)}', 'dddffddddddddddddddd'),
        ('${half}', 1, 3, '20', '${listed(20, 20)}', 'dddddudddddddddddddd'),
        ('${half}', 2, 2, '40', '${listed(40, 20)}', 'ddddddddddsssss.....'),
        ('${half}', 3, 0, '60', '${listed(60, 20)}', '....................'),
        ('${half}', 4, 0, '80', '${listed(80, 20)}', '....................')`,
      `INSERT INTO quartet_failures VALUES
        ('${half}', 3, 'failed', 'Refused', 'no 3', '3', 1, 1700000000500),
        ('${half}', 4, 'settled', 'Refused', 'no 4', '4', 1, 1700000000500),
        ('${half}', 25, 'unknown', 'OutcomeUnknown', 'no answer', '25', 1, 1700000000500),
        ('${done}', 7, 'failed', 'Refused', 'no 7', '7', 1, 1700000000500),
        ('${paused}', 1, 'failed', 'Refused', 'no 1', '1', 1, 1700000000500),
        ('${paused}', 2, 'failed', 'Refused', 'no 2', '2', 1, 1700000000500)`,
      `INSERT INTO quartet_baselines VALUES ('${half}', 25, '"before 25"'), ('${half}', 50, '"before 50"')`,
      "INSERT INTO quartet_cluster_locks VALUES ('numbers:1', 'host-a-1:1', '2026-01-01 00:00:00')"
    ]
    for (const statement of statements) yield* sql.unsafe(statement)
  })
