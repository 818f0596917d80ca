/** A call's input and answer from its declaration: each field with its place on the wire and its rule. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { isAssumed, isNull } from "../../core/kernel/codec/compiler/nodes.js"
import { isDateTime } from "../../core/kernel/codec/dates.js"
import { AssumedId, BodyId, type Typed, WordsId } from "../../core/kernel/operation/answer.js"
import * as Input from "../../core/kernel/operation/input.js"
import type { Declared } from "../../core/kernel/operation/operation.js"
import * as Path from "../../core/kernel/operation/path.js"
import * as Schemas from "../../core/schemas.js"

/** `payload` is the whole body. */
export type FieldPlace = "path" | "query" | "body" | "payload" | "form"

/** How a query field is written: as plain text, as a list joined by commas, as pairs `<prefix><key>=<text>`, or each of its entries by its own name. */
export type Writing =
  | { readonly as: "text" }
  | { readonly as: "list" }
  | { readonly as: "pairs"; readonly prefix: string }
  | { readonly as: "further" }

export interface Field {
  readonly name: string
  readonly place: FieldPlace
  readonly isRequired: boolean
  readonly ast: AST.AST
  readonly writing: Writing
  /** Sent if the caller omits the field. */
  readonly standard: unknown
  /** The model that has it, as `aboutOf` knows it: `Auth.Login`; empty where that has no name. */
  readonly model: string
}

/** A field's schema without the undefined that makes it optional. */
export const withoutUndefined = (ast: AST.AST): AST.AST => {
  if (!AST.isUnion(ast)) return ast
  const [first, ...more] = ast.types.filter((type) => !AST.isUndefinedKeyword(type))
  return first === undefined || more.length > 0 ? ast : first
}

const writingOf = (ast: AST.AST): Writing => {
  const encoding = Input.encodingOf(ast)
  if (encoding === undefined) return { as: "text" }
  if (Input.isFurther(ast)) return { as: "further" }
  return encoding.prefix === undefined ? { as: "list" } : { as: "pairs", prefix: encoding.prefix }
}

/** The fields that a declaration names. The project, which the client's configuration fills, is not among them. */
export const fieldsOf = (declared: Declared): ReadonlyArray<Field> => {
  const inPath = Path.parse(declared.path).names
  const hasBody = declared.method === "POST" || declared.method === "PUT"
  const placeOf = (name: string): FieldPlace => {
    if (inPath.includes(name)) return "path"
    if (!hasBody || declared.query?.includes(name) === true) return "query"
    if (declared.body !== undefined) return "form"
    return name === "payload" ? "payload" : "body"
  }
  const model = nameOf(declared.input.ast)
  return AST.getPropertySignatures(AST.typeAST(declared.input.ast)).map(({ isOptional, name: key, type }) => {
    const name = String(key)
    return {
      name,
      place: placeOf(name),
      isRequired: !isOptional,
      ast: withoutUndefined(type),
      writing: writingOf(type),
      standard: declared.defaults?.[name],
      model
    }
  })
}

/** The body of a call as its model has it, which is known by its schema. */
const payloadOf = (declared: Declared): Pick<Typed<unknown>, "ast"> | undefined => {
  if (!fieldsOf(declared).some(({ place }) => place === "payload")) return undefined
  const payload = AST.getPropertySignatures(declared.input.ast).find(({ name }) => name === "payload")
  return payload === undefined ? undefined : { ast: withoutUndefined(payload.type) }
}

/** The fields of a body as its schema has them. */
export const bodyOf = (declared: Declared): ReadonlyArray<AST.PropertySignature> => {
  const payload = payloadOf(declared)
  return payload === undefined ? [] : AST.getPropertySignatures(payload.ast)
}

/** The fields that the body of a call is known to take; none where it holds the caller's own data alone. */
export const bodyFields = (declared: Declared): ReadonlyArray<BodyField> => {
  const payload = payloadOf(declared)
  return payload === undefined ? [] : declaredIn(payload.ast)
}

/** What a body does with fields that are not known: `near` refuses those that are nearly known ones, `closed` all, `own` none. */
export const bodyRule = (declared: Declared): "closed" | "near" | "own" | undefined => {
  const payload = payloadOf(declared)
  if (payload === undefined) return undefined
  const kind = payload.ast.annotations[BodyId]
  if (kind === "checked" || kind === "search") return "closed"
  return kind === "near" ? "near" : "own"
}

/** The name of a body's model; undefined where it has none. */
export const bodyModel = (declared: Declared): string | undefined => {
  const payload = payloadOf(declared)
  return payload === undefined ? undefined : modelOf(payload)
}

/** What chooses a page of a list; it filters nothing. */
const paging = ["page", "limit"]

/** A field by which a list is chosen from. */
export interface FilterField {
  readonly name: string
  /** What the call sends if it is omitted. */
  readonly standard: unknown
}

/** By what a list, or the download of one, chooses what it answers. */
export interface ListFields {
  readonly filters: ReadonlyArray<FilterField>
  /** What chooses a language. */
  readonly language: ReadonlyArray<FilterField>
  /** What orders the answer. */
  readonly order: ReadonlyArray<FilterField>
  /** Whether these are fields of the body. */
  readonly isInBody: boolean
  /** Whether the call sends others, too. */
  readonly takesOthers: boolean
}

/** By what a call chooses what it lists; undefined where it answers no list. */
export const listFieldsOf = (declared: Declared): ListFields | undefined => {
  const fields = fieldsOf(declared)
  const queried = fields.filter(({ place }) => place === "query")
  if (!("page" in declared.success) && !("bytes" in declared.success && queried.length > 0)) return undefined
  const inBody = bodyFields(declared).map(({ name }) => ({ name, standard: undefined }))
  const isInBody = inBody.length > 0
  const all = (isInBody ? inBody : queried.filter(({ writing }) => writing.as !== "further")).filter(
    ({ name }) => !paging.includes(name)
  )
  return {
    filters: all.filter(({ name }) => name !== "lang" && name !== "sort"),
    language: all.filter(({ name }) => name === "lang"),
    order: all.filter(({ name }) => name === "sort"),
    isInBody,
    takesOthers: isInBody || queried.some(({ writing }) => writing.as === "further")
  }
}

/** The words that text of an input is known to take; undefined where it takes any. */
export const wordsOf = ({ annotations }: AST.Annotated): ReadonlyArray<string> | undefined => {
  const words = annotations[WordsId]
  return Array.isArray(words) ? words : undefined
}

/** The rule of a schema, in words. */
export const ruleOf = (ast: AST.AST): string => {
  if (AST.isUnknownKeyword(ast)) return "anything"
  if (AST.isTupleType(ast)) return `a list, each ${ast.rest.map(({ type }) => ruleOf(type)).join(", ")}`
  if (AST.isTypeLiteral(ast)) {
    if (ast.propertySignatures.length === 0)
      return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => "an object")
    const names = ast.propertySignatures.map(
      ({ isOptional, name }) => `${String(name)}${isOptional ? "?" : ""}`
    )
    return `{ ${names.join(", ")} }`
  }
  return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))
}

/** Whether a schema is a file's. */
export const isFile = (ast: AST.AST): boolean => AST.isDeclaration(ast) && /^a File\b/.test(ruleOf(ast))

/** The models of all slices by their names, `Requests.RequestAction`. */
const models: ReadonlyMap<AST.AST, string> = new Map(
  Object.entries(Schemas).flatMap(([slice, module]: [string, object]) =>
    Object.entries(module).flatMap(([name, schema]: [string, unknown]) =>
      (typeof schema === "function" || typeof schema === "object") && schema !== null && "ast" in schema
        ? [[schema.ast as AST.AST, `${slice}.${name}`] as const]
        : []
    )
  )
)

/** What an answer is, or is assumed to be: without the nothing that may come instead. */
export const meant = (ast: AST.AST): AST.AST => {
  const [only] = AST.isUnion(ast) && ast.annotations[AssumedId] === "whole" ? ast.types : []
  return only ?? ast
}

/** The name of a model's schema; undefined if it has none. */
export const modelOf = ({ ast }: Pick<Typed<unknown>, "ast">): string | undefined => models.get(meant(ast))

const nameOf = (ast: AST.AST): string => modelOf({ ast }) ?? ""

/** A field of a body. */
export type BodyField = Omit<AnswerField, "isAssumed">

/** A field of an answer. */
export interface AnswerField {
  readonly name: string
  readonly ast: AST.AST
  readonly isRequired: boolean
  /** Whether the specification does not give it, and it is assumed. */
  readonly isAssumed: boolean
  /** The model that has it, as `aboutOf` knows it: `Auth.Login`; empty where that has no name. */
  readonly model: string
}

/** The declared fields of an object; none of anything else. */
export const declaredIn = (ast: AST.AST): ReadonlyArray<AnswerField> => {
  const model = nameOf(ast)
  return AST.getPropertySignatures(AST.typeAST(meant(ast))).map(({ isOptional, name, type }) => ({
    name: String(name),
    ast: withoutUndefined(type),
    isRequired: !isOptional,
    isAssumed: isAssumed(type),
    model
  }))
}

/** The fields of what a call answers; of a list, of each item. */
export const answerFields = ({ success }: Pick<Declared, "success">): ReadonlyArray<AnswerField> =>
  "bytes" in success ? [] : declaredIn(("page" in success ? success.page : success).ast)

/** What a value is, in a word or two. */
export const kindOf = (ast: AST.AST): string => {
  if (isDateTime(ast)) return "date"
  switch (ast._tag) {
    case "StringKeyword":
      return "text"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "yes or no"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Refinement":
      return kindOf(ast.from)
    case "Transformation":
      return kindOf(ast.to)
    case "Suspend":
      return "object"
    case "TupleType":
      return `list of ${ast.rest.map(({ type }) => kindOf(type)).join(", ")}`
    case "TypeLiteral":
      return models.get(ast) ?? "object"
    case "Union": {
      const said = ast.types.filter((type) => !AST.isUndefinedKeyword(type) && !isNull(type))
      return [...new Set(said.map(kindOf))].join(" or ")
    }
    default:
      return AST.isDeclaration(ast) && isDate(ast) ? "date" : "anything"
  }
}

const isDate = (ast: AST.AST): boolean => /Date/.test(String(ast))
