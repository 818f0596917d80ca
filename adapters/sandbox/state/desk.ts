/** Rows of the day's work: requests, conversations, notifications, boxes and events. */
import * as Schema from "effect/Schema"
import { BoxType } from "../../../core/boxes/model.js"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { InAppType, NotificationChannel, NotificationSource } from "../../../core/notifications/model.js"
import { RequestStatus, RequestType } from "../../../core/requests/model.js"
import { stamps } from "./people.js"

/** Who wrote something: an admin, an end user, or a program with the private key. */
export const Author = Schema.Struct({
  kind: Schema.Literal("admin", "endUser", "system"),
  _id: Schema.String,
  name: Schema.String
})
export interface Author extends Schema.Schema.Type<typeof Author> {}

export const Comment = Entity.open({
  _id: Entity.Id,
  text: Schema.NonEmptyString,
  author: Author,
  createdAt: DateTime
})
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

export const Request = Entity.open({
  ...stamps,
  userId: Entity.Id,
  type: RequestType,
  status: RequestStatus,
  title: Schema.String,
  version: Schema.Number,
  comments: Schema.Array(Comment),
  /** The last version that each side has seen; 0 for none. */
  seenByAdmin: Schema.Number,
  seenByUser: Schema.Number
})
export interface Request extends Schema.Schema.Type<typeof Request> {}

export const Conversation = Entity.open({
  ...stamps,
  userId: Entity.Id,
  userName: Schema.String,
  topic: Schema.String,
  status: Schema.String,
  lastMessage: Entity.maybe(Schema.String)
})
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}

export const Message = Entity.open({
  _id: Entity.Id,
  conversationId: Entity.Id,
  text: Schema.NonEmptyString,
  sender: Author,
  /** The id that the sending client made, by which a repeated message is known. */
  clientId: Entity.maybe(Schema.String),
  seen: Schema.Boolean,
  createdAt: DateTime
})
export interface Message extends Schema.Schema.Type<typeof Message> {}

export const Notification = Entity.open({
  ...stamps,
  /** The receiver; none for a text message to a bare number. */
  userId: Entity.maybe(Entity.Id),
  channel: NotificationChannel,
  type: Entity.maybe(InAppType),
  sourceType: Entity.maybe(NotificationSource),
  title: Entity.maybe(Schema.String),
  body: Entity.maybe(Schema.String),
  seen: Schema.Boolean,
  seenAt: Entity.maybe(DateTime)
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** `userId` is none for a visitor's box. */
export const Box = Entity.open({ ...stamps, type: Entity.maybe(BoxType), userId: Entity.maybe(Entity.Id) })
export interface Box extends Schema.Schema.Type<typeof Box> {}

export const Event = Entity.open({
  ...stamps,
  userId: Entity.Id,
  title: Schema.String,
  startsAt: DateTime,
  endsAt: DateTime
})
export interface Event extends Schema.Schema.Type<typeof Event> {}
