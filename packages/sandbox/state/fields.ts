/** Derives a sandbox row from the model of a call's answer: the same fields, all present. */
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { DateTime, Entity } from "@quartet/sdk/extend"

/** Fields that the platform sets and no caller can. */
export const stamps = { _id: Entity.Id, createdAt: DateTime, updatedAt: DateTime }

type Held<Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends Schema.optional<Schema.Schema<infer A, infer I>>
    ? null extends A
      ? Schema.Schema<Exclude<A, null>, Exclude<I, null>>
      : Fields[K]
    : Fields[K]
}

/** The fields of a model in a row: optional and nullable ones are always present. */
export const held = <Fields extends Schema.Struct.Fields>({
  fields
}: {
  readonly fields: Fields
}): Held<Fields> =>
  // The type above states the result of this loop for each name.
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { ast } = Schema.isPropertySignature(field) && "from" in field ? Object(field.from) : field
      const [inner, other, ...more]: ReadonlyArray<AST.AST> = AST.isUnion(ast) ? ast.types : []
      const isMaybe = inner !== undefined && other === AST.null && more.length === 0
      return [name, isMaybe ? Schema.make(inner) : field]
    })
  ) as Held<Fields>
