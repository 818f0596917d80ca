/** Delivery by BullMQ: pages are jobs of its queues, one queue for each job of the fleet. */
import * as Effect from "effect/Effect"
import { asked, delivering, longestDelay, nameOf, pageIn } from "../engine/engine.js"
import type { Delivery, PageRef } from "../jobs/delivery.js"

/** What is used of a queue of BullMQ. @category models */
export interface BullQueue {
  readonly add: (name: string, data: object, options: object) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

/** What is used of a worker of BullMQ. @category models */
export interface BullWorker {
  readonly close: () => Promise<unknown>
}

/** @category models */
export interface BullOptions {
  /** Makes a queue: `(name) => new Queue(name, { connection })`. */
  readonly queue: (name: string) => BullQueue
  /** Makes a worker: `(name, work) => new Worker(name, work, { connection, concurrency: 8 })`. */
  readonly worker: (name: string, work: (job: { readonly data: unknown }) => Promise<unknown>) => BullWorker
  /** What the names of the queues begin with; `quartet-`. */
  readonly prefix?: string
}

/**
 * Has BullMQ deliver a fleet's pages. It makes its queues and its workers when the fleet's layer is built, and closes them with it.
 * @category constructors
 */
export const bullDelivery = ({ prefix = "quartet-", queue, worker }: BullOptions): Delivery => {
  const queues = new Map<string, BullQueue>()
  const queueOf = (job: string): BullQueue => {
    const made = queues.get(job) ?? queue(`${prefix}${job}`)
    queues.set(job, made)
    return made
  }
  /** `turn` changes with each delivery: BullMQ keeps the name of a page while it is worked on. */
  const add = async ({ job, page, run }: PageRef, turn: number, after = 0): Promise<void> => {
    await queueOf(job).add(
      job,
      { job, run, page, turn },
      {
        jobId: `${nameOf({ job, run, page })}-${turn}`,
        removeOnComplete: true,
        removeOnFail: true,
        ...(after > 0 && { delay: Math.min(after, longestDelay) })
      }
    )
  }
  return {
    put: (pages) => Effect.forEach(pages, (page) => asked(() => add(page, 0)), { discard: true }),
    deliver: (jobs, handler) =>
      delivering(handler, async (handle) => {
        const work = async ({ data }: { readonly data: unknown }): Promise<void> => {
          const page = pageIn(data)
          if (page === undefined) return
          const outcome = await handle(page)
          if (outcome._tag === "Again") await add(page, Object(data).turn === 0 ? 1 : 0, outcome.after)
        }
        const workers = jobs.map((job) => worker(`${prefix}${job}`, work))
        return async () => {
          await Promise.all(workers.map((one) => one.close()))
          await Promise.all([...queues.values()].map((one) => one.close()))
          queues.clear()
        }
      })
  }
}
