// A line that hangs or breaks is named and fails; the others keep their verdicts, and the report is whole.
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Far, make } from "./far/far.js"
import type { Line, Result } from "./line.js"
import { suffer } from "./suffer.js"

beforeEach(() => {
  vi.spyOn(console, "log").mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const holding: Result = { must: "be", got: "is", holds: true, details: [], figures: { a: 1 } }

const lineOf = (name: string, run: Line["run"]): Line => ({ name, title: () => `the line ${name}`, run })
const holds = (name: string): Line => lineOf(name, () => Promise.resolve(holding))

test("a line that hangs fails by its name, and the next one has a far end of its own", async () => {
  const opened: Array<Far> = []
  const ended: Array<Far> = []
  const used: Array<Far> = []
  const open = (): Far => {
    const far: Far = { ...make(), end: async () => void ended.push(far) }
    opened.push(far)
    return far
  }
  const using = (line: Line): Line =>
    lineOf(line.name, (context) => {
      used.push(context.far)
      return line.run(context)
    })
  const lines = [
    holds("first"),
    lineOf("hanging", () => new Promise(() => undefined)),
    lineOf("broken", () => Promise.reject(new Error("no such row"))),
    holds("last")
  ]
  const done = await suffer(lines.map(using), { quick: true, seed: 7, timeout: 1 }, open)
  expect(done.map(({ name, result }) => [name, result.holds])).toEqual([
    ["first", true],
    ["hanging", false],
    ["broken", false],
    ["last", true]
  ])
  expect(done.map(({ result }) => result.got)).toEqual([
    "is",
    "hangs: it has not ended after 1 s (see --timeout)",
    expect.stringContaining("no such row"),
    "is"
  ])
  const [one, other] = opened
  expect(used).toEqual([one, one, other, other])
  expect(ended).toEqual([one, other])
})

test("a line that ends in time is not given up", async () => {
  const slow = lineOf("slow", () => new Promise((resolve) => setTimeout(() => resolve(holding), 700)))
  const [done] = await suffer([slow], { quick: true, seed: 7, timeout: 60 }, make)
  expect(done?.result).toEqual(holding)
})
