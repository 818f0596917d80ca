/** Rows of entities, as the sandbox keeps them and tools show them: with all that is known and assumed of each. */
import * as AST from "effect/SchemaAST"
import * as Entity from "../operation/entity.js"
import type { Raw } from "../operation/raw.js"
import * as Schema from "../operation/schema.js"
import { DateTime } from "./dates.js"

/** Assumed fields that the platform sets and no caller can. */
export const stamps = {
  /** When it was made. Assumed: the platform may differ. */
  createdAt: DateTime,
  /** When it was last changed. Assumed: the platform may differ. */
  updatedAt: DateTime
}

type RequiredFields<Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends Schema.Optional<Schema.Schema<infer A, infer I>>
    ? null extends A
      ? Schema.Schema<Exclude<A, null>, Exclude<I, null>>
      : Fields[K]
    : Fields[K]
}

const isDeclared = (ast: {
  readonly _tag: string
}): ast is AST.PropertySignature & { readonly _tag: string } => ast._tag === "PropertySignatureDeclaration"

/** The fields of a model that are always there: without those that may be left out or empty. */
const requiredFields = <Fields extends Schema.Fields>({
  fields
}: {
  readonly fields: Fields
}): RequiredFields<Fields> =>
  // The type above states the result of this loop for each name.
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { ast } = "from" in field && isDeclared(field.ast) ? Object(field.from) : field
      const [inner, second, ...more]: ReadonlyArray<AST.AST> = AST.isUnion(ast) ? ast.types : []
      const isMaybe = inner !== undefined && second === AST.null && more.length === 0
      return [name, isMaybe ? Schema.make(inner) : field]
    })
  ) as RequiredFields<Fields>

/** A row of an entity: what is known and assumed of it, all of it there unless a row may lack it. `own` fields are stricter, or less so. */
export const of = <
  Known extends Schema.Fields,
  Guessed extends Schema.Fields,
  Own extends Schema.Fields = Record<never, never>
>(
  { assumed, known }: Pick<Entity.Entity<Known, Guessed>, "known" | "assumed">,
  own?: Own
): Row<Omit<RequiredFields<Known> & Guessed, keyof Own> & Own> =>
  // The type says what the spread comes to.
  Entity.open({ ...requiredFields({ fields: known }), ...assumed, ...own }) as never

/** The schema of a row with these fields. */
export type Row<Fields extends Schema.Fields> = ReturnType<typeof Entity.open<Fields>>

type ValueOf<Field> =
  Field extends Schema.Schema<infer A, infer _>
    ? A
    : Field extends Schema.Optional<Schema.Schema<infer A, infer _>>
      ? A
      : never

/** What of a row a change may touch: each field is kept where it is left out, and emptied by null. */
type ChangeFields<Fields extends Schema.Fields, Kept extends keyof Fields> = {
  readonly [K in keyof Fields as Exclude<K, Kept | "_id" | keyof typeof stamps>]: Schema.Optional<
    Schema.Schema<ValueOf<Fields[K]> | null>
  >
}

/** The values of a change. @category models */
export type Change<Fields extends Schema.Fields, Kept extends keyof Fields> = Schema.Struct<
  ChangeFields<Fields, Kept>,
  []
>["Type"]

/**
 * The body of a change to an entity, without the platform's own fields and those in `kept`, which no change touches. The entity is given by a
 * function, so that bundlers leave out the bodies that an app does not use.
 */
export const change = <
  Known extends Schema.Fields,
  Guessed extends Schema.Fields,
  const Kept extends keyof (Known & Guessed) & string = never
>(
  entity: () => { readonly known: Known; readonly assumed: Guessed },
  ...kept: ReadonlyArray<Kept>
): Schema.Schema<Change<Known & Guessed, Kept> | Raw> =>
  Entity.body(() => {
    const { assumed, known } = entity()
    const out: ReadonlyArray<string> = ["_id", ...Object.keys(stamps), ...kept]
    return Object.fromEntries(
      AST.getPropertySignatures(Schema.Struct({ ...known, ...assumed }).ast).flatMap(({ name, type }) =>
        out.includes(String(name)) ? [] : [[name, Entity.maybe(Schema.make<unknown>(type))]]
      )
    )
    // `Change` states the result of this loop for each name.
  }) as Schema.Schema<Change<Known & Guessed, Kept> | Raw>
