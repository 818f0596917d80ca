/** The rows of all entities: what the models know and assume of each, where a row is stricter than its entity, or less so. */
import * as Auth from "../../core/auth/model.js"
import * as Boxes from "../../core/boxes/model.js"
import * as Chat from "../../core/chat/model.js"
import * as Contents from "../../core/content/model.js"
import * as Conversations from "../../core/conversations/model.js"
import * as Entities from "../../core/entities/model.js"
import * as Events from "../../core/events/model.js"
import * as Files from "../../core/files/model.js"
import * as Intranet from "../../core/intranet/model.js"
import * as Items from "../../core/items/model.js"
import * as Row from "../../core/kernel/codec/row.js"
import * as Entity from "../../core/kernel/operation/entity.js"
import * as Schema from "../../core/kernel/operation/schema.js"
import * as Models from "../../core/models/model.js"
import * as Notifications from "../../core/notifications/model.js"
import * as Orders from "../../core/orders/model.js"
import * as Payments from "../../core/payments/model.js"
import * as Profiles from "../../core/profiles/model.js"
import * as Projects from "../../core/projects/model.js"
import * as Providers from "../../core/providers/model.js"
import * as Requests from "../../core/requests/model.js"
import * as Roles from "../../core/roles/model.js"
import * as Users from "../../core/users/model.js"

/** A field that takes whatever a caller gives, as an app or a model of the project decides: no type says what that is. */
const unchecked = <Field extends Schema.Fields[string]>(_: Field): Field =>
  Schema.optional(Schema.Unknown) as unknown as Field

const email = { email: Schema.NonEmptyString }

export const User = Row.of(Auth.User, email)
export const Admin = Row.of(Users.Admin, email)
export const Preference = Row.of(Users.Preference)
export const Permission = Row.of(Roles.Permission)
export const Role = Row.of(Roles.Role)
export const Relation = Row.of(Profiles.Relation)
export const Item = Row.of(Items.Item)
export const OrderLine = Row.of(Orders.OrderLine)
export const Order = Row.of(Orders.Order, { lines: Schema.Array(OrderLine) })
export const OrderGroup = Row.of(Orders.OrderGroup)
export const Transaction = Row.of(Payments.Transaction)
export const TransactionEvent = Row.of(Payments.TransactionEvent)
export const Author = Row.of(Chat.Author, { kind: Schema.Literal("admin", "endUser", "system") })
export const Comment = Row.of(Requests.Comment, { text: Schema.NonEmptyString, author: Author })
export const Request = Row.of(Requests.RequestAction, { comments: Schema.Array(Comment) })
export const Conversation = Row.of(Conversations.Conversation)
export const Message = Row.of(Chat.Message, {
  text: Schema.NonEmptyString,
  sender: Author,
  // It identifies a repeated message.
  clientId: Chat.Message.fields.clientId
})
export const Notification = Row.of(Notifications.Notification, {
  type: Notifications.Notification.fields.type,
  sourceType: Notifications.Notification.fields.sourceType
})
export const Box = Row.of(Boxes.Box, {
  type: Boxes.Box.fields.type,
  data: unchecked(Boxes.Box.fields.data)
})
export const Event = Row.of(Events.Event)
export const Field = Row.of(Models.Field)
export const Model = Row.of(Models.Model, { fields: Schema.Array(Field) })
export const Entry = Row.of(Contents.Content, {
  title: unchecked(Contents.Content.fields.title),
  modelId: Entity.Id,
  translations: Schema.Struct(
    {},
    {
      key: Schema.String,
      value: Row.of(Contents.ContentText, { title: unchecked(Contents.ContentText.fields.title) })
    }
  )
})
export const File = Row.of(Files.StoredFile)
export const Provider = Row.of(Projects.Provider, { type: Schema.Literal("v1", "v2") })
export const ProjectEntity = Row.of(Entities.ProjectEntity)
export const Absence = Row.of(Intranet.HolidayReportLine)
export const Position = Row.of(Intranet.Position)
export const Deal = Row.of(Providers.ZohoDeal)
