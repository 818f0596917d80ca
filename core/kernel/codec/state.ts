/**
 * What a decoding keeps while it runs: how deep it is, which rule was broken where, and what was tolerated. With it the
 * walk that every undeclared part of an answer takes: date-times become Dates in place, and whole numbers that a
 * JavaScript number cannot hold exactly are noticed. Nothing is copied.
 */

import type { AnswerReason } from "../errors/errors.js"
import * as Dates from "./dates.js"

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
  /** An own field `__proto__` was met where Schema's parser reads. */
  hidesProto: boolean
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
  hidesProto: false,
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

/** Notes a mismatch at a path below the present one. */
export const note = (state: State, path: string, rule: string, came: string): void => {
  state.mismatches ??= []
  state.mismatches.push({ path, expected: rule.replace(/^must be | \| undefined\b/g, ""), came })
  state.noted = state.mismatches.length
}

/**
 * What becomes of a value that breaks the rule in the state: where that is tolerated it is noted, and the value stays
 * as it came, with its dates revived; otherwise it is `wrong`.
 */
export const tolerate = (value: unknown, state: State): unknown => {
  if (!state.isTolerant || state.isFatal) return wrong
  const at = state.path.split(".").filter((key) => key !== "")
  const held = at.reduce(
    (holder: unknown, key) =>
      typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined,
    value
  )
  note(
    state,
    at.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[]` : join(path, key)), ""),
    state.rule,
    kindOf(held)
  )
  state.path = ""
  return revive(value, state)
}

const join = (path: string, next: string): string =>
  path === "" ? next : next === "" || next.startsWith("[") ? `${path}${next}` : `${path}.${next}`

/** Puts a field before the paths of the mismatches that were noted below it, from number `first` on. */
export const within = (state: State, first: number, key: string): void => {
  const { mismatches = [] } = state
  for (let index = first; index < mismatches.length; index++) {
    const mismatch = mismatches[index]
    if (mismatch !== undefined) mismatch.path = join(key, mismatch.path)
  }
}

/** The same for an item of a list whose mismatches begin with number `start`: what was noted of an earlier item is dropped. */
export const withinItem = (state: State, start: number, first: number): void => {
  within(state, first, "[]")
  const all = state.mismatches ?? []
  const isKnown = (found: Mismatch, index: number): boolean =>
    index >= first &&
    all.some(
      ({ came, expected, path }, other) =>
        other >= start &&
        other < index &&
        path === found.path &&
        came === found.came &&
        expected === found.expected
    )
  state.mismatches = all.filter((found, index) => !isKnown(found, index))
  state.noted = state.mismatches.length
}
