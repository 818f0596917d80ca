/** The calls that send and read notifications (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Dispatch, Notification, Sending, SendSms, SentSms } from "./model.js"

/** Sends a notification. The platform defines the body: receivers, channel and content. */
export const send: Operation<
  Entity.WithBody<Sending>,
  Entity.Guess<Dispatch>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("notifications.send", () => ({
  method: "POST",
  path: "notification",
  audiences: ["admin"],
  input: Entity.withBody(Sending),
  success: Entity.guess(Dispatch),
  requires: Level.Write
}))

/** Sends an in-app notification. */
export const sendInApp: Operation<
  Entity.WithBody<Sending>,
  Entity.Guess<Dispatch>,
  "private",
  "write"
> = /*#__PURE__*/ Operation.make("notifications.sendInApp", () => ({
  method: "POST",
  path: "notification/sendInApp",
  audiences: ["private"],
  input: Entity.withBody(Sending),
  success: Entity.guess(Dispatch)
}))

/** Sends a text message to one number. */
export const sendSms: Operation<
  SendSms,
  Entity.Guess<SentSms>,
  "private",
  "write"
> = /*#__PURE__*/ Operation.make("notifications.sendSms", () => ({
  method: "POST",
  path: "notification/sms",
  audiences: ["private"],
  input: SendSms,
  success: Entity.guess(SentSms)
}))

/** Sends a push notification to the devices of users. */
export const pushToUsers: Operation<
  Entity.WithBody<Sending>,
  Entity.Guess<Dispatch>,
  "private",
  "write"
> = /*#__PURE__*/ Operation.make("notifications.pushToUsers", () => ({
  method: "POST",
  path: "pushNotification/users",
  audiences: ["private"],
  input: Entity.withBody(Sending),
  success: Entity.guess(Dispatch)
}))

/** Marks one of the end user's notifications as seen. */
export const markSeen: Operation<
  Entity.ById,
  Entity.Guess<Notification>,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("notifications.markSeen", () => ({
  method: "PUT",
  path: "notification/{id}/seen",
  audiences: ["endUser"],
  input: Entity.ById,
  success: Entity.guess(Notification)
}))

/** Lists the end user's notifications. */
export const list: Operation<
  Entity.List,
  Page<Notification>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("notifications.list", () => ({
  method: "GET",
  path: "notification",
  audiences: ["endUser"],
  input: Entity.List,
  success: page(Notification)
}))
