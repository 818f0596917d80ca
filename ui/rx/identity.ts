/** When two questions are the same: by what they ask, not by reference. */
import type { Answer, Bytes } from "../../core/kernel/operation/answer.js"

const ids = /*#__PURE__*/ new WeakMap<object, number>()
let last = 0

/** A number of its own for each object, for as long as it lives. */
export const idOf = (object: object): number => {
  let id = ids.get(object)
  if (id === undefined) {
    last += 1
    id = last
    ids.set(object, id)
  }
  return id
}

const isPlain = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The text of an input, and whether it means the same in another process. */
export interface Canonical {
  readonly text: string
  readonly isPortable: boolean
}

/**
 * One text for equal inputs and different texts for different ones: fields in the order of their names, those that
 * are undefined left out as they are on the wire, Dates by their time. What has no structure to compare (files,
 * functions, instances of classes) counts by identity.
 */
export const canonical = (input: unknown): Canonical => {
  const parents: Array<object> = []
  let isPortable = true
  const byIdentity = (value: object): string => {
    isPortable = false
    return `@${idOf(value)}`
  }
  const inside = (value: object, write: () => string): string => {
    if (parents.includes(value)) return byIdentity(value)
    parents.push(value)
    const text = write()
    parents.pop()
    return text
  }
  const write = (value: unknown): string => {
    switch (typeof value) {
      case "string":
        return JSON.stringify(value)
      case "bigint":
        return `${value}n`
      case "symbol":
        isPortable = false
        return String(value)
      case "function":
        return byIdentity(value)
      case "object":
        break
      default:
        return String(value)
    }
    if (value === null) return "null"
    if (value instanceof Date) return `D${value.getTime()}`
    if (Array.isArray(value)) return inside(value, () => `[${value.map(write).join()}]`)
    if (!isPlain(value)) return byIdentity(value)
    return inside(value, () => {
      const fields = Object.keys(value)
        .filter((name) => value[name] !== undefined)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${write(value[name])}`)
      return `{${fields.join()}}`
    })
  }
  const text = write(input ?? {})
  return { text, isPortable }
}

/** The schema of an answer, as an object whose identity tells one narrowing of a call from another. */
export const schemaOf = (success: Answer<unknown> | Answer<Bytes>): object => {
  if ("page" in success) return success.page.ast
  return "ast" in success ? success.ast : success
}
