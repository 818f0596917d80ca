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
export const TaskType: Schema.Schema<TaskType, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...taskTypes))()

/** A pending task. @category schemas */
export const PendingTask = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Its id. */
    id: Entity.Id,
    /** What is to be done. */
    type: TaskType,
    /** Whether it is done. */
    isCompleted: Schema.Boolean
  }))()
export interface PendingTask extends Schema.Schema.Type<typeof PendingTask> {}

/** A document to accept. `acceptedAt` and `acceptedBy` are null until it is accepted. @category schemas */
export const Document = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Its id. */
    id: Entity.Id,
    /** Its title for people. */
    title: Schema.String,
    /** What it is about. */
    description: Schema.String,
    /** The address at which it can be read. */
    previewURL: Schema.String,
    /** Whether it is accepted. */
    isAccepted: Schema.Boolean,
    /** When it was accepted; null until then. */
    acceptedAt: Schema.NullOr(Schema.ValidDateFromSelf),
    /** Who accepted it; null until then. */
    acceptedBy: Schema.NullOr(Schema.String),
    /** When it comes into force. */
    validFrom: Schema.ValidDateFromSelf
  }))()
export interface Document extends Schema.Schema.Type<typeof Document> {}

/** The document that states a price. @category schemas */
const Agreement = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Its id. */
    id: Entity.Id,
    /** Its title. */
    title: Schema.String
  }))()
/** The document that states a price. @category schemas */
export interface Agreement extends Schema.Schema.Type<typeof Agreement> {}

/** The price of a service: `price` for one `unit`. @category schemas */
export const BillingItem = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Its id. */
    id: Entity.Id,
    /** Name of the service. */
    service: Schema.String,
    /** The service's code in the price list. */
    sku: Schema.String,
    /** What the price is for, such as one message. */
    unit: Schema.String,
    /** The document that states the price. */
    agreement: Entity.named<Agreement, Agreement>(Agreement),
    /** Price of one `unit`. */
    price: Schema.Finite
  }))()
export interface BillingItem extends Schema.Schema.Type<typeof BillingItem> {}

/** An amount of money. `currency` is an ISO 4217 code. @category schemas */
const Amount = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** How much, in whole units of `currency`, not cents. */
    amount: Schema.Finite,
    /** Code of the currency, such as `USD` (ISO 4217). */
    currency: Schema.String
  }))()
/** An amount of money. @category schemas */
export interface Amount extends Schema.Schema.Type<typeof Amount> {}

/** A project in figures. @category schemas */
export const ProjectStats = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Number of users. */
    userCount: Schema.NonNegativeInt,
    /** Number of content entries. */
    contentCount: Schema.NonNegativeInt,
    /** Number of users who have registered. */
    registeredUserCount: Schema.NonNegativeInt,
    /** What is owed so far, with its currency. */
    currentBillAmount: Entity.named<Amount, Amount>(Amount)
  }))()
export interface ProjectStats extends Schema.Schema.Type<typeof ProjectStats> {}

/** The whole onboarding. @category schemas */
export const Onboarding = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** What is still to be done, and what is done. */
    tasks: Schema.Array<PendingTask, PendingTask>(PendingTask),
    /** The documents to accept. */
    documents: Schema.Array<Document, Document>(Document),
    /** The prices of the services. */
    billing: Schema.Array<BillingItem, BillingItem>(BillingItem),
    /** The project in figures. */
    stats: Entity.named<ProjectStats, ProjectStats>(ProjectStats)
  }))()
export interface Onboarding extends Schema.Schema.Type<typeof Onboarding> {}
