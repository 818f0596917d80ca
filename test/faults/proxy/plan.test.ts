// Which request is hit by what follows from the seed, the call and its attempt, and from nothing else.
import { describe, expect, test } from "vitest"
import { applies, calm, corrupted, everything, kinds, type Plan, strikeOf } from "./plan.js"

const plan: Plan = { seed: 3, rate: 0.3, weights: everything }
const calls = Array.from({ length: 4_000 }, (_, number) => `qt-plan-${number}`)

/** The fault that each call meets, by its name. */
const kindsOf = (chosen: Plan, names: ReadonlyArray<string>, attempt = 1): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, strikeOf(chosen, name, attempt)?.kind ?? "none"]))

const share = (found: ReadonlyMap<string, string>, kind: string): number =>
  [...found.values()].filter((one) => one === kind).length / found.size

describe("a plan", () => {
  test("hits the same attempts of the same calls, in whatever order they come", () => {
    const backwards = new Map([...kindsOf(plan, [...calls].reverse())].reverse())
    expect(backwards).toEqual(kindsOf(plan, calls))
  })

  test("hits them with the same details", () => {
    const details = (): ReadonlyArray<number | undefined> =>
      calls.map((call) => strikeOf(plan, call, 1)?.random.int(0, 1_000_000))
    expect(details()).toEqual(details())
  })

  test("hits other calls by another seed, and other attempts by their number", () => {
    const first = kindsOf(plan, calls)
    expect(kindsOf({ ...plan, seed: 4 }, calls)).not.toEqual(first)
    expect(kindsOf(plan, calls, 2)).not.toEqual(first)
  })

  test("hits as large a share as its rate says", () => {
    expect(1 - share(kindsOf(plan, calls), "none")).toBeCloseTo(0.3, 1)
  })

  test("hits nothing at the rate 0, and everything at the rate 1", () => {
    expect(share(kindsOf({ ...plan, rate: 0 }, calls), "none")).toBe(1)
    expect(share(kindsOf(calm, calls), "none")).toBe(1)
    expect(share(kindsOf({ ...plan, rate: 1 }, calls), "none")).toBe(0)
  })

  test("of everything deals out every fault, and a stall a third as often as another", () => {
    const found = kindsOf({ ...plan, rate: 1 }, calls)
    expect(new Set(found.values())).toEqual(new Set(kinds))
    expect(share(found, "stall")).toBeCloseTo(1 / 31, 1)
    expect(share(found, "truncate")).toBeCloseTo(3 / 31, 1)
    expect(share(found, "stall")).toBeLessThan(share(found, "truncate") / 2)
  })

  test("deals out only the faults that have a weight", () => {
    const found = kindsOf({ seed: 3, rate: 1, weights: { truncate: 1, latency: 3, stall: 0 } }, calls)
    expect(new Set(found.values())).toEqual(new Set(["truncate", "latency"]))
    expect(share(found, "latency")).toBeCloseTo(0.75, 1)
  })

  test("without a weight hits nothing, whatever its rate", () => {
    expect(share(kindsOf({ seed: 3, rate: 1, weights: {} }, calls), "none")).toBe(1)
  })

  test("speaks of all start lines but the exempt ones, or only of some", () => {
    const line = "POST /auth/login HTTP/1.1"
    expect(applies(plan, line)).toBe(true)
    expect(applies({ ...plan, exempt: "/auth/" }, line)).toBe(false)
    expect(applies({ ...plan, exempt: "/boxes" }, line)).toBe(true)
    expect(applies({ ...plan, only: "/auth/" }, line)).toBe(true)
    expect(applies({ ...plan, only: "/boxes" }, line)).toBe(false)
    expect(applies({ ...plan, only: "/auth/", exempt: "login" }, line)).toBe(false)
  })
})

test("corrupted bytes are a copy: what the platform said stays as it was", () => {
  const bytes = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
  const before = bytes.toString("latin1")
  for (const call of calls.slice(0, 100)) {
    const strike = strikeOf({ ...plan, rate: 1 }, call, 1)
    if (strike === undefined) return expect.unreachable("no strike")
    corrupted(bytes, strike.random)
  }
  expect(bytes.toString("latin1")).toBe(before)
})
