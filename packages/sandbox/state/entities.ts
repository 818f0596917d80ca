/** The rows of the sandbox: what the models assume of each entity, and what only the sandbox keeps. */
import * as Auth from "@quartet/sdk/extend/models/auth"
import * as Boxes from "@quartet/sdk/extend/models/boxes"
import * as Content from "@quartet/sdk/extend/models/content"
import * as Conversations from "@quartet/sdk/extend/models/conversations"
import * as Entities from "@quartet/sdk/extend/models/entities"
import * as Events from "@quartet/sdk/extend/models/events"
import * as Files from "@quartet/sdk/extend/models/files"
import * as Intranet from "@quartet/sdk/extend/models/intranet"
import * as Items from "@quartet/sdk/extend/models/items"
import * as Models from "@quartet/sdk/extend/models/models"
import * as Notifications from "@quartet/sdk/extend/models/notifications"
import * as Orders from "@quartet/sdk/extend/models/orders"
import * as Payments from "@quartet/sdk/extend/models/payments"
import * as Projects from "@quartet/sdk/extend/models/projects"
import * as Providers from "@quartet/sdk/extend/models/providers"
import * as Requests from "@quartet/sdk/extend/models/requests"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Users from "@quartet/sdk/extend/models/users"
import type * as Schema from "effect/Schema"

export const User: typeof Auth.UserRow = Auth.UserRow
export interface User extends Schema.Schema.Type<typeof User> {}
export const Admin: typeof Users.AdminRow = Users.AdminRow
export interface Admin extends Schema.Schema.Type<typeof Admin> {}
export const Permission: typeof Roles.PermissionRow = Roles.PermissionRow
export interface Permission extends Schema.Schema.Type<typeof Permission> {}
export const Role: typeof Roles.RoleRow = Roles.RoleRow
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** A preference of one admin under a key. */
export interface Preference {
  readonly _id: string
  readonly adminId: string
  readonly key: string
  readonly value: unknown
  readonly updatedAt: Date
}

/** One end user's relation to another; the id combines both. */
export interface Relation {
  readonly _id: string
  readonly from: string
  readonly to: string
  readonly createdAt: Date
}

export const Item: typeof Items.ItemRow = Items.ItemRow
export interface Item extends Schema.Schema.Type<typeof Item> {}
export const Order: typeof Orders.OrderRow = Orders.OrderRow
export interface Order extends Schema.Schema.Type<typeof Order> {}
export const OrderGroup: typeof Orders.OrderGroupRow = Orders.OrderGroupRow
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}
export const Transaction: typeof Payments.TransactionRow = Payments.TransactionRow
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}
export const TransactionEvent: typeof Payments.TransactionEventRow = Payments.TransactionEventRow
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}

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

export const Field: typeof Models.FieldRow = Models.FieldRow
export interface Field extends Schema.Schema.Type<typeof Field> {}
export const Model: typeof Models.ModelRow = Models.ModelRow
export interface Model extends Schema.Schema.Type<typeof Model> {}
export const Entry: typeof Content.EntryRow = Content.EntryRow
export interface Entry extends Schema.Schema.Type<typeof Entry> {}
export const File: typeof Files.FileRow = Files.FileRow
export interface File extends Schema.Schema.Type<typeof File> {}

export const Provider: typeof Projects.ProviderRow = Projects.ProviderRow
export interface Provider extends Schema.Schema.Type<typeof Provider> {}
export const ProjectEntity: typeof Entities.ProjectEntityRow = Entities.ProjectEntityRow
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}
export const Absence: typeof Intranet.AbsenceRow = Intranet.AbsenceRow
export interface Absence extends Schema.Schema.Type<typeof Absence> {}
export const Deal: typeof Providers.DealRow = Providers.DealRow
export interface Deal extends Schema.Schema.Type<typeof Deal> {}

/** The kinds of the seeded entities. */
export const kinds = ["complex", "apartment"] as const

/** A unit of the organisation with its subunits. */
export interface Unit {
  readonly _id: string
  readonly title: string
  readonly person: string
  readonly below: ReadonlyArray<Unit>
}
