/** The input that a call was made with, read from what the wire shows of its request. */

import { compile, type Declared, makeState, Path, wrong } from "@quartet/sdk/extend"
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
  const named = [
    ...template.flatMap((part, index) =>
      Path.parse(part).names.map((name) => [name, decodeURIComponent(values[index] ?? "")] as const)
    ),
    ...[...new URLSearchParams(query)].map(
      ([name, text]) => [name, readingOf(fields.find((field) => field.name === name)?.type, text)] as const
    )
  ]
  const input = Object.fromEntries(named.filter(([name]) => name !== "projectId"))
  if (!/^[[{"]/.test(body)) return input
  const content: unknown = JSON.parse(body)
  return fields.some(({ name }) => name === "payload")
    ? { ...input, payload: content }
    : { ...input, ...Object(content) }
}
