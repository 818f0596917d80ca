/** The database of a fleet: one that is embedded in a file, for one machine, or PostgreSQL, for many. */

import { existsSync, realpathSync, statSync } from "node:fs"
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
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { hasProperty } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { FleetError } from "../fleet-error.js"
import * as File from "./file-store.js"
import * as NodeSqlite from "./node-sqlite.js"

/** The code of what a driver failed with, such as ECONNREFUSED or 28P01: the first that a cause or what it comes from has. */
const codeIn = (cause: unknown, depth = 5): string => {
  const error = Cause.isCause(cause) ? Cause.squash(cause) : cause
  return codeOf(error) || (depth > 0 && hasProperty(error, "cause") ? codeIn(error.cause, depth - 1) : "")
}

/** A right that PostgreSQL says its user lacks: it names a table, and nothing that was written. */
const missingRight = (cause: unknown, depth = 5): string | undefined => {
  const error = Cause.isCause(cause) ? Cause.squash(cause) : cause
  const inner = depth > 0 && hasProperty(error, "cause") ? missingRight(error.cause, depth - 1) : undefined
  return inner ?? (codeOf(error) === "42501" && error instanceof Error ? error.message : undefined)
}

/** What the database refuses whenever it is asked, and why: no outage, so nobody waits for its end. */
const refusals: ReadonlyArray<readonly [code: RegExp, why: string]> = [
  [/^22(P05|021)$/, "cannot keep a text with a character that its encoding lacks, such as U+0000"],
  [/^28/, "refuses its user, or the password: see the store's URL"],
  [/^3D/, "has no database of this name: see the store's URL"],
  [
    /^3F/,
    "has no schema for its tables: those of the search_path are not there, or its user lacks USAGE on them"
  ],
  [
    /^((0A|2[123]|42|44|54)[\dA-Z]{3}$|SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG))/,
    "refuses what was asked of it: is it this fleet's own?"
  ]
]

const refusalOf = (code: string): string | undefined => refusals.find(([codes]) => codes.test(code))?.[1]

/** Whether the same would fail again, however long somebody waits. */
const isRefused = (cause: unknown): boolean =>
  missingRight(cause) !== undefined || refusalOf(codeIn(cause)) !== undefined

/** A failure of the database, for those who asked for something. Its own text can hold what was written: it stays in the cause. */
export const storeFailed = (cause: unknown): FleetError => {
  const right = missingRight(cause)
  if (right !== undefined)
    return new FleetError({
      reason: "Store",
      advice: `the user of the fleet's store may not do this: ${right} (42501). Who looks needs SELECT on its tables; who steers or works, INSERT, UPDATE and DELETE too; who makes or migrates them, CREATE in their schema, and to own them`,
      cause
    })
  const code = codeIn(cause)
  const refusal = refusalOf(code)
  return new FleetError({
    reason: "Store",
    advice:
      refusal === undefined
        ? `the fleet's store does not answer, or refuses what was asked of it${code === "" ? "" : ` (${code})`}: is the database up, and is it this fleet's own?`
        : `the fleet's store ${refusal} (${code})`,
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

/** What goes on beside the work of a client, until its layer is closed. */
const scopes = new WeakMap<SqlClient.SqlClient, Scope.Scope>()

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
      Effect.gen(function* () {
        const sql = Context.get(context, SqlClient.SqlClient)
        yield* Effect.addFinalizer(() => Effect.sync(() => closed.add(sql)))
        scopes.set(sql, yield* Effect.scope)
        return context
      })
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

/** Attempts after the first one: in about ten seconds, and in half a minute where PostgreSQL says that it starts or stops. */
const attempts = 14
const attemptsOfRestart = 34

/** Asks again while the store fails otherwise than by what is hopeless. */
const whileFailing = <A, R>(
  work: Effect.Effect<A, SqlError | FleetError | Cause.Cause<unknown>, R>,
  isHopeless: (cause: unknown) => boolean
): Effect.Effect<A, FleetError, R> =>
  Effect.suspend(() => {
    let failures = 0
    let most = attempts
    return apart(work).pipe(
      Effect.retry({
        while: (cause) => {
          failures += 1
          if (isStarting(cause)) most = attemptsOfRestart
          return failures <= most && !(cause instanceof FleetError) && !isHopeless(cause)
        },
        schedule: Schedule.exponential(50).pipe(Schedule.union(Schedule.spaced(1000)), Schedule.jittered)
      }),
      Effect.mapError((cause) => (cause instanceof FleetError ? cause : storeFailed(cause)))
    )
  })

/**
 * Asks the store again, for about ten seconds, while it fails: a connection was cut, or another process writes to the file. For half a minute where
 * PostgreSQL says that it starts or stops. What it refuses is not asked again. Only for statements that may be repeated.
 */
export const patient = <A, R>(
  work: Effect.Effect<A, SqlError | FleetError | Cause.Cause<unknown>, R>
): Effect.Effect<A, FleetError, R> => whileFailing(work, isRefused)

/** The same while others make or migrate the same tables: what they have made, or taken away, fails once for their sake. */
export const patientOfOthers = <A, R>(
  work: Effect.Effect<A, SqlError | FleetError | Cause.Cause<unknown>, R>
): Effect.Effect<A, FleetError, R> =>
  whileFailing(
    work,
    (cause) => isRefused(cause) && !/^(23505|42(P01|P06|P07|703|704|710|809))$/.test(codeIn(cause))
  )

/** Goes on for as long as the store is out of reach, and says so once: for those who wait for long anyway. */
export const outlasting = <A, R>(work: Effect.Effect<A, FleetError, R>): Effect.Effect<A, FleetError, R> =>
  Effect.suspend(() => {
    let isTold = false
    return Effect.retry(work, {
      while: (error) => {
        if (error.reason !== "Store" || error.cause === undefined || isRefused(error.cause)) return false
        if (isTold) return true
        isTold = true
        return Effect.as(
          Effect.logWarning("the fleet's store does not answer: it is waited for", error.cause),
          true
        )
      },
      schedule: Schedule.spaced(1000)
    })
  })

/** The files in whose log something may stand that was deleted, and those that are tried again and again for it. */
const overdue = new WeakSet<SqlClient.SqlClient>()
const tried = new WeakSet<SqlClient.SqlClient>()

/** Between two attempts while others are in the way for long, in milliseconds. */
const nextAttempt = 1_000

/**
 * Has a file keep no longer what was deleted from it: its log holds that until it is written over. Where others read on from before, it is
 * tried again as long as this client is open; and whoever opens the file next does it. PostgreSQL does so by itself, with its vacuum.
 */
export const forget = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  isPostgres(sql)
    ? Effect.void
    : Effect.sync(() => overdue.add(sql)).pipe(
        Effect.zipRight(forgetOverdue(sql)),
        Effect.repeat({
          until: () => !overdue.has(sql) || tried.has(sql),
          schedule: Schedule.spaced(20).pipe(Schedule.intersect(Schedule.recurs(50)))
        }),
        Effect.zipRight(forgetLater(sql))
      )

/** Does once more what somebody was in the way of. */
const forgetOverdue = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() =>
    overdue.has(sql)
      ? apart(whileOpen(sql, sql<{ readonly busy: unknown }>`PRAGMA wal_checkpoint(TRUNCATE)`)).pipe(
          Effect.tap(([row]) =>
            numberOf(row?.busy) === 0 ? Effect.sync(() => overdue.delete(sql)) : Effect.void
          ),
          Effect.ignore
        )
      : Effect.void
  )

/** Tries it beside other work until it is done, or the client is closed. */
const forgetLater = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() => {
    const scope = scopes.get(sql)
    if (scope === undefined || !overdue.has(sql) || tried.has(sql)) return Effect.void
    tried.add(sql)
    return forgetOverdue(sql).pipe(
      Effect.delay(nextAttempt),
      Effect.repeat({ until: () => !overdue.has(sql) }),
      Effect.ensuring(Effect.sync(() => tried.delete(sql))),
      Effect.forkIn(scope),
      Effect.asVoid
    )
  })

/** Whether nothing that was deleted here stands in the file or its log: what others read meanwhile is kept for them. */
export const isForgotten = (sql: SqlClient.SqlClient): Effect.Effect<boolean> =>
  Effect.sync(() => !overdue.has(sql))

/** Forgets what those left in the log of a file who were here before: nobody may have done it since. */
const catchUp = (path: string, sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.suspend(() => {
    const log = path === ":memory:" ? undefined : `${realpathSync(path)}-wal`
    if (log === undefined || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return Effect.void
    overdue.add(sql)
    return Effect.zipRight(forgetOverdue(sql), forgetLater(sql))
  })

/** Writes a file anew, without what was deleted from it before deletions were written over. */
export const compact = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  isPostgres(sql)
    ? Effect.void
    : Effect.zipRight(Effect.ignore(apart(whileOpen(sql, sql`VACUUM`))), forget(sql))

/** While PostgreSQL says that it starts or stops; anything else fails at once. */
const restart = Schedule.spaced(500).pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(60)),
  Schedule.whileInput(isStarting)
)

/** What a statement makes. */
const madeBy = (statement: string): string => /IF NOT EXISTS (\w+)/.exec(statement)?.[1] ?? ""

/** Whether there is a table or an index of this name. */
export const isThere = (sql: SqlClient.SqlClient, name: string): Effect.Effect<boolean, SqlError> =>
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
        found ? Effect.void : Effect.asVoid(patientOfOthers(sql.unsafe(statement)))
      ),
    { discard: true }
  )

const schemes =
  "must be file:<path> or postgres://<user>:<password>@<host>:<port>/<database>, where ?schema=<name> may follow"

const refuse = (rule: string): InputError =>
  new InputError({ operation: "Fleet.layer", field: "store", rule })

const driver = <A>(advice: string, load: () => Promise<A>): Effect.Effect<A, FleetError> =>
  Effect.tryPromise({ try: load, catch: (cause) => new FleetError({ reason: "Driver", advice, cause }) })

/** What opens files: Node's own SQLite, or `libsql` where that is not finished. */
const driverOfFiles = Effect.suspend(() =>
  NodeSqlite.isThere()
    ? Effect.succeed(NodeSqlite.open)
    : driver(
        `a store in a file needs the package libsql on this version of Node, ${process.version}: npm install libsql@0.5 adds it. Node 24 and later need nothing`,
        async () => (await import("./libsql.js")).open
      )
)

/** Where a fleet's tables are in a database of PostgreSQL: in the schema that the URL names, or where the user's tables are. */
interface Place {
  /** The URL, as the driver takes it. */
  readonly url: string
  readonly schema: string | undefined
}

const unreadable =
  "cannot be read as a URL: in a user or a password, # is written as %23, / as %2F, ? as %3F, @ as %40 and % as %25, and a port is a number"

/** Whether the driver can read a URL, as it does: it may be one without a host. */
const isReadable = (url: string): boolean => {
  try {
    const { hash, pathname } = new URL(url.replace("@/", "@host/"))
    for (const [escapes] of url.matchAll(/(%[\da-f]{2})+/gi)) decodeURIComponent(escapes)
    // What follows a # would be left out without a word, and a password such as 12/34 taken for a port and a database.
    return hash === "" && !(pathname.includes("@") && pathname.lastIndexOf("/") > pathname.indexOf("@"))
  } catch {
    return false
  }
}

/** What PostgreSQL takes as a name without quotes. */
const isName = (name: string): boolean => /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name)

/** `?schema=` is the fleet's: the driver gets it as the only schema that its connections look into. */
export const placeOf = (url: string): Either.Either<Place, InputError> => {
  if (!isReadable(url)) return Either.left(refuse(unreadable))
  if (!/[?&]schema=/.test(url)) return Either.right({ url, schema: undefined })
  // Only the query is read: without a host before it, it is no URL to everybody.
  const [address = "", query] = url.split(/\?(.*)/s)
  const params = new URLSearchParams(query)
  const [schema = "", ...others] = params.getAll("schema")
  if (others.length > 0) return Either.left(refuse("names more than one schema: a fleet has one"))
  if (!isName(schema))
    return Either.left(
      refuse("names a schema that is none: small letters, digits and _, and no pg_ before them")
    )
  params.delete("schema")
  const options = params.get("options")
  params.set("options", `${options === null ? "" : `${options} `}-c search_path=${schema}`)
  return Either.right({ url: `${address}?${params}`, schema })
}

/** What cannot hold every text: a name, an error or an item may have any character. SQL_ASCII takes all as they come. */
const encodingFailed = (encoding: string): FleetError =>
  new FleetError({
    reason: "Store",
    advice: `the fleet's store is a database with the encoding ${encoding}, which cannot hold every text: make one with ENCODING 'UTF8', such as CREATE DATABASE fleet ENCODING 'UTF8' TEMPLATE template0`
  })

const usageFailed = (schema: string): FleetError =>
  new FleetError({
    reason: "Store",
    advice: `the user of the fleet's store may not use its schema ${schema}: it lacks USAGE, which GRANT USAGE ON SCHEMA ${schema} TO … gives, beside the rights to its tables`
  })

/**
 * Refuses a database that cannot be a fleet's, also to those who only look. Makes a schema that is not there: whoever finds it needs no right to
 * make any.
 */
const checked = (sql: SqlClient.SqlClient, schema: string | undefined): Effect.Effect<void, FleetError> =>
  Effect.gen(function* () {
    const [row] = yield* patient(
      sql<{ readonly encoding: string; readonly may_use: boolean | null }>`
        SELECT current_setting('server_encoding') AS encoding,
          (SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = ${schema ?? ""}) AS may_use`
    )
    const encoding = row?.encoding ?? "UTF8"
    if (!["UTF8", "SQL_ASCII"].includes(encoding)) return yield* encodingFailed(encoding)
    if (schema === undefined || row?.may_use === true) return
    if (row?.may_use === false) return yield* usageFailed(schema)
    yield* patientOfOthers(sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`)
  })

const postgres = ({ schema, url }: Place): Layer.Layer<SqlClient.SqlClient, FleetError> =>
  Layer.unwrapEffect(
    Effect.map(
      driver(
        "@effect/sql-pg, which @quartet/fleet brings along, cannot be loaded: install @quartet/fleet again",
        () => import("@effect/sql-pg/PgClient")
      ),
      (PgClient) =>
        PgClient.layer({
          url: Redacted.make(url),
          maxConnections: 8,
          applicationName: "quartet-fleet"
        }).pipe(
          // The pool connects at once: a runner may start in the moment of a restart.
          Layer.retry(restart),
          Layer.mapError(storeFailed),
          closing,
          Layer.tap((context) => checked(Context.get(context, SqlClient.SqlClient), schema))
        )
    )
  )

/**
 * The client of a store by its URL. The drivers are loaded by what is asked for: Node's SQLite or `libsql` for
 * `file:fleet.db`, `@effect/sql-pg` for `postgres://…`. The URL may hold a password: it is never shown.
 */
export const layer = (
  store: string | Redacted.Redacted
): Layer.Layer<SqlClient.SqlClient, FleetError | InputError> => {
  const url = Redacted.isRedacted(store) ? Redacted.value(store) : store
  if (typeof url !== "string") return Layer.fail(refuse(schemes))
  if (/^postgres(ql)?:\/\/./.test(url)) return Layer.unwrapEffect(Effect.map(placeOf(url), postgres))
  const path = fileOf(url)
  if (path !== undefined)
    return Layer.unwrapEffect(
      Effect.map(driverOfFiles, (open) =>
        closing(File.layer(path, open)).pipe(
          Layer.tap((context) => catchUp(path, Context.get(context, SqlClient.SqlClient))),
          Layer.catchAllCause((cause) => Layer.fail(fileFailed(path)(cause)))
        )
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
