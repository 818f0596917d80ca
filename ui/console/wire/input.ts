/** The input that a call was made with, read from what the wire shows of its request. */

import { compile, type Declared, Input, makeState, Path, wrong } from "@quartet/sdk/extend"
import type { Called, Sent } from "@quartet/sdk/extend/description"
import * as AST from "effect/SchemaAST"

/**
 * What a text of a query may stand for: the first reading that the field's schema accepts. Where there is none, a number
 * is one that is written alike.
 */
const readingOf = (type: AST.AST | undefined, text: string): unknown => {
  if (type === undefined) return String(Number(text)) === text ? Number(text) : text
  const accepts = compile(AST.typeAST(type), "input")
  const readings = [text, Number(text), text === "true", text.split(",")]
  return readings.find((value) => accepts(value, makeState()) !== wrong) ?? text
}

/** The input that a request was made of: what stands in its path, its query and its body. */
export const inputOf = (declared: Declared, { body, path }: Pick<Sent, "body" | "path">): Called["input"] => {
  const [target = "", query = ""] = path.split("?", 2)
  const template = declared.path.split("/")
  const values = target.split("/").slice(-template.length)
  const fields = AST.getPropertySignatures(declared.input.ast)
  const further = fields.find(({ type }) => Input.isFurther(AST.typeAST(type)))?.name
  const inPath = template.flatMap((part, index) =>
    Path.parse(part).names.map((name) => [name, decodeURIComponent(values[index] ?? "")] as const)
  )
  const inQuery = [...new URLSearchParams(query)]
    .filter(([name]) => name !== "projectId")
    .map(([name, text]) => {
      const field = fields.find((candidate) => candidate.name === name)
      return {
        name,
        value: readingOf(field?.type, text),
        isFurther: field === undefined && further !== undefined
      }
    })
  const valuesOf = (isFurther: boolean) =>
    inQuery.flatMap((each) => (each.isFurther === isFurther ? [[each.name, each.value] as const] : []))
  const others = Object.fromEntries(valuesOf(true))
  const input = {
    ...Object.fromEntries([...inPath, ...valuesOf(false)]),
    // What is no field of the call was given among its further ones.
    ...(further !== undefined && Object.keys(others).length > 0 && { [further]: others })
  }
  if (!/^[[{"]/.test(body)) return input
  const content: unknown = JSON.parse(body)
  return fields.some(({ name }) => name === "payload")
    ? { ...input, payload: content }
    : { ...input, ...Object(content) }
}
