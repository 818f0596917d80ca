/** What delivers a fleet's pages, as a value that another process can be told. */
import type { Delivery } from "@quartet/fleet"
import { bullDelivery } from "@quartet/fleet/bullmq"
import { type PgBoss as AnyPgBoss, pgBossDelivery } from "@quartet/fleet/pg-boss"
import { Queue, Worker } from "bullmq"
import { Effect, type Scope } from "effect"
import PgBoss from "pg-boss"

/** An engine by its address. `module` is the file of another version of pg-boss. */
export type Engine =
  | { readonly kind: "none" }
  | { readonly kind: "pg-boss"; readonly url: string; readonly module?: string | undefined }
  | { readonly kind: "BullMQ"; readonly port: number }

/** How an engine is made worse than its adapter asks for. */
export interface Worse {
  /** What the names of queues begin with. */
  readonly prefix?: string
  /** Options that pg-boss sends pages with in place of the adapter's. */
  readonly send?: object
  /** Options of BullMQ's workers. */
  readonly worker?: object
}

interface Boss extends AnyPgBoss {
  readonly on: (event: "error", listener: () => void) => unknown
  readonly start: () => Promise<unknown>
  readonly stop: (options: object) => Promise<unknown>
}

type BossClass = new (options: object) => Boss

/** Version 10 is the module's default, later ones have a name. */
const bossOf = async (module: string | undefined): Promise<BossClass> => {
  // Both are what `Boss` says: the type tests hold them to it.
  if (module === undefined) return PgBoss as unknown as BossClass
  const loaded: { readonly PgBoss: BossClass } = await import(module)
  return loaded.PgBoss
}

const bossDelivery = (
  { module, url }: Engine & { kind: "pg-boss" },
  { prefix, send }: Worse
): Effect.Effect<Delivery, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const Boss = await bossOf(module)
      const boss = new Boss({
        connectionString: url,
        schedule: false,
        supervise: true,
        // Version 10 and later ones have different names for it.
        ...(module === undefined
          ? { maintenanceIntervalSeconds: 1 }
          : { superviseIntervalSeconds: 1, maintenanceIntervalSeconds: 1 })
      })
      boss.on("error", () => undefined)
      await boss.start()
      return boss
    }),
    (boss) => Effect.promise(() => boss.stop({ graceful: false, wait: true }))
  ).pipe(
    Effect.map((boss) =>
      pgBossDelivery(
        send === undefined
          ? boss
          : {
              createQueue: boss.createQueue.bind(boss),
              work: boss.work.bind(boss),
              offWork: boss.offWork.bind(boss),
              send: (name, data, options) => boss.send(name, data, { ...options, ...send })
            },
        prefix === undefined ? {} : { prefix }
      )
    )
  )

const bullOf = (port: number, { prefix, worker: options }: Worse): Delivery =>
  bullDelivery({
    ...(prefix !== undefined && { prefix }),
    queue: (name) => {
      const queue = new Queue(name, { connection: { port } })
      queue.on("error", () => undefined)
      return queue
    },
    worker: (name, work) => {
      const worker = new Worker(name, work, {
        connection: { port, maxRetriesPerRequest: null },
        concurrency: 8,
        ...options
      })
      worker.on("error", () => undefined)
      return worker
    }
  })

/** The delivery of one runner; none where the store delivers. */
export const deliveryOf = (
  engine: Engine,
  worse: Worse = {}
): Effect.Effect<Delivery | undefined, never, Scope.Scope> => {
  switch (engine.kind) {
    case "none":
      return Effect.succeed(undefined)
    case "pg-boss":
      return bossDelivery(engine, worse)
    case "BullMQ":
      return Effect.sync(() => bullOf(engine.port, worse))
  }
}
