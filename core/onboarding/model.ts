/**
 * The onboarding of a new project: tasks to complete, documents to accept, prices and a few figures (specification,
 * points 3 and 4). The platform has no calls for them, so they are held locally.
 */

import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The types of pending tasks. @category constants */
export const taskTypes = /*#__PURE__*/ Object.freeze(["billing-onboarding"] as const)

/** The type of a task. @category schemas */
export type TaskType = Entity.OpenLiteral<(typeof taskTypes)[number]>
export const TaskType: Schema.Schema<TaskType, string> = Entity.openLiteral(...taskTypes)

/** A pending task. @category schemas */
export const PendingTask = Schema.Struct({ id: Entity.Id, type: TaskType, isCompleted: Schema.Boolean })
export interface PendingTask extends Schema.Schema.Type<typeof PendingTask> {}

/** A document to accept. `acceptedAt` and `acceptedBy` are null until it is accepted. @category schemas */
export const Document = Schema.Struct({
  id: Entity.Id,
  title: Schema.String,
  description: Schema.String,
  previewURL: Schema.String,
  isAccepted: Schema.Boolean,
  acceptedAt: Schema.NullOr(Schema.ValidDateFromSelf),
  acceptedBy: Schema.NullOr(Schema.String),
  validFrom: Schema.ValidDateFromSelf
})
export interface Document extends Schema.Schema.Type<typeof Document> {}

/** The document that states a price. @category schemas */
const Agreement = Schema.Struct({ id: Entity.Id, title: Schema.String })
export interface Agreement extends Schema.Schema.Type<typeof Agreement> {}

/** The price of a service: `price` for one `unit`. @category schemas */
export const BillingItem = Schema.Struct({
  id: Entity.Id,
  service: Schema.String,
  sku: Schema.String,
  unit: Schema.String,
  agreement: Agreement,
  price: Schema.Finite
})
export interface BillingItem extends Schema.Schema.Type<typeof BillingItem> {}

/** An amount of money. `currency` is an ISO 4217 code. @category schemas */
const Amount = Schema.Struct({ amount: Schema.Finite, currency: Schema.String })
export interface Amount extends Schema.Schema.Type<typeof Amount> {}

/** A project in figures. @category schemas */
export const ProjectStats = Schema.Struct({
  userCount: Schema.NonNegativeInt,
  contentCount: Schema.NonNegativeInt,
  registeredUserCount: Schema.NonNegativeInt,
  currentBillAmount: Amount
})
export interface ProjectStats extends Schema.Schema.Type<typeof ProjectStats> {}

/** The whole onboarding. @category schemas */
export const Onboarding = Schema.Struct({
  tasks: Schema.Array(PendingTask),
  documents: Schema.Array(Document),
  billing: Schema.Array(BillingItem),
  stats: ProjectStats
})
export interface Onboarding extends Schema.Schema.Type<typeof Onboarding> {}
