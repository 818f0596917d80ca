/** Delivery by BullMQ: pages are jobs of its queues, one queue for each job of the fleet. */
import { InputError } from "@quartet/sdk/extend"
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
  if (prefix.includes(":"))
    throw new InputError({
      operation: "bullDelivery",
      field: "prefix",
      rule: "must have no colon: BullMQ refuses it in the name of a queue"
    })
  const queues = new Map<string, BullQueue>()
  const queueOf = (job: string): BullQueue => {
    const made = queues.get(job) ?? queue(`${prefix}${job}`)
    queues.set(job, made)
    return made
  }
  const kept = { removeOnComplete: true, removeOnFail: true }
  /** Each put is a job of its own: one of the same name could be a dead runner's, which BullMQ finds out late. */
  const put = ({ job, page, run }: PageRef) => queueOf(job).add(job, { job, run, page }, kept)
  /** What is to come again waits once. `turn` changes each time: BullMQ keeps the name of what is worked on. */
  const again = ({ job, page, run }: PageRef, turn: 1 | 2, after: number) =>
    queueOf(job).add(
      job,
      { job, run, page, turn },
      {
        ...kept,
        jobId: `${nameOf({ job, run, page })}-${turn}`,
        ...(after > 0 && { delay: Math.min(after, longestDelay) })
      }
    )
  return {
    put: (pages) => Effect.forEach(pages, (page) => asked(() => put(page)), { discard: true }),
    deliver: (jobs, handler) =>
      delivering(handler, async (handle) => {
        const work = async ({ data }: { readonly data: unknown }): Promise<void> => {
          const page = pageIn(data)
          if (page === undefined) return
          const outcome = await handle(page)
          if ("after" in outcome) await again(page, Object(data).turn === 1 ? 2 : 1, outcome.after)
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
