/**
 * A store in a file: SQLite within this process, by the driver that it has. Where another process writes, SQLite fails at once (SQLITE_BUSY),
 * and a statement that has failed so is in progress for libsql until it is collected as garbage: meanwhile no COMMIT of its connection
 * succeeds, and its lock stands in everybody's way. So it is only `exec`, which leaves nothing behind, that is let to find the file busy: each
 * statement runs in a transaction that was begun by `exec`. One that is not part of a longer transaction begins, runs and ends at one go.
 *
 * Both drivers leave SQLite as it comes, apart from the pragmas below: processes with either of them have one file open at once.
 */
import { closeSync, existsSync, openSync, realpathSync } from "node:fs"
import { open as openFile } from "node:fs/promises"
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
import * as LogSync from "./log-sync.js"

// biome-ignore lint/suspicious/noExplicitAny: what Connection of @effect/sql asks for
export type Rows = ReadonlyArray<any>

/** A connection to a file, as a driver has it. What fails has SQLite's name for it as its `code`, such as SQLITE_BUSY. */
export interface Database {
  /** Whether it is open, and a transaction of it is. */
  readonly isInTransaction: () => boolean
  /** Runs statements that answer nothing. */
  readonly exec: (text: string) => void
  /** Runs a statement at once. What it answers is rows, by their columns or as lists of values; whole numbers are bigints. */
  readonly run: (text: string, params: ReadonlyArray<unknown>, isList: boolean) => Rows
  /** Closes it and its files. */
  readonly close: Effect.Effect<void>
}

/** How long a statement waits for the file, in milliseconds: longer than anybody has it who is not stopped in the middle. */
const patience = 5_000

/** Whether a statement leaves the file as it is, and so need not wait for those who write. */
const isRead = (statement: string): boolean => /^\s*SELECT\b/i.test(statement)

/** Whether a statement is about the file itself, which no transaction may be open for. */
const isOfFile = (statement: string): boolean => /^\s*(PRAGMA|VACUUM)\b/i.test(statement)

/** Takes the lock that a statement needs: to write, or on what it reads. */
const begin = { read: "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1", write: "BEGIN IMMEDIATE" }

const failed = (cause: unknown) => new SqlError({ cause, message: "the file's database failed" })

const attempt = <A>(work: () => A): Effect.Effect<A, SqlError> => Effect.try({ try: work, catch: failed })

/**
 * Opens a file, and makes it for its owner alone: what jobs keep is nobody else's. SQLite gives the files beside it the same mode. One that is
 * there is left to SQLite: where a process closes a file, the system takes from it all locks that it has there, also those of another connection,
 * and the next program that ends would take itself for the last one and delete the log.
 */
const openPrivately = (path: string, open: (path: string) => Database): Database => {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", 0o600))
  return open(path)
}

/** Tries again while somebody else writes. */
const whenFree = <A>(work: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(work, {
    schedule: Schedule.spaced(10).pipe(Schedule.jittered, Schedule.upTo(patience)),
    while: ({ cause }) => codeOf(cause).startsWith("SQLITE_BUSY")
  })

const rollback = (database: Database): void => {
  if (database.isInTransaction()) database.exec("ROLLBACK")
}

/** Runs a statement as a transaction of its own, at one go. */
const runAlone = (
  database: Database,
  text: string,
  params: ReadonlyArray<unknown>,
  isList: boolean
): Rows => {
  if (isOfFile(text)) return database.run(text, params, isList)
  try {
    database.exec(isRead(text) ? begin.read : begin.write)
    const rows = database.run(text, params, isList)
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

/**
 * Has SQLite leave it to this process to sync its log after a commit: that is done beside other work, for all statements that wait for it.
 * SQLite itself still syncs the log before it moves what stands there into the file.
 */
const logSync = (database: Database, path: string) =>
  Effect.gen(function* () {
    if (path === ":memory:") return Effect.void
    yield* attempt(() => database.exec("PRAGMA synchronous = NORMAL"))
    // The log is there once something was read, and stays until the last connection is closed.
    yield* attempt(() => database.exec(begin.read))
    yield* attempt(() => database.exec("COMMIT"))
    const log = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => openFile(`${realpathSync(path)}-wal`, "r+"), catch: failed }),
      (log) => Effect.ignore(Effect.tryPromise(() => log.close()))
    )
    return LogSync.make(() => log.datasync(), failed)
  })

/** A transaction that has begun, with the turn. It ends once, whatever becomes of it. */
const transactionOf = (
  database: Database,
  leave: Effect.Effect<unknown>,
  synced: Effect.Effect<void, SqlError>
) => {
  let isOver = false
  const end = Effect.suspend(() => {
    if (isOver) return Effect.void
    isOver = true
    return Effect.ensuring(
      Effect.sync(() => rollback(database)),
      leave
    )
  })
  const commit = whenFree(attempt(() => database.exec("COMMIT")))
  return {
    end,
    connection: connection((text, params, isList) => {
      if (text === begin.write || text === "ROLLBACK") return Effect.succeed([])
      // Others need not wait for the log.
      if (text === "COMMIT") return commit.pipe(Effect.zipRight(end), Effect.zipRight(synced), Effect.as([]))
      return attempt(() => database.run(text, params, isList))
    })
  }
}

const make = (path: string, open: (path: string) => Database) =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      attempt(() => openPrivately(path, open)),
      ({ close }) => close
    )
    // Kept in the file itself: readers then do not wait for writers.
    yield* whenFree(attempt(() => database.exec("PRAGMA journal_mode = WAL")))
    const synced = yield* logSync(database, path)
    // What is deleted is overwritten: it may have been a secret.
    yield* attempt(() => database.exec("PRAGMA secure_delete = ON"))
    // Nobody waits for the file while it is theirs: others of this process may be served meanwhile.
    const turn = yield* Effect.makeSemaphore(1)
    const single = connection((text, params, isList) =>
      whenFree(turn.withPermits(1)(attempt(() => runAlone(database, text, params, isList)))).pipe(
        isRead(text) ? identity : Effect.zipLeft(synced)
      )
    )
    const begun = Effect.zipRight(
      turn.take(1),
      Effect.onError(
        attempt(() => database.exec(begin.write)),
        () => turn.release(1)
      )
    )
    const transaction = Effect.acquireRelease(
      Effect.map(whenFree(begun), () => transactionOf(database, turn.release(1), synced)),
      ({ end }) => end
    )
    return yield* SqlClient.make({
      acquirer: Effect.succeed(single),
      transactionAcquirer: Effect.map(transaction, ({ connection }) => connection),
      beginTransaction: begin.write,
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
  })

/** Makes a client of the file, which a driver opens. */
export const layer = (
  path: string,
  open: (path: string) => Database
): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.scoped(SqlClient.SqlClient, make(path, open)).pipe(Layer.provide(Reactivity.layer))
