/** 1,000 calls at once without a session, with one that has ended, and with one that cannot be renewed. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { nameOf, outcomeOf } from "../account.js"
import { makeAdmin, openWay, type TransportName, transportNames } from "../clients.js"
import type { Received } from "../far/platform.js"
import { paymentOf } from "../far/rows.js"
import { fateOf } from "../floors.js"
import { type Context, grouped, type Line, scaled, tally } from "../line.js"
import { calm, type Plan } from "../proxy/plan.js"

const counts = { full: 1_000, quick: 1_000 }
/** Milliseconds after a failed sign-in in which none is tried again: longer than the last of the calls takes. */
const cooldown = 120_000
const policy = { attempts: 3, deadline: 60_000, longestRetryAfter: 60_000, pause: 20 }

const signIns = (received: ReadonlyArray<Received>, path: string): number =>
  received.filter(({ line }) => line === `POST ${path}`).length

/** Of the refusals of an ended session, one in so many comes after the renewal; fewer than a client has connections. */
const lateOneIn = 4
const mostLate = 16

interface Situation {
  readonly name: string
  readonly isDown: boolean
  readonly outcomes: ReadonlyMap<string, number>
  /** Sign-ins on the new and on the legacy service that the platform received; in an outage, attempts beyond those of one. */
  readonly logins: readonly [number, number]
  readonly refusals: number
  readonly sent: number
  /** Refusals that came after the renewal. */
  readonly late: number
}

const told = (situation: Situation): string => {
  const { isDown, late, logins, name, outcomes, refusals, sent } = situation
  const what = isDown ? "attempts beyond those of one sign-in" : "sign-ins"
  const words = [...outcomes].map(([word, times]) => `${grouped(times)} ${word}`).join(", ")
  return `${name}: ${words}; ${logins[0]} + ${logins[1]} ${what}, ${grouped(refusals)} × 401 (${late} of them after the renewal), ${grouped(sent)} calls sent`
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
  const run = () => outcomeOf(one, isRight)

  const situation = async (what: string): Promise<Situation> => {
    const ended = await Promise.all(Array.from({ length: count }, run))
    const received = await far.takeReceived()
    return {
      name: `${name}, ${what}`,
      isDown: false,
      outcomes: tally(ended.map(nameOf)),
      logins: [signIns(received, "/auth/admin/login"), signIns(received, "/auth/login")],
      refusals: received.filter(({ status }) => status === 401).length,
      sent: received.filter(({ line }) => line.startsWith("GET ")).length,
      late: await far.lateRefusals(proxy.id)
    }
  }

  const cold = await situation("no session")
  await far.expireSessions()
  await far.holdRefusals(proxy.id, lateOneIn, mostLate)
  const ended = await situation("session ended")
  await far.expireSessions()
  const plan: Plan = { seed, rate: 1, weights: { "server-error": 1 }, only: "/auth/" }
  await far.setPlan(proxy.id, plan)
  const hopeless = await situation("sign-in down")
  const attempts = (await far.takeEntries(proxy.id)).filter(({ kind }) => kind !== undefined)
  /** Attempts less those that one sign-in makes by the plan: 0 for the service that made it fail, less for the other. */
  const over = (path: string): number => {
    const call = `POST ${path} HTTP/1.1`
    const { attempts: due } = fateOf(plan, call, true, policy)
    return attempts.filter((entry) => entry.call === call).length - due
  }
  await way.close()
  await far.stop()
  return [
    cold,
    ended,
    { ...hopeless, isDown: true, logins: [over("/auth/admin/login"), over("/auth/login")] }
  ]
}

/** Each call is sent once more at most, and all share one sign-in on each service. */
const holds = ([cold, ended, hopeless]: ReadonlyArray<Situation>, count: number): boolean => {
  if (cold === undefined || ended === undefined || hopeless === undefined) return false
  const isOnce = ({ logins }: Situation): boolean => logins[0] === 1 && logins[1] === 1
  const areValues = ({ outcomes }: Situation): boolean => outcomes.get("value") === count
  const isExplained = (word: string): boolean =>
    word === "ServerFault" || word === "CredentialsError Cooldown"
  return (
    isOnce(cold) &&
    areValues(cold) &&
    cold.refusals === 0 &&
    cold.sent === count &&
    isOnce(ended) &&
    areValues(ended) &&
    ended.refusals === count &&
    ended.late === mostLate &&
    ended.sent === 2 * count &&
    [...hopeless.outcomes.keys()].every(isExplained) &&
    // One sign-in, with the attempts that it has, and no call is repeated without credentials.
    Math.max(...hopeless.logins) === 0 &&
    hopeless.refusals === count &&
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
      must: "1 sign-in (on each of the two services), also for calls that are refused after it; each call repeated at most once",
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
