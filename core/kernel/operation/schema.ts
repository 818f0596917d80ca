/**
 * The constructors of the models' schemas. What they make are schemas of `effect/Schema`, for everything that takes
 * one. Schema's own constructors make classes that validate, and so bring its parser into every app.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import { Prototype } from "effect/Pipeable"
import type * as S from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { AtLeastId } from "./answer.js"

export type { Annotable, optional as Optional, Schema } from "effect/Schema"

/** The fields of an object: schemas, and what `optional` makes of them. */
export type Fields = S.Struct.Fields

type Schema<A, I = A> = S.Schema<A, I>

/** The annotations that Schema keeps under symbols of its own. */
const names = (
  "typeConstructor schemaId message missingMessage identifier title description examples default documentation " +
  "jsonSchema arbitrary pretty equivalence concurrency batching parseIssueTitle parseOptions decodingFallback"
).split(" ")

const placeOf = (key: PropertyKey): PropertyKey =>
  typeof key === "string" && names.includes(key)
    ? Symbol.for(
        `effect/annotation/${key.replace("json", "JSON").replace(/^./, (first) => first.toUpperCase())}`
      )
    : key

const placed = (annotations: object): AST.Annotations =>
  Object.fromEntries(Reflect.ownKeys(annotations).map((key) => [placeOf(key), Reflect.get(annotations, key)]))

const annotated = (ast: AST.AST, annotations: object): AST.AST => AST.annotations(ast, placed(annotations))

/** What marks a schema; its types exist for the compiler alone, and so the casts below. */
const TypeId = Symbol.for("effect/Schema")
const same = (value: unknown): unknown => value
const variance = { _A: same, _I: same, _R: same }

/** The schema of a node. A class, like Schema's own, so that a program can extend it. */
export const make = <A, I = A>(ast: AST.AST): Schema<A, I> =>
  Object.assign(class {}, {
    ...Prototype,
    [TypeId]: variance,
    ast,
    annotations: (annotations: object) => make(annotated(ast, annotations)),
    toString: () => ast.toString()
  }) as never

const String$: Schema<string> = /*#__PURE__*/ make(AST.stringKeyword)
const Number$: Schema<number> = /*#__PURE__*/ make(AST.numberKeyword)
const Boolean$: Schema<boolean> = /*#__PURE__*/ make(AST.booleanKeyword)
/** Any value. @category schemas */
export const Unknown: Schema<unknown> = /*#__PURE__*/ make(AST.unknownKeyword)

export { Array$ as Array, Boolean$ as Boolean, Number$ as Number, String$ as String }

/** One of the values. */
export const Literal = <const Values extends ReadonlyArray<AST.LiteralValue>>(
  ...values: Values
): Schema<Values[number]> => make(AST.Union.make(values.map((value) => new AST.Literal(value))))

/** The first member that takes a value reads it. @category combinators */
export const Union = <const Members extends ReadonlyArray<S.Schema.All>>(
  ...members: Members
): S.Schema<
  S.Schema.Type<Members[number]>,
  S.Schema.Encoded<Members[number]>,
  S.Schema.Context<Members[number]>
> => make(AST.Union.make(members.map(({ ast }) => ast))) as never

/** Null, or what the schema takes. @category combinators */
export const NullOr = <A, I>(self: Schema<A, I>): Schema<A | null, I | null> =>
  make(AST.Union.make([self.ast, AST.null]))

const Array$ = <A, I>(item: Schema<A, I>): Schema<ReadonlyArray<A>, ReadonlyArray<I>> =>
  make(new AST.TupleType([], [new AST.Type(item.ast)], true))

const PropertySignatureId = Symbol.for("effect/PropertySignature")

const signature = <Self extends S.Schema.All>(
  from: Self,
  annotations: AST.Annotations,
  type = AST.Union.make([from.ast, AST.undefinedKeyword])
): S.optional<Self> =>
  ({
    ...Prototype,
    [TypeId]: variance,
    [PropertySignatureId]: null,
    ast: { _tag: "PropertySignatureDeclaration", type, isOptional: true, isReadonly: true, annotations },
    from,
    annotations: (added: object) => signature(from, { ...annotations, ...placed(added) }, type)
  }) as never

/** A field that may be omitted. @category combinators */
export const optional = <Self extends S.Schema.All>(from: Self): S.optional<Self> => signature(from, {})

/** A field that may be omitted, and is not undefined where it is there. @category combinators */
export const optionalExact = <Self extends S.Schema.All>(
  from: Self
): S.optionalWith<
  Self,
  {
    /** A field that is there holds a value. */
    readonly exact: true
  }
> => signature(from, {}, from.ast) as never

/** An object with its fields, which other schemas may take over: `Schema.Struct({ ...Box.fields, mine: Schema.String })`. */
export interface Struct<Fields extends S.Struct.Fields, Records extends S.IndexSignature.Records>
  extends S.AnnotableClass<
    Struct<Fields, Records>,
    S.Simplify<S.TypeLiteral.Type<Fields, Records>>,
    S.Simplify<S.TypeLiteral.Encoded<Fields, Records>>,
    S.Struct.Context<Fields> | S.IndexSignature.Context<Records>
  > {
  /** Its fields by their names, for another struct that has them too: `{ ...Order.fields }`. */
  readonly fields: Readonly<Fields>
}

const structOf = (fields: object, ast: AST.AST): object =>
  Object.assign(make(ast), {
    fields,
    annotations: (annotations: object) => structOf(fields, annotated(ast, annotations))
  })

/** The two sides of an object, and what is done between them to the fields that a caller's schemas transform. */
const sidesOf = (fields: S.Struct.Fields) => {
  const from: Array<AST.PropertySignature> = []
  const to: Array<AST.PropertySignature> = []
  const changes: Array<AST.PropertySignatureTransformation> = []
  for (const name of Reflect.ownKeys(fields)) {
    // Untyped programs may pass what is no schema: that throws here, where the mistake is.
    const { ast } = fields[name] as S.Struct.Field
    const add = (side: typeof from, key: PropertyKey, type: AST.AST, isOptional = false, annotations = {}) =>
      side.push(new AST.PropertySignature(key, type, isOptional, true, annotations))
    if (ast._tag === "PropertySignatureTransformation") {
      const key = ast.from.fromKey ?? name
      add(from, key, ast.from.type, ast.from.isOptional, ast.from.annotations)
      add(to, name, ast.to.type, ast.to.isOptional, ast.to.annotations)
      changes.push(new AST.PropertySignatureTransformation(key, name, ast.decode, ast.encode))
    } else {
      const { annotations, isOptional, type } =
        ast._tag === "PropertySignatureDeclaration" ? ast : { annotations: {}, isOptional: false, type: ast }
      add(from, name, type, isOptional, annotations)
      add(to, name, AST.typeAST(type), isOptional, annotations)
    }
  }
  return { from, to, changes }
}

/** How Schema names the two sides of a transformed object. */
const AutoTitleId = Symbol.for("effect/annotation/AutoTitle")

/** An object of these fields, and of further ones where `records` says of which. @category combinators */
export const Struct = <Fields extends S.Struct.Fields, Records extends S.IndexSignature.Records = []>(
  fields: Fields,
  ...records: Records
): Struct<Fields, Records> => {
  const { changes, from, to } = sidesOf(fields)
  const index = records.map(
    ({ key, value }) => new AST.IndexSignature(key.ast as AST.Parameter, value.ast, true)
  )
  const side = (fields: typeof from, title: string) =>
    new AST.TypeLiteral(fields, index, changes.length === 0 ? {} : { [AutoTitleId]: title })
  const source = side(from, "Struct (Encoded side)")
  const ast =
    changes.length === 0
      ? source
      : new AST.Transformation(
          source,
          AST.typeAST(side(to, "Struct (Type side)")),
          new AST.TypeLiteralTransformation(changes)
        )
  return structOf({ ...fields }, ast) as never
}

const issue = (ast: ParseResult.Type["ast"], actual: unknown): ParseResult.Type => ({
  _tag: "Type",
  ast,
  actual,
  message: undefined
})

/** A value of JavaScript that `is` recognises. */
export const declare = <A>(
  is: (value: unknown) => value is A,
  annotations: S.Annotations.Schema<A>
): Schema<A> => {
  const parse = () => (value: unknown, _: AST.ParseOptions, ast: AST.Declaration) =>
    is(value) ? Either.right(value) : Either.left(issue(ast, value))
  return make(new AST.Declaration([], parse, parse, placed(annotations)))
}

/** The values of a schema for which `holds` is true. What is refused of an object is refused at its `field`. */
export const filter =
  <Self extends S.Schema.Any>(
    holds: (value: S.Schema.Type<Self>) => boolean,
    annotations: S.Annotations.Filter<S.Schema.Type<Self>>,
    field?: string
  ) =>
  (self: Self): Schema<S.Schema.Type<Self>, S.Schema.Encoded<Self>> =>
    make(
      new AST.Refinement(
        self.ast,
        (value, _, ast) => {
          if (holds(value)) return Option.none()
          const refused = issue(ast, value)
          return Option.some(
            field === undefined ? refused : { _tag: "Pointer", path: field, actual: value, issue: refused }
          )
        },
        placed(annotations)
      )
    )

/** What `decode` makes of a value; where it is undefined, the value is refused. */
export const transform = <A, I, B, J>(
  from: Schema<A, I>,
  to: Schema<B, J>,
  { decode, encode }: { readonly decode: (value: A) => J | undefined; readonly encode: (value: J) => A }
): Schema<B, I> =>
  make(
    new AST.Transformation(
      from.ast,
      to.ast,
      new AST.FinalTransformation(
        (value, _, ast) => {
          const decoded = decode(value)
          return decoded === undefined ? Either.left(issue(ast, value)) : Either.right(decoded)
        },
        (value) => Either.right(encode(value))
      )
    )
  )

/** A schema that is declared later. @category combinators */
export const suspend = <A, I>(later: () => Schema<A, I>): Schema<A, I> =>
  make(new AST.Suspend(() => later().ast))

/** What a schema gives, as a schema of its own. */
export const typeSchema = <A, I>(self: Schema<A, I>): Schema<A> => make(AST.typeAST(self.ast))

export const NonEmptyString: Schema<string> = /*#__PURE__*/ filter<Schema<string>>((text) => text !== "", {
  [AtLeastId]: 1,
  identifier: "NonEmptyString",
  title: "nonEmptyString",
  description: "a non empty string",
  jsonSchema: { minLength: 1 }
})(String$)

export const Finite: Schema<number> = /*#__PURE__*/ filter<Schema<number>>(
  (value) => Math.abs(value) < Infinity,
  {
    identifier: "Finite",
    title: "finite",
    description: "a finite number",
    jsonSchema: { type: "number" }
  }
)(Number$)

/** A whole number of at least `least` that JavaScript holds exactly. */
export const wholeFrom = (least: number, annotations: S.Annotations.Filter<number>): Schema<number> =>
  filter<Schema<number>>((value) => Number.isSafeInteger(value) && value >= least, {
    [AtLeastId]: least,
    jsonSchema: { type: "integer", minimum: least },
    arbitrary: () => (fc) => fc.integer({ min: least }),
    ...annotations
  })(Number$)

export const NonNegativeInt: Schema<number> = /*#__PURE__*/ wholeFrom(0, {
  identifier: "NonNegativeInt",
  title: "NonNegativeInt",
  description: "an integer"
})

/** Whether a value is a Date, also one of another realm. */
export const isDate = (value: unknown): value is Date =>
  value instanceof Date || Object.prototype.toString.call(value) === "[object Date]"

/** A Date, whose time may be invalid. */
export const DateFromSelf: Schema<Date> = /*#__PURE__*/ declare(isDate, {
  identifier: "DateFromSelf",
  description: "a potentially invalid Date instance",
  pretty: () => (date: Date) => `new Date(${JSON.stringify(date)})`,
  arbitrary: () => (fc) => fc.date({ noInvalidDate: true }),
  equivalence: () => (self: Date, that: Date) => self.getTime() === that.getTime()
})

/** A Date with a time. */
export const ValidDateFromSelf: Schema<Date> = /*#__PURE__*/ filter<Schema<Date>>(
  (date) => Number.isFinite(date.getTime()),
  { identifier: "ValidDateFromSelf", description: "a valid Date instance" }
)(DateFromSelf)
