/**
 * 10,000 refunds, half of them with an idempotency key; a third of the replies is lost after the platform did its work.
 * What is then repeated meets a platform in trouble: 5xx, 429, refused connections, and replies that are lost again.
 */
import * as Admin from "../../../clients/admin/index.js"
import { outcomeOf } from "../account.js"
import { asAdmin, transportNames } from "../clients.js"
import { toldFloors } from "../floors.js"
import type { FaultSchedule, LoggedRequest } from "../proxy/schedule.js"
import { scenario } from "../scenario.js"
import { storm } from "../storm.js"
import { grouped, tally, toldTally } from "../tally.js"

/** Every way in which a reply is lost after the work is done. */
const losses = { "reset-after": 4, "reset-mid": 2, truncate: 2, stall: 1 }
const troubles = {
  "server-error": 3,
  "too-many": 3,
  refuse: 3,
  "reset-after": 1
} satisfies FaultSchedule["weights"]

/** What met the repetitions of calls whose reply was lost before, by the name of the fault. */
const troubledOf = (entries: ReadonlyArray<LoggedRequest>): ReadonlyMap<string, number> => {
  const lost = new Set(entries.flatMap(({ attempt, call, kind }) => (attempt === 1 && kind ? [call] : [])))
  const met = entries.filter(({ attempt, call }) => attempt > 1 && lost.has(call))
  const times = tally(met.flatMap(({ kind }) => kind ?? []))
  return new Map(Object.keys(troubles).map((kind) => [kind, times.get(kind as keyof typeof troubles) ?? 0]))
}

export const refunds = scenario("refunds", {
  sizes: {
    full: { count: 10_000, inFlight: 128, groups: 16 },
    quick: { count: 2_000, inFlight: 128, groups: 16 },
    sample: { count: 300, inFlight: 16, groups: 4 }
  },
  title: ({ count }) => `${grouped(count)} refunds, a third with the reply lost`,
  must: "0 duplicate effects on the server; every unknown outcome is reported as unknown, whatever the repetitions meet",
  run: async (world) => {
    const stormed = await storm(world, "refund", {
      deadline: 1_500,
      rows: ["payments"],
      effects: ["refunds"],
      schedule: { rate: 1 / 3, weights: losses, later: { rate: 2 / 3, weights: troubles } },
      parts: ["payments.refund", "admin", ...transportNames],
      ready: (group, call, random) => {
        const isKeyed = random.chance(1 / 2)
        const options = isKeyed ? { idempotencyKey: call } : {}
        const refund = Admin.payments.refund({ id: call, payload: { reason: "torture" } }, options)
        const isRight = (value: unknown) =>
          Reflect.get(Object(value), "_id") === call && Reflect.get(Object(value), "status") === "refunded"
        const parts = ["payments.refund", "admin", group.way]
        return { isWrite: true, isKeyed, parts, run: () => outcomeOf(asAdmin(refund)(group), isRight) }
      }
    })
    const { accounts, effects, entries, findings, hung, least, outcomes, seconds } = stormed
    const { count } = world.size
    const received = stormed.received.filter(({ line }) => line.endsWith("/refund"))
    const seen = stormed.seen.filter(({ call }) => call.startsWith("qt-"))
    const troubled = troubledOf(entries)
    const executed = received.filter(({ replayed }) => !replayed)
    const repeated = [...tally(executed.map(({ call = "unnamed" }) => call))].flatMap(([call, times]) =>
      times > 1 ? [{ call, what: `was executed ${times} times` }] : []
    )
    const unknown = accounts.filter(
      ({ outcome }) => outcome._tag === "Failure" && outcome.error._tag === "OutcomeUnknown"
    )
    const keyed = unknown.filter(({ isKeyed }) => isKeyed).length
    const lost = seen.filter(({ delivered }) => !delivered).length
    return {
      got: `${grouped(unknown.length)} outcomes reported as unknown; `,
      none: {
        "duplicate effects": [...effects.values()].filter((times) => times > 1).length,
        "executed twice": repeated.length,
        unexplained: findings.length,
        "below a floor": least.findings.length,
        hung: hung.length
      },
      holds:
        [accounts.length, effects.size, executed.length].every((actual) => actual === count) &&
        (world.scale === "sample" || [...troubled.values()].every((times) => times > 0)),
      details: [
        `${grouped(lost)} of ${grouped(seen.length)} replies lost; without a key each is unknown and sent once (${grouped(unknown.length - keyed)}); with one ${grouped(entries.length - accounts.length)} were repeated and ${grouped(keyed)} stayed unknown`,
        `repetitions after a lost reply met: ${toldTally(troubled)}`,
        `${grouped(effects.size)} payments refunded, ${grouped(executed.length)} refunds executed and ${grouped(received.length - executed.length)} answered from the key, in ${seconds.toFixed(1)} s`,
        toldTally(outcomes),
        toldFloors(least.all)
      ],
      findings: [...findings, ...repeated, ...least.findings],
      figures: { refunds: count, lost, unknown: unknown.length }
    }
  }
})
