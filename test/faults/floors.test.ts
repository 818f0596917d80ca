// What must come of calls follows from the plan of faults alone: silence cannot pass for a success, nor for a repetition.
import { describe, expect, test } from "vitest"
import type { Account } from "./account.js"
import { account, altered, late, lost, request, value } from "./accounts.js"
import { type Bearing, fateOf, floors } from "./floors.js"
import { type Entry, everything, type Plan, strikeOf } from "./proxy/plan.js"

const bearing: Bearing = { attempts: 3, deadline: 2_000, longestRetryAfter: 60_000 }
const of = (weights: Plan["weights"], more: Partial<Plan> = {}): Plan => ({
  seed: 3,
  rate: 1,
  weights,
  ...more
})

describe("by the plan", () => {
  test("a call that nothing hits succeeds at its first attempt", () => {
    expect(fateOf(of({}, { rate: 0 }), "qt-a-1", true, bearing)).toEqual({ isValue: true, attempts: 1 })
    for (const kind of ["latency", "dribble", "duplicate"] as const)
      expect(fateOf(of({ [kind]: 1 }), "qt-a-1", false, bearing)).toEqual({ isValue: true, attempts: 1 })
  })

  test("a call that is always lost or refused has all its attempts, where it may be repeated", () => {
    for (const kind of ["reset-before", "reset-after", "reset-mid", "truncate", "refuse"] as const) {
      expect(fateOf(of({ [kind]: 1 }), "qt-a-1", true, bearing)).toEqual({ isValue: false, attempts: 3 })
      expect(fateOf(of({ [kind]: 1 }), "qt-a-1", false, bearing)).toEqual({ isValue: false, attempts: 1 })
    }
  })

  test("a call that is lost once succeeds at its second attempt", () => {
    const plan = of({ "reset-after": 1 }, { later: { rate: 0, weights: {} } })
    expect(fateOf(plan, "qt-a-1", true, bearing)).toEqual({ isValue: true, attempts: 2 })
    expect(fateOf(plan, "qt-a-1", false, bearing)).toEqual({ isValue: false, attempts: 1 })
  })

  test("a stalled call fails, and what comes of a corrupted answer is left open", () => {
    expect(fateOf(of({ stall: 1 }), "qt-a-1", true, bearing)).toEqual({ isValue: false, attempts: 1 })
    expect(fateOf(of({ corrupt: 1 }), "qt-a-1", true, bearing)).toEqual({ isValue: undefined, attempts: 1 })
  })
})

describe("the floors", () => {
  const plan = of(everything, { rate: 0.3 })
  const calls = Array.from({ length: 300 }, (_, number) => `qt-a-${number}`)
  const accountOf = (call: string, outcome: Account["outcome"]): Account => ({
    ...account("read", outcome),
    call,
    parts: ["boxes.get", "fetch"]
  })
  /** Accounts and entries as the plan has them. */
  const honest = () => {
    const accounts: Array<Account> = []
    const entries: Array<Entry> = []
    for (const call of calls) {
      const { attempts, isValue } = fateOf(plan, call, true, bearing)
      accounts.push(accountOf(call, isValue === true ? value : lost))
      for (let attempt = 1; attempt <= attempts; attempt++)
        entries.push(request({ call, attempt, kind: strikeOf(plan, call, attempt)?.kind }))
    }
    return { accounts, entries }
  }
  const parts = ["boxes.get", "fetch"]

  test("are met by calls that end as the plan says", () => {
    const { all, findings } = floors({ ...honest(), plan, bearing, parts })
    expect(findings).toEqual([])
    for (const { leastRepetitions, leastValues, repetitions, values } of all) {
      expect(leastValues).toBeGreaterThan(200)
      expect(leastRepetitions).toBeGreaterThan(20)
      expect([values, repetitions]).toEqual([leastValues, leastRepetitions])
    }
  })

  test("are missed by one call that fails where the plan lets it succeed", () => {
    const { accounts, entries } = honest()
    const missed = accounts.findIndex(({ outcome }) => outcome._tag === "Value")
    accounts[missed] = accountOf(calls[missed] ?? "", late)
    const { findings } = floors({ accounts, entries, plan, bearing, parts })
    expect(findings.map(({ call }) => call)).toEqual(parts)
    expect(findings[0]?.what).toMatch(/^\d+ values, of at least \d+$/)
  })

  test("are missed by one attempt that is not made", () => {
    const { accounts, entries } = honest()
    const repeated = entries.findIndex(({ attempt }) => attempt === 2)
    entries.splice(repeated, 1)
    const { findings } = floors({ accounts, entries, plan, bearing, parts })
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^\d+ repetitions, of at least \d+$/),
      expect.stringMatching(/^\d+ repetitions, of at least \d+$/)
    ])
  })

  test("are missed by an operation, a client or a transport that is not called at all", () => {
    const { findings } = floors({ ...honest(), plan, bearing, parts: [...parts, "undici"] })
    expect(findings).toEqual([{ call: "undici", what: "was not called at all" }])
  })

  test("leave out a call whose connection another one's answer had spoiled", () => {
    const spoiled = [request({ call: "qt-a-1", isTainted: true })]
    const { findings, spoiled: count } = floors({
      accounts: [accountOf("qt-a-1", lost), accountOf("qt-a-2", altered)],
      entries: spoiled,
      plan: of({}, { rate: 0 }),
      bearing,
      parts
    })
    expect({ findings, count }).toEqual({ findings: [], count: 1 })
  })
})
