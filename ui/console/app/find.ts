/** Finds rows in all lists of an administrator. Loaded by the first search: it holds the whole catalogue. */

import type { Page } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import type { IconName } from "../design/icon.js"
import { asking, resources, rowOf, type Values } from "./catalogue.js"
import { kinds } from "./config.js"
import { Router } from "./routes.js"
import { columnsOf, nameOf, singular, textOf } from "./values.js"
import { dataOf, viewers } from "./viewer.js"

/** Where the rows of a slice with a view of its own are shown. */
const views: Readonly<Record<string, (params: { readonly id: string }) => string>> = {
  requests: Router.Request,
  conversations: Router.Conversation
}

/** The icons of the slices that people look for; that of any other says data. */
const icons: Readonly<Record<string, IconName>> = Object.fromEntries(
  Object.values(viewers).flatMap(({ looks }) => looks.map(({ icon, slice }) => [slice, icon]))
)

/** What people look for most, the first one last. */
const preferredSlices = ["items", "payments", "orders", "requests", "users"]

/** All lists; of entities, those of the kinds that are known. */
const lists = resources
  .filter(({ audience }) => audience === "admin")
  .sort((left, right) => preferredSlices.indexOf(right.name) - preferredSlices.indexOf(left.name))
  .flatMap((of) => (of.scope === undefined ? [""] : kinds).map((scoped) => ({ of, scoped })))

const inList = ({ of, scoped }: (typeof lists)[number], text: string) => {
  const list = asking(of, { search: text, limit: 4 }, scoped)
  const { name } = of
  return (list?.call(list.input) ?? Effect.succeed({ items: [] })).pipe(
    Effect.map(({ items }: Pick<Page<Values>, "items">) => {
      const about = columnsOf(name, items).filter((column) => !/Id$|^_id$/.test(column))[1] ?? ""
      // A platform may have lists that do not search: they answer rows that the text is not in.
      const matches = items.filter((row) => JSON.stringify(row).toLowerCase().includes(text))
      return matches.slice(0, 4).map((values, index) => {
        const row = rowOf(of, values, index)
        const { _id: id } = row
        return {
          label: nameOf(name, row),
          about: `${singular(name)}, ${textOf(about, row)}`,
          icon: icons[name] ?? "server",
          to: views[name]?.({ id }) ?? dataOf("admin", { slice: name, id, ...(scoped && { scope: scoped }) })
        }
      })
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
  const all = Effect.forEach(lists, (list) => inList(list, text), { concurrency: "unbounded" })
  return Effect.map(all, (matches) => matches.flat().sort((left, right) => rank(left) - rank(right)))
}
