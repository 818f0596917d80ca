/** Notifications and their channels (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The channels of notifications. @category constants */
export const channels = /*#__PURE__*/ Object.freeze(["EMAIL", "SMS", "PUSH", "IN_APP"] as const)

/** The channel of a notification. @category schemas */
export type NotificationChannel = Entity.OpenLiteral<(typeof channels)[number]>
export const NotificationChannel: Schema.Schema<NotificationChannel, string> = Entity.openLiteral(...channels)

/** The subjects of notifications. @category constants */
export const sourceTypes = /*#__PURE__*/ Object.freeze(["News"] as const)

/** The subject of a notification. @category schemas */
export type NotificationSource = Entity.OpenLiteral<(typeof sourceTypes)[number]>
export const NotificationSource: Schema.Schema<NotificationSource, string> = Entity.openLiteral(
  ...sourceTypes
)

/** The kinds of notifications shown inside an app. @category constants */
export const inAppTypes = /*#__PURE__*/ Object.freeze(["PAYMENT"] as const)

/** The kind of an in-app notification. @category schemas */
export type InAppType = Entity.OpenLiteral<(typeof inAppTypes)[number]>
export const InAppType: Schema.Schema<InAppType, string> = Entity.openLiteral(...inAppTypes)

/** A notification, as its receiver reads it. @category schemas */
export const Notification = Entity.open({
  _id: Entity.Id,
  type: Entity.maybe(InAppType),
  channel: Entity.maybe(NotificationChannel),
  sourceType: Entity.maybe(NotificationSource)
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** A text message: the receiver's number and the text. @category schemas */
export const SendSms = Schema.Struct({ to: Schema.NonEmptyString, body: Schema.NonEmptyString })
export interface SendSms extends Schema.Schema.Type<typeof SendSms> {}

/** What a notification holds, as far as it is assumed. @category schemas */
export const NotificationRow = /*#__PURE__*/ Row.row(() => ({
  ...Notification.fields,
  ...Row.stamps,
  channel: NotificationChannel,
  /** The receiver; null for a text message to a bare number. */
  userId: Entity.maybe(Entity.Id),
  title: Entity.maybe(Schema.String),
  body: Entity.maybe(Schema.String),
  seen: Schema.Boolean,
  seenAt: Entity.maybe(DateTime)
}))

const Sent = /*#__PURE__*/ Row.part(() => ({
  userId: Schema.optional(Entity.Id),
  userIds: Schema.optional(Schema.Array(Entity.Id)),
  toAll: Schema.optional(Schema.Boolean),
  channel: Schema.optional(NotificationChannel),
  title: Schema.optional(Schema.String),
  body: Schema.optional(Schema.String)
}))

/** What is sent to one end user, to several or to all of them. Assumed. @category schemas */
export const Sending = /*#__PURE__*/ (() =>
  Schema.filter<typeof Sent>(
    ({ body = "", title = "" }) => title + body !== "",
    { description: "a title or a text" },
    "title"
  )(Sent))()
