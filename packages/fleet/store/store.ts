/** The database of a fleet: one that is embedded in a file, for one machine, or PostgreSQL, for many. */

import { existsSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { InputError } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasProperty } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { FleetError } from "../fleet-error.js"

/** The code of what a driver failed with, such as ECONNREFUSED or 28P01: the first that a cause or what it comes from has. */
const codeIn = (cause: unknown, depth = 5): string => {
  const error = Cause.isCause(cause) ? Cause.squash(cause) : cause
  return codeOf(error) || (depth > 0 && hasProperty(error, "cause") ? codeIn(error.cause, depth - 1) : "")
}

/** A failure of the database, for those who asked for something. Its own text can hold what was written: it stays in the cause. */
export const storeFailed = (cause: unknown): FleetError => {
  const code = codeIn(cause)
  return new FleetError({
    reason: "Store",
    advice: `the fleet's store does not answer, or refuses what was asked of it${code === "" ? "" : ` (${code})`}: is the database up, and is it this fleet's own?`,
    cause
  })
}

/** A database that is being restarted: it says so, and is there soon. */
const isStarting = (cause: unknown): boolean => /^57P0[123]$/.test(codeIn(cause))

/** Why a file cannot be the store. */
const ruleOfFile = (path: string, code: string): string | undefined => {
  const stats = statSync(path, { throwIfNoEntry: false })
  const folder = dirname(resolve(path))
  if (stats?.isDirectory() === true) return "is a folder: name a file in it"
  if (!existsSync(folder)) return `is in a folder that is not there: make ${folder}`
  if (code === "SQLITE_NOTADB") return "is no database: name another file"
  return /^(SQLITE_(CANTOPEN|READONLY|PERM)|EACCES|EPERM|EROFS)/.test(code)
    ? "cannot be written: check who owns it"
    : undefined
}

const fileFailed =
  (path: string) =>
  (cause: unknown): FleetError => {
    const rule = ruleOfFile(path, codeIn(cause))
    return rule === undefined
      ? storeFailed(cause)
      : new FleetError({ reason: "Store", advice: `the fleet's store ${path} ${rule}`, cause })
  }

/** Clients whose layer was closed. */
const closed = new WeakSet<SqlClient.SqlClient>()

/** Fails once the layer of a client was closed: nothing is asked of its database then. */
export const whileOpen = <A, E, R>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | FleetError, R> =>
  Effect.suspend(
    (): Effect.Effect<A, E | FleetError, R> =>
      closed.has(sql)
        ? new FleetError({
            reason: "Closed",
            advice: "the fleet's layer was closed: what it gave works only while it is open"
          })
        : work
  )

/** The same client, which is known to be closed before its connections are. */
const closing = <E, R>(
  layer: Layer.Layer<SqlClient.SqlClient, E, R>
): Layer.Layer<SqlClient.SqlClient, E, R> =>
  Layer.flatMap(layer, (context) =>
    Layer.scopedContext(
      Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => closed.add(Context.get(context, SqlClient.SqlClient)))),
        context
      )
    )
  )

/** Whether the store is PostgreSQL. */
export const isPostgres = (sql: SqlClient.SqlClient): boolean =>
  sql.onDialectOrElse({ pg: () => true, orElse: () => false })

/** The store's own time, in milliseconds since 1970: the only clock that all runners share. */
export const now = (sql: SqlClient.SqlClient): Fragment =>
  sql.literal(
    isPostgres(sql)
      ? "(extract(epoch from clock_timestamp()) * 1000)::bigint"
      : "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
  )

/** A number of a row: whole ones come as text from PostgreSQL and as bigint from the file. */
export const numberOf = (value: unknown): number => Number(value ?? 0)

/**
 * Keeps work out of a transaction that its caller has begun: all clients of `@effect/sql` find the connection of one in their context, also
 * where it is that of another database.
 */
export const apart = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(
    work,
    // Nobody's R has a transaction: it is there or not.
    (context: Context.Context<R>) =>
      Context.omit(SqlClient.TransactionConnection)(context) as Context.Context<R>
  )

/**
 * Asks the store again, for about ten seconds, while it fails: it is restarted, a connection was cut, or another process writes to the
 * file. Only for statements that may be repeated.
 */
export const patient = <A, R>(
  work: Effect.Effect<A, SqlError | FleetError | Cause.Cause<unknown>, R>
): Effect.Effect<A, FleetError, R> =>
  apart(work).pipe(
    Effect.retry({
      while: (cause) => !(cause instanceof FleetError),
      schedule: Schedule.exponential(50).pipe(
        Schedule.union(Schedule.spaced(1000)),
        Schedule.jittered,
        Schedule.intersect(Schedule.recurs(14))
      )
    }),
    Effect.mapError((cause) => (cause instanceof FleetError ? cause : storeFailed(cause)))
  )

/** While PostgreSQL says that it starts or stops; anything else fails at once. */
const restart = Schedule.spaced(500).pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(60)),
  Schedule.whileInput(isStarting)
)

/** What a statement makes. */
const madeBy = (statement: string): string => /IF NOT EXISTS (\w+)/.exec(statement)?.[1] ?? ""

/** Whether there is a table or an index of this name. */
const isThere = (sql: SqlClient.SqlClient, name: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    isPostgres(sql)
      ? sql`SELECT 1 AS found WHERE to_regclass(${name}) IS NOT NULL`
      : sql`SELECT 1 AS found FROM sqlite_schema WHERE name = ${name}`,
    (rows) => rows.length > 0
  )

/**
 * Makes tables that are not there: whoever finds them all needs no right to make any. Several runners may do so at once, so each statement
 * may fail once for another's sake.
 */
export const create = (
  sql: SqlClient.SqlClient,
  statements: ReadonlyArray<string>
): Effect.Effect<void, FleetError> =>
  Effect.forEach(
    statements,
    (statement) =>
      Effect.flatMap(patient(isThere(sql, madeBy(statement))), (found) =>
        found ? Effect.void : Effect.asVoid(patient(sql.unsafe(statement)))
      ),
    { discard: true }
  )

const schemes = "must be file:<path> or postgres://<user>:<password>@<host>:<port>/<database>"

const refuse = (rule: string): InputError =>
  new InputError({ operation: "Fleet.layer", field: "store", rule })

const driver = <A>(name: string, load: () => Promise<A>): Effect.Effect<A, FleetError> =>
  Effect.tryPromise({
    try: load,
    catch: (cause) =>
      new FleetError({
        reason: "Driver",
        advice: `${name}, which @quartet/fleet brings along, cannot be loaded: install @quartet/fleet again`,
        cause
      })
  })

/**
 * The client of a store by its URL. The drivers are loaded by what is asked for: `libsql` for
 * `file:fleet.db`, `@effect/sql-pg` for `postgres://…`. The URL may hold a password: it is never shown.
 */
export const layer = (
  store: string | Redacted.Redacted
): Layer.Layer<SqlClient.SqlClient, FleetError | InputError> => {
  const url = Redacted.isRedacted(store) ? Redacted.value(store) : store
  if (typeof url !== "string") return Layer.fail(refuse(schemes))
  if (/^postgres(ql)?:\/\/./.test(url))
    return Layer.unwrapEffect(
      Effect.map(
        driver("@effect/sql-pg", () => import("@effect/sql-pg/PgClient")),
        (PgClient) =>
          PgClient.layer({
            url: Redacted.make(url),
            maxConnections: 8,
            applicationName: "quartet-fleet"
          }).pipe(
            // The pool connects at once: a runner may start in the moment of a restart.
            Layer.retry(restart),
            Layer.mapError(storeFailed),
            closing
          )
      )
    )
  const path = fileOf(url)
  if (path !== undefined)
    return Layer.unwrapEffect(
      Effect.map(
        driver("libsql", () => import("./file-store.js")),
        (File) =>
          Layer.catchAllCause(closing(File.layer(path)), (cause) => Layer.fail(fileFailed(path)(cause)))
      )
    )
  return Layer.fail(refuse(schemes))
}

/**
 * The path that a store's URL names: what follows `file:` as it stands, with any `?`, `#` or `%` in it, or that of a `file://` URL. undefined
 * where it names none.
 */
export const fileOf = (url: string): string | undefined => {
  if (!/^file:./.test(url)) return undefined
  if (!url.startsWith("file://")) return url.slice("file:".length)
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}
