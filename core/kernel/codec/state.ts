/**
 * The state of a running decoding: depth, the broken rule and its path, what was tolerated. Also the pass over
 * undeclared parts of an answer: date-times become Dates in place, and whole numbers that a JavaScript number cannot
 * hold exactly are detected. Nothing is copied.
 */

import type { AnswerReason } from "../errors/errors.js"
import * as Dates from "./dates.js"

/** A place where an answer is not what the operation declares. Never holds the value. */
export interface Mismatch {
  /** Dotted path of the field, with `[]` for the items of a list; empty for the whole answer. */
  path: string
  /** What is declared there, in words. */
  readonly expected: string
  /** The kind of value received: `nothing`, `null`, `text`, `number`, `boolean`, `list`, `object`, … */
  readonly came: string
}

/** The state of a running decoding. One object per decoding; a failure fills `path`, `rule` and `reason`. */
export interface State {
  depth: number
  /** An integer beyond ±(2⁵³ − 1) was found: the source text shows whether it is exact. */
  unsafe: boolean
  /** Object.prototype has enumerable fields: they do not belong to the answer. */
  readonly isPolluted: boolean
  path: string
  rule: string
  reason: AnswerReason
  /** Whether broken rules are tolerated here: the value is kept as received, and the mismatch is recorded. */
  isTolerant: boolean
  /** The current failure is never tolerated. */
  isFatal: boolean
  /** A schema threw before: each field and item is guarded, so that only the one over which it throws is refused. */
  isCareful: boolean
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
  isCareful: false,
  mismatches: undefined,
  noted: 0
})

/** Whether a key from a `for … in` loop is the object's own. The loop is faster than a list of keys. */
export const isOwn = (record: object, key: string, state: State): boolean =>
  !state.isPolluted || Object.hasOwn(record, key)

/** What a decoding step returns for a value that breaks a rule. */
export const wrong: unique symbol = Symbol("wrong")

/** The rule for a value over which a schema throws. */
export const unreadable = "cannot be read by its schema: throws or waits"

/** The maximum nesting of an answer. */
export const maxDepth = 1_000

/** Records a broken rule. */
export const refuse = (state: State, rule: string, reason: AnswerReason = "Shape"): typeof wrong => {
  state.rule = rule
  state.reason = reason
  return wrong
}

/** Records a broken rule that is never tolerated, because the answer is useless without it. */
export const refuseFatally = (state: State, rule: string, reason: AnswerReason = "Shape"): typeof wrong => {
  state.isFatal = true
  return refuse(state, rule, reason)
}

/** Puts a key before the path of a failure while it propagates. */
export const at = (state: State, key: string | number): typeof wrong => {
  state.path = state.path === "" ? String(key) : `${key}.${state.path}`
  return wrong
}

/** Enters one level of nesting; returns false, with the rule recorded, if it is too deep. */
export const enter = (state: State): boolean => {
  state.depth += 1
  if (state.depth <= maxDepth) return true
  refuseFatally(state, `must not be nested more than ${maxDepth} levels deep`, "TooDeep")
  return false
}

/** Detects a number that may not be exactly what the server wrote. */
export const look = (value: number, state: State): number => {
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) state.unsafe = true
  return value
}

/** Revives the dates of a value at any depth. */
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

/** The kind of a value, in one word. */
export const kindOf = (value: unknown): string => {
  switch (typeof value) {
    case "undefined":
      return "nothing"
    case "string":
      return value === "" ? "empty text" : "text"
    case "object":
      return value === null
        ? "null"
        : Array.isArray(value)
          ? "list"
          : value instanceof Date
            ? "date"
            : "object"
    default:
      return typeof value
  }
}

/** Records a mismatch at a path below the current one. */
export const note = (state: State, path: string, rule: string, came: string): void => {
  state.mismatches ??= []
  state.mismatches.push({ path, expected: rule.replace(/^must be | \| undefined\b/g, ""), came })
  state.noted = state.mismatches.length
}

/**
 * The result for a value that breaks the rule in the state: if tolerated, the mismatch is recorded and the value kept
 * as received, with its dates revived; otherwise `wrong`.
 */
export const tolerate = (value: unknown, state: State): unknown => {
  if (!state.isTolerant || state.isFatal) return wrong
  const at = state.path.split(".").filter((key) => key !== "")
  const invalidValue = at.reduce(
    (holder: unknown, key) =>
      typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined,
    value
  )
  note(
    state,
    at.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[]` : join(path, key)), ""),
    state.rule,
    kindOf(invalidValue)
  )
  state.path = ""
  return revive(value, state)
}

const join = (path: string, next: string): string =>
  path === "" ? next : next === "" || next.startsWith("[") ? `${path}${next}` : `${path}.${next}`

/** Puts a field before the paths of the mismatches that were recorded below it, from number `first` on. */
export const within = (state: State, first: number, key: string): void => {
  const { mismatches = [] } = state
  for (let index = first; index < mismatches.length; index++) {
    const mismatch = mismatches[index]
    if (mismatch !== undefined) mismatch.path = join(key, mismatch.path)
  }
}

/**
 * The same for an item of a list, or for a name that is data: mismatches that one since number `start` had before are
 * dropped.
 */
export const withinItem = (state: State, start: number, first: number, key = "[]"): void => {
  within(state, first, key)
  const all = state.mismatches ?? []
  for (const mismatch of all.splice(first)) {
    const isKnown = all
      .slice(start)
      .some(
        ({ came, expected, path }) =>
          path === mismatch.path && came === mismatch.came && expected === mismatch.expected
      )
    if (!isKnown) all.push(mismatch)
  }
  state.noted = all.length
}
