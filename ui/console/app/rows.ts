/**
 * The entities of the typed views. Every call is narrowed to them once, here: an answer without what a view cannot do without is an error. What is
 * assumed of an entity may come in any kind, and is settled here.
 */

import * as Admin from "@quartet/sdk/admin"
import { Entity } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/models/auth"
import * as Conversations from "@quartet/sdk/extend/models/conversations"
import * as Files from "@quartet/sdk/extend/models/files"
import * as Intranet from "@quartet/sdk/extend/models/intranet"
import * as Items from "@quartet/sdk/extend/models/items"
import * as Models from "@quartet/sdk/extend/models/models"
import * as Orders from "@quartet/sdk/extend/models/orders"
import * as Payments from "@quartet/sdk/extend/models/payments"
import * as Profiles from "@quartet/sdk/extend/models/profiles"
import * as Projects from "@quartet/sdk/extend/models/projects"
import * as Requests from "@quartet/sdk/extend/models/requests"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Users from "@quartet/sdk/extend/models/users"
import * as Public from "@quartet/sdk/public"
import * as Schema from "effect/Schema"
import { settled } from "./settled.js"

/** Some fields of an entity. */
const some = <Fields extends Schema.Struct.Fields, K extends keyof Fields & string>(
  { fields }: { readonly fields: Fields },
  ...names: ReadonlyArray<K>
): Pick<Fields, K> =>
  // The type above states the result of this loop for each name.
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, K>

const RequestRow = settled(Requests.RequestAction)
export interface RequestRow extends Schema.Schema.Type<typeof RequestRow> {}

const UserRow = settled(Auth.User)
export interface UserRow extends Schema.Schema.Type<typeof UserRow> {}

const ProfileRow = settled(Profiles.Profile)
export interface ProfileRow extends Schema.Schema.Type<typeof ProfileRow> {}

const OrderRow = settled(Orders.Order)
export interface OrderRow extends Schema.Schema.Type<typeof OrderRow> {}

const OrderGroupRow = settled(Orders.OrderGroup)
export interface OrderGroupRow extends Schema.Schema.Type<typeof OrderGroupRow> {}

const ItemRow = settled(Items.Item)
export interface ItemRow extends Schema.Schema.Type<typeof ItemRow> {}

const FileRow = settled(Files.StoredFile)
export interface FileRow extends Schema.Schema.Type<typeof FileRow> {}

const RoleRow = settled(Roles.Role)
export interface RoleRow extends Schema.Schema.Type<typeof RoleRow> {}

const AdminRow = settled(Users.Admin)
export interface AdminRow extends Schema.Schema.Type<typeof AdminRow> {}

const ProjectRow = settled(Projects.Project)

const PermissionRow = settled(Roles.Permission)
export interface PermissionRow extends Schema.Schema.Type<typeof PermissionRow> {}

const ConversationRow = settled(Conversations.Conversation)
export interface ConversationRow extends Schema.Schema.Type<typeof ConversationRow> {}

const MessageRow = settled(Conversations.Message)
export interface MessageRow extends Schema.Schema.Type<typeof MessageRow> {}

const Field = Schema.Struct({ apiId: Schema.String, type: Schema.String, ...some(Models.Field, "name") })
export interface Field extends Schema.Schema.Type<typeof Field> {}

const ModelRow = settled(
  Schema.Struct({
    _id: Entity.Id,
    apiId: Schema.String,
    ...some(Models.Model, "name"),
    fields: Entity.maybe(Schema.Array(Field))
  })
)
export interface ModelRow extends Schema.Schema.Type<typeof ModelRow> {}

/** An amount that cannot be read as a number is shown as it came. */
const amount = Schema.optional(Schema.Unknown)

const Payment = Schema.Struct({ ...Payments.Transaction.fields, amount })
const PaymentRow = settled(Payment)
export interface PaymentRow extends Schema.Schema.Type<typeof PaymentRow> {}

const PaymentEventRow = settled(Schema.Struct({ ...Payments.TransactionEvent.fields, amount }))
export interface PaymentEventRow extends Schema.Schema.Type<typeof PaymentEventRow> {}

const AbsenceRow = settled(Intranet.HolidayReportLine)
export interface AbsenceRow extends Schema.Schema.Type<typeof AbsenceRow> {}

export const requests = {
  list: Admin.requests.list.as(RequestRow),
  get: Admin.requests.get.as(RequestRow),
  update: Admin.requests.update.as(RequestRow),
  addComment: Admin.requests.addComment.as(RequestRow),
  markSeen: Admin.requests.markSeen.as(RequestRow)
}
export const users = {
  list: Admin.users.list.as(UserRow),
  get: Admin.users.get.as(UserRow),
  create: Admin.users.create.as(UserRow),
  update: Admin.users.update.as(UserRow)
}
export const profiles = { get: Admin.profiles.get.as(ProfileRow) }
export const orders = {
  list: Admin.ordersV2.list.as(OrderRow),
  get: Admin.ordersV2.get.as(OrderRow),
  update: Admin.orders.update.as(OrderRow)
}
export const orderGroups = { get: Admin.orderGroups.get.as(OrderGroupRow) }
export const items = { search: Admin.items.search.as(ItemRow), get: Admin.items.get.as(ItemRow) }
export const files = { list: Admin.files.list.as(FileRow), get: Admin.files.get.as(FileRow) }
export const uploadedFile = Public.files.upload.as(FileRow)
export const admins = {
  list: Admin.admins.list.as(AdminRow),
  get: Admin.admins.get.as(AdminRow),
  create: Admin.admins.create.as(AdminRow),
  update: Admin.admins.update.as(AdminRow)
}
export const roles = {
  list: Admin.roles.list.as(RoleRow),
  get: Admin.roles.get.as(RoleRow),
  create: Admin.roles.create.as(RoleRow),
  update: Admin.roles.update.as(RoleRow)
}
export const permissions = { list: Admin.permissions.list.as(PermissionRow) }
export const conversations = {
  list: Admin.conversations.list.as(ConversationRow),
  messages: Admin.conversations.messages.as(MessageRow),
  update: Admin.conversations.update.as(ConversationRow)
}
export const absences = { list: Admin.intranet.holidayReport.as(AbsenceRow) }
export const projects = { get: Admin.projects.get.as(ProjectRow) }
export const models = { list: Admin.models.list.as(ModelRow) }
export const payments = {
  list: Admin.payments.list.as(PaymentRow),
  get: Admin.payments.get.as(PaymentRow),
  events: Admin.payments.events.as(PaymentEventRow)
}
