/** Durable jobs of many items, and the limits and the session that all machines share. */
export { FleetError } from "../fleet-error.js"
export type { FileInput } from "../store/rows.js"
export type { EachItem, EachPage, ItemContext, PageContext, Source, UnknownContext } from "./definition.js"
export type { Delivered, Delivery, PageRef } from "./delivery.js"
export { type ExportOptions, exportJob } from "./export.js"
export { found, foundBefore, type Identity, type Lookup, leaveUnknown, sendAgain } from "./identify.js"
export {
  type ImportInto,
  type ImportOptions,
  importContent,
  importEntities,
  importJob,
  type Work
} from "./import.js"
export { type Job, make as job } from "./job.js"
export {
  type LayerOptions,
  layer,
  layerClient,
  type MigrateOptions,
  migrate,
  type StoreOptions
} from "./layer.js"
export {
  type CampaignInput,
  idsOf,
  type NotifyOptions,
  type NotifyUsers,
  notifyFromServer,
  notifyJob,
  notifyUsers
} from "./notify.js"
export { type RefundsOptions, refundsJob } from "./refunds.js"
export type {
  Failure,
  PageCount,
  PageProgress,
  Progress,
  RetryOptions,
  Run,
  RunState,
  WorkOptions
} from "./run.js"
export { Fleet } from "./run.js"
export type { Migration } from "./version.js"
