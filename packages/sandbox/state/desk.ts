/** Rows of the day's work: requests, conversations, notifications, boxes and events. */
import type * as Schema from "effect/Schema"
import * as Boxes from "@quartet/sdk/extend/models/boxes"
import * as Conversations from "@quartet/sdk/extend/models/conversations"
import * as Events from "@quartet/sdk/extend/models/events"
import * as Notifications from "@quartet/sdk/extend/models/notifications"
import * as Requests from "@quartet/sdk/extend/models/requests"

export const Author: typeof Requests.Author = Requests.Author
export interface Author extends Schema.Schema.Type<typeof Author> {}
export const Comment: typeof Requests.CommentRow = Requests.CommentRow
export interface Comment extends Schema.Schema.Type<typeof Comment> {}
export const Request: typeof Requests.RequestRow = Requests.RequestRow
export interface Request extends Schema.Schema.Type<typeof Request> {}
export const Conversation: typeof Conversations.ConversationRow = Conversations.ConversationRow
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}
export const Message: typeof Conversations.MessageRow = Conversations.MessageRow
export interface Message extends Schema.Schema.Type<typeof Message> {}
export const Notification: typeof Notifications.NotificationRow = Notifications.NotificationRow
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
export const Box: typeof Boxes.BoxRow = Boxes.BoxRow
export interface Box extends Schema.Schema.Type<typeof Box> {}
export const Event: typeof Events.EventRow = Events.EventRow
export interface Event extends Schema.Schema.Type<typeof Event> {}
