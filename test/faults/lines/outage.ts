/** The platform is down, in each way in which it can be: retries must not multiply what it is asked. */
import * as Effect from "effect/Effect"
import * as Public from "../../../clients/public/index.js"
import { nameOf, type Outcome, outcomeOf } from "../account.js"
import { makeVisitor, openWay, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { type Context, grouped, type Line, listed, scaled, tally, toldTally } from "../line.js"
import { calm, type Plan } from "../proxy/plan.js"
import type { Finding } from "../reconcile.js"

const counts = { full: 10_000, quick: 2_000 }
const most = 1.1
const inFlight = 256
/** A client has 500 tokens, and a repetition takes 5 of them, or 10 after a time-out (504). */
const cheap = 100
const dear = 49

/** One way in which everything is down. */
interface Outage {
  readonly name: string
  readonly weights: Plan["weights"]
  readonly deadline: number
  /** Repetitions that all calls of one client make together, until its budget is spent. */
  readonly least: number
  readonly most: number
  /** The part of the calls that is made: each of them may take its whole deadline. All of them, unless it is given. */
  readonly part?: number
}

/** Milliseconds of a call where its attempts end by themselves. */
const deadline = 5_000

const outages: ReadonlyArray<Outage> = [
  { name: "5xx", weights: { "server-error": 1 }, deadline, least: dear, most: cheap },
  { name: "resets", weights: { "reset-before": 1 }, deadline, least: cheap, most: cheap },
  { name: "429", weights: { "too-many": 1 }, deadline, least: cheap, most: cheap },
  // The deadline of a call passes with its first attempt.
  { name: "silence", weights: { stall: 1 }, deadline: 2_000, least: 0, most: 0, part: 1 / 4 }
]

interface Suffered {
  readonly name: string
  readonly calls: number
  readonly requests: number
  readonly ratio: number
  readonly others: number
  readonly findings: ReadonlyArray<Finding>
  readonly words: string
}

/** One client for each transport, and so one budget; all calls of a client share it. */
const suffer = async (
  { far, scale, seed }: Context,
  { deadline, least, most, name, part = 1, weights }: Outage
): Promise<Suffered> => {
  const count = scaled(scale, counts) * part
  const proxy = await far.openProxy({ seed, rate: 1, weights })
  const ways = transportNames.map((way) => openWay(way, inFlight))
  const policy = { attempts: 3, pause: 10, longestRetryAfter: 1_500, deadline }
  // A transport of its own each, one after the other, so that a small count still is many calls of one budget.
  const outcomes: Array<Outcome> = []
  let requests = 0
  const findings: Array<Finding> = []
  for (const [index, way] of ways.entries()) {
    const visitor = makeVisitor(way, proxy.url, policy)
    const share = Math.ceil(count / ways.length)
    const { accounts } = await drive(share, inFlight, deadline, (number) => {
      const call = `qt-out${"ab"[index]}-${number}`
      const get = Effect.provideService(Public.boxes.get({ id: call }), Public.Client, visitor)
      return { call, isWrite: false, isKeyed: false, parts: [], run: () => outcomeOf(get, () => false) }
    })
    outcomes.push(...accounts.map(({ outcome }) => outcome))
    await way.close()
    const entries = await far.takeEntries(proxy.id)
    const seen = new Set(entries.map(({ call }) => call))
    for (const { call } of accounts)
      if (!seen.has(call)) findings.push({ call, what: "failed, and no request of it was seen" })
    const repeated = entries.length - seen.size
    if (repeated < least || repeated > most)
      findings.push({
        call: `${name}, ${way.name}`,
        what: `${repeated} repetitions, not ${least} to ${most}`
      })
    requests += entries.length
  }
  await far.setPlan(proxy.id, calm)
  const failures = outcomes.filter(({ _tag }) => _tag === "Failure").length
  return {
    name,
    calls: count,
    requests,
    ratio: requests / count,
    others: count - failures,
    findings,
    words: toldTally(tally(outcomes.map(nameOf)))
  }
}

export const outage: Line = {
  name: "outage",
  title: (scale) => `total outage, ${grouped(scaled(scale, counts))} calls`,
  run: async (context) => {
    await context.far.start(context.seed)
    const suffered: Array<Suffered> = []
    for (const one of outages) suffered.push(await suffer(context, one))
    await context.far.stop()
    const worst = Math.max(...suffered.map(({ ratio }) => ratio))
    const others = suffered.reduce((sum, one) => sum + one.others, 0)
    const findings = suffered.flatMap((one) => one.findings)
    return {
      must: `1 to ${most} requests a call, each call sent, and as many repetitions as the budget pays for`,
      got: `${suffered.map(({ name, ratio }) => `${name} ${ratio.toFixed(3)} ×`).join(", ")}; ${others} calls without a typed error, ${findings.length} findings`,
      holds: worst <= most && others + findings.length === 0,
      details: [
        ...suffered.map(
          ({ calls, name, requests, words }) =>
            `${name}: ${grouped(calls)} calls, ${grouped(requests)} requests; ${words}`
        ),
        ...listed(findings)
      ],
      figures: Object.fromEntries(suffered.map(({ name, ratio }) => [name, ratio]))
    }
  }
}
