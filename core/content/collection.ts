/**
 * Content as the caller's own type: filters and sorts that name only its fields, with values of those fields' types,
 * and answers that are checked against it.
 */
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import { InputError } from "../kernel/errors/errors.js"
import { isSchema, mustBeSchema, type Page, page, type Typed } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import type * as Input from "../kernel/operation/input.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Schema from "../kernel/operation/schema.js"
import { meant } from "../kernel/operation/spelling.js"
import { Content, entriesPath, type GetContent, ListContent } from "./model.js"
import { get } from "./operations.js"
import type { Direction, Filter, operators, Sort, Value } from "./query.js"

/** The fields of A that hold text, a number, a boolean or a Date. */
export type FieldOf<A> = keyof {
  [K in keyof A as string extends K ? never : NonNullable<A[K]> extends Value ? K : never]: A[K]
} &
  string

/** The value to compare a field of A with. */
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

/** A query to a collection. */
export type Criteria<A> = {
  /** A language of the content; the project's own by default. */
  readonly lang?: string
  /** Only entries whose fields are so: each filter has to hold. `where` makes them. */
  readonly filter?: ReadonlyArray<FilterOf<A>>
  /** What is searched for, in the same form as a filter. */
  readonly search?: ReadonlyArray<FilterOf<A>>
  /** The order of the entries, the first sort before the second. `orderBy` makes them. */
  readonly sort?: ReadonlyArray<SortOf<A>>
  /** Number of the page. */
  readonly page?: number
  /** Maximum items per page. */
  readonly limit?: number
  /** Further parameters, each sent under its own name. */
  readonly query?: Input.Query
}

/** Writes filters and sorts on the fields of A. */
export interface Builders<A> {
  /**
   * A filter: `where("views", ">=", 100)`. Throws InputError if the schema lists its fields and this is not one of
   * them.
   */
  readonly where: <K extends FieldOf<A>>(
    field: K,
    op: (typeof operators)[number],
    value: ValueOf<A, K>
  ) => FilterOn<K, ValueOf<A, K>>
  /** A sort, ascending by default: `orderBy("published", "desc")`. Throws InputError like `where`. */
  readonly orderBy: (field: FieldOf<A>, direction?: Direction) => SortOf<A>
}

/** A collection's calls, before a client binds them. */
export interface Collection<A> extends Builders<A> {
  readonly list: Operation<Criteria<A>, Page<A>, "public">
  readonly get: Operation<GetContent, A, "public">
}

/** The list of the entries, whose content model a collection knows. */
const ListCollection = Schema.Struct({ ...ListContent.fields, apiId: Schema.optional(Entity.Id) })

const refuse = (operation: string, field: string, rule: string): Either.Either<never, InputError> =>
  Either.left(new InputError({ operation, field, rule }))

/** Checks the parts of a collection, which an untyped program may omit. */
export const check = (apiId: unknown, schema: unknown): Either.Either<void, InputError> => {
  const operation = "content.collection"
  if (typeof apiId !== "string" || apiId === "")
    return refuse(operation, "apiId", "must be the id of a content model as text")
  return isSchema(schema) ? Either.void : refuse(operation, "schema", mustBeSchema)
}

/** Checks that a filter or a sort is on a field of the schema, if that lists its fields. */
export const checkField = (
  operation: string,
  schema: Typed<unknown>,
  field: unknown
): Either.Either<void, InputError> => {
  const ast = AST.typeAST(schema.ast)
  const names = AST.getPropertySignatures(ast).map(({ name }) => String(name))
  const isOpen = names.length === 0 || (AST.isTypeLiteral(ast) && ast.indexSignatures.length > 0)
  if (isOpen || names.includes(String(field))) return Either.void
  return refuse(operation, "field", `must be one of ${names.join(", ")}${meant(String(field), names)}`)
}

/** The collection of the content model `apiId`, whose entries are described by `schema`. Unknown fields are kept. */
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
