/** What the sandbox takes as the bodies of calls that the specification leaves open. */
import * as AST from "effect/SchemaAST"
import { type Typed, Entity, type Audience, type Declared, sliceOf, Path } from "@quartet/sdk/extend"
import { RefundBody } from "@quartet/sdk/models/payments"
import { Project } from "@quartet/sdk/models/projects"
import * as Cms from "./cms.js"
import * as Desk from "./desk.js"
import { stamps } from "./fields.js"
import * as Office from "./office.js"
import * as People from "./people.js"
import * as Shop from "./shop.js"

/** What a call is given that makes or sends something, or whose body says what it is about, by its operation. */
export const bodies = {
  "admins.create": People.NewAdmin,
  "auth.signup": People.SignUp,
  "content.reorder": Cms.NewOrder,
  "contentModels.create": Cms.NewModel,
  "models.addField": Cms.NewField,
  "models.create": Cms.NewModel,
  "notifications.pushToUsers": Desk.Sending,
  "notifications.send": Desk.Sending,
  "notifications.sendInApp": Desk.Sending,
  "orders.update": Shop.OrderChange,
  "payments.payWithLink": Shop.NewLink,
  "payments.refund": RefundBody,
  "profiles.update": People.ProfileChange,
  "requests.addComment": Desk.NewComment,
  "requests.confirm": Desk.Confirmation,
  "requests.create": Desk.NewRequest,
  "roles.create": People.NewRole,
  "users.create": People.NewUser
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
  admins: subject(People.Admin),
  auth: subject(People.User, "type", "status"),
  boxes: subject(Desk.Box, "userId"),
  contentModels: subject(Cms.Model, "fields"),
  conversations: subject(Desk.Conversation, "userId", "userName", "lastMessage"),
  entities: subject(Office.ProjectEntity, "kind"),
  events: subject(Desk.Event, "userId"),
  items: subject(Shop.Item),
  models: subject(Cms.Model, "fields"),
  orders: subject(Shop.Order, "number", "userId", "groupId", "total", "currency", "lines"),
  profile: subject(People.User, "email", "type", "status"),
  profiles: subject(People.User, "email"),
  projects: subject(Project, "api_key", "private_api_key", "created", "providers"),
  requests: subject(Desk.Request, "userId", "comments", "seenByAdmin", "seenByUser"),
  roles: subject(People.Role),
  users: subject(People.User)
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
    ...(isRow ? Object.keys(stamps) : []),
    ...Path.parse(declared.path).names,
    ...("page" in declared.success || (!isRow && audience === "admin") ? [] : (about?.kept ?? []))
  ]
  return AST.getPropertySignatures((body ?? about?.row ?? Entity.Anything).ast)
    .filter((field) => !out.includes(field.name))
    .map((field) => new AST.PropertySignature(field.name, field.type, field.isOptional || isRow, true))
}
