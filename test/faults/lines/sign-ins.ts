/** 1,000 calls at once without a session, with one that has ended, and with one that cannot be renewed. */
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { nameOf, type Outcome, ofExit } from "../account.js"
import { makeAdmin, openWay, type TransportName, transportNames } from "../clients.js"
import type { Received } from "../far/platform.js"
import { paymentOf } from "../far/rows.js"
import { type Context, grouped, type Line, scaled } from "../line.js"
import { calm } from "../proxy/plan.js"

const counts = { full: 1_000, quick: 1_000, sample: 200 }
/** Milliseconds after a sign-in in which none is tried again. */
const cooldown = 300
const policy = { deadline: 20_000, pause: 20 }

const signIns = (received: ReadonlyArray<Received>, path: string): number =>
  received.filter(({ line }) => line === `POST ${path}`).length

interface Situation {
  readonly name: string
  readonly outcomes: ReadonlyMap<string, number>
  /** Sign-ins on the new and on the legacy service that the platform received. */
  readonly logins: readonly [number, number]
  readonly refusals: number
  readonly sent: number
}

const told = (situation: Situation): string => {
  const { logins, name, outcomes, refusals, sent } = situation
  const words = [...outcomes].map(([word, times]) => `${grouped(times)} ${word}`).join(", ")
  return `${name}: ${words}; ${logins[0]} + ${logins[1]} sign-ins, ${grouped(refusals)} × 401, ${grouped(sent)} calls sent`
}

const suffer = async (
  { far, scale, seed }: Context,
  name: TransportName
): Promise<ReadonlyArray<Situation>> => {
  const count = scaled(scale, counts)
  await far.start(seed)
  await far.fill("payments", "sign", 1)
  const proxy = await far.openProxy(calm)
  const way = openWay(name)
  const admin = makeAdmin(way, proxy.url, policy, cooldown)
  const wanted = paymentOf("qt-sign-0")
  const one = Effect.provideService(Admin.payments.get({ id: wanted._id }), Admin.Client, admin)
  const isRight = (value: { readonly _id: string }): boolean => value._id === wanted._id
  const run = (): Promise<Outcome> => Effect.runPromiseExit(one).then((exit) => ofExit(exit, isRight))

  const situation = async (what: string): Promise<Situation> => {
    const ended = await Promise.all(Array.from({ length: count }, run))
    const received = await far.takeReceived()
    const outcomes = new Map<string, number>()
    for (const outcome of ended) outcomes.set(nameOf(outcome), (outcomes.get(nameOf(outcome)) ?? 0) + 1)
    return {
      name: `${name}, ${what}`,
      outcomes,
      logins: [signIns(received, "/auth/admin/login"), signIns(received, "/auth/login")],
      refusals: received.filter(({ status }) => status === 401).length,
      sent: received.filter(({ line }) => line.startsWith("GET ")).length
    }
  }

  const cold = await situation("no session")
  await sleep(cooldown * 2)
  await far.expireSessions()
  const ended = await situation("session ended")
  await sleep(cooldown * 2)
  await far.expireSessions()
  await far.setPlan(proxy.id, { seed, rate: 1, weights: { "server-error": 1 }, only: "/auth/" })
  const hopeless = await situation("sign-in down")
  const attempts = (await far.takeEntries(proxy.id)).filter(({ kind }) => kind !== undefined).length
  await way.close()
  await far.stop()
  return [cold, ended, { ...hopeless, logins: [attempts / 2, attempts / 2] }]
}

/** Each call is sent once more at most, and all share one sign-in on each service. */
const holds = ([cold, ended, hopeless]: ReadonlyArray<Situation>, count: number): boolean => {
  if (cold === undefined || ended === undefined || hopeless === undefined) return false
  const isOnce = ({ logins }: Situation): boolean => logins[0] === 1 && logins[1] === 1
  const areValues = ({ outcomes }: Situation): boolean => outcomes.get("value") === count
  const areFailures = [...hopeless.outcomes.keys()].every((word) => word !== "value" && word !== "defect")
  return (
    isOnce(cold) &&
    areValues(cold) &&
    cold.refusals === 0 &&
    cold.sent === count &&
    isOnce(ended) &&
    areValues(ended) &&
    ended.refusals === count &&
    ended.sent === 2 * count &&
    areFailures &&
    // One sign-in of at most three attempts on each service, and no call is repeated without credentials.
    hopeless.logins[0] <= 3 &&
    hopeless.sent === count
  )
}

export const signInStorm: Line = {
  name: "sign-ins",
  title: (scale) => `${grouped(scaled(scale, counts))} concurrent 401s`,
  run: async (context) => {
    const byWay = []
    for (const name of transportNames) byWay.push(await suffer(context, name))
    const ended = byWay.map((situations) => situations[1]?.logins ?? [0, 0])
    return {
      must: "1 sign-in (on each of the two services), each call repeated at most once",
      got: byWay
        .map((_, index) => `${transportNames[index]} ${ended[index]?.join(" + ")} sign-ins`)
        .join(", "),
      holds: byWay.every((situations) => holds(situations, scaled(context.scale, counts))),
      details: byWay.flat().map(told),
      figures: Object.fromEntries(
        transportNames.map((name, index) => [`${name} sign-ins`, ended[index]?.[0] ?? 0])
      )
    }
  }
}
