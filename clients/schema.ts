/**
 * Schemas for the modules that `quartet generate` and `quartet record` write without Effect: the constructors of
 * `effect/Schema` that they need, which make schemas of Effect and bring no parser into a page.
 */
import type * as S from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { TolerantId } from "../core/kernel/operation/answer.js"
import * as Core from "../core/kernel/operation/schema.js"

export { DateTime } from "../core/kernel/codec/dates.js"
export { NullOr, optional, Struct, suspend, Union, Unknown } from "../core/kernel/operation/schema.js"

/** What stands on the wire for a type: text for each date, at any depth. @category models */
export type Encoded<A> = A extends Date
  ? string
  : A extends string
    ? A
    : A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Encoded<Item>>
      : A extends object
        ? { readonly [Name in keyof A]: Encoded<A[Name]> }
        : A

/** A schema of A, whose other side is what stands on the wire for it. @category models */
export type SchemaOf<A> = S.Schema<A, Encoded<A>>

/** Text. @category schemas */
const Text: typeof Core.String = Core.String
/** A number. @category schemas */
const Numeric: typeof Core.Number = Core.Number
/** True or false. @category schemas */
const Flag: typeof Core.Boolean = Core.Boolean
/** A list of items. @category combinators */
const List: typeof Core.Array = Core.Array

export { Flag as Boolean, List as Array, Numeric as Number, Text as String }

/** Null. @category schemas */
export const Null: Core.Schema<null> = /*#__PURE__*/ Core.make(AST.null)

/** No answer at all. @category schemas */
export const Undefined: Core.Schema<undefined> = /*#__PURE__*/ Core.make(AST.undefinedKeyword)

/** An id of 24 hexadecimal digits. @category schemas */
export const ObjectId: Core.Schema<string> = /*#__PURE__*/ Core.filter<Core.Schema<string>>(
  (text) => /^[\da-f]{24}$/i.test(text),
  { description: "an id of 24 hexadecimal digits" }
)(Core.String)

/** An object whose names are data. @category combinators */
export const Record = <A, I>({
  key,
  value
}: {
  /** The schema of the names, such as `Schema.String`. */
  readonly key: Core.Schema<string>
  /** The schema of the values. */
  readonly value: Core.Schema<A, I>
}): Core.Schema<{ readonly [name: string]: A }, { readonly [name: string]: I }> =>
  Core.Struct({}, { key, value })

/**
 * The same schema as a guess of what a platform answers. A call that is narrowed by it tolerates an answer that is
 * otherwise: it reports the drift, and returns the value as it came, unless the client's `answers` are strict. Programs
 * that decode with it themselves are refused as ever. @category combinators
 */
export const tolerant = <A, I>(self: Core.Schema<A, I>): Core.Schema<A, I> =>
  self.annotations({ [TolerantId]: true })
