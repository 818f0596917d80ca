/** Storms the platform with calls under a schedule of faults, and holds what came of them against it. */
import { Random } from "@quartet/sandbox/extend"
import { endUserSession, type Group, makeGroup, openWay, signIn, transportNames } from "./clients.js"
import { drive, type Ready } from "./drive.js"
import type { EffectKind, Rows } from "./far/platform.js"
import { floors } from "./floors.js"
import { calm, type FaultSchedule } from "./proxy/schedule.js"
import { reconcile } from "./reconcile.js"
import { refusing } from "./refusing.js"
import type { World } from "./scenario.js"

/** `groups`: groups of clients for each transport. */
type Size = Readonly<Record<"count" | "inFlight" | "groups", number>>

interface Storm {
  /** Milliseconds that a call may take. */
  readonly deadline: number
  readonly rows: ReadonlyArray<Rows>
  readonly effects: ReadonlyArray<EffectKind>
  readonly schedule: Omit<FaultSchedule, "seed" | "exempt">
  /** Every operation, client and transport: none of them may be left out. */
  readonly parts: ReadonlyArray<string>
  readonly ready: (group: Group, call: string, random: Random.Random) => Omit<Ready, "call">
}

/** The calls of a storm carry the ids `qt-<name>-0`, `qt-<name>-1`, …, and so do the rows that they speak of. */
export const storm = async ({ far, open, seed, size }: World<Size>, name: string, options: Storm) => {
  const { deadline, parts, ready } = options
  const { count, groups, inFlight } = size
  // Repetitions cost nothing here: that they are bounded in an outage is the matter of another scenario.
  const costs = { retryCost: 0, timeoutCost: 0 }
  const policy = { attempts: 3, pause: 10, deadline, longestRetryAfter: 60_000, ...costs }
  const schedule: FaultSchedule = { seed, ...options.schedule, exempt: "/auth/" }
  const direct = await far.start(seed)
  for (const rows of options.rows) await far.fill(rows, name, count)
  const proxy = await far.openProxy(calm)
  // As many connections as calls: that a call waits for another one's connection would be a fault that nobody planned.
  const ways = transportNames.map((way) => open(way, inFlight))
  const refusals = await Promise.all(ways.map(({ transport }) => refusing(transport)))
  const session = await endUserSession(openWay("fetch"), direct)
  const clients = ways.flatMap((way, index) =>
    Array.from({ length: groups }, () =>
      makeGroup({ ...way, ...refusals[index] }, proxy.url, session, policy)
    )
  )
  for (const { admin } of clients) await signIn(admin)
  await far.setSchedule(proxy.id, schedule)
  for (const { setSchedule } of refusals) setSchedule(schedule)
  await far.takeReceived()
  await far.takeEntries(proxy.id)
  const random = Random.make(seed, `${name}s`)
  const driven = await drive(count, inFlight, deadline, (index) => {
    const call = `qt-${name}-${index}`
    return { call, ...ready(random.pick(clients), call, random) }
  })
  const seen = await far.takeEntries(proxy.id)
  const entries = [...seen, ...refusals.flatMap(({ take }) => take())]
  const received = await far.takeReceived()
  const effects = new Map<string, number>()
  for (const kind of options.effects)
    for (const [call, times] of await far.effects(kind)) effects.set(call, (effects.get(call) ?? 0) + times)
  const { accounts } = driven
  const reconciled = reconcile({ accounts, entries, effects, attempts: policy.attempts, deadline })
  const least = floors({ accounts, entries, schedule, bearing: policy, parts })
  return { ...driven, ...reconciled, seen, entries, received, effects, least }
}
