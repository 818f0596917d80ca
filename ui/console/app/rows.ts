/**
 * What the console knows about the platform's entities beyond what the specification gives: fields that the models assume.
 * Every call is narrowed to them once, here, so that views are typed and an unexpected answer is an error.
 */

import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { Entity } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/models/auth"
import * as Conversations from "@quartet/sdk/extend/models/conversations"
import * as Intranet from "@quartet/sdk/extend/models/intranet"
import * as Models from "@quartet/sdk/extend/models/models"
import * as Notifications from "@quartet/sdk/extend/models/notifications"
import * as Payments from "@quartet/sdk/extend/models/payments"
import * as Requests from "@quartet/sdk/extend/models/requests"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

type Lenient<Fields, K extends keyof Fields> = {
  readonly [N in K]: Fields[N] extends Schema.Schema<infer A, infer I>
    ? Schema.optional<Schema.Schema<A | null, I | null>>
    : Fields[N]
}

/** Assumed fields, which a platform may leave out, or answer empty. */
const some = <Fields extends Schema.Struct.Fields, K extends keyof Fields & string>(
  { fields }: { readonly fields: Fields },
  ...names: ReadonlyArray<K>
): Lenient<Fields, K> =>
  // The type above states the result of this loop for each name.
  Object.fromEntries(
    names.map((name) => {
      const field = fields[name]
      if (field === undefined || Schema.isPropertySignature(field)) return [name, field]
      return [name, Entity.maybe(Schema.make(AST.isRefinement(field.ast) ? field.ast.from : field.ast))]
    })
  ) as Lenient<Fields, K>

export const Author = Schema.Struct({ kind: Schema.String, name: Schema.String, _id: Schema.String })

const Comment = Schema.Struct({ ...Requests.Comment.fields, author: Entity.maybe(Author) })

const RequestRow = Schema.Struct({
  ...Requests.RequestAction.fields,
  ...some(Requests.RequestRow, "title", "userId", "seenByAdmin", "seenByUser", "createdAt", "updatedAt"),
  comments: Entity.maybe(Schema.Array(Comment))
})
export interface RequestRow extends Schema.Schema.Type<typeof RequestRow> {}

const UserRow = Schema.Struct({ ...Auth.User.fields, ...some(Auth.UserRow, "createdAt") })

const RoleRow = Schema.Struct({ _id: Entity.Id, ...some(Roles.RoleRow, "name", "permissions") })
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
  ...some(Conversations.ConversationRow, "userName", "status", "lastMessage", "updatedAt")
})
export interface ConversationRow extends Schema.Schema.Type<typeof ConversationRow> {}

const MessageRow = Schema.Struct({
  _id: Entity.Id,
  ...some(Conversations.MessageRow, "text", "createdAt"),
  sender: Entity.maybe(Author)
})
export interface MessageRow extends Schema.Schema.Type<typeof MessageRow> {}

const Field = Schema.Struct({ apiId: Schema.String, type: Schema.String, ...some(Models.FieldRow, "name") })
export interface Field extends Schema.Schema.Type<typeof Field> {}

const ModelRow = Schema.Struct({
  _id: Entity.Id,
  apiId: Schema.String,
  ...some(Models.ModelRow, "name"),
  fields: Entity.maybe(Schema.Array(Field))
})
export interface ModelRow extends Schema.Schema.Type<typeof ModelRow> {}

export const PaymentRow = Schema.Struct({
  _id: Entity.Id,
  ...some(
    Payments.TransactionRow,
    "userId",
    "amount",
    "currency",
    "status",
    "refundedAmount",
    "refundableAmount"
  )
})
export interface PaymentRow extends Schema.Schema.Type<typeof PaymentRow> {}

const PaymentEventRow = Schema.Struct(
  some(Payments.TransactionEventRow, "_id", "type", "amount", "currency", "reason", "createdAt")
)

const NotificationRow = Schema.Struct({
  ...Notifications.Notification.fields,
  ...some(Notifications.NotificationRow, "title", "body", "seen", "createdAt")
})

const AbsenceRow = Schema.Struct({
  ...Intranet.HolidayReportLine.fields,
  ...some(Intranet.AbsenceRow, "_id", "fullName", "startDate", "endDate", "status")
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
export const roles = { list: Admin.roles.list.as(RoleRow), get: Admin.roles.get.as(RoleRow) }
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
