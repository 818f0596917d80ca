/**
 * What must come of the calls by the schedule of faults alone, before any account of them is read: the schedule says which
 * attempt of which call is hit, so how many calls succeed and how many attempts are repeated is known, for each
 * operation, each client and each transport. Whatever goes wrong in silence falls below that.
 */

import type { Account } from "./account.js"
import { askedBy, type FaultSchedule, faultOf, type LoggedRequest, synthesised } from "./proxy/schedule.js"
import type { Finding } from "./reconcile.js"
import { tally } from "./tally.js"

/** How a client bears faults, as far as it says what becomes of a call. Times in milliseconds. */
export interface Bearing {
  readonly attempts: number
  readonly deadline: number
  readonly longestRetryAfter: number
}

export interface Fate {
  /** Undefined where the schedule leaves it open: a corrupted answer may still be one. */
  readonly isValue: boolean | undefined
  readonly attempts: number
}

/** What becomes of a call that carries an id. `mayRepeat`: it is a read, or carries an idempotency key. */
export const fateOf = (schedule: FaultSchedule, call: string, mayRepeat: boolean, bearing: Bearing): Fate => {
  let requests = 0
  for (let attempt = 1; attempt <= bearing.attempts; attempt++) {
    const fault = faultOf(schedule, call, attempt)
    switch (fault?.kind) {
      case undefined:
      case "dribble":
      case "duplicate":
      case "latency":
        return { isValue: true, attempts: attempt }
      case "corrupt":
        return { isValue: undefined, attempts: attempt }
      case "stall":
        return { isValue: false, attempts: attempt }
      case "server-error":
      case "too-many": {
        const wait = askedBy(synthesised(fault).retryAfter)
        if (wait > bearing.longestRetryAfter) return { isValue: false, attempts: attempt }
        requests += wait
        // Whether a pause still fits into what is left of the deadline is a matter of milliseconds.
        if (requests > bearing.deadline / 2) return { isValue: undefined, attempts: attempt }
        break
      }
      default:
    }
    if (!mayRepeat) return { isValue: false, attempts: attempt }
  }
  return { isValue: false, attempts: bearing.attempts }
}

export interface Sources {
  readonly accounts: ReadonlyArray<Account>
  readonly entries: ReadonlyArray<LoggedRequest>
  readonly schedule: FaultSchedule
  readonly bearing: Bearing
  /** The operations, clients and transports of which there must be calls. */
  readonly parts: ReadonlyArray<string>
}

export const floors = ({ accounts, bearing, entries, parts, schedule }: Sources) => {
  const requests = tally(entries.map(({ call }) => call))
  // Their connections were spoiled by the answer to another call, of which the schedule of these knows nothing.
  const spoiled = new Set(entries.flatMap(({ call, isTainted }) => (isTainted ? [call] : [])))
  const nothing = { calls: 0, values: 0, leastValues: 0, repetitions: 0, leastRepetitions: 0 }
  const floors = new Map(parts.map((part) => [part, { ...nothing }]))
  for (const { call, isKeyed, isWrite, outcome, parts: own } of accounts) {
    const fate = fateOf(schedule, call, !isWrite || isKeyed, bearing)
    for (const part of own) {
      const floor = floors.get(part)
      if (floor === undefined) throw new Error(`there is no floor for ${part}`)
      floor.calls += 1
      if (outcome._tag === "Value") floor.values += 1
      floor.repetitions += Math.max(0, (requests.get(call) ?? 0) - 1)
      if (spoiled.has(call)) continue
      if (fate.isValue === true) floor.leastValues += 1
      floor.leastRepetitions += fate.attempts - 1
    }
  }
  const all = [...floors].map(([of, floor]) => ({ of, ...floor }))
  const findings = all.flatMap(({ calls, leastRepetitions, leastValues, of, repetitions, values }) =>
    [
      calls === 0 && "was not called at all",
      values < leastValues && `${values} values, of at least ${leastValues}`,
      repetitions < leastRepetitions && `${repetitions} repetitions, of at least ${leastRepetitions}`
    ].flatMap((what): ReadonlyArray<Finding> => (what === false ? [] : [{ call: of, what }]))
  )
  return { all, findings, spoiled: spoiled.size }
}

export const toldFloors = (all: ReturnType<typeof floors>["all"]): string =>
  all
    .map(({ calls, leastRepetitions, leastValues, of, repetitions, values }) => {
      const share = (count: number): string => `${((count / calls) * 100).toFixed(1)} %`
      return `${of} ${share(values)} values of at least ${share(leastValues)}, ${repetitions} repetitions of at least ${leastRepetitions}`
    })
    .join("; ")
