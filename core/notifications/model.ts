/** Notifications and their channels (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"
import type { RuleOfBody } from "../kernel/operation/validation.js"

/** The channels of notifications. @category constants */
export const channels = /*#__PURE__*/ Object.freeze(["EMAIL", "SMS", "PUSH", "IN_APP"] as const)

/** The channel of a notification. @category schemas */
export type NotificationChannel = Entity.OpenLiteral<(typeof channels)[number]>
export const NotificationChannel: Schema.Schema<NotificationChannel, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...channels))()

/** The subjects of notifications. @category constants */
export const sourceTypes = /*#__PURE__*/ Object.freeze(["News"] as const)

/** The subject of a notification. @category schemas */
export type NotificationSource = Entity.OpenLiteral<(typeof sourceTypes)[number]>
export const NotificationSource: Schema.Schema<NotificationSource, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...sourceTypes))()

/** The kinds of notifications shown inside an app. @category constants */
export const inAppTypes = /*#__PURE__*/ Object.freeze(["PAYMENT"] as const)

/** The kind of an in-app notification. @category schemas */
export type InAppType = Entity.OpenLiteral<(typeof inAppTypes)[number]>
export const InAppType: Schema.Schema<InAppType, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...inAppTypes))()

/**
 * A notification, as its receiver reads it, and by which way it came. `notifications.markSeen` notes that it was
 * read.
 * @category schemas
 */
export const Notification = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** Kind, of one that is shown inside an app. */
    type: Entity.maybe(InAppType),
    /** The way that it took. */
    channel: Entity.maybe(NotificationChannel),
    /** What it is about. */
    sourceType: Entity.maybe(NotificationSource)
  },
  () => ({
    /** Id of the receiver; a text message to a bare number has none. Assumed: the platform may differ. */
    userId: Entity.maybe(Entity.Id),
    /** Its first line. Assumed: the platform may differ. */
    title: Entity.maybe(Schema.String),
    /** Its text. Assumed: the platform may differ. */
    body: Entity.maybe(Schema.String),
    /** Whether the receiver has read it. Assumed: the platform may differ. */
    seen: Schema.Boolean,
    /** When the receiver has read it. Assumed: the platform may differ. */
    seenAt: Entity.maybe(DateTime),
    ...Row.stamps
  })
)
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** What was sent. @category schemas */
export const Dispatch = /*#__PURE__*/ Entity.make({}, () => ({
  /** Number of receivers. Assumed: the platform may differ. */
  sent: Schema.Number,
  /** Ids of the notifications, one for each receiver. Assumed: the platform may differ. */
  ids: Schema.Array(Entity.Id)
}))
export interface Dispatch extends Schema.Schema.Type<typeof Dispatch> {}

/** A text message that was sent. @category schemas */
export const SentSms = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the notification. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** The receiver's number. Assumed: the platform may differ. */
  to: Schema.String,
  /** Number of messages that its text took, of 160 characters each. Assumed: the platform may differ. */
  parts: Schema.Number
}))
export interface SentSms extends Schema.Schema.Type<typeof SentSms> {}

/** A text message: the receiver's number and the text. @category schemas */
export const SendSms = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** The receiver's number, with the code of its country. */
    to: Schema.NonEmptyString,
    /** The text. */
    body: Schema.NonEmptyString
  }))()
export interface SendSms extends Schema.Schema.Type<typeof SendSms> {}

const isId = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value !== "")

/** The rule that the receivers break: a platform may send to everybody what names none of them. */
const ruleOfReceivers: RuleOfBody = ({ toAll, userId, userIds }) => {
  if (toAll !== undefined && typeof toAll !== "boolean")
    return { field: "toAll", rule: "must be true or false" }
  if (toAll === true) return undefined
  if (userId !== undefined) return isId(userId) ? undefined : { field: "userId", rule: "must be an id" }
  if (userIds === undefined) return { field: "userIds", rule: "is required, or userId, or toAll: true" }
  const isHeld = Array.isArray(userIds) && userIds.length > 0 && userIds.every(isId)
  return isHeld ? undefined : { field: "userIds", rule: "must be a list of at least one id" }
}

/** What is sent to one end user, to several or to all of them: a title, a text or both. Assumed: the platform may differ. @category schemas */
export const Sending = /*#__PURE__*/ Entity.body(
  () => ({
    /** Id of the one receiver. */
    userId: Schema.optional(Entity.Id),
    /** Ids of several receivers. */
    userIds: Schema.optional(Schema.Array(Entity.Id)),
    /** Whether all end users receive it. */
    toAll: Schema.optional(Schema.Boolean),
    /** The way that it takes. */
    channel: Schema.optional(Entity.literal(...channels)),
    /** Kind, of one that is shown inside an app. */
    type: Schema.optional(InAppType),
    /** Its first line. */
    title: Schema.optional(Schema.String),
    /** Its text. */
    body: Schema.optional(Schema.String)
  }),
  ruleOfReceivers
)
export type Sending = Schema.Schema.Type<typeof Sending>
