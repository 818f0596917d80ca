/** The schemas of inputs and answers as JSON Schema, models by reference. */

import { type Declared, Entity, type Typed } from "@quartet/sdk/extend"
import {
  aboutOf,
  bodyFields,
  bodyRule,
  declaredIn,
  type Field,
  isAssumedInput,
  meant,
  modelOf,
  ruleOf
} from "@quartet/sdk/extend/description"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/** A value of JSON. @category models */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

/** An object of JSON. @category models */
export interface JsonObject {
  readonly [key: string]: Json
}

/** The schemas that a document refers to, collected while it is made. */
export type Definitions = Record<string, Json>

const dateTime: JsonObject = { type: "string", format: "date-time" }

/** JSON Schema as plain JSON: a copy through text. */
const toJson = (schema: unknown): Json => JSON.parse(JSON.stringify(schema))

/** What stands before the description of an assumed field in Effect's JSON Schema, which has no annotation for `x-assumed`. */
const assumedNote = "x-assumed: "

/** A schema whose assumed fields say that they are, at any depth. */
const marked = (ast: AST.AST): AST.AST => {
  switch (ast._tag) {
    case "TypeLiteral": {
      const known = new Map(declaredIn(ast).map((field) => [field.name, field]))
      const fields = ast.propertySignatures.map(({ annotations, isOptional, isReadonly, name, type }) => {
        const field = known.get(String(name))
        const said = field === undefined ? "" : `${field.isAssumed ? assumedNote : ""}${aboutOf(field)}`
        const note = said === "" ? {} : { [AST.DescriptionAnnotationId]: said }
        return new AST.PropertySignature(name, marked(type), isOptional, isReadonly, {
          ...annotations,
          ...note
        })
      })
      return new AST.TypeLiteral(fields, ast.indexSignatures, ast.annotations)
    }
    case "Union":
      return AST.Union.make(ast.types.map(marked), ast.annotations)
    case "TupleType": {
      const rest = ast.rest.map(({ annotations, type }) => new AST.Type(marked(type), annotations))
      return new AST.TupleType(ast.elements, rest, ast.isReadonly, ast.annotations)
    }
    case "Suspend":
      return new AST.Suspend(() => marked(ast.f()), ast.annotations)
    default:
      return ast
  }
}

/** Effect's JSON Schema, unchanged. */
const lift = (ast: AST.AST) => {
  const named: Record<string, JSONSchema.JsonSchema7> = {}
  const options = {
    definitions: named,
    definitionPath: "#/components/schemas/",
    target: "openApi3.1"
  } as const
  const schema = JSONSchema.fromAST(ast, { ...options, additionalPropertiesStrategy: "allow" })
  return { schema: toJson(schema), named: Object.entries(named) }
}

/** Without the names that Effect gives to its own schemas. */
const plain = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== "object" || schema === null) return schema
  const entries = Object.entries(schema)
  const isNamed = entries.some(([key, value]) => key === "$id" && String(value).startsWith("/schemas/"))
  return Object.fromEntries(
    entries
      .filter(([key, value]) => !(key === "title" && typeof value === "string"))
      .filter(([key, value]) => !isNamed || (key === "description" && String(value).startsWith(assumedNote)))
      .flatMap(([key, value]): ReadonlyArray<readonly [string, Json]> => {
        if (key !== "description" || typeof value !== "string" || !value.startsWith(assumedNote))
          return [[key, plain(value)]]
        const about = value.slice(assumedNote.length)
        return [...(about === "" ? [] : [[key, about] as const]), ["x-assumed", true]]
      })
  )
}

const id = plain(lift(Entity.Id.ast).schema)

/** Ids by reference, because they are frequent. */
const withIds = (schema: Json, definitions: Definitions): Json => {
  if (Array.isArray(schema)) return schema.map((item: Json) => withIds(item, definitions))
  if (typeof schema !== "object" || schema === null) return schema
  if (JSON.stringify(schema) === JSON.stringify(id)) {
    definitions.Id = id
    return { $ref: "#/components/schemas/Id" }
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withIds(value, definitions)]))
}

const schemaOf = (ast: AST.AST, definitions: Definitions): Json => {
  const { named, schema } = lift(marked(ast))
  for (const [name, definition] of named)
    definitions[name] = name === "DateTime" ? dateTime : plain(toJson(definition))
  return withIds(plain(schema), definitions)
}

/** A model by reference; the whole schema if it has no name. */
export const modelRef = (schema: Pick<Typed<unknown>, "ast">, definitions: Definitions): Json => {
  const name = modelOf(schema)
  if (name === undefined) return schemaOf(meant(schema.ast), definitions)
  definitions[name] ??= schemaOf(meant(schema.ast), definitions)
  return { $ref: `#/components/schemas/${name}` }
}

const isFile = (ast: AST.AST): boolean => Option.contains(AST.getIdentifierAnnotation(ast), "File")

/** The schema of one field of an input. */
export const fieldSchema = (
  { ast, standard }: Pick<Field, "ast" | "standard">,
  definitions: Definitions
): Json => {
  if (isFile(ast)) return { type: "string", contentMediaType: "application/octet-stream" }
  const schema = schemaOf(AST.typeAST(ast), definitions)
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) && standard !== undefined
    ? { ...schema, default: toJson(standard) }
    : schema
}

/** The schema of a field with what it is, in words; with its rule alone where JSON Schema cannot say that. */
export const describedField = (
  { ast, model, name }: Pick<Field, "ast" | "model" | "name">,
  definitions: Definitions
): JsonObject => {
  const schema = Either.try(() => fieldSchema({ ast, standard: undefined }, definitions))
  const about = aboutOf({ model, name })
  return {
    ...(Either.isRight(schema) ? Object(schema.right) : {}),
    ...(Either.isRight(schema) && about !== "" ? {} : { description: ruleOf(ast) }),
    ...(about === "" ? {} : { description: about }),
    ...(isAssumedInput({ model, name }) ? { "x-assumed": true } : {})
  }
}

/** The body of a call with its known fields; undefined where none are known. What refuses all others where money moves is closed. */
export const bodySchema = (declared: Declared, definitions: Definitions): JsonObject | undefined => {
  const fields = bodyFields(declared)
  if (fields.length === 0) return undefined
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, describedField(field, definitions)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: bodyRule(declared) !== "closed"
  }
}
