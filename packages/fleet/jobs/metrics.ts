/** Metrics of a fleet's runs, by job: an id would make a series of each run. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const counter = (name: string, description: string) =>
  /*#__PURE__*/ Metric.counter(name, { description, incremental: true })

const items = /*#__PURE__*/ counter(
  "quartet.fleet.items",
  "Items that came to an end, by job and how: done, failed, unknown."
)
const reconciled = /*#__PURE__*/ counter(
  "quartet.fleet.reconciled",
  "Items whose answer was lost, by job and what was found out: done, not-done, unknown."
)
const pages = /*#__PURE__*/ counter("quartet.fleet.pages", "Pages that were ended, by job.")
const waits = /*#__PURE__*/ counter(
  "quartet.fleet.waits",
  "Times that a page waited for what is out of reach, by job."
)

const orphanRuns = /*#__PURE__*/ Metric.gauge("quartet.fleet.orphans", {
  description:
    "Running runs whose job no runner has had for half a minute, by job. Every runner of the store reports all."
})

const count = (metric: Metric.Metric.Counter<number>, labels: Readonly<Record<string, string>>, amount = 1) =>
  Effect.tagMetrics(Metric.incrementBy(metric, amount), labels)

/** Counts items by how they ended. */
export const itemsEnded = (
  job: string,
  ended: Partial<Readonly<Record<"done" | "failed" | "unknown", number>>>
): Effect.Effect<void> =>
  Effect.forEach(
    Object.entries(ended),
    ([outcome, amount]) => (amount === 0 ? Effect.void : count(items, { job, outcome }, amount)),
    { discard: true }
  )
export const itemReconciled = (job: string, outcome: "done" | "not-done" | "unknown") =>
  count(reconciled, { job, outcome })
export const pageEnded = (job: string) => count(pages, { job })
export const pageWaited = (job: string) => count(waits, { job })
export const orphans = (job: string, runs: number): Effect.Effect<void> =>
  Effect.tagMetrics(Metric.set(orphanRuns, runs), { job })
