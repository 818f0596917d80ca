/** Content as the caller's own type, for visitors. */
import * as Either from "effect/Either"
import * as Collections from "../../core/content/collection.js"
import type { GetContent } from "../../core/content/model.js"
import type { Call } from "../../core/kernel/dispatch/dispatcher.js"
import type { InputError } from "../../core/kernel/errors/errors.js"
import type { Page, Typed } from "../../core/kernel/operation/answer.js"
import { bind, type Client } from "./client.js"

const orThrow = (checked: Either.Either<void, InputError>): void =>
  Either.getOrThrowWith(checked, (refused) => refused)

/** The entries of one content model as the caller's own type. @category models */
export interface Collection<A> extends Collections.Builders<A> {
  /** Reads a page of the entries, each as the type of the collection. */
  readonly list: Call<Collections.Criteria<A>, Page<A>, "public", Client>
  /** Reads one entry by its id, as the type of the collection. */
  readonly get: Call<GetContent, A, "public", Client>
}

/**
 * The collection of the content model `apiId`, whose entries are described by `schema`:
 *
 * ```ts
 * const news = Public.content.collection("news", News)
 * news.list({ filter: [news.where("views", ">=", 100)], sort: [news.orderBy("published", "desc")] })
 * ```
 *
 * Filters and sorts take only fields of the schema that hold text, a number, a boolean or a Date. Make it once and keep
 * it. Throws InputError if an argument is missing.
 * @category constructors
 */
export const collection = <A>(apiId: string, schema: Typed<A>): Collection<A> => {
  orThrow(Collections.check(apiId, schema))
  const { get, list, orderBy, where } = Collections.make(apiId, schema)
  return {
    where: (field, op, value) => {
      orThrow(Collections.checkField("content.where", schema, field))
      return where(field, op, value)
    },
    orderBy: (field, direction) => {
      orThrow(Collections.checkField("content.orderBy", schema, field))
      return orderBy(field, direction)
    },
    list: bind(list),
    get: bind(get)
  }
}
