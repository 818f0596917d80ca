/**
 * Values to JSON text without silent changes: what JSON.stringify would turn into null, drop or throw on is refused
 * with its field.
 */
import * as Either from "effect/Either"
import { isPlain, type Refusal } from "../operation/input.js"
import * as Raw from "../operation/raw.js"
import { isDate } from "../operation/schema.js"
import { maxDepth } from "./state.js"

const refusal = (field: string, rule: string): Refusal => ({
  field: field === "" ? "payload" : field,
  rule
})
const inside = (field: string, key: string | number): string =>
  field === "" ? String(key) : `${field}.${key}`

/** The parents of the current object, to detect cycles. */
interface Above {
  readonly value: object
  readonly up: Above | undefined
}

const isAbove = (value: object, above: Above | undefined): boolean => {
  for (let here = above; here !== undefined; here = here.up) if (here.value === value) return true
  return false
}

/** Finds the first part of a value that JSON cannot represent. */
const find = (
  value: unknown,
  field: string,
  above: Above | undefined,
  depth: number
): Refusal | undefined => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined
    case "number":
      return Number.isFinite(value) ? undefined : refusal(field, "must be a finite number")
    case "bigint":
      return refusal(field, "must not be a BigInt: pass it as text")
    case "object":
      return value === null ? undefined : findIn(value, field, above, depth)
    case "undefined":
      return refusal(field, "must not be undefined inside a list: pass null or leave it out")
    default:
      return refusal(field, `must not be a ${typeof value}`)
  }
}

const findIn = (
  value: object,
  field: string,
  above: Above | undefined,
  depth: number
): Refusal | undefined => {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isOwnPlain = prototype === Object.prototype || prototype === null
  if (!isOwnPlain && isDate(value))
    return Number.isFinite(value.getTime()) ? undefined : refusal(field, "must be a valid date")
  if (isAbove(value, above)) return refusal(field, "must not hold itself")
  if (depth >= maxDepth) return refusal(field, `must not be nested more than ${maxDepth} levels deep`)
  if (Raw.RawValueId in value || Raw.mark in value)
    return refusal(field, "must not be Input.raw, nor JSON of it: that passes a body as a whole, or a word")
  const here: Above = { value, up: above }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const refused = find(value[index], inside(field, index), here, depth + 1)
      if (refused !== undefined) return refused
    }
    return undefined
  }
  // A Buffer would write itself as a list of numbers.
  if (!ArrayBuffer.isView(value) && "toJSON" in value && typeof value.toJSON === "function") {
    return find(value.toJSON(), field, here, depth + 1)
  }
  if (!isOwnPlain && !isPlain(value)) {
    return refusal(field, "must be plain data: a plain object, list, text, number, boolean, Date or null")
  }
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record)) {
    const item = record[key]
    if (item === undefined) continue
    const refused = find(item, inside(field, key), here, depth + 1)
    if (refused !== undefined) return refused
  }
  return undefined
}

/** JSON text of a value. Dates are written in ISO form, undefined fields are omitted. */
export const encode = (value: unknown, field: string): Either.Either<string, Refusal> => {
  const refused = find(value, field, undefined, 0)
  if (refused !== undefined) return Either.left(refused)
  // A getter may return another value on each read, so the written text is checked too.
  let isSteady = true
  const text = JSON.stringify(value, (_, item: unknown) => {
    const type = typeof item
    if (type === "function" || type === "symbol" || (type === "number" && !Number.isFinite(item)))
      isSteady = false
    return item
  })
  return isSteady ? Either.right(text) : Either.left(refusal(field, "must not change while it is read"))
}

const number = /-?\d[\d.eE+-]*/y

/** Visits the numbers of a JSON text outside of its strings, until `visit` answers true. One pass. */
export const visitNumbers = (json: string, visit: (token: string, at: number) => boolean): void => {
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 34) inString = !inString
    else if (code === 92) at += 1
    else if (!inString && (code === 45 || (code >= 48 && code <= 57))) {
      number.lastIndex = at
      const token = number.exec(json)?.[0] ?? ""
      if (visit(token, at)) return
      at += Math.max(0, token.length - 1)
    }
  }
}

/** The whole number of a token in any notation; undefined for one with a fraction. */
const wholeOf = (token: string): bigint | undefined => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts.exec(token) ?? []
  const shift = Number(exponent) - fraction.length
  const digits = (whole + fraction).replace(/^0+/, "")
  // Not a regular expression: on zeros before the end of the text it would take quadratic time.
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1
  const significant = digits.slice(0, end)
  // The integer digits without trailing zeros. A finite number has at most 309 digits.
  const zeros = digits.length - end + shift
  if (zeros < 0 || significant.length + zeros > 400) return undefined
  return BigInt(`${sign}${significant === "" ? "0" : significant}${"0".repeat(zeros)}`)
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** A whole number that would be written differently from the source, or any number that is too large. */
const isLossy = (token: string): boolean => {
  const value = Number(token)
  if (!Number.isFinite(value)) return true
  if (Math.abs(value) < 2 ** 53) return false
  const whole = wholeOf(token)
  // The shortest form counts: 1e300 is written as it was read, although its value is not exactly a power of ten.
  return whole !== undefined && whole !== BigInt(value) && whole !== wholeOf(String(value))
}

/** Finds a number in JSON text that a JavaScript number would change, or undefined. */
export const findLossy = (json: string): string | undefined => {
  let lossy: string | undefined
  visitNumbers(json, (token) => {
    if (isLossy(token)) lossy = token
    return lossy !== undefined
  })
  return lossy
}

/**
 * A whole number that would change, or any in plain digits beyond ±2⁵³, so that the numbers of one field keep one type.
 */
const isBeyond = (token: string): boolean =>
  isLossy(token) || (/^-?\d{16,}$/.test(token) && Math.abs(Number(token)) > 2 ** 53)

/** The kind of such a number, for messages. */
export const beyond = "a whole number beyond ±2⁵³"

/** A name in a path. Text that does not look like a name is data and is hidden. */
const named = (path: string, name: string): string => {
  const shown = /^[A-Za-z_$][\w$-]{0,63}$/.test(name) ? name : "*"
  return path === "" ? shown : `${path}.${shown}`
}

/** Calls `report` with each path at which two values that were read from one JSON text differ. */
const compare = (
  left: unknown,
  right: unknown,
  path: string,
  depth: number,
  report: (path: string) => void
): void => {
  if (typeof left !== "object" || left === null || depth > maxDepth) {
    if (typeof left !== typeof right) report(path)
    return
  }
  for (const key of Object.keys(left)) {
    const next = Array.isArray(left) ? `${path}[]` : named(path, key)
    compare(Reflect.get(left, key), Reflect.get(Object(right), key), next, depth + 1, report)
  }
}

/**
 * JSON whose whole numbers beyond ±2⁵³ are read as their decimal text, and the paths of these, each once. Undefined if
 * the text holds none. The text must be valid JSON.
 */
export const parse = (
  json: string
): { readonly value: unknown; readonly paths: ReadonlyArray<string> } | undefined => {
  const pieces: Array<string> = []
  let end = 0
  visitNumbers(json, (token, at) => {
    if (isBeyond(token)) {
      pieces.push(json.slice(end, at), `"${token}"`)
      end = at + token.length
    }
    return false
  })
  if (pieces.length === 0) return undefined
  const value: unknown = JSON.parse(pieces.join("") + json.slice(end))
  const paths = new Set<string>()
  compare(JSON.parse(json), value, "", 0, (path) => paths.add(path))
  return { value, paths: [...paths] }
}

/** The paths of the numbers in a value from ±2⁵³ on, for use when the source text is gone. */
export const pathsBeyond = (value: unknown): ReadonlyArray<string> => {
  const paths = new Set<string>()
  const look = (part: unknown, path: string, depth: number): void => {
    if (typeof part === "number") {
      if (Math.abs(part) > Number.MAX_SAFE_INTEGER) paths.add(path)
    } else if (typeof part === "object" && part !== null && depth <= maxDepth) {
      for (const key of Object.keys(part)) {
        const next = Array.isArray(part) ? `${path}[]` : named(path, key)
        look(Reflect.get(part, key), next, depth + 1)
      }
    }
  }
  look(value, "", 0)
  return [...paths]
}
