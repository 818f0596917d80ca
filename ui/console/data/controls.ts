/** Which controls the fields of a schema get, and how their texts are read and written. */

import { isDateTime } from "@quartet/sdk/extend"
import { isFile } from "@quartet/sdk/extend/description"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { readNumber } from "../design/format.js"
import { words } from "../design/show.js"

type Kind = "text" | "number" | "flag" | "date" | "moment" | "choice" | "list" | "file" | "json"

/** A field of an input. */
export interface Shape {
  readonly name: string
  readonly ast: AST.AST
  readonly isRequired: boolean
  /** Its label, where its name is none of the platform's own. */
  readonly title?: string | undefined
}

/** One control, and where its value stands in the input. */
export interface Control {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly kind: Kind
  readonly isRequired: boolean
  readonly hint: string
  readonly choices: ReadonlyArray<{ readonly value: string; readonly label: string }>
  /** Its object is spread into the place: the further fields of an open one. */
  readonly isRest?: boolean
  readonly title?: string | undefined
}

/** The node inside of filters, and of what makes a field optional. */
export const bare = (ast: AST.AST): AST.AST => {
  if (AST.isRefinement(ast)) return bare(ast.from)
  if (!AST.isUnion(ast)) return ast
  const [first, ...more] = ast.types.filter((type) => !AST.isUndefinedKeyword(type) && type !== AST.null)
  return first === undefined || more.length > 0 ? ast : bare(first)
}

const describedBy = (ast: AST.AST): string => Option.getOrElse(AST.getDescriptionAnnotation(ast), () => "")

/** What an open enumeration is known to hold. */
const examplesOf = (ast: AST.AST): ReadonlyArray<unknown> =>
  Option.getOrElse(AST.getExamplesAnnotation(ast), () => [])

/** The kind of control that a type gets. */
const kindOf = (schema: AST.AST): Kind => {
  const ast = bare(schema)
  if (/ISO 8601 date(?!-)/.test(describedBy(ast))) return "date"
  if (isDateTime(ast)) return "moment"
  if (AST.isStringKeyword(ast)) return examplesOf(ast).length > 0 ? "choice" : "text"
  if (AST.isNumberKeyword(ast)) return "number"
  if (AST.isBooleanKeyword(ast)) return "flag"
  if (AST.isUnion(ast) && ast.types.every(AST.isLiteral)) return "choice"
  if (isFile(ast)) return "file"
  const [item] = AST.isTupleType(ast) ? ast.rest : []
  return item !== undefined && /text|choice/.test(kindOf(item.type)) ? "list" : "json"
}

const hintOf = (kind: Kind, ast: AST.AST): string => {
  const item = AST.isTupleType(ast) ? ast.rest[0]?.type : undefined
  if (kind === "json") {
    const names = AST.getPropertySignatures(bare(item ?? ast)).map(({ name }) => String(name))
    const single = AST.isTypeLiteral(ast) ? "An object" : "Any value"
    const what = item === undefined ? single : "A list"
    return `${what}${names.length > 0 ? ` of ${names.join(", ")}` : ""}, as JSON.`
  }
  const [examples] = /such as .*/.exec(describedBy(item ?? ast)) ?? []
  const several = "Several, separated by commas, or a JSON list"
  return kind === "list" ? `${several}${examples ? `, ${examples}` : ""}.` : ""
}

export const yesOrNo = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" }
]

/** The controls of a field: one, or of an object one for each of its fields. */
export const controlsOf = (path: ReadonlyArray<string>, of: Omit<Shape, "name">): ReadonlyArray<Control> => {
  const ast = bare(of.ast)
  const { isRequired, title } = of
  const name = path.join(".")
  if (AST.isTypeLiteral(ast) && ast.propertySignatures.length > 0)
    return [
      ...ast.propertySignatures.flatMap(({ annotations = {}, isOptional, name, type }) =>
        controlsOf([...path, String(name)], {
          ast: type,
          isRequired: isRequired && !isOptional,
          title: Option.getOrUndefined(AST.getTitleAnnotation({ annotations }))
        })
      ),
      ...(ast.indexSignatures.length === 0 ? [] : [rest(path)])
    ]
  const kind = kindOf(ast)
  const literals = AST.isUnion(ast) ? ast.types.filter(AST.isLiteral) : []
  const texts = kind === "choice" ? [...literals.map(({ literal }) => literal), ...examplesOf(ast)] : []
  const choices =
    kind === "flag" ? yesOrNo : texts.map(String).map((value) => ({ value, label: words(value) }))
  return [{ name, path, kind, isRequired, hint: hintOf(kind, ast), choices, title }]
}

/** The control of the further fields that an open object takes. */
const rest = (path: ReadonlyArray<string>): Control => ({
  name: [...path, "*"].join("."),
  path,
  kind: "json",
  isRequired: false,
  choices: [],
  isRest: true,
  title: "More fields",
  hint: "A JSON object with any other fields the platform accepts."
})

/** A moment as the text of its field: in local time, with seconds only where it has some. */
const localOf = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().replace(/(:00)?\.000Z$|Z$/, "")

/** Text with commas as a list, or a list in JSON. */
const listOf = (text: string): unknown =>
  text.trim().startsWith("[") ? JSON.parse(text) : text.split(",").flatMap((item) => item.trim() || [])

/** A value as the text of its control. */
export const toText = (value: unknown, kind: Kind): string => {
  if (value === undefined || value === null || kind === "file") return ""
  if (value instanceof Date && kind !== "json")
    return kind === "date" ? value.toISOString().slice(0, 10) : localOf(value)
  if (kind === "list" && Array.isArray(value))
    return /,|^\[/.test(value.join("")) ? JSON.stringify(value) : value.join(", ")
  return typeof value === "object" || kind === "json" ? JSON.stringify(value, null, 2) : String(value)
}

/** The rule that a text breaks which is no JSON, and where it does: in the words of the engine that reads it. */
export const notJson = (cause: unknown): string =>
  `is not JSON: ${String(Object(cause).message).replace(/\.$/, "")}`

/** The text of a control as its value. Text that is no JSON throws. */
export const fromText = (text: string, kind: Kind): unknown => {
  if (kind === "number") return readNumber(text) ?? Number.NaN
  if (kind === "flag") return text === "true"
  if (kind === "date") return new Date(`${text}T00:00:00.000Z`)
  if (kind === "moment") return new Date(text)
  if (kind === "list") return listOf(text)
  return kind === "json" ? JSON.parse(text) : text
}
