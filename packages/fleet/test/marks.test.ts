// How many items stand in the store as perhaps sent, of all pages of a process.
import { live } from "@quartet/support/effect.js"
import { Effect, Fiber, Layer, Schema, Stream } from "effect"
import { expect, it, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Marks } from "../jobs/marks.js"
import { client, file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const jobOf = (name: string) =>
  Fleet.job(name, {
    input: Schema.Number,
    key: String,
    page: 20,
    lanes: 4,
    concurrency: 16,
    source: (count) => Stream.range(1, count),
    each: () => Effect.sleep(3),
    onUnknown: () => Effect.succeedNone
  })

live.each([
  { what: "one run", runners: [{ inFlight: 6 }], jobs: [jobOf("one")] },
  { what: "two runs", runners: [{ inFlight: 8 }], jobs: [jobOf("one"), jobOf("two")] },
  {
    what: "one run by two runners with different limits, the lowest of which holds",
    runners: [{ inFlight: 6 }, { inFlight: 64 }],
    jobs: [jobOf("one")]
  }
])("of $what, at most twice as many as can be in flight", function* ({ jobs, runners }) {
  const store = yield* file
  const sql = yield* client(store)
  const watcher = yield* Layer.build(Fleet.layerClient({ store }))
  const runs = yield* Effect.forEach(jobs, (job) => Effect.provide(job.start(300), watcher))
  const marked: Array<number> = []
  const look = Effect.gen(function* () {
    const [row] = yield* sql`
      SELECT COALESCE(SUM(LENGTH(states) - LENGTH(REPLACE(states, 's', ''))), 0) AS marked FROM quartet_pages`
    marked.push(Number(row?.marked))
  })
  const looking = yield* Effect.fork(Effect.forever(Effect.zipRight(look, Effect.sleep(2))))
  for (const limits of runners) yield* Layer.build(Layer.fresh(Fleet.layer({ jobs, store, limits })))
  for (const run of runs) expect(yield* run.wait).toMatchObject({ state: "done", done: 300 })
  yield* Fiber.interrupt(looking)
  const inFlight = Math.min(...runners.map(({ inFlight }) => inFlight))
  expect(Math.max(...marked)).toBeGreaterThan(inFlight)
  // The first runner hears within a second that another one has come, which has its share by then.
  expect(Math.max(...marked)).toBeLessThanOrEqual((runners.length + 1) * inFlight)
})

it("a page that comes when others have all there is may begin one, and more once it is written that those have ended", () => {
  const marks = new Marks(() => 4)
  marks.enter()
  expect(marks.room(0, 0, 16)).toBe(8)
  marks.add(8)
  marks.enter()
  expect([marks.room(0, 0, 16), marks.room(1, 1, 16)]).toEqual([1, 0])
  // Six of the first page have ended: it may begin its half, and once that is written the other one may.
  expect([marks.room(2, 8, 16), marks.room(0, 0, 16)]).toEqual([2, 1])
  marks.add(-6)
  expect(marks.room(0, 0, 16)).toBe(4)
  marks.leave(2)
  expect(marks.room(0, 0, 2)).toBe(4)
})

it("a process that has no place yet begins one item of each page", () => {
  const marks = new Marks(() => 0)
  marks.enter()
  expect([marks.room(0, 0, 4), marks.room(1, 1, 4)]).toEqual([1, 0])
})
