// What must come of calls follows from the schedule of faults alone: silence cannot pass for a success, nor for a repetition.
import { describe, expect, test } from "vitest"
import type { Account } from "./account.js"
import { type Bearing, type Fate, fateOf, floors } from "./floors.js"
import {
  calm,
  everything,
  type FaultSchedule,
  faultOf,
  type Kind,
  type LoggedRequest
} from "./proxy/schedule.js"
import { account, altered, late, lost, request, value } from "./samples.js"

const bearing: Bearing = { attempts: 3, deadline: 2_000, longestRetryAfter: 60_000 }
const of = (weights: FaultSchedule["weights"], more: Partial<FaultSchedule> = {}): FaultSchedule => ({
  seed: 3,
  rate: 1,
  weights,
  ...more
})

const isAlways = (kinds: ReadonlyArray<Kind>, repeated: Fate, once: Fate) =>
  kinds.map((kind): readonly [string, FaultSchedule, Fate, Fate] => [kind, of({ [kind]: 1 }), repeated, once])
const fate = (isValue: Fate["isValue"], attempts: number): Fate => ({ isValue, attempts })

/** What hits a call, and what becomes of it where it may be repeated and where it may not. */
test.each<readonly [string, FaultSchedule, repeated: Fate, once: Fate]>([
  ["nothing", of({}, { rate: 0 }), fate(true, 1), fate(true, 1)],
  ...isAlways(["latency", "dribble", "duplicate"], fate(true, 1), fate(true, 1)),
  ...isAlways(
    ["reset-before", "reset-after", "reset-mid", "truncate", "refuse"],
    fate(false, 3),
    fate(false, 1)
  ),
  ["a loss, once", of({ "reset-after": 1 }, { later: calm }), fate(true, 2), fate(false, 1)],
  ...isAlways(["stall"], fate(false, 1), fate(false, 1)),
  // A corrupted answer may still be one.
  ...isAlways(["corrupt"], fate(undefined, 1), fate(undefined, 1))
])("the fate of a call that is hit by %s follows from the schedule", (_, schedule, repeated, once) => {
  expect([true, false].map((mayRepeat) => fateOf(schedule, "qt-a-1", mayRepeat, bearing))).toEqual([
    repeated,
    once
  ])
})

describe("the floors", () => {
  const schedule = of(everything, { rate: 0.3 })
  const calls = Array.from({ length: 300 }, (_, number) => `qt-a-${number}`)
  const accountOf = (call: string, outcome: Account["outcome"]): Account => ({
    ...account("read", outcome),
    call,
    parts: ["boxes.get", "fetch"]
  })
  /** Accounts and entries as the schedule has them. */
  const honest = () => {
    const accounts: Array<Account> = []
    const entries: Array<LoggedRequest> = []
    for (const call of calls) {
      const { attempts, isValue } = fateOf(schedule, call, true, bearing)
      accounts.push(accountOf(call, isValue === true ? value : lost))
      for (let attempt = 1; attempt <= attempts; attempt++)
        entries.push(request({ call, attempt, kind: faultOf(schedule, call, attempt)?.kind }))
    }
    return { accounts, entries }
  }
  const parts = ["boxes.get", "fetch"]

  test("are met by calls that end as the schedule says", () => {
    const { all, findings } = floors({ ...honest(), schedule, bearing, parts })
    expect(findings).toEqual([])
    for (const { leastRepetitions, leastValues, repetitions, values } of all) {
      expect(leastValues).toBeGreaterThan(200)
      expect(leastRepetitions).toBeGreaterThan(20)
      expect([values, repetitions]).toEqual([leastValues, leastRepetitions])
    }
  })

  test("are missed by one call that fails where the schedule lets it succeed", () => {
    const { accounts, entries } = honest()
    const missed = accounts.findIndex(({ outcome }) => outcome._tag === "Value")
    accounts[missed] = accountOf(calls[missed] ?? "", late)
    const { findings } = floors({ accounts, entries, schedule, bearing, parts })
    expect(findings.map(({ call }) => call)).toEqual(parts)
    expect(findings[0]?.what).toMatch(/^\d+ values, of at least \d+$/)
  })

  test("are missed by one attempt that is not made", () => {
    const { accounts, entries } = honest()
    entries.splice(
      entries.findIndex(({ attempt }) => attempt === 2),
      1
    )
    const { findings } = floors({ accounts, entries, schedule, bearing, parts })
    const missed = expect.stringMatching(/^\d+ repetitions, of at least \d+$/)
    expect(findings.map(({ what }) => what)).toEqual([missed, missed])
  })

  test("are missed by an operation, a client or a transport that is not called at all", () => {
    const { findings } = floors({ ...honest(), schedule, bearing, parts: [...parts, "undici"] })
    expect(findings).toEqual([{ call: "undici", what: "was not called at all" }])
  })

  test("leave out a call whose connection another one's answer had spoiled", () => {
    const spoiled = [request({ call: "qt-a-1", isTainted: true })]
    const { findings, spoiled: count } = floors({
      accounts: [accountOf("qt-a-1", lost), accountOf("qt-a-2", altered)],
      entries: spoiled,
      schedule: of({}, { rate: 0 }),
      bearing,
      parts
    })
    expect({ findings, count }).toEqual({ findings: [], count: 1 })
  })
})
