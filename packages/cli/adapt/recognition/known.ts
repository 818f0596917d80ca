/** The names of the fields that the SDK knows of inputs and answers, and which of them are dates. */

import { isDateTime } from "@quartet/sdk/extend"
import { described } from "@quartet/sdk/extend/description"
import type * as AST from "effect/SchemaAST"

const collect = (): ReadonlyMap<string, boolean> => {
  const names = new Map<string, boolean>()
  const seen = new Set<AST.AST>()
  const isDate = (ast: AST.AST): boolean =>
    isDateTime(ast) || (ast._tag === "Union" && ast.types.some(isDate))
  const visit = (ast: AST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    switch (ast._tag) {
      case "TypeLiteral":
        for (const { name, type } of ast.propertySignatures) {
          names.set(String(name), names.get(String(name)) === true || isDate(type))
          visit(type)
        }
        return
      case "TupleType":
        for (const { type } of ast.rest) visit(type)
        return
      case "Union":
        for (const type of ast.types) visit(type)
        return
      case "Suspend":
        return visit(ast.f())
      case "Refinement":
      case "Transformation":
        return visit(ast.from)
    }
  }
  for (const { declared } of described) {
    visit(declared.input.ast)
    if ("page" in declared.success) visit(declared.success.page.ast)
    else if ("ast" in declared.success) visit(declared.success.ast)
  }
  return names
}

let found: ReadonlyMap<string, boolean> | undefined

/** By name, whether a field is a date. */
export const fields = (): ReadonlyMap<string, boolean> => {
  found ??= collect()
  return found
}
