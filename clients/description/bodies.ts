/** What the calls that the specification leaves open are given, as far as it is assumed: the sandbox reads their bodies so. */
import * as AST from "effect/SchemaAST"
import * as Auth from "../../core/auth/model.js"
import * as Content from "../../core/content/model.js"
import { stamps } from "../../core/kernel/codec/row.js"
import type { Typed } from "../../core/kernel/operation/answer.js"
import * as Entity from "../../core/kernel/operation/entity.js"
import { type Audience, type Declared, sliceOf } from "../../core/kernel/operation/operation.js"
import * as Path from "../../core/kernel/operation/path.js"
import * as Models from "../../core/models/model.js"
import * as Notifications from "../../core/notifications/model.js"
import * as Orders from "../../core/orders/model.js"
import * as Payments from "../../core/payments/model.js"
import * as Profiles from "../../core/profiles/model.js"
import { Project } from "../../core/projects/model.js"
import * as Requests from "../../core/requests/model.js"
import * as Roles from "../../core/roles/model.js"
import * as Users from "../../core/users/model.js"
import * as Rows from "./rows.js"

/** What a call is given that makes or sends something, or whose body says what it is about, by its operation. */
export const bodies = {
  "admins.create": Users.NewAdmin,
  "auth.signup": Auth.SignUp,
  "content.reorder": Content.NewOrder,
  "contentModels.create": Models.NewModel,
  "models.addField": Models.NewField,
  "models.create": Models.NewModel,
  "notifications.pushToUsers": Notifications.Sending,
  "notifications.send": Notifications.Sending,
  "notifications.sendInApp": Notifications.Sending,
  "orders.update": Orders.OrderChange,
  "payments.payWithLink": Payments.NewLink,
  "payments.refund": Payments.RefundBody,
  "profiles.update": Profiles.ProfileChange,
  "requests.addComment": Requests.NewComment,
  "requests.confirm": Requests.Confirmation,
  "requests.create": Requests.NewRequest,
  "roles.create": Roles.NewRole,
  "users.create": Auth.NewUser
} as const

/** The rows that a body changes, or searches. */
export interface Subject<A> {
  readonly row: Typed<A>
  /** The fields that no change touches, whatever a caller gives. */
  readonly kept: ReadonlyArray<keyof A & string>
}

const subject = <A>(row: Typed<A>, ...kept: Subject<A>["kept"]): Subject<A> => ({ row, kept })

/** What the bodies of all other calls are about, by slice. */
export const subjects = {
  admins: subject(Rows.Admin),
  auth: subject(Rows.User, "type", "status"),
  boxes: subject(Rows.Box, "userId"),
  contentModels: subject(Rows.Model, "fields"),
  conversations: subject(Rows.Conversation, "userId", "userName", "lastMessage"),
  entities: subject(Rows.ProjectEntity, "kind"),
  events: subject(Rows.Event, "userId"),
  items: subject(Rows.Item),
  models: subject(Rows.Model, "fields"),
  orders: subject(Rows.Order, "number", "userId", "groupId", "total", "currency", "lines"),
  profile: subject(Rows.User, "email", "type", "status"),
  profiles: subject(Rows.User, "email"),
  projects: subject(Project, "api_key", "private_api_key", "created", "providers"),
  requests: subject(Rows.Request, "userId", "comments", "seenByAdmin", "seenByUser"),
  roles: subject(Rows.Role),
  users: subject(Rows.User)
} as const

/**
 * The fields that the body of a call is known to take, beside those of its path. Without those that are required the
 * sandbox refuses it; another platform may ask for others.
 */
export const bodyOf = (
  audience: Audience,
  name: string,
  declared: Declared
): ReadonlyArray<AST.PropertySignature> => {
  const body: Typed<unknown> | undefined = Object.entries(bodies).find(([of]) => of === name)?.[1]
  const [, about] = Object.entries(subjects).find(([slice]) => slice === sliceOf(name)) ?? []
  const isRow = body === undefined
  const out: ReadonlyArray<PropertyKey> = [
    ...(isRow ? ["_id", ...Object.keys(stamps)] : []),
    ...Path.parse(declared.path).names,
    ...("page" in declared.success || (!isRow && audience === "admin") ? [] : (about?.kept ?? []))
  ]
  return AST.getPropertySignatures((body ?? about?.row ?? Entity.Anything).ast)
    .filter((field) => !out.includes(field.name))
    .map((field) => new AST.PropertySignature(field.name, field.type, field.isOptional || isRow, true))
}
