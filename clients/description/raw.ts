/**
 * The door of `Input.raw` for whoever writes an input as JSON: one switch for the whole input, since a mark inside of it would have to be told
 * from the platform's own fields.
 */
import * as AST from "effect/SchemaAST"
import { BodyId, RawId } from "../../core/kernel/operation/answer.js"
import * as Raw from "../../core/kernel/operation/raw.js"
import type { Field } from "./fields.js"

const isMarked = ({ annotations }: AST.Annotated): boolean =>
  annotations[RawId] === true || annotations[BodyId] !== undefined

/** The words of a list, each of which may be another. */
const itemOf = (ast: AST.AST): AST.AST | undefined => (AST.isTupleType(ast) ? ast.rest[0]?.type : undefined)

/** Whether a field takes more than is known of it: a body with other fields, or other words of a filter. */
export const takesRaw = ({ ast }: Pick<Field, "ast">): boolean => {
  const item = itemOf(ast)
  return isMarked(ast) || (item !== undefined && isMarked(item))
}

/** An input whose body and whose words of filters are sent as they are. */
export const passed = (
  fields: ReadonlyArray<Field>,
  input: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  const raw = fields.filter(takesRaw).flatMap(({ ast, name }) => {
    const value = input[name]
    if (value === undefined) return []
    const isList = Array.isArray(value) && !isMarked(ast)
    return [[name, isList ? value.map(Raw.raw) : Raw.raw(value)] as const]
  })
  return { ...input, ...Object.fromEntries(raw) }
}
