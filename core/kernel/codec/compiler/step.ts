/** Steps of a compiled schema: each checks one value, and says in the state what is wrong with it. */
import * as Either from "effect/Either"
import type * as AST from "effect/SchemaAST"
import { look, maxDepth, refuse, type State, tolerate, unreadable, wrong } from "../state.js"
import { mustBe } from "./nodes.js"

/** Checks a value and returns it, with its dates revived in place, or `wrong` with the rule in the state. */
export type Step = (value: unknown, state: State) => unknown

/**
 * `answer`: parsed JSON, changed in place, undeclared fields kept and their dates revived. `input`: a caller's value,
 * never changed, with undeclared fields refused unless the schema is open. `value`: what a transformation made, never
 * changed, undeclared fields kept. `assumed`: a part of an answer that is assumed (`Entity.assumed`), read like an answer, but a text
 * may be a date-time.
 */
export type Mode = "answer" | "assumed" | "input" | "value"

/** Whether a value is parsed JSON, which is changed in place. */
export const isAnswer = (mode: Mode): boolean => mode === "answer" || mode === "assumed"

/** Accepts everything unchanged. */
export const keep: Step = (value) => value

export const onlyIf = (ast: AST.AST, test: (value: unknown) => boolean): Step => {
  const rule = mustBe(ast)
  return (value, state) =>
    test(value) ? (typeof value === "number" ? look(value, state) : value) : refuse(state, rule)
}

/** A step that refuses the value over which a schema throws: a caller's own may. */
export const guarded = (step: Step, value: unknown, state: State): unknown => {
  const { depth, isTolerant } = state
  return Either.getOrElse(
    Either.try(() => step(value, state)),
    () => {
      state.depth = depth
      state.isTolerant = isTolerant
      state.path = ""
      return refuse(state, unreadable)
    }
  )
}

/** All of the steps, of which the last gives the value: the others look at copies of an answer. */
export const every = (steps: ReadonlyArray<Step>, last: Step, mode: Mode): Step =>
  steps.length === 0
    ? last
    : (value, state) =>
        steps.some((step) => step(isAnswer(mode) ? copyOf(value) : value, state) === wrong)
          ? wrong
          : last(value, state)

/** A copy of parsed JSON, down to the deepest nesting of an answer. */
export const copyOf = (value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date || depth > maxDepth) return value
  const copy = (item: unknown): unknown => copyOf(item, depth + 1)
  return Array.isArray(value)
    ? value.map(copy)
    : // An own field "__proto__" stays one.
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]))
}

/** A step of a part that is assumed: whatever came is kept, and what is otherwise is recorded, however the rest is read. */
export const assumed =
  (step: Step): Step =>
  (value, state) => {
    const { isTolerant } = state
    state.isTolerant = true
    const result = step(value, state)
    const after = result === wrong ? tolerate(value, state) : result
    state.isTolerant = isTolerant
    return after
  }

/** A step that is made by the first value: what is suspended may not be defined before. */
export const lazily = (make: () => Step): Step => {
  let step: Step | undefined
  return (value, state) => {
    step ??= make()
    return step(value, state)
  }
}

/** Compiles a node: what is made of several nodes asks for the steps of each. */
export type Compile = (ast: AST.AST, mode: Mode) => Step
