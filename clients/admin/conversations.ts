/** Conversations and their messages, for admins. */
import * as Conversations from "../../core/conversations/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Conversations.list)
export const update = /*#__PURE__*/ bind(Conversations.update)
export const messages = /*#__PURE__*/ bind(Conversations.messages)
export const markSeen = /*#__PURE__*/ bind(Conversations.markSeen)
