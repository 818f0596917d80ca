/** The platform is down, in each way in which it can be: retries must not multiply what it is asked. */
import * as Effect from "effect/Effect"
import * as Public from "../../../clients/public/index.js"
import { nameOf, ofExit } from "../account.js"
import { makeVisitor, openWay, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { type Context, grouped, type Line, scaled } from "../line.js"
import { calm, type Plan } from "../proxy/plan.js"

const counts = { full: 10_000, quick: 2_000, sample: 2_000 }
const most = 1.1
const inFlight = 128

/** One way in which everything is down. */
interface Outage {
  readonly name: string
  readonly weights: Plan["weights"]
  readonly deadline: number
}

const outages: ReadonlyArray<Outage> = [
  { name: "5xx", weights: { "server-error": 1 }, deadline: 5_000 },
  { name: "resets", weights: { "reset-before": 1 }, deadline: 5_000 },
  { name: "429", weights: { "too-many": 1 }, deadline: 5_000 },
  { name: "silence", weights: { stall: 1 }, deadline: 100 }
]

interface Suffered {
  readonly name: string
  readonly requests: number
  readonly ratio: number
  readonly failures: number
  readonly others: number
  readonly words: string
}

/** One client for each transport, and so one budget; all calls of a client share it. */
const suffer = async (
  { far, scale, seed }: Context,
  { deadline, name, weights }: Outage
): Promise<Suffered> => {
  const count = scaled(scale, counts)
  const proxy = await far.openProxy({ seed, rate: 1, weights })
  const ways = transportNames.map((way) => openWay(way))
  const policy = { attempts: 3, pause: 10, longestRetryAfter: 1_500, deadline }
  // A transport of its own each, one after the other, so that a small count still is many calls of one budget.
  const words = new Map<string, number>()
  let failures = 0
  for (const [index, way] of ways.entries()) {
    const visitor = makeVisitor(way, proxy.url, policy)
    const share = Math.ceil(count / ways.length)
    const { accounts } = await drive(share, inFlight, deadline, (number) => ({
      call: `qt-out${"ab"[index]}-${number}`,
      isWrite: false,
      isKeyed: false,
      run: () =>
        Effect.runPromiseExit(
          Effect.provideService(
            Public.boxes.get({ id: `qt-out${"ab"[index]}-${number}` }),
            Public.Client,
            visitor
          )
        ).then((exit) => ofExit(exit, () => false))
    }))
    for (const { outcome } of accounts) {
      if (outcome._tag === "Failure") failures += 1
      words.set(nameOf(outcome), (words.get(nameOf(outcome)) ?? 0) + 1)
    }
    await way.close()
  }
  const requests = (await far.takeEntries(proxy.id)).length
  await far.setPlan(proxy.id, calm)
  return {
    name,
    requests,
    ratio: requests / count,
    failures,
    others: count - failures,
    words: [...words].map(([word, times]) => `${word} ${grouped(times)}`).join(", ")
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
    return {
      must: `requests sent ≤ ${most} × calls`,
      got: `${suffered.map(({ name, ratio }) => `${name} ${ratio.toFixed(3)} ×`).join(", ")}; ${others} calls without a typed error`,
      holds: worst <= most && others === 0,
      details: suffered.map(
        ({ name, requests, words }) => `${name}: ${grouped(requests)} requests; ${words}`
      ),
      figures: Object.fromEntries(suffered.map(({ name, ratio }) => [name, ratio]))
    }
  }
}
