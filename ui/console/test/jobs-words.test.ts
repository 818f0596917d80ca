/** What is said of a run to those who listen to the page, and of the items that a button is about. */

import type { Progress } from "@quartet/fleet/http"
import { expect, it } from "vitest"
import { announced, meant, Pace, reasons, Voice } from "../views/jobs/watched.js"

const run = (of: Partial<Progress>): Progress => ({
  run: "3f2a",
  job: "rows",
  key: "a",
  state: "running",
  read: 0,
  total: undefined,
  done: 0,
  failed: 0,
  unknown: 0,
  error: undefined,
  pages: [],
  startedAt: new Date(0),
  endedAt: undefined,
  ...of
})

it.each([
  [{}, "0 items through"],
  [{ done: 7, read: 9 }, "7 items through"],
  [{ done: 4000, failed: 300, unknown: 21, read: 9000 }, "over 4,000 items through"],
  [{ total: 3000 }, "0 per cent through"],
  [{ unknown: 1, total: 3000 }, "less than 1 per cent through"],
  [{ done: 64, total: 3000 }, "2 per cent through"],
  [{ done: 11, failed: 4, total: 20 }, "75 per cent through"],
  [{ done: 2999, total: 3000 }, "99 per cent through"],
  [{ state: "done", total: 0 }, "100 per cent through"]
] as const)("%j is %s", (of, said) => {
  expect(announced(run(of))).toBe(`The run is ${"state" in of ? of.state : "running"}, ${said}.`)
})

it("is said to those who listen now and then, and at once where it is in another state", () => {
  const voice = new Voice()
  const at = (seconds: number, of: Partial<Progress>) =>
    voice.says(seconds * 1_000, run({ total: 100, ...of }))
  expect(at(0, { done: 1 })).toContain("running, 1 per cent")
  expect(at(14, { done: 14 })).toContain("running, 1 per cent")
  expect(at(15, { done: 15 })).toContain("running, 15 per cent")
  expect(at(16, { done: 16, state: "paused" })).toContain("paused, 16 per cent")
})

const out = "503 since 12:04 UTC, next try in 8 s"
const waiting = { page: 0, state: "waiting", runner: "a", error: out } as const

it.each([
  ["goes on", {}, []],
  ["has no runner", { error: "no runner has the job rows" }, ["no runner has the job rows"]],
  ["waits with a page", { pages: [{ ...waiting, page: 3, state: "working" }, waiting] }, [out]],
  ["waits with its reader, which says the same", { error: out, pages: [{ ...waiting, page: -1 }] }, [out]],
  [
    "waits, with something else to say",
    { error: "the lowest hold", pages: [waiting] },
    [out, "the lowest hold"]
  ],
  ["is paused", { state: "paused", error: "no file", pages: [waiting] }, ["no file"]],
  ["is cancelled", { state: "cancelled", error: "no file", pages: [waiting] }, []],
  ["is done", { state: "done", pages: [waiting] }, []]
] as const)("a run that %s says why it does not go on", (_, of, said) => {
  expect(reasons(run(of))).toEqual(said)
})

it("says no time that a run still takes while it waits, and afterwards none by what ended meanwhile", () => {
  const pace = new Pace()
  const at = (seconds: number, of: Partial<Progress>) =>
    pace.left(seconds * 1_000, run({ total: 3_000, ...of }))
  at(0, { done: 100 })
  expect(at(5, { done: 100, unknown: 20, pages: [waiting] })).toBeUndefined()
  expect(at(10, { done: 100, unknown: 40, pages: [waiting] })).toBeUndefined()
  expect(at(11, { done: 100, unknown: 40 })).toBeUndefined()
  expect(at(14, { done: 228, unknown: 40 })).toBe("about 1 min left")
})

it("says how long a run still takes, by how fast it went of late", () => {
  const pace = new Pace()
  const at = (seconds: number, of: Partial<Progress>) => pace.left(seconds * 1_000, run(of))
  expect(at(0, { done: 0, total: 3_000 })).toBeUndefined()
  expect(at(1, { done: 12, total: 3_000 })).toBeUndefined()
  expect(at(4, { done: 48, total: 3_000 })).toBe("about 4 min left")
  expect(at(5, { done: 2_990, total: 3_000 })).toBe("less than a minute left")
  expect(at(6, { done: 3_000, total: 3_000 })).toBeUndefined()
  expect(at(7, { done: 3_000 })).toBeUndefined()
  // After half a minute in which nothing moved nobody knows.
  expect(at(60, { done: 3_000, total: 9_000 })).toBeUndefined()
  expect(at(90, { done: 3_000, total: 9_000 })).toBeUndefined()
  expect(at(100, { done: 3_001, total: 90_000 })).toBe("about 242 h left")
  expect(at(101, { done: 3_002, state: "paused", total: 90_000 })).toBeUndefined()
})

it.each([
  [1, 0, "the only item"],
  [1_204, 0, "all 1,204 items"],
  [1_204, 1, "the ticked item"],
  [1_204, 20, "the 20 ticked items"]
])("of %d items, with %d ticked, a button is about %s", (all, ticked, said) => {
  expect(meant(all, ticked)).toBe(said)
})
