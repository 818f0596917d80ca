// Pauses and the budget that keeps an outage from being amplified.
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import * as Resilience from "../../../core/kernel/dispatch/retry.js"

describe("the bound of a pause", () => {
  it("doubles from 200 ms up to 8 s", () => {
    const bounds = [2, 3, 4, 5, 6, 7, 8, 9, 20].map((next) =>
      Resilience.pauseBound(Resilience.defaults, next)
    )
    expect(bounds).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 8_000, 8_000, 8_000])
  })
})

describe("a budget", () => {
  it("is full with 500 tokens", () => {
    expect(new Resilience.RetryBudget().left).toBe(500)
  })

  it("pays for 100 repetitions, or for 50 after time-outs, and then for none", () => {
    for (const [cost, most] of [
      [Resilience.defaults.retryCost, 100],
      [Resilience.defaults.timeoutCost, 50]
    ] as const) {
      const budget = new Resilience.RetryBudget()
      const paid = Array.from({ length: 200 }, () => budget.take(cost)).filter((isPaid) => isPaid)
      expect(paid).toHaveLength(most)
      expect(budget.left).toBe(0)
    }
  })

  it("earns one token a clean success, up to 500", () => {
    const budget = new Resilience.RetryBudget()
    budget.earn()
    expect(budget.left).toBe(500)
    budget.take(5)
    for (let time = 0; time < 4; time++) budget.earn()
    expect(budget.left).toBe(499)
    for (let time = 0; time < 4; time++) budget.earn()
    expect(budget.left).toBe(500)
  })

  it("gives nothing on credit: what cannot be paid in full is not paid at all", () => {
    const budget = new Resilience.RetryBudget()
    for (let time = 0; time < 99; time++) budget.take(5)
    expect(budget.left).toBe(5)
    expect(budget.take(10)).toBe(false)
    expect(budget.left).toBe(5)
    expect(budget.take(5)).toBe(true)
  })

  it.prop(
    "stays between 0 and 500, whatever happens",
    [FC.array(FC.constantFrom("take", "timeout", "earn"))],
    ([events]) => {
      const budget = new Resilience.RetryBudget()
      for (const event of events) {
        if (event === "earn") budget.earn()
        else budget.take(event === "timeout" ? 10 : 5)
        expect(budget.left).toBeGreaterThanOrEqual(0)
        expect(budget.left).toBeLessThanOrEqual(500)
      }
    }
  )
})
