/** 10,000 refunds, half of them with an idempotency key; a third of the replies is lost after the platform did its work. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { ofExit } from "../account.js"
import { makeAdmin, openWay, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import { type Finding, reconcile } from "../reconcile.js"

const counts = { full: 10_000, quick: 2_000, sample: 300 }
const policy = { attempts: 3, pause: 10, deadline: 1_500 }
const inFlight = { full: 128, quick: 128, sample: 16 }
/** Clients for each transport; each has a budget of its own. */
const clients = { full: 16, quick: 16, sample: 4 }

/** Every way in which a reply is lost after the work is done. */
const losses = { "reset-after": 4, "reset-mid": 2, truncate: 2, stall: 1 }

export const refunds: Line = {
  name: "refunds",
  title: (scale) => `${grouped(scaled(scale, counts))} refunds, a third with the reply lost`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    await far.start(seed)
    await far.fill("payments", "refund", count)
    const proxy = await far.openProxy({ seed, rate: 1 / 3, weights: losses, exempt: "/auth/" })
    const ways = transportNames.map((name) => openWay(name))
    const admins = ways.flatMap((way) =>
      Array.from({ length: scaled(scale, clients) }, () => makeAdmin(way, proxy.url, policy))
    )
    const driven = await drive(count, scaled(scale, inFlight), policy.deadline, (index) => {
      const call = `qt-refund-${index}`
      const isKeyed = index % 2 === 1
      const admin = admins[(index >> 1) % admins.length] as Admin.Service
      const refund = Admin.payments.refund(
        { id: call, payload: { reason: "torture" } },
        isKeyed ? { idempotencyKey: call } : {}
      )
      const run = Effect.provideService(refund, Admin.Client, admin)
      return {
        call,
        isWrite: true,
        isKeyed,
        run: () => Effect.runPromiseExit(run).then((exit) => ofExit(exit, (value) => isRefunded(value, call)))
      }
    })
    await Promise.all(ways.map((way) => way.close()))
    const entries = (await far.takeEntries(proxy.id)).filter(({ call }) => call.startsWith("qt-"))
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
    const lost = entries.filter(({ delivered }) => !delivered).length
    const silent = findings.length + repeated.length
    return {
      must: "0 duplicate effects on the server; every unknown outcome is reported as unknown",
      got:
        `${doubled} duplicate effects, ${repeated.length} executed twice; ` +
        `${grouped(unknown.length)} outcomes reported as unknown, ${silent} not explained`,
      holds: isWhole && doubled + silent === 0,
      details: [
        `${grouped(lost)} of ${grouped(entries.length)} replies lost; without a key each is unknown and sent once (${grouped(unknown.length - keyed)}); with one ${grouped(entries.length - accounts.length)} were repeated and ${grouped(keyed)} stayed unknown`,
        `${grouped(effects.size)} payments refunded, ${grouped(executed.length)} refunds executed and ${grouped(received.length - executed.length)} answered from the key, in ${seconds.toFixed(1)} s`,
        [...outcomes].map(([name, times]) => `${name} ${grouped(times)}`).join(", "),
        ...listed([...findings, ...repeated])
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

const perCall = (received: ReadonlyArray<{ readonly call: string | undefined }>): Map<string, number> => {
  const times = new Map<string, number>()
  for (const { call = "unnamed" } of received) times.set(call, (times.get(call) ?? 0) + 1)
  return times
}
