/** What the command line builds on. */
export { numberOf } from "./csv/numbers.js"
export type { Opening } from "./csv/records.js"
export { FleetError } from "./fleet-error.js"
export { shownFailure, shownInput } from "./http/shown.js"
export { entries, joinPages, totalOf, writePage } from "./jobs/export.js"
export { Fence, type Fences, heard } from "./jobs/fence.js"
export * as Identify from "./jobs/identify.js"
export { type Job, make } from "./jobs/job.js"
export { layer, layerClient, migrate } from "./jobs/layer.js"
export {
  beforeRefund,
  inputOf,
  judgeRefunds,
  type Reads,
  refundOf,
  repeats,
  wasRefunded
} from "./jobs/refunds.js"
export type { Failure, PageProgress, Progress, Run } from "./jobs/run.js"
export { Fleet, type Service } from "./jobs/run.js"
export { verdictOf } from "./jobs/verdict.js"
export * as Parts from "./store/parts.js"
export {
  countRows,
  delimited,
  type FileOptions,
  Format,
  formatOf,
  judgedRows,
  located,
  pathOf,
  type Rule,
  rows,
  sourceFailed
} from "./store/rows.js"
export { fileOf } from "./store/store.js"
