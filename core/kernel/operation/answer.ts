/** What an operation answers: one value, a page of a list, or bytes. */
import type * as AST from "effect/SchemaAST"

/** Any schema without services whose decoded side is A. */
export interface Typed<out A> {
  /** What the schema says, as data. */
  readonly ast: AST.AST
  /** The type of what it reads, for the compiler alone. */
  readonly Type: A
  /** The services that it needs, for the compiler alone: none. */
  readonly Context: never
}

/** Marks a schema's field as required in answers; see `Entity.essential`. */
export const EssentialId: unique symbol = Symbol.for("@quartet/sdk/Essential")

/** Marks a schema that says what was guessed of an answer; see `tolerant` of `clients/schema.ts`. */
export const TolerantId: unique symbol = Symbol.for("@quartet/sdk/Tolerant")

/** Marks the schema of a field that is assumed, as true, or that of an answer, as `whole`; see `Entity.assumed` and `Entity.guess`. */
export const AssumedId: unique symbol = Symbol.for("@quartet/sdk/Assumed")

/** Holds what stands before a schema's own check of an input: see `Validate` of `validation.ts`. */
export const ValidateId: unique symbol = Symbol.for("@quartet/sdk/Validate")

/** Marks a schema of ids, of which an input may also hold a number: see `Entity.Id`. */
export const CountedId: unique symbol = Symbol.for("@quartet/sdk/Counted")

/** Marks a schema of dates that an input takes in another form than `DateTime`, such as days. */
export const TimeId: unique symbol = Symbol.for("@quartet/sdk/Time")

/** Marks a filter with the least length of a text or the least whole number that it lets through. */
export const AtLeastId: unique symbol = Symbol.for("@quartet/sdk/AtLeast")

/** Marks a schema of an input that takes `Input.raw` too. */
export const RawId: unique symbol = Symbol.for("@quartet/sdk/Raw")

/**
 * Marks the body of an input. It is never left out; all but an `own` one are objects. `open` refuses other words than the known ones where these
 * are closed; `near` refuses a name besides that is a known one with a slip of typing. `search`, which chooses a list, and `checked`, which is
 * about money, refuse every unknown name, with or without a value, and what their schema does. `own` is the caller's as a whole.
 */
export const BodyId: unique symbol = Symbol.for("@quartet/sdk/Body")

/** Marks text of an input with the words that it may be. */
export const WordsId: unique symbol = Symbol.for("@quartet/sdk/Words")

/** Whether something is a schema, and not a field such as `Schema.optional` makes. */
export const isSchema = (value: unknown): boolean =>
  /^(?!undefined|PropertyS)/.test(Object(Object(value).ast)._tag)

export const mustBeSchema = "must be a Schema, such as Schema.Struct({ … })"

/** The position of a page in its list, as far as the platform says. Unknown fields are kept. @category models */
export interface Paging {
  /** Number of this page. */
  readonly page?: number
  /** Maximum items per page. */
  readonly limit?: number
  /** Items in the whole list. */
  readonly total?: number
  /** Pages in the whole list. */
  readonly pages?: number
  readonly [field: string]: unknown
}

/**
 * A page of a list: its items, and what the platform says of the whole list, as far as it says so. For all pages one
 * after another use `pages`, which each list has with Promises.
 * @category models
 */
export interface Page<out A> {
  /** The items of this page, in the platform's order. */
  readonly items: ReadonlyArray<A>
  /** Which page it is, and how long the whole list is, as far as the platform says. */
  readonly paging: Paging
}

/** A page whose items stand under the platform's own name for them, too. @category models */
export type NamedPage<A, Key extends string> = Page<A> & { readonly [Name in Key]: ReadonlyArray<A> }

/** Declares a list of items, answered as a bare array or an object that holds one. */
export interface PageOf<out A> {
  /** The schema of an item. */
  readonly page: Typed<unknown>
  /** The field that holds the items, if the platform's description names it. */
  readonly key?: string
  /** The type of the page, for the compiler alone. */
  readonly Type: A
}

/** Declares a list of `item`. With a key, its page has the items under that name too. */
export const page: {
  <A>(item: Typed<A>): PageOf<Page<A>>
  <A, const Key extends string>(item: Typed<A>, key: Key): PageOf<NamedPage<A, Key>>
} = <A>(item: Typed<A>, key?: string) =>
  // `Type` exists for the compiler alone, as in Schema itself.
  ({ page: item, ...(key === undefined ? {} : { key }) }) as PageOf<never>

/** The marker of an operation whose answer is a stream of bytes. */
export interface Bytes {
  /** The media type of the bytes. */
  readonly bytes: "text/csv" | "application/octet-stream"
}

/** Declares an answer of bytes. */
export interface BytesOf {
  /** The media type of the bytes. */
  readonly bytes: Bytes["bytes"]
  /** The type of the answer, for the compiler alone. */
  readonly Type: Bytes
}

const bytesOf = (bytes: Bytes["bytes"]): BytesOf => ({ bytes }) as BytesOf

export const csv: BytesOf = /*#__PURE__*/ bytesOf("text/csv")
export const binary: BytesOf = /*#__PURE__*/ bytesOf("application/octet-stream")

/** The valid `success` of a declaration. */
export type Answer<A> = Typed<A> | PageOf<A> | (A extends Bytes ? BytesOf : never)

type NameOf<A> = Exclude<keyof A, keyof Page<unknown>>

/** The answer of an operation narrowed to B: a page of B if it was a page. */
export type As<A, B> =
  A extends Page<unknown>
    ? [NameOf<A>] extends [never]
      ? Page<B>
      : NamedPage<B, Extract<NameOf<A>, string>>
    : B
