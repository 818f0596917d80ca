/**
 * 10,000 refunds, half of them with an idempotency key; a third of the replies is lost after the platform did its work.
 * What is then repeated meets a platform in trouble: 5xx, 429, refused connections, and replies that are lost again.
 */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { outcomeOf } from "../account.js"
import { transportNames } from "../clients.js"
import { toldFloors } from "../floors.js"
import { grouped, type Line, listed, scaled, tally, toldTally, verdict } from "../line.js"
import type { Entry, Plan } from "../proxy/plan.js"
import type { Finding } from "../reconcile.js"
import { storm } from "../storm.js"

const counts = { full: 10_000, quick: 2_000, sample: 300 }
const inFlights = { full: 128, quick: 128, sample: 16 }
/** Groups of clients for each transport. */
const groups = { full: 16, quick: 16, sample: 4 }

/** Every way in which a reply is lost after the work is done. */
const losses = { "reset-after": 4, "reset-mid": 2, truncate: 2, stall: 1 }
/** What a repetition meets. */
const troubles = { "server-error": 3, "too-many": 3, refuse: 3, "reset-after": 1 } satisfies Plan["weights"]

const parts = ["payments.refund", "admin", ...transportNames]

export const refunds: Line = {
  name: "refunds",
  title: (scale) => `${grouped(scaled(scale, counts))} refunds, a third with the reply lost`,
  run: async (context) => {
    const stormed = await storm(context, "refund", {
      counts,
      inFlights,
      groups,
      deadline: 1_500,
      rows: ["payments"],
      effects: ["refunds"],
      plan: { rate: 1 / 3, weights: losses, later: { rate: 2 / 3, weights: troubles } },
      parts,
      ready: (clients, call, index, random) => {
        const isKeyed = index % 2 === 1
        const { admin, way } = clients[(index >> 1) % clients.length] ?? random.pick(clients)
        const options = isKeyed ? { idempotencyKey: call } : {}
        const refund = Admin.payments.refund({ id: call, payload: { reason: "torture" } }, options)
        const run = Effect.provideService(refund, Admin.Client, admin)
        return {
          call,
          isWrite: true,
          isKeyed,
          parts: ["payments.refund", "admin", way],
          run: () => outcomeOf(run, (value) => isRefunded(value, call))
        }
      }
    })
    const { accounts, count, effects, entries, findings, hung, least, outcomes, seconds } = stormed
    const received = stormed.received.filter(({ line }) => line.endsWith("/refund"))
    const seen = stormed.seen.filter(({ call }) => call.startsWith("qt-"))
    const troubled = troubledOf(entries)
    const executed = received.filter(({ replayed }) => !replayed)
    const repeated: Array<Finding> = [...tally(executed.map(({ call = "unnamed" }) => call))].flatMap(
      ([call, times]) => (times > 1 ? [{ call, what: `was executed ${times} times` }] : [])
    )
    const doubled = [...effects.values()].filter((times) => times > 1).length
    const isWhole =
      accounts.length === count && hung.length === 0 && effects.size === count && executed.length === count
    const unknown = accounts.filter(
      ({ outcome }) => outcome._tag === "Failure" && outcome.error._tag === "OutcomeUnknown"
    )
    const keyed = unknown.filter(({ isKeyed }) => isKeyed).length
    const lost = seen.filter(({ delivered }) => !delivered).length
    const isTroubled = context.scale === "sample" || [...troubled.values()].every((times) => times > 0)
    return verdict({
      must: "0 duplicate effects on the server; every unknown outcome is reported as unknown, whatever the repetitions meet",
      got: `${grouped(unknown.length)} outcomes reported as unknown; `,
      none: {
        "duplicate effects": doubled,
        "executed twice": repeated.length,
        unexplained: findings.length,
        "below a floor": least.findings.length
      },
      holds: isWhole && isTroubled,
      details: [
        `${grouped(lost)} of ${grouped(seen.length)} replies lost; without a key each is unknown and sent once (${grouped(unknown.length - keyed)}); with one ${grouped(entries.length - accounts.length)} were repeated and ${grouped(keyed)} stayed unknown`,
        `repetitions after a lost reply met: ${toldTally(troubled)}`,
        `${grouped(effects.size)} payments refunded, ${grouped(executed.length)} refunds executed and ${grouped(received.length - executed.length)} answered from the key, in ${seconds.toFixed(1)} s`,
        toldTally(outcomes),
        toldFloors(least.all),
        ...listed([...findings, ...repeated, ...least.findings])
      ],
      figures: { refunds: count, lost, unknown: unknown.length }
    })
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
