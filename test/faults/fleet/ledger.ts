/** What came of the items of a job, by the platform's state, its log and the runners' journals. */
import type { Received } from "../far/platform.js"
import type { LoggedRequest } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import type { Noted } from "./crew.js"
import { idOf, type JobName } from "./jobs.js"

/** What the far end saw, folded: a full run has more requests than are worth keeping. */
export class Seen {
  requests = 0
  hit = 0
  /** Writes that the platform performed, and whose answers did not arrive. */
  lost = 0
  /** Writes that were answered from an earlier answer. */
  replayed = 0
  /** Writes that it says it performed, by their paths. */
  readonly performed = { notices: 0, rows: 0 }

  take(entries: ReadonlyArray<LoggedRequest>, received: ReadonlyArray<Received>): void {
    for (const { call, delivered, forwarded, kind } of entries) {
      this.requests += 1
      if (kind !== undefined) this.hit += 1
      if (forwarded && !delivered && /^qt-(notice|row)-/.test(call)) this.lost += 1
    }
    for (const { line, replayed, status } of received) {
      const isNotice = line.startsWith("POST ") && line.endsWith("/notification")
      const isRow = line.startsWith("POST ") && line.includes("/entity/")
      if (status >= 300 || !(isNotice || isRow)) continue
      if (replayed) this.replayed += 1
      else this.performed[isNotice ? "notices" : "rows"] += 1
    }
  }
}

interface Sources {
  readonly job: JobName
  readonly count: number
  /** How often each of the platform's rows is there, by the id of its item. */
  readonly effects: ReadonlyMap<string, number>
  /** How many writes the platform's own log holds. */
  readonly performed: number
}

/** Items without an effect, and items with more than one. */
export const reconcile = ({ count, effects, job, performed }: Sources) => {
  let lost = 0
  let twice = 0
  const findings: Array<Finding> = []
  for (let item = 0; item < count; item++) {
    const id = idOf(job, item)
    const times = effects.get(id) ?? 0
    if (times === 1) continue
    if (times === 0) lost += 1
    else twice += 1
    findings.push({ call: id, what: times === 0 ? "was lost" : `took effect ${times} times` })
  }
  const total = [...effects.values()].reduce((sum, times) => sum + times, 0)
  if (total !== performed)
    findings.push({ call: job, what: `the platform has ${total} of them, and its log ${performed}` })
  return { lost, twice, findings }
}

/** What the journals say of pages that more than one runner worked on. */
export const resumed = (noted: ReadonlyArray<Noted>, page: number) => {
  const pages = new Map<string, Set<Noted["runner"]>>()
  const events = { found: 0, absent: 0 }
  for (const { event, item, job, runner } of noted) {
    if (event !== "begun") {
      events[event] += 1
      continue
    }
    const name = `${job}/${Math.floor(item / page)}`
    const runners = pages.get(name) ?? new Set()
    pages.set(name, runners.add(runner))
  }
  const shared = [...pages.values()].filter(({ size }) => size > 1)
  const after = (fate: "killed" | "replaced" | "woken"): number =>
    shared.filter((runners) => [...runners].some(({ fates }) => fates.has(fate))).length
  return {
    ...events,
    pages: pages.size,
    resumed: shared.length,
    afterKill: after("killed"),
    afterStop: after("woken"),
    afterReplacement: after("replaced")
  }
}
