/** What is said of a run to those who listen to the page. */

import type { Progress } from "@quartet/fleet/http"
import { expect, it } from "vitest"
import { announced } from "../views/jobs/watched.js"

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
  [{ done: 1, total: 20 }, "0 per cent through"],
  [{ done: 11, failed: 4, total: 20 }, "70 per cent through"],
  [{ state: "done", total: 0 }, "100 per cent through"]
] as const)("%j is %s", (of, said) => {
  expect(announced(run(of))).toBe(`The run is ${"state" in of ? of.state : "running"}, ${said}.`)
})
