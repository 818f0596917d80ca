/**
 * The walk over parsed JSON that every undeclared part of an answer takes: date-times become Dates in place, and
 * whole numbers that a JavaScript number cannot hold exactly are noticed. Nothing is copied.
 */
import * as Dates from "./dates.js"
import type { AnswerReason } from "./errors.js"

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
}

const isPolluted = (): boolean => {
  for (const _ in {}) return true
  return false
}

export const makeState = (): State => ({
  depth: 0,
  unsafe: false,
  isPolluted: isPolluted(),
  path: "",
  rule: "",
  reason: "Shape"
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

/** Puts a key before the path of a failure that is on its way up. */
export const at = (state: State, key: string | number): typeof wrong => {
  state.path = state.path === "" ? String(key) : `${key}.${state.path}`
  return wrong
}

/** Enters one level of nesting; answers false, with the rule noted, where it is too deep. */
export const enter = (state: State): boolean => {
  state.depth += 1
  if (state.depth <= maxDepth) return true
  refuse(state, `must not be nested more than ${maxDepth} levels deep`, "TooDeep")
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

const number = /-?\d[\d.eE+-]*/y

/** A whole number that would be written otherwise than it was read, or any number that is too large. */
const isLossy = (token: string): boolean => {
  const value = Number(token)
  if (!Number.isFinite(value)) return true
  return /^-?\d{16,}$/.test(token) && String(value) !== token && BigInt(token) !== BigInt(value)
}

/** Finds a number in JSON text that a JavaScript number would change, or undefined. One pass, however long the text is. */
export const findLossy = (json: string): string | undefined => {
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 34) inString = !inString
    else if (code === 92) at += 1
    else if (!inString && (code === 45 || (code >= 48 && code <= 57))) {
      number.lastIndex = at
      const token = number.exec(json)?.[0] ?? ""
      if (isLossy(token)) return token
      at += Math.max(0, token.length - 1)
    }
  }
  return undefined
}
