/** Notifications, for servers that send them. */
import * as Notifications from "../../core/notifications/operations.js"
import { bind } from "./client.js"

export const sendInApp = /*#__PURE__*/ bind(Notifications.sendInApp)
export const sendSms = /*#__PURE__*/ bind(Notifications.sendSms)
export const pushToUsers = /*#__PURE__*/ bind(Notifications.pushToUsers)
