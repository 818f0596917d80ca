/**
 * Content as the caller's own type: filters and sorts that name only its fields, with values of those fields' types,
 * and answers that are checked against it.
 */
import * as Schema from "effect/Schema"
import { type Page, page, type Typed } from "../kernel/answer.js"
import * as Entity from "../kernel/entity.js"
import * as Input from "../kernel/input.js"
import { Operation } from "../kernel/operation.js"
import { Content, entriesPath, type GetContent, ListContent } from "./model.js"
import { get } from "./operations.js"
import type { Direction, Filter, operators, Sort, Value } from "./query.js"

/** The fields of A that hold text, a number, a boolean or a Date. */
export type FieldOf<A> = keyof {
  [K in keyof A as string extends K ? never : NonNullable<A[K]> extends Value ? K : never]: A[K]
} &
  string

/** What a field of A is compared with. */
export type ValueOf<A, K> = K extends keyof A ? Extract<A[K], Value> : never

/** A filter on the field K. */
export interface FilterOn<K extends string, V extends Value> extends Filter {
  readonly k: K
  readonly v: V
}

/** A filter on any field of A. */
export type FilterOf<A> = { [K in FieldOf<A>]: FilterOn<K, ValueOf<A, K>> }[FieldOf<A>]

/** A sort by any field of A. */
export interface SortOf<A> extends Sort {
  readonly k: FieldOf<A>
}

/** A question to a collection. A type and not an interface, so that it may stand for the operation's open input. */
export type Criteria<A> = {
  /** A language of the content; the project's own where it is left out. */
  readonly lang?: string
  readonly filter?: ReadonlyArray<FilterOf<A>>
  readonly search?: ReadonlyArray<FilterOf<A>>
  readonly sort?: ReadonlyArray<SortOf<A>>
  /** Number of the page. */
  readonly page?: number
  /** Most items that the page holds. */
  readonly limit?: number
}

/** Writes filters and sorts on the fields of A. */
export interface Builders<A> {
  /** A filter: `where("views", ">=", 100)`. */
  readonly where: <K extends FieldOf<A>>(
    field: K,
    op: (typeof operators)[number],
    value: ValueOf<A, K>
  ) => FilterOn<K, ValueOf<A, K>>
  /** A sort, ascending where it does not say: `orderBy("published", "desc")`. */
  readonly orderBy: (field: FieldOf<A>, direction?: Direction) => SortOf<A>
}

/** A collection's calls, before a client binds them. */
export interface Collection<A> extends Builders<A> {
  readonly list: Operation<Criteria<A>, Page<A>, "public">
  readonly get: Operation<GetContent, A, "public">
}

const ListCollection = Schema.Struct({ ...ListContent.fields, apiId: Schema.optional(Entity.Id) }, Input.open)

/** The collection of the content model `apiId`, whose entries are what `schema` says. Unknown fields are kept. */
export const make = <A>(apiId: string, schema: Typed<A>): Collection<A> => {
  const all: Operation<typeof ListCollection.Type, Page<Content>, "public"> = Operation.make(
    "content.list",
    () => ({
      method: "GET",
      path: entriesPath,
      audiences: ["public"],
      input: ListCollection,
      defaults: { apiId },
      success: page(Content)
    })
  )
  return {
    list: all.as(schema),
    get: get.as(schema),
    where: (k, op, v) => ({ k, op, v }),
    orderBy: (k, v = "asc") => ({ k, v })
  }
}
