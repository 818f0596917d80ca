/**
 * What an entity holds beyond what the specification says: fields that are assumed. The sandbox keeps them, and tools show them. Nothing that a
 * platform answers is held to them.
 */
import * as AST from "effect/SchemaAST"
import * as Entity from "../operation/entity.js"
import * as Schema from "../operation/schema.js"
import { DateTime } from "./dates.js"

/** Fields that the platform sets and no caller can. */
export const stamps = { _id: Entity.Id, createdAt: DateTime, updatedAt: DateTime }

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
export const requiredFields = <Fields extends Schema.Fields>({
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

/**
 * A row of these fields, with the platform's own. They are given by a function, so that bundlers leave out the rows that an app does not
 * use: a call is left out with what it is given, a field with a call in it is not.
 */
export const row = <Fields extends Schema.Fields>(fields: () => Fields) =>
  Entity.open({ ...stamps, ...fields() })

/** A part of a row, or what one is written with: these fields alone, given like a row's. */
export const part = <Fields extends Schema.Fields>(fields: () => Fields) => Entity.open(fields())
