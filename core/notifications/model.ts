/** Notifications and their channels (specification, point 3). */
import * as Schema from "effect/Schema"
import * as Entity from "../kernel/operation/entity.js"

/** The channels of notifications. */
export const channels = ["EMAIL", "SMS", "PUSH", "IN_APP"] as const

export type NotificationChannel = Entity.OpenLiteral<(typeof channels)[number]>
export const NotificationChannel: Schema.Schema<NotificationChannel, string> = Entity.openLiteral(...channels)

/** The subjects of notifications. */
export const sourceTypes = ["News"] as const

export type NotificationSource = Entity.OpenLiteral<(typeof sourceTypes)[number]>
export const NotificationSource: Schema.Schema<NotificationSource, string> = Entity.openLiteral(
  ...sourceTypes
)

/** The kinds of notifications shown inside an app. */
export const inAppTypes = ["PAYMENT"] as const

export type InAppType = Entity.OpenLiteral<(typeof inAppTypes)[number]>
export const InAppType: Schema.Schema<InAppType, string> = Entity.openLiteral(...inAppTypes)

/** A notification, as its receiver reads it. */
export const Notification = Entity.open({
  _id: Entity.Id,
  type: Entity.maybe(InAppType),
  channel: Entity.maybe(NotificationChannel),
  sourceType: Entity.maybe(NotificationSource)
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** A text message: the receiver's number and the text. */
export const SendSms = Schema.Struct({ to: Schema.NonEmptyString, body: Schema.NonEmptyString })
export interface SendSms extends Schema.Schema.Type<typeof SendSms> {}
