/** The platform is down, in each way in which it can be: retries must not multiply what it is asked. */
import * as Public from "../../../clients/public/index.js"
import { nameOf, type Outcome, outcomeOf } from "../account.js"
import { asVisitor, makeVisitor, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import type { FaultSchedule } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped, tally, toldTally } from "../tally.js"

const most = 1.1
const inFlight = 256

interface Outage {
  readonly weights: FaultSchedule["weights"]
  /** Milliseconds of a call; 5,000, where its attempts end by themselves. */
  readonly deadline?: number
  /** Repetitions that all calls of one client make together: it has 500 tokens, of which one takes 5, or 10 after a time-out (504). */
  readonly repetitions: readonly [least: number, most: number]
  /** The part of the calls that is made: each of them may take its whole deadline. */
  readonly part?: number
}

const outages: Readonly<Record<string, Outage>> = {
  "5xx": { weights: { "server-error": 1 }, repetitions: [49, 100] },
  resets: { weights: { "reset-before": 1 }, repetitions: [100, 100] },
  "429": { weights: { "too-many": 1 }, repetitions: [100, 100] },
  // The deadline of a call passes with its first attempt.
  silence: { weights: { stall: 1 }, deadline: 2_000, repetitions: [0, 0], part: 1 / 4 }
}

export const outage = scenario("outage", {
  sizes: { full: 10_000, quick: 2_000 },
  title: (size) => `total outage, ${grouped(size)} calls`,
  must: `1 to ${most} requests a call, each call sent, and as many repetitions as the budget pays for`,
  run: async ({ far, open, seed, size }) => {
    await far.start(seed)
    const findings: Array<Finding> = []
    const details: Array<string> = []
    const ratios: Record<string, number> = {}
    let others = 0
    for (const [name, { deadline = 5_000, part = 1, repetitions, weights }] of Object.entries(outages)) {
      const proxy = await far.openProxy({ seed, rate: 1, weights })
      const policy = { attempts: 3, pause: 10, longestRetryAfter: 1_500, deadline }
      const outcomes: Array<Outcome> = []
      let requests = 0
      // One client for each transport, one after the other, so that a small count still is many calls of one budget.
      for (const transport of transportNames) {
        const visitor = makeVisitor(open(transport, inFlight), proxy.url, policy)
        const share = (size * part) / transportNames.length
        const { accounts } = await drive(share, inFlight, deadline, (number) => {
          const call = `qt-${transport}-${number}`
          const run = () => outcomeOf(asVisitor(Public.boxes.get({ id: call }))({ visitor }), () => false)
          return { call, isWrite: false, isKeyed: false, parts: [], run }
        })
        outcomes.push(...accounts.map(({ outcome }) => outcome))
        const entries = await far.takeEntries(proxy.id)
        const seen = new Set(entries.map(({ call }) => call))
        for (const { call } of accounts)
          if (!seen.has(call)) findings.push({ call, what: "failed, and no request of it was seen" })
        const repeated = entries.length - seen.size
        const [least, most] = repetitions
        if (repeated < least || repeated > most) {
          const what = `${repeated} repetitions, not ${least} to ${most}`
          findings.push({ call: `${name}, ${transport}`, what })
        }
        requests += entries.length
      }
      const calls = size * part
      others += calls - outcomes.filter(({ _tag }) => _tag === "Failure").length
      ratios[name] = requests / calls
      const words = toldTally(tally(outcomes.map(nameOf)))
      details.push(`${name}: ${grouped(calls)} calls, ${grouped(requests)} requests; ${words}`)
    }
    const ratiosInWords = Object.entries(ratios).map(([name, ratio]) => `${name} ${ratio.toFixed(3)} ×`)
    return {
      got: `${ratiosInWords.join(", ")}; `,
      none: { "calls without a typed error": others, findings: findings.length },
      holds: Math.max(...Object.values(ratios)) <= most,
      details,
      findings,
      figures: ratios
    }
  }
})
