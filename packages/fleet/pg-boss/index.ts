/** Delivery by pg-boss: pages are jobs of its queues, one queue for each job of the fleet. */
import * as Effect from "effect/Effect"
import { asked, delivering, longestDelay, nameOf, pageIn } from "../engine/engine.js"
import type { Delivery, PageRef } from "../jobs/delivery.js"

/** What is used of a pg-boss that was started: versions 10 to 12 have it. @category models */
export interface PgBoss {
  readonly createQueue: (name: string, options: never) => Promise<unknown>
  readonly send: (name: string, data: object, options: object) => Promise<unknown>
  readonly work: (
    name: string,
    options: never,
    handler: (jobs: Array<{ readonly data: unknown }>) => Promise<unknown>
  ) => Promise<string>
  readonly offWork: (name: string) => Promise<unknown>
}

/** @category models */
export interface PgBossOptions {
  /** Pages of each job that this runner works on at a time; 8. */
  readonly concurrency?: number
  /** What the names of the queues begin with; `quartet-`. */
  readonly prefix?: string
}

/** Seconds between two looks of a worker at its queue: the shortest that pg-boss takes. */
const interval = 0.5

/** Seconds after which pg-boss takes a page for lost. The store knows better, and much earlier. */
const expiry = 23 * 60 * 60

/**
 * Has pg-boss deliver a fleet's pages. Each runner gives its own, which it has started, and stops after the fleet's layer is closed.
 *
 * @example
 * ```ts
 * import * as Fleet from "@quartet/fleet"
 * import { pgBossDelivery } from "@quartet/fleet/pg-boss"
 * ```
 * @category constructors
 */
export const pgBossDelivery = (boss: PgBoss, options: PgBossOptions = {}): Delivery => {
  const { concurrency = 8, prefix = "quartet-" } = options
  const queueOf = (job: string): string => `${prefix}${job}`
  const made = new Set<string>()
  /** One page waits once; a queue that is there stays as it is. */
  const make = async (job: string): Promise<void> => {
    if (made.has(job)) return
    await boss.createQueue(queueOf(job), { name: queueOf(job), policy: "short" } as never)
    made.add(job)
  }
  const send = async ({ job, page, run }: PageRef, singletonKey: string, options = {}): Promise<void> => {
    await boss.send(
      queueOf(job),
      { job, run, page },
      { singletonKey, retryLimit: 0, expireInSeconds: expiry, ...options }
    )
  }
  const put = (page: PageRef): Promise<void> => send(page, nameOf(page))
  /** It waits under a name of its own: whatever becomes of that, the page can be put. */
  const again = (page: PageRef, after: number): Promise<void> =>
    send(
      page,
      `${nameOf(page)}-again`,
      after > 0 ? { startAfter: Math.ceil(Math.min(after, longestDelay) / 1000) } : {}
    )
  return {
    put: (pages) =>
      Effect.forEach(pages, (page) => asked(() => make(page.job).then(() => put(page))), { discard: true }),
    deliver: (jobs, handler) =>
      delivering(handler, async (handle) => {
        const work = async ([delivered]: Array<{ readonly data: unknown }>): Promise<void> => {
          const page = pageIn(delivered?.data)
          if (page === undefined) return
          const outcome = await handle(page)
          if ("after" in outcome) await again(page, outcome.after)
        }
        for (const job of jobs) {
          await make(job)
          for (let place = 0; place < concurrency; place += 1)
            await boss.work(queueOf(job), { batchSize: 1, pollingIntervalSeconds: interval } as never, work)
        }
        return () => Promise.all(jobs.map((job) => boss.offWork(queueOf(job))))
      })
  }
}
