// A scenario that hangs or breaks is named and fails; the others keep their verdicts, and the report is whole.
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Far, make } from "./far/far.js"
import type { Result } from "./scenario.js"
import { suffer } from "./suffer.js"

beforeEach(() => void vi.spyOn(console, "log").mockReturnValue(undefined))
afterEach(() => void vi.restoreAllMocks())

const holding: Result = { must: "be", got: "is", holds: true, details: [], figures: { a: 1 } }
const ends = () => Promise.resolve(holding)
const late = (): Promise<Result> => new Promise((resolve) => setTimeout(() => resolve(holding), 700))

test("a scenario that hangs or breaks fails by its name, and after one that hangs the far end is another", async () => {
  const [opened, ended, used]: [Array<Far>, Array<Far>, Array<Far>] = [[], [], []]
  const open = (): Far => {
    const far: Far = { ...make(), end: async () => void ended.push(far) }
    opened.push(far)
    return far
  }
  const runs = {
    first: ends,
    late,
    hanging: () => new Promise<Result>(() => undefined),
    broken: () => Promise.reject(new Error("no such row")),
    last: ends
  }
  const scenarios = Object.entries(runs).map(([name, run]) => ({
    name,
    title: () => `the scenario ${name}`,
    run: ({ far }: { readonly far: Far }) => {
      used.push(far)
      return run()
    }
  }))
  const done = await suffer(scenarios, { quick: true, seed: 7, timeout: 2 }, open)
  expect(done.map(({ name, result: { got, holds } }) => [name, holds, got])).toEqual([
    ["first", true, "is"],
    ["late", true, "is"],
    ["hanging", false, "hangs: it has not ended after 2 s (see --timeout)"],
    ["broken", false, expect.stringContaining("no such row")],
    ["last", true, "is"]
  ])
  const [first, second] = opened
  expect(used).toEqual([first, first, first, second, second])
  expect(ended).toEqual([first, second])
})
