/**
 * A store in a file, by `libsql`: SQLite within this process. Where another process writes, SQLite fails at once (SQLITE_BUSY), and a statement
 * that has failed so is in progress for libsql until it is collected as garbage: meanwhile no COMMIT of its connection succeeds, and its lock
 * stands in everybody's way. So it is only `exec`, which leaves nothing behind, that is let to find the file busy: each statement runs in a
 * transaction that was begun by `exec`. One that is not part of a longer transaction begins, runs and ends at one go.
 *
 * A connection that is closed is asked nothing: some questions to it end the process. And what it has prepared holds its files until that is
 * collected, so closing it collects garbage.
 */
import { closeSync, openSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import Database from "libsql"

/** How long a statement waits for the file, in milliseconds: longer than anybody has it who is not stopped in the middle. */
const patience = 5_000

/** Whether a statement leaves the file as it is, and so need not wait for those who write. */
const isRead = (statement: string): boolean => /^\s*SELECT\b/i.test(statement)

/** Takes the lock that a statement needs: to write, or on what it reads. */
const begin = { read: "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", write: "BEGIN IMMEDIATE" }

const failed = (cause: unknown) => new SqlError({ cause, message: "the file's database failed" })

const attempt = <A>(work: () => A): Effect.Effect<A, SqlError> => Effect.try({ try: work, catch: failed })

/** Collects garbage: by a function that V8 shows to a new context while it is asked to. */
const collect = (): void => {
  if (globalThis.gc !== undefined) return globalThis.gc()
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  if (typeof gc === "function") gc()
}

/** The next turn of the event loop: what was collected is finalised by then. */
const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Closes a connection and its files. */
const close = (database: Database.Database): Effect.Effect<void> =>
  Effect.suspend(() => {
    database.close()
    if (database.memory) return Effect.void
    // Other engines of JavaScript collect when they like.
    return Effect.zipRight(Effect.ignore(Effect.try(collect)), nextTurn)
  })

/** Opens a file, and makes it for its owner alone: what jobs keep is nobody else's. SQLite gives the files beside it the same mode. */
const open = (path: string): Database.Database => {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600))
  return new Database(path)
}

/** Tries again while somebody else writes. */
const whenFree = <A>(work: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(work, {
    schedule: Schedule.spaced(10).pipe(Schedule.jittered, Schedule.upTo(patience)),
    while: ({ cause }) => codeOf(cause).startsWith("SQLITE_BUSY")
  })

/** What SQLite takes of JavaScript's values. */
const bound = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1n : 0n
  return value instanceof Date ? BigInt(value.getTime()) : value
}

// biome-ignore lint/suspicious/noExplicitAny: what Connection of @effect/sql asks for
type Rows = ReadonlyArray<any>

/** Runs a statement at once. What it answers is rows, by their columns or as lists of values. */
const run = (
  database: Database.Database,
  text: string,
  params: ReadonlyArray<unknown>,
  isList: boolean
): Rows => {
  const statement = database.prepare(text).safeIntegers(true)
  const values = params.map(bound)
  if (!statement.reader) {
    statement.run(values)
    return []
  }
  // Rows are what a statement that reads answers; libsql does not say so.
  return (isList ? statement.raw(true) : statement).all(values) as Rows
}

const rollback = (database: Database.Database): void => {
  if (database.open && database.inTransaction) database.exec("ROLLBACK")
}

/** Runs a statement as a transaction of its own, at one go. */
const runAlone = (...[database, text, params, isList]: Parameters<typeof run>): Rows => {
  try {
    database.exec(isRead(text) ? begin.read : begin.write)
    const rows = run(database, text, params, isList)
    database.exec("COMMIT")
    return rows
  } finally {
    rollback(database)
  }
}

const connection = (
  execute: (text: string, params: ReadonlyArray<unknown>, isList: boolean) => Effect.Effect<Rows, SqlError>
): Connection => {
  const rows: Connection["execute"] = (text, params, transform = identity) =>
    Effect.map(execute(text, params, false), transform)
  return {
    execute: rows,
    executeUnprepared: rows,
    executeRaw: (text, params) => execute(text, params, false),
    executeValues: (text, params) => execute(text, params, true),
    executeStream: (text, params, transform) => Stream.fromIterableEffect(rows(text, params, transform))
  }
}

const make = (path: string) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      attempt(() => open(path)),
      close
    )
    // Kept in the file itself: readers then do not wait for writers.
    yield* whenFree(attempt(() => database.exec("PRAGMA journal_mode = WAL")))
    // What is deleted is overwritten: it may have been a secret.
    yield* attempt(() => database.exec("PRAGMA secure_delete = ON"))
    // Nobody waits for the file while it is theirs: others of this process may be served meanwhile.
    const turn = yield* Effect.makeSemaphore(1)
    const single = connection((text, params, isList) =>
      whenFree(turn.withPermits(1)(attempt(() => runAlone(database, text, params, isList))))
    )
    const begun = Effect.zipRight(
      turn.take(1),
      Effect.onError(
        attempt(() => database.exec(begin.write)),
        () => turn.release(1)
      )
    )
    const ended = Effect.ensuring(
      Effect.sync(() => rollback(database)),
      turn.release(1)
    )
    const part = connection((text, params, isList) => {
      // A transaction begins with the turn, and ends with it, whatever became of it.
      if (text === begin.write || text === "ROLLBACK") return Effect.succeed([])
      if (text === "COMMIT") return Effect.as(whenFree(attempt(() => database.exec(text))), [])
      return attempt(() => run(database, text, params, isList))
    })
    return yield* SqlClient.make({
      acquirer: Effect.succeed(single),
      transactionAcquirer: Effect.as(
        Effect.acquireRelease(whenFree(begun), () => ended),
        part
      ),
      beginTransaction: begin.write,
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
  })

/** Makes a client of the file. */
export const layer = (path: string): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.scoped(SqlClient.SqlClient, make(path)).pipe(Layer.provide(Reactivity.layer))
