/** The building blocks of every slice's model: ids, open entities, open enumerations. */

import { CountedId, EssentialId } from "./answer.js"
import * as Input from "./input.js"
import * as Schema from "./schema.js"

/**
 * An id of the platform: text, never empty. A platform that counts its things answers numbers, which are drift and kept;
 * so an input takes them back.
 * @category schemas
 */
export const Id: Schema.Schema<string> = Schema.NonEmptyString.annotations({
  description: "a non-empty id",
  [CountedId]: true
})

/**
 * An entity whose field list the platform does not publish: known fields are typed, others kept as received (date-times
 * as Dates).
 * @category combinators
 */
export const open = <Fields extends Schema.Fields>(
  fields: Fields
): Schema.Struct<Fields, [typeof Input.open]> => Schema.Struct(fields, Input.open)

/** A known field that the platform may leave out or answer as null. @category combinators */
export const maybe = <A, I>(
  schema: Schema.Schema<A, I>
): Schema.Optional<Schema.Schema<A | null, I | null>> => Schema.optional(Schema.NullOr(schema))

/**
 * A field without which the answer is useless, such as a sign-in's token: tolerance never covers it.
 * @category combinators
 */
export const essential = <S extends Schema.Annotable.All>(schema: S): Schema.Annotable.Self<S> =>
  schema.annotations({ [EssentialId]: true })

/** Text that is one of the known values, or one that the platform added later. @category models */
export type OpenLiteral<Known extends string> = Known | (string & Record<never, never>)

/** An enumeration whose unknown values are kept, not refused. @category combinators */
export const openLiteral = <const Known extends readonly [string, ...ReadonlyArray<string>]>(
  ...known: Known
): Schema.Schema<OpenLiteral<Known[number]>, string> =>
  Schema.String.annotations({ description: `text, such as ${known.join(", ")}`, examples: known })

/** The answer of a call without a specified shape: any value, or none. @category schemas */
export const Anything: Schema.Schema<unknown> = Schema.Unknown

/** Input of a call without parameters. @category schemas */
export const Nothing: Schema.Schema<Nothing> = Schema.Struct({})
export type Nothing = Record<never, never>

/** Input of a call on one member of a collection. @category schemas */
export const ById = Schema.Struct({ id: Id })
export interface ById extends Schema.Schema.Type<typeof ById> {}

/** Further query fields of a list whose filters the platform does not publish. @category schemas */
export const AnyQuery = Schema.Struct({}, Input.open)
export interface AnyQuery extends Schema.Schema.Type<typeof AnyQuery> {}

/** Input of a call whose whole body is the caller's. @category schemas */
export const WithPayload = Schema.Struct({ payload: Schema.Unknown })
export interface WithPayload extends Schema.Schema.Type<typeof WithPayload> {}

/** Input of a call on one member whose whole body is the caller's. @category schemas */
export const ByIdWithPayload = Schema.Struct({ id: Id, payload: Schema.Unknown })
export interface ByIdWithPayload extends Schema.Schema.Type<typeof ByIdWithPayload> {}
