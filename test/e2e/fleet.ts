/** A fleet as pictures and looks need it: its runs stand still, and in every state. */

import { FleetError } from "@quartet/fleet"
import type { Failure, Progress, Run, Service } from "@quartet/fleet/extend"
import { Effect, Stream } from "effect"

const at = new Date("2026-03-02T09:30:00Z")

const pages: Progress["pages"] = [
  { page: -1, state: "working", runner: "runner-1", error: undefined },
  { page: 0, state: "working", runner: "runner-1", error: undefined },
  { page: 1, state: "waiting", runner: "runner-2", error: "the platform is out of reach" }
]

const progress: Progress = {
  run: "5f2c90ab1d3e4f607182",
  job: "importItems",
  key: "items.csv",
  state: "running",
  read: 5_000,
  total: 5_000,
  done: 3_200,
  failed: 2,
  unknown: 1,
  error: undefined,
  pages,
  startedAt: at,
  endedAt: undefined
}

const runs: ReadonlyArray<Progress> = [
  progress,
  { ...progress, run: "a1", job: "notifyResidents", key: "spring", total: undefined, done: 4_100, failed: 0 },
  {
    ...progress,
    run: "b2",
    job: "refunds",
    key: "march.csv",
    state: "paused",
    error: "more items failed than it allows"
  },
  { ...progress, run: "c3", job: "exportOrders", key: "orders", state: "done", done: 5_000, endedAt: at },
  { ...progress, run: "d4", job: "importItems", key: "old.csv", state: "cancelled", endedAt: at }
]

const failure = (item: number, state: Failure["state"], tag: string, error: string): Failure => ({
  item,
  state,
  tag,
  error,
  input: { title: `Item ${item}`, price: "twelve", password: "hush" },
  attempts: state === "failed" ? 1 : 5,
  at
})

const failures = [
  failure(17, "failed", "Rejected", "items.create: the platform rejected it: title is required"),
  failure(41, "unknown", "OutcomeUnknown", "items.create: the answer was lost"),
  failure(88, "failed", "InputError", 'items.create: the field "price" must be a number')
]

const runOf = (progress: Progress): Run => ({
  id: progress.run,
  job: progress.job,
  key: progress.key,
  input: Effect.succeed({ name: progress.key }),
  status: Effect.succeed(progress),
  progress: Stream.succeed(progress),
  wait: Effect.succeed(progress),
  failures: Stream.fromIterable(failures),
  pause: Effect.void,
  resume: Effect.void,
  cancel: Effect.void,
  remove: Effect.void,
  retry: () => Effect.succeed(0),
  settle: () => Effect.succeed(0),
  openPages: Effect.succeed([]),
  work: () => Effect.succeed({ _tag: "Done" })
})

const absent = new FleetError({ reason: "Unknown", advice: "there is no such run" })

export const pictured: Service = {
  start: () => absent,
  runs: () => Effect.succeed(runs.map(runOf)),
  ended: () => Effect.succeed([]),
  run: (id) => {
    const match = runs.find(({ run }) => run === id)
    return match === undefined ? absent : Effect.succeed(runOf(match))
  },
  isForgotten: Effect.succeed(true)
}
