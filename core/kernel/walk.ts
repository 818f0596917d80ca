/**
 * The walk over parsed JSON that every undeclared part of an answer takes: date-times become Dates in place, and
 * whole numbers that a JavaScript number cannot hold exactly are noticed. Nothing is copied.
 */
import * as Dates from "./dates.js"
import type { AnswerReason } from "./errors.js"

/** Where an answer is not what the operation declares. The value itself is never told. */
export interface Mismatch {
  /** Dotted path of the field, with `[]` for the items of a list; empty for the whole answer. */
  path: string
  /** What is declared there, in words. */
  readonly expected: string
  /** The kind of what came: `nothing`, `null`, `text`, `number`, `boolean`, `list`, `object`, … */
  readonly came: string
}

/** What a decoding keeps while it runs. One object a decoding; a failure fills `path`, `rule` and `reason`. */
export interface State {
  depth: number
  /** An integer beyond ±(2⁵³ − 1) was met: the source text decides whether it survived. */
  unsafe: boolean
  /** Something put enumerable fields on Object.prototype: they are not the answer's. */
  readonly isPolluted: boolean
  path: string
  rule: string
  reason: AnswerReason
  /** Whether broken rules are tolerated: the value stays as it came, and the mismatch is noted. */
  readonly isTolerant: boolean
  /** The present failure is of a kind that is never tolerated. */
  isFatal: boolean
  /** Made by the first mismatch. */
  mismatches: Array<Mismatch> | undefined
  /** Their number, which is cheaper to compare. */
  noted: number
}

const isPolluted = (): boolean => {
  for (const _ in {}) return true
  return false
}

export const makeState = (isTolerant = false): State => ({
  depth: 0,
  unsafe: false,
  isPolluted: isPolluted(),
  path: "",
  rule: "",
  reason: "Shape",
  isTolerant,
  isFatal: false,
  mismatches: undefined,
  noted: 0
})

/** Whether a key that a `for … in` loop met is the object's own. The loop is faster than a list of keys. */
export const isOwn = (record: object, key: string, state: State): boolean =>
  !state.isPolluted || Object.hasOwn(record, key)

/** What a decoding step answers instead of a value when the value breaks a rule. */
export const wrong: unique symbol = Symbol("wrong")

/** The deepest nesting that an answer may have. */
export const maxDepth = 1_000

/** Notes a broken rule. */
export const refuse = (state: State, rule: string, reason: AnswerReason = "Shape"): typeof wrong => {
  state.rule = rule
  state.reason = reason
  return wrong
}

/** Notes a broken rule that is never tolerated: without what it asks for the answer is of no use. */
export const refuseFatally = (state: State, rule: string, reason: AnswerReason = "Shape"): typeof wrong => {
  state.isFatal = true
  return refuse(state, rule, reason)
}

/** Puts a key before the path of a failure that is on its way up. */
export const at = (state: State, key: string | number): typeof wrong => {
  state.path = state.path === "" ? String(key) : `${key}.${state.path}`
  return wrong
}

/** Enters one level of nesting; answers false, with the rule noted, where it is too deep. */
export const enter = (state: State): boolean => {
  state.depth += 1
  if (state.depth <= maxDepth) return true
  refuseFatally(state, `must not be nested more than ${maxDepth} levels deep`, "TooDeep")
  return false
}

/** Notices a number that cannot be trusted to be what the server wrote. */
export const look = (value: number, state: State): number => {
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) state.unsafe = true
  return value
}

/** Revives one value and all that it holds. */
export const revive = (value: unknown, state: State): unknown => {
  switch (typeof value) {
    case "string":
      return value.length >= 16 ? (Dates.parse(value) ?? value) : value
    case "number":
      return look(value, state)
    case "object":
      return value === null || value instanceof Date ? value : reviveAll(value, state)
    default:
      return value
  }
}

const reviveAll = (value: object, state: State): unknown => {
  if (!enter(state)) return wrong
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const before: unknown = value[index]
      const after = revive(before, state)
      if (after === wrong) return at(state, index)
      if (after !== before) value[index] = after
    }
  } else {
    // Own keys only, so that a polluted prototype adds nothing; an own "__proto__" from JSON stays own data.
    const record = value as Record<string, unknown>
    for (const key in record) {
      if (!isOwn(record, key, state)) continue
      const before = record[key]
      const after = revive(before, state)
      if (after === wrong) return at(state, key)
      if (after !== before) record[key] = after
    }
  }
  state.depth -= 1
  return value
}
