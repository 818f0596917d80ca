/** The rows of the sandbox: what the models know and assume of each entity, and what only the sandbox keeps. */
import * as Rows from "@quartet/sdk/extend/description/rows"
import type * as Schema from "effect/Schema"

export const User: typeof Rows.User = Rows.User
export interface User extends Schema.Schema.Type<typeof User> {}
export const Admin: typeof Rows.Admin = Rows.Admin
export interface Admin extends Schema.Schema.Type<typeof Admin> {}
export const Permission: typeof Rows.Permission = Rows.Permission
export interface Permission extends Schema.Schema.Type<typeof Permission> {}
export const Role: typeof Rows.Role = Rows.Role
export interface Role extends Schema.Schema.Type<typeof Role> {}

/** A preference of one admin under a key. */
export interface Preference extends Schema.Schema.Type<typeof Rows.Preference> {
  readonly _id: string
  readonly adminId: string
}

/** One end user's relation to another; the id combines both. */
export interface Relation extends Schema.Schema.Type<typeof Rows.Relation> {}

export const Item: typeof Rows.Item = Rows.Item
export interface Item extends Schema.Schema.Type<typeof Item> {}
export const Order: typeof Rows.Order = Rows.Order
export interface Order extends Schema.Schema.Type<typeof Order> {}
export const OrderGroup: typeof Rows.OrderGroup = Rows.OrderGroup
export interface OrderGroup extends Schema.Schema.Type<typeof OrderGroup> {}
export const Transaction: typeof Rows.Transaction = Rows.Transaction
export interface Transaction extends Schema.Schema.Type<typeof Transaction> {}
export const TransactionEvent: typeof Rows.TransactionEvent = Rows.TransactionEvent
export interface TransactionEvent extends Schema.Schema.Type<typeof TransactionEvent> {}

export const Author: typeof Rows.Author = Rows.Author
export interface Author extends Schema.Schema.Type<typeof Author> {}
export const Comment: typeof Rows.Comment = Rows.Comment
export interface Comment extends Schema.Schema.Type<typeof Comment> {}
export const Request: typeof Rows.Request = Rows.Request
export interface Request extends Schema.Schema.Type<typeof Request> {}
export const Conversation: typeof Rows.Conversation = Rows.Conversation
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}
export const Message: typeof Rows.Message = Rows.Message
export interface Message extends Schema.Schema.Type<typeof Message> {}
export const Notification: typeof Rows.Notification = Rows.Notification
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
export const Box: typeof Rows.Box = Rows.Box
export interface Box extends Schema.Schema.Type<typeof Box> {}
export const Event: typeof Rows.Event = Rows.Event
export interface Event extends Schema.Schema.Type<typeof Event> {}

export const Field: typeof Rows.Field = Rows.Field
export interface Field extends Schema.Schema.Type<typeof Field> {}
export const Model: typeof Rows.Model = Rows.Model
export interface Model extends Schema.Schema.Type<typeof Model> {}
export const Entry: typeof Rows.Entry = Rows.Entry
export interface Entry extends Schema.Schema.Type<typeof Entry> {}
export const File: typeof Rows.File = Rows.File
export interface File extends Schema.Schema.Type<typeof File> {}

export const Provider: typeof Rows.Provider = Rows.Provider
export interface Provider extends Schema.Schema.Type<typeof Provider> {}
export const ProjectEntity: typeof Rows.ProjectEntity = Rows.ProjectEntity
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}
export const Absence: typeof Rows.Absence = Rows.Absence
export interface Absence extends Schema.Schema.Type<typeof Absence> {}
export const Deal: typeof Rows.Deal = Rows.Deal
export interface Deal extends Schema.Schema.Type<typeof Deal> {}

/** The kinds of the seeded entities. */
export const kinds = ["complex", "apartment"] as const

/** A unit of the organisation with its subunits. */
export interface Unit extends Schema.Schema.Type<typeof Rows.Position> {
  readonly below: ReadonlyArray<Unit>
}
