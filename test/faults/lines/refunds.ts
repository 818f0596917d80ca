/**
 * 10,000 refunds, half of them with an idempotency key; a third of the replies is lost after the platform did its work.
 * What is then repeated meets a platform in trouble: 5xx, 429, refused connections, and replies that are lost again.
 */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { ofExit } from "../account.js"
import { makeAdmin, openWay, signIn, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { floors, toldFloors } from "../floors.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import { calm, type Plan } from "../proxy/plan.js"
import type { Entry } from "../proxy/proxy.js"
import { type Finding, reconcile } from "../reconcile.js"
import { refusing } from "../refusing.js"

const counts = { full: 10_000, quick: 2_000, sample: 300 }
const policy = {
  attempts: 3,
  pause: 10,
  deadline: 1_500,
  longestRetryAfter: 60_000,
  retryCost: 0,
  timeoutCost: 0
}
const inFlight = { full: 128, quick: 128, sample: 16 }
/** Clients for each transport. */
const clients = { full: 16, quick: 16, sample: 4 }

/** Every way in which a reply is lost after the work is done. */
const losses = { "reset-after": 4, "reset-mid": 2, truncate: 2, stall: 1 }
/** What a repetition meets. */
const troubles = { "server-error": 3, "too-many": 3, refuse: 3, "reset-after": 1 } satisfies Plan["weights"]

const parts = ["payments.refund", "admin", ...transportNames]

export const refunds: Line = {
  name: "refunds",
  title: (scale) => `${grouped(scaled(scale, counts))} refunds, a third with the reply lost`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    await far.start(seed)
    await far.fill("payments", "refund", count)
    const plan: Plan = {
      seed,
      rate: 1 / 3,
      weights: losses,
      later: { rate: 2 / 3, weights: troubles },
      exempt: "/auth/"
    }
    const proxy = await far.openProxy(calm)
    const ways = transportNames.map((name) => openWay(name, scaled(scale, inFlight)))
    const refusals = await Promise.all(ways.map(({ transport }) => refusing(transport)))
    const admins = ways.flatMap((way, index) =>
      Array.from({ length: scaled(scale, clients) }, () => ({
        name: way.name,
        admin: makeAdmin({ ...way, ...refusals[index] }, proxy.url, policy)
      }))
    )
    for (const { admin } of admins) await signIn(admin)
    await far.setPlan(proxy.id, plan)
    for (const { setPlan } of refusals) setPlan(plan)
    const driven = await drive(count, scaled(scale, inFlight), policy.deadline, (index) => {
      const call = `qt-refund-${index}`
      const isKeyed = index % 2 === 1
      const { admin, name } = admins[(index >> 1) % admins.length] as (typeof admins)[number]
      const refund = Admin.payments.refund(
        { id: call, payload: { reason: "torture" } },
        isKeyed ? { idempotencyKey: call } : {}
      )
      const run = Effect.provideService(refund, Admin.Client, admin)
      return {
        call,
        isWrite: true,
        isKeyed,
        parts: ["payments.refund", "admin", name],
        run: () => Effect.runPromiseExit(run).then((exit) => ofExit(exit, (value) => isRefunded(value, call)))
      }
    })
    await Promise.all(ways.map((way) => way.close()))
    const seen = (await far.takeEntries(proxy.id)).filter(({ call }) => call.startsWith("qt-"))
    const entries = [...seen, ...refusals.flatMap(({ take }) => take())]
    const received = (await far.takeReceived()).filter(({ line }) => line.endsWith("/refund"))
    const effects = new Map(await far.effects("refunds"))
    await far.stop()

    const { accounts, hung, seconds } = driven
    const { findings, outcomes } = reconcile({
      accounts,
      entries,
      effects,
      attempts: policy.attempts,
      deadline: policy.deadline
    })
    const least = floors({ accounts, entries, plan, bearing: policy, parts })
    const troubled = troubledOf(entries)
    const executed = received.filter(({ replayed }) => !replayed)
    const repeated: Array<Finding> = [...perCall(executed)].flatMap(([call, times]) =>
      times > 1 ? [{ call, what: `was executed ${times} times` }] : []
    )
    const doubled = [...effects.values()].filter((times) => times > 1).length
    const isWhole =
      accounts.length === count && hung.length === 0 && effects.size === count && executed.length === count
    const unknown = accounts.filter(
      ({ outcome }) => outcome._tag === "Failure" && outcome.error._tag === "OutcomeUnknown"
    )
    const keyed = unknown.filter(({ isKeyed }) => isKeyed).length
    const lost = seen.filter(({ delivered }) => !delivered).length
    const silent = findings.length + repeated.length
    const isTroubled = scale === "sample" || [...troubled.values()].every((times) => times > 0)
    return {
      must: "0 duplicate effects on the server; every unknown outcome is reported as unknown, whatever the repetitions meet",
      got:
        `${doubled} duplicate effects, ${repeated.length} executed twice; ` +
        `${grouped(unknown.length)} outcomes reported as unknown, ${silent} not explained, ${least.findings.length} below a floor`,
      holds: isWhole && isTroubled && doubled + silent + least.findings.length === 0,
      details: [
        `${grouped(lost)} of ${grouped(seen.length)} replies lost; without a key each is unknown and sent once (${grouped(unknown.length - keyed)}); with one ${grouped(entries.length - accounts.length)} were repeated and ${grouped(keyed)} stayed unknown`,
        `repetitions after a lost reply met: ${[...troubled].map(([kind, times]) => `${kind} ${grouped(times)}`).join(", ")}`,
        `${grouped(effects.size)} payments refunded, ${grouped(executed.length)} refunds executed and ${grouped(received.length - executed.length)} answered from the key, in ${seconds.toFixed(1)} s`,
        [...outcomes].map(([name, times]) => `${name} ${grouped(times)}`).join(", "),
        toldFloors(least.all),
        ...listed([...findings, ...repeated, ...least.findings])
      ],
      figures: {
        refunds: count,
        lost,
        unknown: unknown.length,
        duplicates: doubled,
        repeated: repeated.length,
        unexplained: findings.length
      }
    }
  }
}

const isRefunded = (value: unknown, call: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Reflect.get(value, "_id") === call &&
  Reflect.get(value, "status") === "refunded"

/** What met the repetitions of calls whose reply was lost before, by the name of the fault. */
const troubledOf = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const lost = new Set(entries.flatMap(({ attempt, call, kind }) => (attempt === 1 && kind ? [call] : [])))
  const times = new Map(Object.keys(troubles).map((kind) => [kind, 0]))
  for (const { attempt, call, kind } of entries)
    if (attempt > 1 && kind !== undefined && lost.has(call)) times.set(kind, (times.get(kind) ?? 0) + 1)
  return times
}

const perCall = (received: ReadonlyArray<{ readonly call: string | undefined }>): Map<string, number> => {
  const times = new Map<string, number>()
  for (const { call = "unnamed" } of received) times.set(call, (times.get(call) ?? 0) + 1)
  return times
}
