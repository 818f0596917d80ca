/**
 * What the console knows about the platform's entities beyond what the specification gives: the fields of the seeded
 * project. Every call is narrowed to them once, here, so that views are typed and an unexpected answer is an error.
 */
import * as Schema from "effect/Schema"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Auth from "../../../core/auth/model.js"
import * as Conversations from "../../../core/conversations/model.js"
import * as Intranet from "../../../core/intranet/model.js"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Notifications from "../../../core/notifications/model.js"
import * as Requests from "../../../core/requests/model.js"

const text = Entity.maybe(Schema.String)
const number = Entity.maybe(Schema.Number)
const date = Entity.maybe(DateTime)
const texts = Entity.maybe(Schema.Array(Schema.String))

export const Author = Schema.Struct({ kind: Schema.String, name: Schema.String, _id: Schema.String })

const Comment = Schema.Struct({ ...Requests.Comment.fields, author: Entity.maybe(Author) })

const RequestRow = Schema.Struct({
  ...Requests.RequestAction.fields,
  title: text,
  userId: text,
  comments: Entity.maybe(Schema.Array(Comment)),
  seenByAdmin: number,
  seenByUser: number,
  createdAt: date,
  updatedAt: date
})
export interface RequestRow extends Schema.Schema.Type<typeof RequestRow> {}

const UserRow = Schema.Struct({ ...Auth.User.fields, createdAt: date })

const RoleRow = Schema.Struct({ _id: Entity.Id, name: text, permissions: texts })
export interface RoleRow extends Schema.Schema.Type<typeof RoleRow> {}

const PermissionRow = Schema.Struct({
  _id: Entity.Id,
  resource: Schema.String,
  action: Schema.String,
  level: Schema.Number
})
export interface PermissionRow extends Schema.Schema.Type<typeof PermissionRow> {}

const ConversationRow = Schema.Struct({
  ...Conversations.Conversation.fields,
  userName: text,
  status: text,
  lastMessage: text,
  updatedAt: date
})
export interface ConversationRow extends Schema.Schema.Type<typeof ConversationRow> {}

const MessageRow = Schema.Struct({
  _id: Entity.Id,
  text,
  sender: Entity.maybe(Author),
  createdAt: date
})
export interface MessageRow extends Schema.Schema.Type<typeof MessageRow> {}

const Field = Schema.Struct({ apiId: Schema.String, name: text, type: Schema.String })
export interface Field extends Schema.Schema.Type<typeof Field> {}

const ModelRow = Schema.Struct({
  _id: Entity.Id,
  apiId: Schema.String,
  name: text,
  fields: Entity.maybe(Schema.Array(Field))
})
export interface ModelRow extends Schema.Schema.Type<typeof ModelRow> {}

export const PaymentRow = Schema.Struct({
  _id: Entity.Id,
  userId: text,
  amount: number,
  currency: text,
  status: text,
  type: text,
  provider: text,
  refundedAmount: number,
  createdAt: date
})
export interface PaymentRow extends Schema.Schema.Type<typeof PaymentRow> {}

const PaymentEventRow = Schema.Struct({
  _id: text,
  type: text,
  amount: number,
  currency: text,
  reason: text,
  createdAt: date
})

const NotificationRow = Schema.Struct({
  ...Notifications.Notification.fields,
  title: text,
  body: text,
  seen: Entity.maybe(Schema.Boolean),
  createdAt: date
})

const AbsenceRow = Schema.Struct({
  ...Intranet.HolidayReportLine.fields,
  _id: text,
  fullName: text,
  startDate: date,
  endDate: date,
  status: text
})
export interface AbsenceRow extends Schema.Schema.Type<typeof AbsenceRow> {}

export const requests = {
  list: Admin.requests.list.as(RequestRow),
  get: Admin.requests.get.as(RequestRow),
  update: Admin.requests.update.as(RequestRow),
  addComment: Admin.requests.addComment.as(RequestRow),
  markSeen: Admin.requests.markSeen.as(RequestRow)
}
export const users = { list: Admin.users.list.as(UserRow) }
export const roles = { list: Admin.roles.list.as(RoleRow) }
export const permissions = { list: Admin.permissions.list.as(PermissionRow) }
export const conversations = {
  list: Admin.conversations.list.as(ConversationRow),
  messages: Admin.conversations.messages.as(MessageRow)
}
export const absences = { list: Admin.intranet.holidayReport.as(AbsenceRow) }
export const models = { list: Admin.models.list.as(ModelRow) }
export const payments = {
  list: Admin.payments.list.as(PaymentRow),
  events: Admin.payments.events.as(PaymentEventRow)
}

export const mine = { notifications: EndUser.notifications.list.as(NotificationRow) }
