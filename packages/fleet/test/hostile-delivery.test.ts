// An engine that does everything wrong decides nothing: the store alone says who works on a page.

import { live } from "@quartet/support/effect.js"
import { Effect, FiberSet, Layer, PubSub, Queue, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import type { Delivered, Delivery, PageRef } from "../jobs/delivery.js"
import * as Fleet from "../jobs/index.js"
import { Platform } from "./platform.js"
import { file } from "./stores.js"
import { look, orphanAfter } from "./times.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

const job = (platform: Platform) =>
  Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 10,
    lanes: 3,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => Effect.zipLeft(platform.send(undefined, item), Effect.sleep(1)),
    onUnknown: (item: number) => platform.find(item)
  })

/** How often a runner is called for each page that is put, and whether what it answers is heeded. */
interface Manners {
  /** Deliveries of what is put once, all at the same time and to each runner. */
  readonly copies: number
  /** Deliveries of a page after which it is never delivered again, unless it is put anew. */
  readonly claims: number
  /** Whether a page is taken for expired while it is worked on, and delivered again. */
  readonly expires: boolean
  /** Whether every third page that is put is lost. */
  readonly loses: boolean
}

/** An engine of these manners, which all runners of a test share. */
const engine = ({ claims, copies, expires, loses }: Manners): Effect.Effect<Delivery> =>
  Effect.map(PubSub.unbounded<PageRef>(), (pages) => {
    let puts = 0
    return {
      put: (refs) =>
        Effect.forEach(
          refs,
          (ref) => {
            puts += 1
            return loses && puts % 3 === 0 ? Effect.void : PubSub.publish(pages, ref)
          },
          { discard: true }
        ),
      deliver: (_, handler) =>
        Effect.scoped(
          Effect.gen(function* () {
            const queue = yield* PubSub.subscribe(pages)
            const working = yield* FiberSet.make<unknown>()
            const deliver = (ref: PageRef, left: number): Effect.Effect<unknown> =>
              Effect.flatMap(handler(ref), (delivered: Delivered) =>
                "after" in delivered && left > 1
                  ? Effect.delay(deliver(ref, left - 1), Math.min(delivered.after, 50))
                  : Effect.void
              )
            return yield* Effect.forever(
              Effect.flatMap(Queue.take(queue), (ref) =>
                Effect.forEach(
                  numbers(copies),
                  (copy) => FiberSet.run(working, Effect.delay(deliver(ref, claims), expires ? copy * 5 : 0)),
                  { discard: true }
                )
              )
            )
          })
        )
    }
  })

live.each<Manners & { readonly what: string }>([
  { what: "delivers each page five times at once", copies: 5, claims: 100, expires: false, loses: false },
  { what: "gives a page up after three claims", copies: 1, claims: 3, expires: false, loses: false },
  {
    what: "takes pages for expired while they are worked on",
    copies: 5,
    claims: 3,
    expires: true,
    loses: false
  },
  { what: "loses pages and delivers others twice", copies: 2, claims: 1, expires: false, loses: true }
])("each item is done once, by two runners, with an engine that $what", function* (manners) {
  const store = yield* file
  const delivery = yield* engine(manners)
  const platform = new Platform({ 3: "lost", 30: "dropped" })
  const numbersJob = job(platform)
  const layer = Fleet.layer({ jobs: [numbersJob], store, delivery })
  const first = yield* Layer.build(layer)
  yield* Layer.build(Layer.fresh(layer))
  const run = yield* Effect.provide(numbersJob.start(200), first)
  expect(yield* run.wait).toMatchObject({ state: "done", done: 200, failed: 0, unknown: 0 })
  expect(platform.wrong(numbers(200))).toEqual([])
})

live(
  "an engine that does not take pages holds up no pause, no other run and no word of the runner",
  function* () {
    const store = yield* file
    const delivery: Delivery = { put: () => Effect.never, deliver: () => Effect.never }
    const numbersJob = job(new Platform())
    const context = yield* Layer.build(Fleet.layer({ jobs: [numbersJob], store, delivery }))
    const isRead = { until: ({ read }: Fleet.Progress) => read > 0 }
    const first = yield* Effect.provide(numbersJob.start(20), context)
    yield* Effect.repeat(Effect.delay(first.status, 10), isRead)
    // Its pages are being put.
    yield* Effect.sleep(4 * look)
    yield* first.pause
    expect((yield* first.status).state).toBe("paused")
    const second = yield* Effect.provide(numbersJob.start(30), context)
    yield* Effect.repeat(Effect.delay(second.status, 10), isRead)
    yield* Effect.sleep(2 * orphanAfter)
    expect((yield* second.status).error).toBeUndefined()
  }
)
