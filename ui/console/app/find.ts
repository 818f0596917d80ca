/** Finds rows in all lists of an administrator. Loaded by the first search: it holds the whole catalogue. */
import * as Effect from "effect/Effect"
import type * as Admin from "../../../clients/admin/index.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import type { IconName } from "../design/icon.js"
import { money } from "../design/show.js"
import { columnsOf, singular } from "../views/resources/values.js"
import { isSearched, type Resource, resources, rowOf, type Values } from "./catalogue.js"
import { Router } from "./routes.js"
import { dataOf } from "./viewer.js"

/** Where the rows of a slice with a view of its own are shown. */
const views: Readonly<Record<string, (params: { readonly id: string }) => string>> = {
  requests: Router.Request,
  conversations: Router.Conversation
}

const textOf = (row: Values, name = "_id"): string => {
  const value = row[name]
  const isMoney = typeof value === "number" && typeof row.currency === "string"
  if (value instanceof Date) return value.toLocaleDateString("en-GB")
  return isMoney ? money(value, String(row.currency)) : String(value ?? "")
}

/** The icons of the slices that people look for; that of any other says data. */
const icons: Readonly<Record<string, IconName>> = {
  users: "user",
  profiles: "user",
  requests: "requests",
  conversations: "chat",
  orders: "commerce",
  payments: "commerce"
}

/** What people look for most, the first one last. */
const wanted = ["items", "payments", "orders", "requests", "users"]

const lists = resources
  .filter((one) => one.audience === "admin" && one.list !== undefined && one.scope === undefined)
  .sort((one, other) => wanted.indexOf(other.name) - wanted.indexOf(one.name))

const inList = (resource: Resource, text: string) => {
  // A list of an administrator: it takes any fields, and answers a page.
  const list = resource.list?.call as unknown as (
    input: Values
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Values> }, CallError, Admin.Client>
  const { name } = resource
  return list(isSearched(resource) ? { search: text, limit: 4 } : {}).pipe(
    Effect.map(({ items }) => {
      const [title, about] = columnsOf(name, items).filter((column) => !/Id$|^_id$/.test(column))
      const found = items.flatMap((values, index) => {
        // A platform may have lists that do not search: they answer rows that the text is not in.
        if (!JSON.stringify(values).toLowerCase().includes(text)) return []
        const row = rowOf(resource, values, index)
        const to = views[name]?.({ id: row._id }) ?? dataOf("admin", { slice: name, id: row._id })
        const label = textOf(row, title) || row._id
        const icon = icons[name] ?? "server"
        return [{ label, about: `${singular(name)}, ${textOf(row, about)}`, icon, to }]
      })
      return found.slice(0, 4)
    }),
    // A list that the role may not read finds nothing.
    Effect.orElseSucceed(() => [])
  )
}

/** The rows of every list that a text is in, a few of each; the sooner their names have it, the sooner they come. */
export const find = (search: string) => {
  const text = search.toLowerCase()
  const rank = ({ label }: { readonly label: string }): number =>
    `${label}${text}`.toLowerCase().indexOf(text)
  const all = Effect.forEach(lists, (resource) => inList(resource, text), { concurrency: "unbounded" })
  return Effect.map(all, (found) => found.flat().sort((one, other) => rank(one) - rank(other)))
}
