/** Items of the shop, searched and read by everyone. */

import * as Items from "@quartet/sdk/extend/operations/items"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import type { Item } from "../state/entities.js"
import { optionalFieldsOf } from "../state/rows.js"
import { newest, select } from "../state/select.js"
import type { State } from "../state/state.js"

const featured = (state: State): ReadonlyArray<Item> => newest(state.items.filter((item) => item.featured))

/** A visitor's search may name its text `text`. */
const asSearch = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { text, ...rest } = fields
  return text === undefined ? rest : { ...rest, search: text }
}

export const items: ReadonlyArray<Handler> = [
  handle(Items.search, ({ input, state }) => select(newest(state.items.all()), input)),

  handle(Items.publicSearch, ({ input, state }) =>
    Effect.flatMap(optionalFieldsOf(input.payload), (fields) =>
      select(newest(state.items.all()), asSearch(fields))
    )
  ),

  handle(Items.get, ({ input, state }) => state.items.get(input.id)),

  handle(Items.publicGet, ({ input, state }) => state.items.get(input.id)),

  handle(Items.list, ({ input, state }) => select(state.items.all(), input)),

  handle(Items.searchFeatured, ({ input, state }) => select(featured(state), input)),

  handle(Items.featured, ({ input, state }) => select(featured(state), input), { bare: true })
]
