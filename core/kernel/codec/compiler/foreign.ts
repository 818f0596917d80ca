/** Steps of a caller's own schemas: what their transformations, filters and fallbacks make of a value. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParseIssue } from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { exitAtOnce } from "../../../ports/at-once.js"
import { refuse, type State, unreadable, wrong } from "../state.js"
import { fallbackOf, isStructured, mustBe } from "./nodes.js"
import { type Compile, copyOf, isAnswer, type Mode, type Step } from "./step.js"

/** The names and places that lead to what a schema's own function refuses. */
const pathOf = (parseIssue: ParseIssue): ReadonlyArray<PropertyKey> => {
  // Each kind of issue has some of these.
  const { issues, issue = [issues].flat()[0], path = [] } = Object(parseIssue)
  return issue === undefined ? [] : [path, pathOf(issue)].flat()
}

/** Records a rule that a schema's own function refuses, where it says. What else it says may hold the value. */
export const refuseAt = (state: State, rule: string, issue: ParseIssue): typeof wrong => {
  state.path = pathOf(issue).map(String).join(".")
  return refuse(state, rule)
}

/** What an Effect of a schema gives: undefined if it throws or has to wait, since decoding is synchronous, like that of Schema itself. */
const resultAtOnce = (outcome: Effect.Effect<unknown, ParseIssue, unknown>) => {
  // An answer's schema has no services (`Typed`): a missing one throws.
  const exit = exitAtOnce(Effect.either(outcome as Effect.Effect<unknown, ParseIssue>))
  return exit?._tag === "Success" ? exit.value : undefined
}

/** What a function of a schema gave: an Either or, rarely, an Effect, which is run at once. */
export const settled = (
  outcome: Effect.Effect<unknown, ParseIssue, unknown> | Either.Either<unknown, ParseIssue>,
  rule: string,
  state: State
): unknown => {
  const result = Either.isEither(outcome) ? outcome : resultAtOnce(outcome)
  if (result === undefined) {
    state.path = ""
    return refuse(state, unreadable)
  }
  return Either.isRight(result) ? result.right : refuseAt(state, rule, result.left)
}

/** What a schema's functions are told: they keep undeclared fields too. */
export const options: AST.ParseOptions = { onExcessProperty: "preserve" }

/** The function that a transformation applies to its decoded source. */
const change = (
  ast: AST.Transformation,
  rule: string
): ((inner: unknown, value: unknown, state: State) => unknown) => {
  const { transformation } = ast
  switch (transformation._tag) {
    case "FinalTransformation":
      return (inner, value, state) => settled(transformation.decode(inner, options, ast, value), rule, state)
    case "ComposeTransformation":
      return (inner) => inner
    case "TypeLiteralTransformation":
      return (inner) => {
        const record: Record<PropertyKey, unknown> = { ...Object(inner) }
        for (const { decode, from, to } of transformation.propertySignatureTransformations) {
          const decoded = decode(Object.hasOwn(record, from) ? Option.some(record[from]) : Option.none())
          delete record[from]
          if (Option.isSome(decoded)) record[to] = decoded.value
        }
        return record
      }
  }
}

export const transformed = (ast: AST.Transformation, mode: Mode, compile: Compile): Step => {
  const from = compile(ast.from, mode)
  const to = compile(ast.to, "value")
  const rule = mustBe(ast)
  const make = change(ast, rule)
  const isCopied = isAnswer(mode) && isStructured(ast.from)
  return (value, state) => {
    // What is tolerated is kept as it came, so what comes is not changed before all is well.
    const inner = from(isCopied && state.isTolerant ? copyOf(value) : value, state)
    if (inner === wrong) return state.path === "" && !state.isFatal ? refuse(state, rule) : wrong
    const whole = make(inner, value, state)
    return whole === wrong ? wrong : to(whole, state)
  }
}

/** What a filter with a least size compares: the length of a text, or a whole number. */
export const sizeOf = (value: unknown): number =>
  typeof value === "string" ? value.length : Number.isSafeInteger(value) ? Number(value) : Number.NaN

export const stricter: Step = (_, state) => refuse(state, "has parseOptions")

/** Whether a schema wants fewer undeclared or missing fields than answers may have. */
export const isStricter = (ast: AST.AST): boolean => {
  const { exact, onExcessProperty = "preserve" } = Object(ast.annotations[AST.ParseOptionsAnnotationId])
  return exact || onExcessProperty !== "preserve"
}

export const withFallback = (ast: AST.AST, step: Step): Step => {
  const fallback = fallbackOf(ast)
  if (fallback === undefined) return step
  return (value, state) => {
    const { depth } = state
    const result = step(value, state)
    if (result !== wrong) return result
    const issue: ParseIssue = { _tag: "Type", ast, actual: value, message: state.rule }
    state.depth = depth
    state.path = ""
    state.isFatal = false
    return settled(fallback(issue), state.rule, state)
  }
}
