/** Queries and mutations of the content: models and entries as administrators keep them, and as visitors read them. */

import { source } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { Query } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { projectId } from "../../app/config.js"
import { admin, visitor } from "../../app/query-clients.js"
import { models as modelCalls } from "../../app/rows.js"
import { type ListQuery, pageSize } from "../../data/list-state.js"
import { ownOrder } from "./question.js"

export const models = admin.query(modelCalls.list, { limit: 100 })

/** The project, for the languages of its content. */
export const project = admin.query(Admin.projects.get, { id: projectId })

/** An entry: an id, and the fields of its model. */
const Entry = Schema.Struct({ _id: Schema.String }, { key: Schema.String, value: Schema.Unknown })
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/** The entries of a model as they are stored, with all languages and those that visitors do not see. */
export const stored = (modelId: string, { sort = "-createdAt", ...query }: ListQuery) =>
  admin.infiniteQuery(
    Admin.content.paginated.as(Entry),
    { query: { modelId, ...query, ...(sort !== ownOrder && { sort }) } },
    { limit: pageSize }
  )

/** The entries of a model that visitors see, and that keep rules: these are the platform's only list that compares fields. */
export const visible = (apiId: string, question: Query) =>
  visitor.infiniteQuery(Public.content.list.as(Entry), { apiId, ...question }, { limit: pageSize })

/** How many entries of each model visitors see: what cannot be counted has no number. */
const countsOf = source("content.counts", ({ apiIds }: { readonly apiIds: ReadonlyArray<string> }) =>
  Effect.forEach(
    apiIds,
    (apiId) =>
      Public.content.list({ apiId, limit: 1 }).pipe(
        Effect.map(({ paging }) => paging.total),
        Effect.orElseSucceed(() => undefined)
      ),
    { concurrency: "unbounded" }
  )
)

export const counts = (apiIds: ReadonlyArray<string>) => visitor.query(countsOf, { apiIds })

/** An entry as it is stored, with its translations. */
export const byId = (id: string) => admin.query(Admin.content.get.as(Entry), { id })

/** An entry as a visitor reads it. */
export const asVisitor = (id: string) => visitor.query(Public.content.get.as(Entry), { id })

/** Reads an entry as it is stored once more, now. */
export const reread = admin.mutation(Admin.content.get.as(Entry), { invalidates: [] })

export const create = admin.mutation(Admin.content.create.as(Entry))
export const update = admin.mutation(Admin.content.update.as(Entry))
export const remove = admin.mutation(Admin.content.delete)
export const reorder = admin.mutation(Admin.content.reorder)
export const translate = admin.mutation(Admin.content.translate, { invalidates: [] })

export const can = {
  list: Admin.content.paginated,
  create: Admin.content.create,
  update: Admin.content.update,
  remove: Admin.content.delete,
  reorder: Admin.content.reorder,
  translate: Admin.content.translate,
  project: Admin.projects.get
}
