/** Content, for visitors. */

import * as Collections from "../../core/content/collection.js"
import type { GetContent } from "../../core/content/model.js"
import * as Content from "../../core/content/operations.js"
import type { Page, Typed } from "../../core/kernel/answer.js"
import type { Call } from "../../core/kernel/binding.js"
import { bind, type Client } from "./client.js"

export const listV2 = /*#__PURE__*/ bind(Content.listV2)
export const list = /*#__PURE__*/ bind(Content.list)
export const get = /*#__PURE__*/ bind(Content.get)

/** The entries of one content model as the caller's own type. */
export interface Collection<A> extends Collections.Builders<A> {
  readonly list: Call<Collections.Criteria<A>, Page<A>, "public", Client>
  readonly get: Call<GetContent, A, "public", Client>
}

/**
 * The collection of the content model `apiId`, whose entries are what `schema` says:
 *
 * ```ts
 * const news = Public.content.collection("news", News)
 * news.list({ filter: [news.where("views", ">=", 100)], sort: [news.orderBy("published", "desc")] })
 * ```
 *
 * Filters and sorts take only fields of the schema that hold text, a number, a boolean or a Date. Make it once and
 * keep it.
 */
export const collection = <A>(apiId: string, schema: Typed<A>): Collection<A> => {
  const { get, list, ...builders } = Collections.make(apiId, schema)
  return { ...builders, list: bind(list), get: bind(get) }
}
