/** Notifications, for admins who send them. */
import * as Notifications from "../../core/notifications/operations.js"
import { bind } from "./client.js"

export const send = /*#__PURE__*/ bind(Notifications.send)
