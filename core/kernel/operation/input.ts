/** The rules for inputs: how list parameters and other special fields are written into a query. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import * as Schema from "./schema.js"

/** A field of the input and the rule that its value breaks. */
export interface Refusal {
  /** Dotted path, such as `payload.price`. */
  readonly field: string
  /** What the value must be, as the end of a sentence: "must be a number". */
  readonly rule: string
}

/** Whether an object is one of a literal, of JSON or without a prototype. Another realm's objects are as plain as ours. */
export const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null) return true
  // A realm's own prototype has what every object has; another one without a prototype may hold fields, which would be left out.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(Object(prototype), "isPrototypeOf")
}

/**
 * The rule that an object without own fields breaks, such as a Date, a Map, a signal or a Promise: it would pass as an
 * empty one. Instances of a caller's own class count as data if they have fields.
 */
export const ruleOfData = (value: object): string | undefined => {
  if (isPlain(value)) return undefined
  const isPromise = "then" in value && typeof value.then === "function"
  const isOwn = Object.prototype.toString.call(value) === "[object Object]"
  if (isOwn && !isPromise && Object.keys(value).length > 0) return undefined
  return `must be a plain object${isPromise ? ", not a Promise: await it" : ""}`
}

/** The rule that a field breaks that no object literal would have so: a getter of a class, what is inherited, or what is not enumerable. */
export const ruleOfHidden =
  "must be an own field of a plain object: a getter of a class or an inherited one would be left out"

/** The known field that an object has hidden: it would not be sent, and with it perhaps not the amount of a refund. */
export const hiddenField = (value: object, names: ReadonlyArray<string>): string | undefined =>
  names.find(
    (name) =>
      name in value &&
      !Object.prototype.propertyIsEnumerable.call(value, name) &&
      // What a polluted prototype has is nobody's input.
      (Object.hasOwn(value, name) || !(name in Object.prototype))
  )

/** A name and its text, before percent-encoding. */
export type Pair = readonly [name: string, text: string]

/** Writes one field into the query, or returns the rule that its value breaks, with the field where that is one inside. */
export interface QueryEncoding {
  /** `isTaken` says of a parameter, as `parameterOf` has it, whether the call writes it from something else. */
  (
    name: string,
    value: unknown,
    isTaken?: (name: string) => boolean
  ): Either.Either<ReadonlyArray<Pair>, string | Refusal>
  /** How the names begin that it writes, if not under the field's own name. */
  readonly prefix?: string
}

const QueryEncodingId: unique symbol = Symbol.for("@quartet/sdk/QueryEncoding")

/** Annotates a schema with the query encoding of its values. */
export const encoded =
  (encoding: QueryEncoding) =>
  <S extends Schema.Annotable.All>(schema: S): Schema.Annotable.Self<S> =>
    schema.annotations({ [QueryEncodingId]: encoding })

/** The query encoding in a field's schema, also inside an optional one. */
export const encodingOf = (ast: AST.AST): QueryEncoding | undefined => {
  const here = AST.getAnnotation<QueryEncoding>(QueryEncodingId)(ast)
  if (Option.isSome(here)) return here.value
  if (AST.isTransformation(ast)) return encodingOf(ast.to)
  if (!AST.isUnion(ast)) return undefined
  return ast.types.map(encodingOf).find((encoding) => encoding !== undefined)
}

/** One plain value as text in a query, or the rule that it breaks. */
export const scalar = (value: unknown): Either.Either<string, string> => {
  switch (typeof value) {
    case "string":
      return Either.right(value)
    case "boolean":
      return Either.right(String(value))
    case "number":
      return Number.isFinite(value) ? Either.right(String(value)) : Either.left("must be a finite number")
    case "bigint":
      return Either.left("must not be a BigInt: pass it as text")
    default:
      if (!Schema.isDate(value)) return Either.left("must be text, a number, a boolean or a Date")
      return Number.isFinite(value.getTime())
        ? Either.right(value.toISOString())
        : Either.left("must be a valid date")
  }
}

/** A list of plain values as one text, joined by commas; left out when empty. */
const joined = (name: string, value: unknown): Either.Either<ReadonlyArray<Pair>, string> => {
  if (!Array.isArray(value)) return Either.left("must be a list")
  const texts: Array<string> = []
  for (const item of value) {
    const text = scalar(item)
    if (Either.isLeft(text)) return Either.left(text.left)
    if (text.right === "") return Either.left("must not hold an empty value: the values are sent as one list")
    if (text.right.includes(","))
      return Either.left("must not hold a comma, which parts the values of a list")
    texts.push(text.right)
  }
  return Either.right(texts.length === 0 ? [] : [[name, texts.join(",")]])
}

/** Writes a field without an own encoding: a plain value, or a list of them as a list parameter. */
export const anything = (name: string, value: unknown): Either.Either<ReadonlyArray<Pair>, string> =>
  Array.isArray(value) ? joined(name, value) : Either.map(scalar(value), (text) => [[name, text]])

/** A list parameter: sent joined by commas, left out when empty (specification, point 5). */
export const list = <A, I>(item: Schema.Schema<A, I>): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> =>
  Schema.Array(item).pipe(encoded(joined))

/** A value of a further parameter: text, a number, a boolean or a Date. */
export type QueryValue = string | number | boolean | Date

/** Further parameters of a query, each sent under its own name: plain values, and lists of them, which are joined by commas. */
export interface Query {
  readonly [name: string]: QueryValue | ReadonlyArray<QueryValue> | undefined
}

/** A parameter as most servers read it: `page[]` and `[page]` are `page`, and many do not mind the case. */
export const parameterOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[+/, "")
    .replace(/[[\]].*/s, "")

/** The rule that parameters break whose names nobody knows: those of an instance may be hidden, and would be left out. */
export const ruleOfParameters = "must be a plain object of names and values, not an instance of a class"

/** Writes further parameters. One that the call writes itself is refused: it would be sent twice, past its check, or for another project. */
const spread =
  (known: ReadonlyArray<string>): QueryEncoding =>
  (field, value, isTaken) => {
    if (!isPlain(Object(value))) return Either.left(ruleOfParameters)
    const pairs: Array<Pair> = []
    const own = known.map(parameterOf)
    for (const [name, item] of Object.entries(Object(value))) {
      if (item === undefined) continue
      const parameter = parameterOf(name)
      const written: Either.Either<ReadonlyArray<Pair>, string> = own.includes(parameter)
        ? Either.left("is a field of this call: give it beside query, not in it")
        : isTaken?.(parameter)
          ? Either.left("is written by the call, from another field or for the client's project")
          : parameter === ""
            ? Either.left("must have a name")
            : anything(name, item)
      if (Either.isLeft(written)) return Either.left({ field: `${field}.${name}`, rule: written.left })
      pairs.push(...written.right)
    }
    return Either.right(pairs)
  }

/** Further fields of an object: any values under any names. */
export const open: { readonly key: Schema.Schema<string>; readonly value: Schema.Schema<unknown> } = {
  key: Schema.String,
  value: Schema.Unknown
}

/** Marks the schema of further parameters. */
const FurtherId: unique symbol = Symbol.for("@quartet/sdk/Further")

/** Further parameters of a call that takes those in `known` by name. */
export const further = (known: ReadonlyArray<string>): Schema.Schema<Query> =>
  // What the values may be, the encoding says: it names the rule.
  Schema.make<Query>(
    Schema.Struct({}, open)
      .annotations({ description: "further parameters, each sent under its own name", [FurtherId]: true })
      .pipe(encoded(spread(known))).ast
  )

/** Whether a field takes further parameters, by its schema, also inside an optional one. */
export const isFurther = (ast: AST.AST): boolean =>
  ast.annotations[FurtherId] === true || (AST.isUnion(ast) && ast.types.some(isFurther))
