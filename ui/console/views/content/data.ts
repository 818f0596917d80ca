/** What the content's screens ask and change: models and writing as an administrator, reading as a visitor does. */
import * as Schema from "effect/Schema"
import * as Admin from "../../../../clients/admin/index.js"
import * as Public from "../../../../clients/public/index.js"
import { admin, visitor } from "../../app/query-clients.js"
import { models as modelCalls } from "../../app/rows.js"
import type { Question } from "./question.js"

export const models = admin.query(modelCalls.list, { limit: 100 })

/** An entry: an id, and whatever fields its model has. */
const Entry = Schema.Struct({ _id: Schema.String }, { key: Schema.String, value: Schema.Unknown })
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

const entryList = Public.content.list.as(Entry)

/** The entries of a model that answer a question, a page at a time. */
export const entries = (apiId: string, lang: string, question: Question) =>
  visitor.infiniteQuery(entryList, { apiId, lang, ...question }, { limit: 20 })

export const create = admin.mutation(Admin.content.create)
export const update = admin.mutation(Admin.content.update)
export const remove = admin.mutation(Admin.content.delete)

/** What a change makes outdated for visitors, whose answers are held by another query client. */
export const outdated = entryList
