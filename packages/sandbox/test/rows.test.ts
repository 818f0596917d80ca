// The rows of the sandbox have the fields of their entities, and no list of their own.
import * as Rows from "@quartet/sdk/extend/description/rows"
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
import * as Profiles from "@quartet/sdk/extend/models/profiles"
import * as Projects from "@quartet/sdk/extend/models/projects"
import * as Providers from "@quartet/sdk/extend/models/providers"
import * as Requests from "@quartet/sdk/extend/models/requests"
import * as Roles from "@quartet/sdk/extend/models/roles"
import * as Users from "@quartet/sdk/extend/models/users"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { expect, it } from "vitest"
import * as State from "../state/state.js"

const pairs = [
  ["User", Rows.User, Auth.User],
  ["Admin", Rows.Admin, Users.Admin],
  ["Preference", Rows.Preference, Users.Preference],
  ["Permission", Rows.Permission, Roles.Permission],
  ["Role", Rows.Role, Roles.Role],
  ["Relation", Rows.Relation, Profiles.Relation],
  ["Item", Rows.Item, Items.Item],
  ["OrderLine", Rows.OrderLine, Orders.OrderLine],
  ["Order", Rows.Order, Orders.Order],
  ["OrderGroup", Rows.OrderGroup, Orders.OrderGroup],
  ["Transaction", Rows.Transaction, Payments.Transaction],
  ["TransactionEvent", Rows.TransactionEvent, Payments.TransactionEvent],
  ["Comment", Rows.Comment, Requests.Comment],
  ["Request", Rows.Request, Requests.RequestAction],
  ["Conversation", Rows.Conversation, Conversations.Conversation],
  ["Message", Rows.Message, Conversations.Message],
  ["Notification", Rows.Notification, Notifications.Notification],
  ["Box", Rows.Box, Boxes.Box],
  ["Event", Rows.Event, Events.Event],
  ["Field", Rows.Field, Models.Field],
  ["Model", Rows.Model, Models.Model],
  ["Entry", Rows.Entry, Content.Content],
  ["File", Rows.File, Files.StoredFile],
  ["Provider", Rows.Provider, Projects.Provider],
  ["ProjectEntity", Rows.ProjectEntity, Entities.ProjectEntity],
  ["Absence", Rows.Absence, Intranet.HolidayReportLine],
  ["Position", Rows.Position, Intranet.Position],
  ["Deal", Rows.Deal, Providers.ZohoDeal]
] as const

it.each(pairs)("a row of %s has the fields of its entity", (_, row, entity) => {
  expect(Object.keys(row.fields).sort()).toEqual(Object.keys(entity.fields).sort())
})

it("a seeded row of the shop has no field that its entity lacks, but those that this project alone has", () => {
  const { items, orders, transactions, users } = State.make(1)
  const lacking = (rows: ReadonlyArray<object>, { fields }: { readonly fields: object }) => [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !Object.hasOwn(fields, name))))
  ]
  expect([
    lacking(orders.all(), Orders.Order),
    lacking(transactions.all(), Payments.Transaction),
    lacking(items.all(), Items.Item).sort(),
    lacking(users.all(), Auth.User)
  ]).toEqual([[], [], ["description", "pictures", "stock"], ["home"]])
})

it.each([
  ["items", Rows.Item],
  ["orders", Rows.Order],
  ["orderGroups", Rows.OrderGroup],
  ["transactions", Rows.Transaction],
  ["transactionEvents", Rows.TransactionEvent],
  ["users", Rows.User],
  ["conversations", Rows.Conversation],
  ["requests", Rows.Request],
  ["boxes", Rows.Box],
  ["notifications", Rows.Notification],
  ["absences", Rows.Absence]
] as const)("the seeded %s hold words that their model knows", (table, { ast }) => {
  const rows: ReadonlyArray<object> = State.make(1)[table].all()
  const words = AST.getPropertySignatures(ast).flatMap(({ name, type }) => {
    const known = knownWords(type)
    return known.length === 0 ? [] : [{ name, known }]
  })
  expect([rows.length, words.length]).not.toContain(0)
  for (const { known, name } of words) {
    const held = new Set(rows.map((row): unknown => Reflect.get(row, name)))
    expect([...held].filter((word) => (word ?? null) !== null && !known.includes(word))).toEqual([])
  }
})

/** The words that a text is known to be; none of anything else. */
const knownWords = (ast: AST.AST): ReadonlyArray<unknown> => {
  if (AST.isUnion(ast)) return ast.types.flatMap(knownWords)
  return Option.getOrElse(AST.getExamplesAnnotation(ast), () => [])
}
