/** The building blocks of every slice's model: ids, open entities, open enumerations. */

import * as AST from "effect/SchemaAST"
import { AssumedId, BodyId, CountedId, EssentialId, RawId, ValidateId, WordsId } from "./answer.js"
import * as Input from "./input.js"
import type { Raw } from "./raw.js"
import * as Schema from "./schema.js"
import { body as bodyOf, oneOf, ownBody as ownBodyOf, type RuleOfBody } from "./validation.js"

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
 * A field that the platform is assumed to have: the specification does not give it. It may be missing or null. A value of another kind stays as
 * it came and is reported as drift; it never makes a call fail, not even where answers are read strictly. A text in the form of a date-time
 * becomes a Date, as in a field that nobody declares.
 * @category combinators
 */
export const assumed = <A, I>(
  schema: Schema.Schema<A, I>
): Schema.Optional<Schema.Schema<A | null, I | null>> => marked(Schema.NullOr(schema))

const marked = <A, I>(schema: Schema.Schema<A, I>): Schema.Optional<Schema.Schema<A, I>> =>
  Schema.optional(schema.annotations({ [AssumedId]: true }))

/** What a call is assumed to answer: the platform may answer nothing, or something else. @category models */
export type Guess<A> = A | null | undefined

/**
 * The answer of a call of which the specification says nothing. What else comes, or nothing, is kept and reported as that of an assumed field
 * is; it never makes a call fail.
 * @category combinators
 */
export const guess = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<Guess<A>, Guess<I>> =>
  Schema.make(AST.Union.make([schema.ast, AST.null, AST.undefinedKeyword], { [AssumedId]: "whole" }))

/**
 * A schema by the names of what it reads, which an editor then shows of a field in place of all that it holds: `named<Author, Author>(Author)`.
 * @category combinators
 */
export const named = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> => schema

/** The fields that an entity is assumed to have, each as `assumed` makes it of one that is given or left out. @category models */
export type Assumed<Fields extends Schema.Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends Schema.Optional<infer Self>
    ? Schema.Optional<Self>
    : Fields[K] extends Schema.Schema<infer A, infer I>
      ? Schema.Optional<Schema.Schema<A | null, I | null>>
      : never
}

/** An entity, and the fields that are assumed of it as a row of them has them. @category models */
export interface Entity<Known extends Schema.Fields, Guessed extends Schema.Fields>
  extends Schema.Struct<Known & Assumed<Guessed>, [typeof Input.open]> {
  /** The fields that the specification gives. */
  readonly known: Known
  /** The fields that are assumed, as a row has them that has all. */
  readonly assumed: Guessed
}

/**
 * An open entity: the fields that the specification gives, and those that are assumed. These are given by a function, as one has them
 * where it has them all, so that bundlers leave out the entities that an app does not use: a call is left out with what it is given, a
 * field with a call in it is not.
 * @category combinators
 */
export const make = <Known extends Schema.Fields, Guessed extends Schema.Fields>(
  known: Known,
  guessed: () => Guessed
): Entity<Known, Guessed> => {
  const fields = guessed()
  const all = Object.entries(fields).map(([name, field]): [string, Schema.Fields[string]] => [
    name,
    // A field is a schema, or what `optional` makes of one, as `Assumed` has it.
    field.ast._tag === "PropertySignatureDeclaration"
      ? marked((field as Schema.Optional<Schema.Schema<unknown>>).from)
      : assumed(field as Schema.Schema<unknown>)
  ])
  // `Assumed` states the result of this loop for each name.
  const entity = open({ ...known, ...Object.fromEntries(all) }) as unknown as Entity<Known, Guessed>
  return Object.assign(entity, { known, assumed: fields })
}

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

/**
 * A word of a filter: one that is known, so that a misspelt one is refused. `Input.raw` passes any other.
 * @category combinators
 */
export const literal = <const Known extends ReadonlyArray<string>>(
  ...known: Known
): Schema.Schema<Known[number] | Raw> =>
  Schema.make(
    Schema.String.annotations({
      description: `text, such as ${known.join(", ")}`,
      examples: [known[0] ?? "", ...known.slice(1)],
      [WordsId]: known,
      [RawId]: true,
      [ValidateId]: oneOf(known)
    }).ast
  )

/** The answer of a call without a specified shape: any value, or none. @category schemas */
export const Anything: Schema.Schema<unknown> = Schema.Unknown

/** Input of a call without parameters. @category schemas */
export const Nothing: Schema.Schema<Nothing> = /*#__PURE__*/ Schema.Struct({})
export type Nothing = Record<never, never>

/** Input of a call on one member of a collection. @category schemas */
export const ById = /*#__PURE__*/ Schema.Struct({
  /** Id of what the call is about, which its own description names: mostly the `_id` of the entity that it reads, changes or deletes. */
  id: Id
})
export interface ById extends Schema.Schema.Type<typeof ById> {}

/** What every list takes beside its filters. @category schemas */
export const paging = () => ({
  /** Number of the page: from 1, unless the platform counts from 0. */
  page: Schema.optional(Schema.wholeFrom(0, { title: "a whole number, at least 0" })),
  /** Maximum items per page. */
  limit: Schema.optional(Schema.wholeFrom(1, { title: "a whole number, at least 1" }))
})

type ListFields<Filters extends Schema.Fields> = Filters &
  ReturnType<typeof paging> & {
    /** Further parameters, each sent under its own name: what the platform takes and the types do not know. */
    readonly query: Schema.Optional<Schema.Schema<Input.Query>>
  }

/**
 * Input of a list: its filters, `page` and `limit`. It takes no other fields, so that a misspelt filter is refused; what else a platform takes
 * goes into `query`. Filters are given by a function, so that bundlers leave out the inputs that an app does not use.
 * @category combinators
 */
export const list = <Filters extends Schema.Fields>(
  filters: () => Filters
): Schema.Struct<ListFields<Filters>, []> => {
  const fields = { ...filters(), ...paging() }
  return Schema.Struct({ ...fields, query: Schema.optional(Input.further(Object.keys(fields))) })
}

/** Input of a list of which no filter is known. @category schemas */
export const List = /*#__PURE__*/ list(() => ({}))
export interface List extends Schema.Schema.Type<typeof List> {}

/** The values of a body's fields, which say by themselves which may be left out. */
type Given<Fields extends Schema.Fields> = Schema.Struct<Fields, []>["Type"]

const bodied = <A>(
  schema: Schema.Schema<A>,
  kind: Parameters<typeof bodyOf>[0],
  ruleOf?: RuleOfBody
): Schema.Schema<A | Raw> =>
  // `Input.raw` is taken by the mark, so that the schema tells tools of the fields alone.
  schema.annotations({
    [BodyId]: kind,
    [RawId]: true,
    [ValidateId]: bodyOf(kind, schema.ast, ruleOf)
  }) as Schema.Schema<A | Raw>

/**
 * A body with the fields that the platform is known or assumed to take. The types know no others; `Input.raw` passes a body as it is. When a
 * call is made, a field that is one of them with a slip of typing is refused; what else is in the body is sent, of whatever kind it is, since
 * the platform alone knows what it takes. Words that are closed, and bodies inside of it, are checked, and so is `ruleOf`, about several fields.
 * Fields are given by a function, so that bundlers leave out the bodies that an app does not use.
 * @category combinators
 */
export const body = <Fields extends Schema.Fields>(
  fields: () => Fields,
  ruleOf?: RuleOfBody
): Schema.Schema<Given<Fields> | Raw> => bodied(Schema.Struct(fields()) as never, "near", ruleOf)

/** The body of a search, whose fields are checked as those of a list's query are: it takes no others. @category combinators */
export const search = <Fields extends Schema.Fields>(
  fields: () => Fields
): Schema.Schema<Given<Fields> | Raw> => bodied(Schema.Struct(fields()) as never, "search")

/** A body with known fields that holds the caller's own data beside them, under names of its own, which are never refused. @category combinators */
export const ownBody = <Fields extends Schema.Fields>(
  fields: () => Fields
): Schema.Schema<Schema.Struct<Fields, [typeof Input.open]>["Type"] | Raw> =>
  bodied(open(fields()) as never, "open")

/** The same, for data of any shape of the caller's, such as that of an interface, which has no further names. @category combinators */
export const ownData = <Fields extends Schema.Fields>(
  fields: () => Fields
): Schema.Schema<Schema.Struct<Fields, [typeof Input.open]>["Type"] | object | Raw> =>
  bodied(open(fields()) as never, "open")

/**
 * A body of which nothing is left open, such as one about money: a field that is not known is refused, and what its schema refuses. `Input.raw`
 * goes past both.
 * @category combinators
 */
export const checkedBody = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A | Raw> =>
  bodied(schema as unknown as Schema.Schema<A>, "checked")

/** A body that is the caller's own as a whole: anything but null, which `Input.raw` passes. @category schemas */
export const OwnBody: Schema.Schema<unknown> = /*#__PURE__*/ (() =>
  Schema.Unknown.annotations({ [BodyId]: "own", [RawId]: true, [ValidateId]: ownBodyOf }))()

/** Input of a call with a body. @category models */
export interface WithBody<out Body> {
  /** The body of the call: its fields, or `Input.raw` of any other body. */
  readonly payload: Body
}
/** Input of a call with a body. @category combinators */
export const withBody = <Body>(payload: Schema.Schema<Body>): Schema.Schema<WithBody<Body>> =>
  Schema.Struct({ payload })

/** Input of a call on one member, with a body. @category models */
export interface ByIdWithBody<out Body> extends ById, WithBody<Body> {}
/** Input of a call on one member, with a body. @category combinators */
export const byIdWithBody = <Body>(payload: Schema.Schema<Body>): Schema.Schema<ByIdWithBody<Body>> =>
  Schema.Struct({ id: Id, payload })

/** Input of a call whose whole body is the caller's. @category schemas */
export const WithPayload = /*#__PURE__*/ Schema.Struct({
  /** The body of the call, which is the caller's own as a whole. */
  payload: OwnBody
})
export interface WithPayload extends Schema.Schema.Type<typeof WithPayload> {}

/** Input of a call on one member whose whole body is the caller's. @category schemas */
export const ByIdWithPayload = /*#__PURE__*/ Schema.Struct({
  /** Id of what the call is about, which its own description names: mostly the `_id` of the entity that it reads, changes or deletes. */
  id: Id,
  /** The body of the call, which is the caller's own as a whole. */
  payload: OwnBody
})
export interface ByIdWithPayload extends Schema.Schema.Type<typeof ByIdWithPayload> {}
