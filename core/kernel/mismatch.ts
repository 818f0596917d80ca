/**
 * What an answer is allowed to have otherwise than its operation declares it: the value stays as it came, and the
 * place, what was expected and the kind of what came are noted.
 */
import { type Mismatch, revive, type State, wrong } from "./walk.js"

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
