/**
 * What the SDK declares of an answer beside what was seen of it: fields that did not come yet, and the words of its
 * enumerations, which are the SDK's own and none of the platform's data. What the SDK assumes is no part of it: a
 * recording says what came instead.
 */

import { isDateTime } from "@quartet/sdk/extend"
import { declaredIn, meant } from "@quartet/sdk/extend/description"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { type Field, nullable, type Type, union } from "../codegen/types.js"

const isSaid = (ast: AST.AST): boolean =>
  !AST.isUndefinedKeyword(ast) && !(AST.isLiteral(ast) && ast.literal === null)

/** A node without what makes it optional or refines it. */
const plain = (ast: AST.AST): AST.AST => {
  if (AST.isRefinement(ast)) return plain(ast.from)
  if (!AST.isUnion(ast)) return ast
  const [only, ...others] = ast.types.filter(isSaid)
  return only !== undefined && others.length === 0 ? plain(only) : ast
}

/** What is declared of an object's fields. */
export const fieldsOf = (declared: AST.AST | undefined): ReadonlyMap<string, AST.AST> => {
  const ast = declared && plain(declared)
  return new Map(
    ast && AST.isTypeLiteral(ast) ? ast.propertySignatures.map(({ name, type }) => [String(name), type]) : []
  )
}

/** What is declared of a list's items. */
export const itemOf = (declared: AST.AST | undefined): AST.AST | undefined => {
  const ast = declared && plain(declared)
  return ast && AST.isTupleType(ast) ? ast.rest[0]?.type : undefined
}

/** The fields that the specification gives of an object. */
const specifiedIn = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> => {
  if (!AST.isTypeLiteral(ast)) return []
  const assumed = new Set(declaredIn(ast).flatMap(({ isAssumed, name }) => (isAssumed ? [name] : [])))
  return ast.propertySignatures.filter(({ name }) => !assumed.has(String(name)))
}

/** The words of an enumeration that the SDK declares. */
const wordsOf = (ast: AST.AST): ReadonlyArray<string> => {
  if (AST.isUnion(ast))
    return ast.types.flatMap((type) =>
      AST.isLiteral(type) && typeof type.literal === "string" ? [type.literal] : []
    )
  const examples: ReadonlyArray<unknown> = AST.isStringKeyword(ast)
    ? Option.getOrElse(AST.getExamplesAnnotation(ast), () => [])
    : []
  return examples.filter((word): word is string => typeof word === "string")
}

const typeOf = (declaration: AST.AST): Type => {
  const ast = plain(declaration)
  const words = wordsOf(ast)
  if (words.length > 0) return { _tag: "Words", words }
  if (isDateTime(ast)) return { _tag: "DateTime" }
  switch (ast._tag) {
    case "StringKeyword":
      return { _tag: "Text" }
    case "NumberKeyword":
      return { _tag: "Number" }
    case "BooleanKeyword":
      return { _tag: "Boolean" }
    case "TupleType":
      return {
        _tag: "List",
        item: ast.rest[0] === undefined ? { _tag: "Unknown" } : typeOf(ast.rest[0].type)
      }
    case "TypeLiteral": {
      const specified = specifiedIn(ast)
      return specified.length === 0 ? { _tag: "Unknown" } : { _tag: "Object", fields: specified.map(unseen) }
    }
    case "Union":
      return union(ast.types.filter(isSaid).map(typeOf))
    default:
      return { _tag: "Unknown" }
  }
}

/** A declared field that no answer had: it may come, or be null. */
const unseen = ({ name, type }: AST.PropertySignature): Field => ({
  name: String(name),
  type: nullable(typeOf(type)),
  isOptional: true,
  note: "Not seen so far: as the SDK declares it."
})

/** What was seen, with what the specification gives beside it. */
export const completed = (seen: Type, declared: AST.AST): Type => {
  if (meant(declared) !== declared) return seen
  const ast = plain(declared)
  switch (seen._tag) {
    case "Text": {
      const words = wordsOf(ast)
      return words.length === 0 ? seen : { _tag: "Words", words }
    }
    case "Union":
      return { ...seen, members: seen.members.map((member) => completed(member, ast)) }
    case "List":
      return { ...seen, item: completed(seen.item, itemOf(ast) ?? AST.unknownKeyword) }
    case "Object": {
      const specified = specifiedIn(ast)
      const fields = seen.fields.map((field): Field => {
        const signature = specified.find(({ name }) => String(name) === field.name)
        return signature === undefined ? field : { ...field, type: completed(field.type, signature.type) }
      })
      const others = specified.filter(({ name }) => !seen.fields.some((field) => field.name === String(name)))
      return { ...seen, fields: [...fields, ...others.map(unseen)] }
    }
    default:
      return seen
  }
}
