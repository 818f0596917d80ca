/** The rows that callers change: what of each no change touches follows from the bodies of the calls. */
import type { Typed } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/models/auth"
import * as Boxes from "@quartet/sdk/extend/models/boxes"
import * as Conversations from "@quartet/sdk/extend/models/conversations"
import * as Events from "@quartet/sdk/extend/models/events"
import * as Models from "@quartet/sdk/extend/models/models"
import * as Orders from "@quartet/sdk/extend/models/orders"
import * as Profiles from "@quartet/sdk/extend/models/profiles"
import * as Projects from "@quartet/sdk/extend/models/projects"
import * as Requests from "@quartet/sdk/extend/models/requests"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Users from "@quartet/sdk/extend/models/users"
import * as AST from "effect/SchemaAST"
import * as Rows from "./entities.js"

/** Rows, and the fields of them that no change touches, whatever a caller gives. */
export interface Subject<A> {
  readonly row: Typed<A>
  readonly kept: ReadonlyArray<string>
}

const namesOf = ({ ast }: Pick<Typed<unknown>, "ast">): ReadonlyArray<string> =>
  AST.getPropertySignatures(ast).map(({ name }) => String(name))

const subject = <A>(row: Typed<A>, change: Typed<unknown>): Subject<A> => {
  const open = namesOf(change)
  return { row, kept: namesOf(row).filter((name) => !open.includes(name) && name !== "updatedAt") }
}

export const subjects = {
  admins: subject(Rows.Admin, Users.AdminChange),
  auth: subject(Rows.User, Auth.SelfChange),
  boxes: subject(Rows.Box, Boxes.BoxContent),
  conversations: subject(Rows.Conversation, Conversations.ConversationChange),
  entities: { row: Rows.ProjectEntity, kept: ["kind"] },
  events: subject(Rows.Event, Events.EventChange),
  models: subject(Rows.Model, Models.ModelChange),
  orders: subject(Rows.Order, Orders.OrderChange),
  profile: subject(Rows.User, Profiles.OwnProfileChange),
  profiles: subject(Rows.User, Profiles.ProfileChange),
  projects: subject(Projects.Project, Projects.ProjectChange),
  requests: subject(Rows.Request, Requests.RequestChange),
  roles: subject(Rows.Role, Roles.RoleChange),
  users: subject(Rows.User, Auth.UserChange)
}
