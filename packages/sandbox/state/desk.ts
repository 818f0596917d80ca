/** Rows of the day's work: requests, conversations, notifications, boxes and events. */
import * as Schema from "effect/Schema"
import * as Boxes from "@quartet/sdk/models/boxes"
import { Model as Chat, DateTime, Entity } from "@quartet/sdk/extend"
import * as Conversations from "@quartet/sdk/models/conversations"
import * as Notifications from "@quartet/sdk/models/notifications"
import * as Requests from "@quartet/sdk/models/requests"
import { held, stamps } from "./fields.js"

/** An author: an admin, an end user, or a server with the private key. */
export const Author = Schema.Struct({
  kind: Schema.Literal("admin", "endUser", "system"),
  _id: Schema.String,
  name: Schema.String
})
export interface Author extends Schema.Schema.Type<typeof Author> {}

export const Comment = Entity.open({
  ...held(Requests.Comment),
  text: Schema.NonEmptyString,
  author: Author
})
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

export const Request = Entity.open({
  ...stamps,
  ...held(Requests.RequestAction),
  userId: Entity.Id,
  title: Schema.String,
  comments: Schema.Array(Comment),
  /** The last version that each side has seen; 0 for none. */
  seenByAdmin: Schema.Number,
  seenByUser: Schema.Number
})
export interface Request extends Schema.Schema.Type<typeof Request> {}

/** What a request is filed with; an admin names whose it is. */
export const NewRequest = Entity.open({
  type: Schema.NonEmptyString,
  title: Schema.optional(Schema.String),
  userId: Schema.optional(Entity.Id)
})

/** What is said about a request. */
export const NewComment = Entity.open({ text: Schema.NonEmptyString })

/** An end user's answer to a request; the body holds its id. */
export const Confirmation = Entity.open({ id: Entity.Id, accepted: Schema.optional(Schema.Boolean) })

export const Conversation = Entity.open({
  ...stamps,
  ...held(Conversations.Conversation),
  userId: Entity.Id,
  userName: Schema.String,
  status: Schema.String,
  lastMessage: Entity.maybe(Schema.String)
})
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}

export const Message = Entity.open({
  ...held(Chat.Message),
  text: Schema.NonEmptyString,
  sender: Author,
  /** The id that the sending client made, which identifies a repeated message. */
  clientId: Entity.maybe(Schema.String),
  seen: Schema.Boolean
})
export interface Message extends Schema.Schema.Type<typeof Message> {}

export const Notification = Entity.open({
  ...Notifications.Notification.fields,
  ...stamps,
  channel: Notifications.NotificationChannel,
  /** The receiver; null for a text message to a bare number. */
  userId: Entity.maybe(Entity.Id),
  title: Entity.maybe(Schema.String),
  body: Entity.maybe(Schema.String),
  seen: Schema.Boolean,
  seenAt: Entity.maybe(DateTime)
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** What is sent to one end user, to several or to all of them. */
export const Sending = Entity.open({
  userId: Schema.optional(Entity.Id),
  userIds: Schema.optional(Schema.Array(Entity.Id)),
  toAll: Schema.optional(Schema.Boolean),
  channel: Schema.optional(Notifications.NotificationChannel),
  title: Schema.optional(Schema.String),
  body: Schema.optional(Schema.String)
}).pipe(
  Schema.filter(({ body = "", title = "" }) => title + body !== "" || { path: ["title"], message: "" }, {
    description: "a title or a text"
  })
)

/** A visitor's box has no `userId`. */
export const Box = Entity.open({ ...Boxes.Box.fields, ...stamps, userId: Entity.maybe(Entity.Id) })
export interface Box extends Schema.Schema.Type<typeof Box> {}

export const Event = Entity.open({
  ...stamps,
  userId: Entity.Id,
  title: Schema.String,
  startsAt: DateTime,
  endsAt: DateTime
})
export interface Event extends Schema.Schema.Type<typeof Event> {}
