/** All that delivers pages, each with a store beside it, and what can be done to both. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import type { Engine } from "@quartet/support/engines.js"
import { root } from "@quartet/support/files.js"
import * as Postgres from "@quartet/support/postgres.js"
import * as Redis from "@quartet/support/redis.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, type Scope } from "effect"
import { Redis as Connection } from "ioredis"
import Database from "libsql"
import { fileOf } from "../store/store.js"
import { ownDatabase } from "./own-database.js"
import type { Told } from "./remote.js"
import { file } from "./stores.js"

/** A store, and an engine beside it. */
export interface Place {
  readonly store: string
  readonly engine: Engine
  /** Takes away what the engine keeps. */
  readonly purge: Effect.Effect<void>
  /** Nobody reaches the store, nor the engine, for so many milliseconds. */
  readonly cut: (milliseconds: number) => Effect.Effect<void>
  /** Asks PostgreSQL, where that is the store. */
  readonly query?: (sql: string) => Promise<string>
}

/** A place that shares its server with nobody. */
export interface OwnPlace extends Place {
  /** Ends the engine and starts it again. */
  readonly restart: Effect.Effect<void>
}

/** What delivers pages: places of it that may share a server, each with a database of its own, and places that share none. */
export interface Deliverer {
  readonly opened: Effect.Effect<Place, never, Scope.Scope>
  readonly own: Effect.Effect<OwnPlace, never, Scope.Scope>
}

const ownServer = Effect.acquireRelease(
  Effect.promise(() => Postgres.open()),
  ({ stop }) => Effect.promise(stop)
)

/** A way to a port of the loopback, which can be cut: what was connected is reset, and what connects is refused. */
const gateway = (to: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        let isCut = false
        const pairs = new Set<Socket>()
        const listening = await listen(
          createServer((near) => {
            if (isCut) {
              near.destroy()
              return
            }
            const far = connect(to, "127.0.0.1")
            for (const [one, other] of [
              [near, far],
              [far, near]
            ] as const) {
              pairs.add(one)
              one.on("error", () => undefined)
              one.on("close", () => {
                pairs.delete(one)
                other.destroy()
              })
              one.pipe(other)
            }
          })
        )
        return {
          ...listening,
          set: (value: boolean) => {
            isCut = value
            if (value) for (const socket of pairs) socket.destroy()
          }
        }
      }),
      ({ close }) => Effect.promise(close)
    ),
    ({ port, set }) => ({
      port,
      cut: (milliseconds: number) =>
        Effect.sync(() => set(true)).pipe(
          Effect.zipRight(Effect.sleep(milliseconds)),
          Effect.ensuring(Effect.sync(() => set(false)))
        )
    })
  )

const behindGateway = (url: string) =>
  Effect.gen(function* () {
    const address = new URL(url)
    const gate = yield* gateway(Number(address.port))
    address.port = String(gate.port)
    return { url: address.href, cut: gate.cut }
  })

const none = Effect.void

/** Keeps others from the file, as a backup does that takes its time. */
const occupy = (store: string) => (milliseconds: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const database = new Database(fileOf(store) ?? "")
      database.exec("BEGIN IMMEDIATE")
      return database
    }),
    () => Effect.sleep(milliseconds),
    (database) =>
      Effect.sync(() => {
        database.exec("ROLLBACK")
        database.close()
      })
  )

const onPostgres = (engineOf: (url: string) => Engine, purge: string | undefined): Deliverer => {
  const at = ({ query, url }: Pick<Postgres.Postgres, "query" | "url">) =>
    Effect.map(
      behindGateway(url),
      ({ cut, url }): Place => ({
        store: url,
        engine: engineOf(url),
        purge: purge === undefined ? none : Effect.promise(() => query(purge)),
        cut,
        query
      })
    )
  return {
    opened: Effect.flatMap(ownDatabase, at),
    own: Effect.flatMap(ownServer, (server) =>
      Effect.map(at(server), (place) => ({
        ...place,
        restart: Effect.promise(() => server.restart("fast"))
      }))
    )
  }
}

/** pg-boss, as it is installed here or as another version whose module is named. */
export const pgBoss = (module?: string): Deliverer =>
  onPostgres((url) => ({ kind: "pg-boss", url, module }), "DELETE FROM pgboss.job")

export const postgres: Deliverer = onPostgres(() => ({ kind: "none" }), undefined)

const aFile = Effect.map(
  file,
  (store): OwnPlace => ({
    store,
    engine: { kind: "none" },
    purge: none,
    restart: none,
    cut: occupy(store)
  })
)

export const inFile: Deliverer = { opened: aFile, own: aFile }

const besideRedis = Effect.gen(function* () {
  const store = yield* file
  const redis = yield* Effect.acquireRelease(
    Effect.promise(() => Redis.open()),
    ({ stop }) => Effect.promise(stop)
  )
  const gate = yield* gateway(redis.port)
  const place: OwnPlace = {
    store,
    engine: { kind: "BullMQ", port: gate.port },
    purge: Effect.promise(async () => {
      const connection = new Connection(redis.port, { maxRetriesPerRequest: null })
      await connection.flushall()
      connection.disconnect()
    }),
    restart: Effect.promise(redis.restart),
    cut: gate.cut
  }
  return place
})

export const bullMq: Deliverer = { opened: besideRedis, own: besideRedis }

/** A runner in a process of its own. */
export const spawnRunner = (told: Told): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = fork(
        "packages/support/run.mjs",
        ["packages/fleet/test/delivery-runner.ts", JSON.stringify(told)],
        { cwd: root, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] }
      )
      await Promise.race([once(child, "message"), once(child, "exit")])
      if (child.exitCode !== null) throw new Error(`the runner ended with ${child.exitCode}`)
      return child
    }),
    (child) => endRunner(child, "SIGKILL")
  )

/** Ends a runner's process, and answers its code. */
export const endRunner = (child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Effect.Effect<number | null> =>
  Effect.promise(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit")
      child.kill(signal)
      await ended
    }
    return child.exitCode
  })
