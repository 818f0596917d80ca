/**
 * What an input takes and refuses beside its schema: a body's names, the words of a filter, and what comes through `Input.raw`. It is passed
 * with the schema that needs it, so that bundlers leave it out of an app whose calls have none.
 */
import * as AST from "effect/SchemaAST"
import { BodyId, WordsId } from "./answer.js"
import { hiddenField, type Refusal, ruleOfData, ruleOfHidden } from "./input.js"
import * as Raw from "./raw.js"
import { meant, nearest, slipOf } from "./spelling.js"

/**
 * Stands before the check of an input's schema, and answers what that or `refuse` does, or the value where it is taken as it is. `state` is the
 * compiler's, to be passed on. `check` checks by the schema itself, or by the one that it is given.
 */
export type Validate = <State>(
  value: unknown,
  state: State,
  check: (value: unknown, state: State, ast?: AST.AST) => unknown,
  refuse: (state: State, rule: string, field?: string) => unknown
) => unknown

/** What is sent of an object: what its own toJSON says, if it has one. */
const saidOf = (value: unknown): unknown => {
  const { toJSON } = Object(value)
  return typeof toJSON === "function" ? toJSON.call(value) : value
}

/** The rule that a body breaks if it does not hold fields. */
const ruleOfFields = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? ruleOfData(value)
    : "must be an object; Input.raw passes others"

/** Takes what came through `Input.raw`, too: the value that is in it, unless one of the known fields would be left out of it. */
const orRaw =
  (validate: Validate, names: ReadonlyArray<string> = []): Validate =>
  (value, state, check, refuse) => {
    if (!Raw.isRaw(value)) return validate(value, state, check, refuse)
    const rule = Raw.ruleOf(value)
    if (rule !== undefined) return refuse(state, rule)
    const sent = Raw.sentOf(value)
    const said = saidOf(sent)
    const hidden = ruleOfFields(said) === undefined ? hiddenField(Object(said), names) : undefined
    return hidden === undefined ? sent : refuse(state, ruleOfHidden, hidden)
  }

/** The words that a filter is known to take. A near one is suggested, and what is not one of them is never repeated. */
export const oneOf = (words: ReadonlyArray<string>): Validate =>
  orRaw((value, state, _, refuse) =>
    words.some((word) => word === value)
      ? value
      : refuse(
          state,
          `must be one of ${words.join(", ")}${meant(typeof value === "string" ? value : "", words)}; Input.raw passes others`
        )
  )

/** The body that is the caller's own as a whole. */
export const ownBody: Validate = /*#__PURE__*/ orRaw((value, state, _, refuse) =>
  value === undefined
    ? refuse(state, "is required")
    : value === null
      ? refuse(state, "must not be null; Input.raw passes it")
      : value
)

/** The names of a body's fields, which a rule about all of them does not change. */
const namesOf = (ast: AST.AST): ReadonlyArray<string> => {
  if (AST.isRefinement(ast)) return namesOf(ast.from)
  return AST.isTypeLiteral(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** Whether a field of a body is always held to its schema: the words of a filter, and a body inside of the body. */
const isHeld = (ast: AST.AST): boolean =>
  [WordsId, BodyId].some((id) => ast.annotations[id] !== undefined) ||
  (AST.isUnion(ast) ? ast.types : AST.isTupleType(ast) ? ast.rest.map(({ type }) => type) : []).some(isHeld)

/** What the values of a body are held to: some of its fields. Others may hold anything. */
const heldOf = (ast: AST.AST): AST.AST | undefined => {
  const fields = AST.isTypeLiteral(ast) ? ast.propertySignatures.filter(({ type }) => isHeld(type)) : []
  return fields.length === 0
    ? undefined
    : new AST.TypeLiteral(fields, [new AST.IndexSignature(AST.stringKeyword, AST.unknownKeyword, true)])
}

/** The rule about several fields that a body breaks, and the field to name. */
export type RuleOfBody = (fields: Readonly<Record<string, unknown>>) => Refusal | undefined

/** A body with the fields of a schema: see `BodyId` for what each kind refuses. */
export const body = (
  kind: "open" | "near" | "search" | "checked",
  ast: AST.AST,
  ruleOf?: RuleOfBody
): Validate => {
  const names = namesOf(ast)
  const isClosed = kind === "checked" || kind === "search"
  const held = isClosed ? undefined : heldOf(ast)
  return orRaw((value, state, check, refuse) => {
    if (value === undefined) return refuse(state, "is required")
    const hollow = ruleOfFields(value)
    if (hollow !== undefined) return refuse(state, hollow)
    const said = saidOf(value)
    const rule = ruleOfFields(said)
    if (rule !== undefined) return refuse(state, rule)
    const hidden = hiddenField(Object(said), names)
    if (hidden !== undefined) return refuse(state, ruleOfHidden, hidden)
    const fields: Readonly<Record<string, unknown>> = Object(said)
    // What is given under its own name is not meant by another.
    const left = names.filter(
      (name) => isClosed || !Object.hasOwn(fields, name) || fields[name] === undefined
    )
    for (const [name, item] of kind === "open" ? [] : Object.entries(fields)) {
      if (names.includes(name) || (!isClosed && item === undefined)) continue
      const near = (isClosed ? nearest : slipOf)(name, left)
      if (isClosed || near !== "")
        return refuse(state, `is not a field of this body${near}; Input.raw passes others`, name)
    }
    const broken = ruleOf?.(fields)
    if (broken !== undefined) return refuse(state, `${broken.rule}; Input.raw passes others`, broken.field)
    return isClosed || held !== undefined ? check(said, state, held) : said
  }, names)
}
