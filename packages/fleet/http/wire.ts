/** What the fleet's handler and a page that shows its runs say to each other, as JSON. */
import * as Schema from "effect/Schema"

/** Where all addresses of the handler begin. None of them is a path of the platform, because one port may serve both. @category constants */
export const base = "/fleet/runs"

/** Whether a path is one of them. */
export const isOurs = (path: string): boolean => path === base || path.startsWith(`${base}/`)

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const PageProgress = Schema.Struct({
  page: Schema.Number,
  state: Schema.Literal("working", "waiting"),
  runner: Schema.String,
  error: maybe(Schema.String)
})

/** Where a run stands, as `Run.status` has it. @category schemas */
export const Progress = Schema.Struct({
  run: Schema.String,
  job: Schema.String,
  key: Schema.String,
  state: Schema.Literal("running", "paused", "cancelled", "done"),
  read: Schema.Number,
  total: maybe(Schema.Number),
  done: Schema.Number,
  failed: Schema.Number,
  unknown: Schema.Number,
  error: maybe(Schema.String),
  pages: Schema.Array(PageProgress),
  startedAt: Schema.Date,
  endedAt: maybe(Schema.Date)
})
export interface Progress extends Schema.Schema.Type<typeof Progress> {}

/** Some of the runs, the newest first, and how many there are. @category schemas */
export const Runs = Schema.Struct({ runs: Schema.Array(Progress), total: Schema.Number })

/** What became of an item that was not done. */
export const FailureState = Schema.Literal("failed", "unknown")

/** An item that was not done. Its input is text, in which secrets are masked. @category schemas */
export const Failure = Schema.Struct({
  item: Schema.Number,
  state: FailureState,
  tag: Schema.String,
  error: Schema.String,
  input: Schema.String,
  attempts: Schema.Number,
  at: Schema.Date
})
export interface Failure extends Schema.Schema.Type<typeof Failure> {}

/** Failures after an item, in the order of the source; `next` is the item to go on after, where there are more. @category schemas */
export const Failures = Schema.Struct({ failures: Schema.Array(Failure), next: maybe(Schema.Number) })

const Nothing = Schema.Record({ key: Schema.String, value: Schema.Never })

/** What can be done with a run, and what it takes besides. */
export const actions = {
  pause: Nothing,
  resume: Nothing,
  cancel: Nothing,
  remove: Nothing,
  /** As `Run.retry`. */
  retry: Schema.Struct({
    states: maybe(Schema.Array(FailureState)),
    items: maybe(Schema.Array(Schema.NonNegativeInt).pipe(Schema.maxItems(10_000))),
    readAgain: maybe(Schema.Boolean),
    send: maybe(Schema.Boolean)
  }),
  /** As `Run.settle`: of these numbers, or all that are unknown. */
  settle: Schema.Union(
    Schema.Struct({ items: Schema.Array(Schema.NonNegativeInt).pipe(Schema.maxItems(10_000)) }),
    Schema.Struct({ all: Schema.Literal(true) })
  )
}
/** What can be done with a run. @category models */
export type Action = keyof typeof actions

/** What an action answers: the run after it, or before it was removed, and of how many items it was. */
export const Done = Schema.Struct({ run: Progress, count: maybe(Schema.Number) })

/** Why something was not done. `reason` is that of a FleetError, or of the handler itself. */
export const Refusal = Schema.Struct({ reason: Schema.String, message: Schema.String })
