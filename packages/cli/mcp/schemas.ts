/** One call's input and answer as JSON Schemas that stand alone: what they refer to stands under their `$defs`. */

import type { Audience, Declared } from "@quartet/sdk/extend"
import {
  aboutOf,
  bodyRule,
  type Field,
  fieldsOf,
  given,
  isAssumedInput,
  isFile,
  ruleOf
} from "@quartet/sdk/extend/description"
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import {
  bodySchema,
  type Definitions,
  fieldSchema,
  type JsonObject,
  modelRef
} from "../openapi/json-schemas.js"

const alone = (schema: JsonObject, definitions: Definitions): JsonObject => {
  const whole = Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
  return JSON.parse(JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/'))
}

/** A file of an input: its content as text, or as base64. */
const file: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    type: { type: "string", description: "the media type" },
    text: { type: "string" },
    base64: { type: "string" }
  },
  required: ["name"]
}

/** The schema of a value; only its rule in words where JSON Schema cannot say it. */
const described = (type: AST.AST, definitions: Definitions): JsonObject => {
  const ast = given(type)
  const schema = Either.try(() => fieldSchema({ ast, standard: undefined }, definitions))
  return Either.isRight(schema) ? Object(schema.right) : { description: ruleOf(ast) }
}

/** A list that is written as pairs, such as filters: its members' values are of several kinds, which their rules tell. */
const pairs = ({ ast }: Field, definitions: Definitions): JsonObject => {
  const [item] = AST.isTupleType(ast) ? ast.rest : []
  const typeOf = (type: AST.AST | undefined): AST.AST | undefined =>
    type !== undefined && AST.isRefinement(type) ? typeOf(type.from) : type
  const type = typeOf(item?.type)
  const members = type === undefined ? [] : AST.getPropertySignatures(type)
  return {
    type: "array",
    items: {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, type }) => [String(name), described(type, definitions)])
      ),
      required: members.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name))
    }
  }
}

const others = {
  closed: 'Other fields are refused, unless "raw" passes the body.',
  near: 'These are the fields that are known. A name that is nearly one of them is refused, unless "raw" passes the body; others are sent.',
  own: "These are the fields that are known; others are sent."
}

/** The whole body of a call, and what it does with fields that are not known. */
const payload = (
  { declared }: Pick<Call, "declared">,
  field: Field,
  definitions: Definitions
): JsonObject => {
  const about = aboutOf(field) || "The whole body."
  const known = bodySchema(declared, definitions)
  if (known === undefined) return { description: `${about} The platform alone knows its fields.` }
  return { ...known, description: `${about} ${others[bodyRule(declared) ?? "own"]}` }
}

/** The rule of a schema as a sentence. */
const said = (ast: AST.AST): string => `${ruleOf(ast).replace(/^./, (letter) => letter.toUpperCase())}.`

const schemaOf = (call: Call, field: Field, definitions: Definitions): JsonObject => {
  if (isFile(field.ast)) return file
  if (field.place === "payload") return payload(call, field, definitions)
  if (field.writing.as === "pairs") return pairs(field, definitions)
  const schema = fieldSchema(field, definitions)
  const about = aboutOf(field)
  const assumed = isAssumedInput(field) ? { "x-assumed": true } : {}
  if (about !== "") return { ...Object(schema), description: `${about} ${said(field.ast)}`, ...assumed }
  const isSaid = ["$ref", "description", "items"].some((key) => Object.hasOwn(Object(schema), key))
  return isSaid ? Object(schema) : { ...Object(schema), description: ruleOf(field.ast) }
}

/** A call of one client. */
interface Call {
  readonly audience: Audience
  readonly name: string
  readonly declared: Declared
}

/** The input of a call: one flat object. */
export const inputSchema = (call: Call): JsonObject => {
  const { declared } = call
  const definitions: Definitions = {}
  const fields = fieldsOf(declared)
  const properties = fields.map((field) => [field.name, schemaOf(call, field, definitions)] as const)
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return alone(
    {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false
    },
    definitions
  )
}

/** The answer of a call, as the SDK gives it: of a list, its items and its paging. */
export const answerSchema = ({ success }: Declared): JsonObject => {
  const definitions: Definitions = {}
  if ("bytes" in success) return { type: "string", contentMediaType: success.bytes }
  if (!("page" in success)) return alone({ ...Object(modelRef(success, definitions)) }, definitions)
  const items = { type: "array", items: modelRef(success.page, definitions) }
  return alone(
    {
      type: "object",
      properties: { items, paging: { type: "object" } },
      required: ["items", "paging"]
    },
    definitions
  )
}
