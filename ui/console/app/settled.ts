/** Entities for typed views: what is assumed of them may come in any kind, and becomes what a view can show. */
import { Entity, isDateTime, plainOf, readNumber } from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Format from "../design/format.js"

type Reading = (value: unknown) => unknown

/** Whether a type is more than that a field may be missing or null. */
const isGiven = (type: AST.AST): boolean =>
  !AST.isUndefinedKeyword(type) && !(AST.isLiteral(type) && type.literal === null)

/** Any value as text. A number that cannot be read, a date, a list or an object that is none is left out. */
const readingOf = (ast: AST.AST): Reading => {
  if (isDateTime(ast)) return (value) => (value instanceof Date ? value : null)
  switch (ast._tag) {
    case "StringKeyword":
      return (value) => Format.undirected(asText(value))
    case "NumberKeyword":
      return (value) => readNumber(value) ?? null
    case "BooleanKeyword":
      return (value) => value === true
    case "Refinement":
      return readingOf(ast.from)
    case "Union": {
      const [only, ...others] = ast.types.filter(isGiven)
      const read = only === undefined || others.length > 0 ? undefined : readingOf(only)
      return (value) => (value === null || value === undefined ? value : (read?.(value) ?? null))
    }
    case "TupleType": {
      const read = readingOf(ast.rest[0]?.type ?? AST.unknownKeyword)
      return (value) => (Array.isArray(value) ? value.map(read).filter((item) => item !== null) : null)
    }
    case "TypeLiteral": {
      const fields = ast.propertySignatures.map(({ name, type }) => [name, readingOf(type)] as const)
      return (value) => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) return null
        const own = fields.filter(([name]) => Object.hasOwn(value, name))
        return {
          ...value,
          ...Object.fromEntries(own.map(([name, read]) => [name, read(Reflect.get(value, name))]))
        }
      }
    }
    default:
      return (value) => value
  }
}

/** Any value as text: a date as JSON has it, what has parts as JSON. */
export const asText = (value: unknown): string => {
  const plain = plainOf(value) ?? ""
  return plain instanceof Date ? plain.toISOString() : String(plain)
}

/** The type of a field where it is there. */
const given = (ast: AST.AST): AST.AST => {
  if (!AST.isUnion(ast)) return ast
  const [only, ...others] = ast.types.filter(isGiven)
  return only === undefined || others.length > 0 ? ast : given(only)
}

/** The same entity, of which a platform may answer any field but the id in any kind, also those that the specification gives. */
const tolerant = (ast: AST.AST): AST.AST =>
  AST.isTypeLiteral(ast)
    ? new AST.TypeLiteral(
        ast.propertySignatures.map((field) =>
          field.name === "_id"
            ? field
            : new AST.PropertySignature(
                field.name,
                Entity.assumed(Schema.make(given(field.type))).from.ast,
                true,
                field.isReadonly,
                field.annotations
              )
        ),
        ast.indexSignatures,
        ast.annotations
      )
    : ast

/** The same entity, in which each field is of its kind: what is not, is read as text, as a number, or as nothing. */
export const settled = <A, I>(entity: Schema.Schema<A, I>): Schema.Schema<A, I> => {
  const read = readingOf(entity.ast)
  // Its type stays: the reading gives each field the kind that it says.
  return Schema.transform(Schema.make<A, I>(tolerant(entity.ast)), Schema.typeSchema(entity), {
    // The reading makes what the entity's type says.
    decode: (row) => read(row) as A,
    encode: (row) => row
  })
}

/** An amount in its currency, or without one where that is no text; what is no number, as it came; nothing where there is none. */
export const money = (value: unknown, currency?: unknown): string => {
  const amount = readNumber(value)
  if (amount === undefined) return String(plainOf(value) ?? "")
  return Format.money(amount, typeof currency === "string" ? currency : undefined)
}
