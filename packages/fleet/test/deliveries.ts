/** All that delivers pages, each with a store beside it. */
import * as Postgres from "@quartet/support/postgres.js"
import * as Redis from "@quartet/support/redis.js"
import { Queue, Worker } from "bullmq"
import { Effect, type Scope } from "effect"
import { Redis as Connection } from "ioredis"
import PgBoss from "pg-boss"
import { bullDelivery } from "../bullmq/index.js"
import type { Delivery } from "../jobs/delivery.js"
import { pgBossDelivery } from "../pg-boss/index.js"
import { file } from "./stores.js"

/** A store, and an engine beside it. */
export interface Place {
  readonly store: string
  /** The delivery of one runner; none where the store delivers. */
  readonly delivery: Effect.Effect<Delivery | undefined, never, Scope.Scope>
  /** Takes away what the engine keeps. */
  readonly purge: Effect.Effect<void>
  /** Ends the engine and starts it again. */
  readonly restart: Effect.Effect<void>
}

const postgres = Effect.acquireRelease(
  Effect.promise(() => Postgres.open()),
  ({ stop }) => Effect.promise(stop)
)

const none = Effect.void

export const deliveries: Readonly<Record<string, Effect.Effect<Place, never, Scope.Scope>>> = {
  "a file": Effect.map(file, (store) => ({
    store,
    delivery: Effect.succeed(undefined),
    purge: none,
    restart: none
  })),
  PostgreSQL: Effect.map(postgres, ({ restart, url }) => ({
    store: url,
    delivery: Effect.succeed(undefined),
    purge: none,
    restart: Effect.promise(() => restart("fast"))
  })),
  "pg-boss": Effect.map(postgres, ({ query, restart, url }) => ({
    store: url,
    delivery: Effect.map(
      Effect.acquireRelease(
        Effect.promise(async () => {
          const boss = new PgBoss({
            connectionString: url,
            schedule: false,
            supervise: true,
            maintenanceIntervalSeconds: 1
          })
          boss.on("error", () => undefined)
          await boss.start()
          return boss
        }),
        (boss) => Effect.promise(() => boss.stop({ graceful: false, wait: true }))
      ),
      (boss) => pgBossDelivery(boss)
    ),
    purge: Effect.promise(() => query("DELETE FROM pgboss.job")),
    restart: Effect.promise(() => restart("fast"))
  })),
  BullMQ: Effect.gen(function* () {
    const store = yield* file
    const redis = yield* Effect.acquireRelease(
      Effect.promise(() => Redis.open()),
      ({ stop }) => Effect.promise(stop)
    )
    const connect = () => new Connection(redis.port, { maxRetriesPerRequest: null })
    return {
      store,
      delivery: Effect.sync(() =>
        bullDelivery({
          queue: (name) => {
            const queue = new Queue(name, { connection: { port: redis.port } })
            queue.on("error", () => undefined)
            return queue
          },
          worker: (name, work) => {
            const worker = new Worker(name, work, {
              connection: { port: redis.port, maxRetriesPerRequest: null },
              concurrency: 8
            })
            worker.on("error", () => undefined)
            return worker
          }
        })
      ),
      purge: Effect.promise(async () => {
        const connection = connect()
        await connection.flushall()
        connection.disconnect()
      }),
      restart: Effect.promise(redis.restart)
    }
  })
}
