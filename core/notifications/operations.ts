/** The calls that send and read notifications (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Notification, SendSms } from "./model.js"

/** Sends a notification. The platform defines the body: receivers, channel and content. */
export const send: Operation<Entity.WithPayload, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "notifications.send",
  () => ({
    method: "POST",
    path: "notification",
    audiences: ["admin"],
    input: Entity.WithPayload,
    success: Entity.Anything,
    requires: Level.Write
  })
)

/** Sends an in-app notification. */
export const sendInApp: Operation<Entity.WithPayload, unknown, "private", "write"> =
  /*#__PURE__*/ Operation.make("notifications.sendInApp", () => ({
    method: "POST",
    path: "notification/sendInApp",
    audiences: ["private"],
    input: Entity.WithPayload,
    success: Entity.Anything
  }))

/** Sends a text message to one number. */
export const sendSms: Operation<SendSms, unknown, "private", "write"> = /*#__PURE__*/ Operation.make(
  "notifications.sendSms",
  () => ({
    method: "POST",
    path: "notification/sms",
    audiences: ["private"],
    input: SendSms,
    success: Entity.Anything
  })
)

/** Sends a push notification to the devices of users. */
export const pushToUsers: Operation<Entity.WithPayload, unknown, "private", "write"> =
  /*#__PURE__*/ Operation.make("notifications.pushToUsers", () => ({
    method: "POST",
    path: "pushNotification/users",
    audiences: ["private"],
    input: Entity.WithPayload,
    success: Entity.Anything
  }))

/** Marks one of the end user's notifications as seen. */
export const markSeen: Operation<Entity.ById, unknown, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "notifications.markSeen",
  () => ({
    method: "PUT",
    path: "notification/{id}/seen",
    audiences: ["endUser"],
    input: Entity.ById,
    success: Entity.Anything
  })
)

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
