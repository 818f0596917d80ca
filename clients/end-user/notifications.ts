/** Notifications, for the end user who receives them. */
import * as Notifications from "../../core/notifications/operations.js"
import { bind } from "./client.js"

export const markSeen = /*#__PURE__*/ bind(Notifications.markSeen)
export const list = /*#__PURE__*/ bind(Notifications.list)
