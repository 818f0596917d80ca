/** Queries and mutations of the content: models and entries as administrators keep them, and as visitors read them. */

import { source } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { Query } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { admin, visitor } from "../../app/query-clients.js"
import { type ModelRow, models as modelCalls } from "../../app/rows.js"
import { type ListQuery, pageSize } from "../../data/list-state.js"
import { ownOrder } from "./question.js"

export const models = admin.query(modelCalls.list, { limit: 100 })

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

type Model = Pick<ModelRow, "_id" | "apiId">

/** Whether an entry is of a model: a platform may pass over the question for its entries alone. */
export const isOf =
  ({ _id, apiId }: Model) =>
  (entry: Entry): boolean =>
    entry.modelId === _id ||
    entry.apiId === apiId ||
    (entry.modelId ?? entry.apiId ?? undefined) === undefined

/** A number for each model: what cannot be counted has none. */
const countsOf = <E, R>(count: (model: Model) => Effect.Effect<number | undefined, E, R>) =>
  source("content.counts", ({ of }: { readonly of: ReadonlyArray<Model> }) =>
    Effect.forEach(of, (model) => Effect.orElseSucceed(count(model), () => undefined), {
      concurrency: "unbounded"
    })
  )

const storedCounts = countsOf((model) =>
  Admin.content.paginated
    .as(Entry)({ query: { modelId: model._id }, limit: 1 })
    .pipe(Effect.map(({ items, paging }) => (items.every(isOf(model)) ? paging.total : undefined)))
)

const visibleCounts = countsOf(({ apiId }) =>
  Effect.map(Public.content.list({ apiId, limit: 1 }), ({ paging }) => paging.total)
)

/** How many entries the list of each model has. */
export const counts = (models: ReadonlyArray<ModelRow>, isAsVisitor: boolean) => {
  const of = models.map(({ _id, apiId }) => ({ _id, apiId }))
  return isAsVisitor ? visitor.query(visibleCounts, { of }) : admin.query(storedCounts, { of })
}

/** An entry as it is stored, with its translations. */
export const byId = (id: string) => admin.query(Admin.content.get.as(Entry), { id })

/** An entry as a visitor reads it. */
export const asVisitor = (id: string) => visitor.query(Public.content.get.as(Entry), { id })

/** Reads an entry as it is stored once more, now. */
export const reread = admin.mutation(Admin.content.get.as(Entry), { invalidates: [] })

export const create = admin.mutation(Admin.content.create.as(Entry))
export const update = admin.mutation(Admin.content.update.as(Entry))
// What is gone is not read once more.
export const remove = admin.mutation(Admin.content.delete, { invalidates: [Admin.content.paginated] })
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
