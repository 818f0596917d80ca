/** Queries and mutations of the content's screens: models and writing as an administrator, reading as a visitor. */

import * as Admin from "@quartet/sdk/admin"
import type { Query } from "@quartet/sdk/extend"
import * as Content from "@quartet/sdk/extend/operations/content"
import * as Public from "@quartet/sdk/public"
import * as Schema from "effect/Schema"
import { entry } from "../../app/catalogue.js"
import { admin, visitor } from "../../app/query-clients.js"
import { models as modelCalls } from "../../app/rows.js"
import { pageSize } from "../../data/list-state.js"

export const models = admin.query(modelCalls.list, { limit: 100 })

/** An entry: an id, and the fields of its model. */
const Entry = Schema.Struct({ _id: Schema.String }, { key: Schema.String, value: Schema.Unknown })
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/** An entry as a visitor reads it in a language. */
export const localized = (id: string, lang: string) =>
  visitor.query(Public.content.get.as(Entry), { id, lang })

/** An entry as it is stored, with its translations. */
export const stored = (id: string) => admin.query(Admin.content.get.as(Entry), { id })

/** Reads an entry as it is stored once more, now. */
export const reread = admin.mutation(Admin.content.get.as(Entry), { invalidates: [] })

/** The entries of a model that match a question, page by page. */
export const entries = (apiId: string, lang: string, question: Query) =>
  visitor.infiniteQuery(Public.content.list.as(Entry), { apiId, lang, ...question }, { limit: pageSize })

export const create = entry(Content.create, "admin")
export const update = entry(Content.update, "admin")
export const remove = entry(Content.remove, "admin")
