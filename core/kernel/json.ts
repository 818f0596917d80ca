/**
 * Values to JSON text without silent changes: what JSON.stringify would turn into null, drop or throw over is refused
 * with its field.
 */
import * as Either from "effect/Either"
import type { Refusal } from "./input.js"
import { maxDepth } from "./walk.js"

const refusal = (field: string, rule: string): Refusal => ({ field: field === "" ? "payload" : field, rule })
const inside = (field: string, key: string | number): string =>
  field === "" ? String(key) : `${field}.${key}`

/** The objects above the present one, to notice cycles. */
interface Above {
  readonly value: object
  readonly up: Above | undefined
}

const isAbove = (value: object, above: Above | undefined): boolean => {
  for (let here = above; here !== undefined; here = here.up) if (here.value === value) return true
  return false
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Finds the first thing in a value that JSON cannot say. */
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
  if (value instanceof Date)
    return Number.isFinite(value.getTime()) ? undefined : refusal(field, "must be a valid date")
  if (isAbove(value, above)) return refusal(field, "must not hold itself")
  if (depth >= maxDepth) return refusal(field, `must not be nested more than ${maxDepth} levels deep`)
  const here: Above = { value, up: above }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = find(value[index], inside(field, index), here, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return find(value.toJSON(), field, here, depth + 1)
  }
  if (!isPlain(value)) {
    return refusal(field, "must be plain data: a plain object, list, text, number, boolean, Date or null")
  }
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record)) {
    const item = record[key]
    if (item === undefined) continue
    const found = find(item, inside(field, key), here, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** JSON text of a value. Dates are written in ISO form, fields that are undefined are left out. */
export const encode = (value: unknown, field: string): Either.Either<string, Refusal> => {
  const found = find(value, field, undefined, 0)
  if (found !== undefined) return Either.left(found)
  // A getter may say something else when it is read again: what is written is looked at once more.
  let isSteady = true
  const text = JSON.stringify(value, (_, item: unknown) => {
    const type = typeof item
    if (type === "function" || type === "symbol" || (type === "number" && !Number.isFinite(item)))
      isSteady = false
    return item
  })
  return isSteady ? Either.right(text) : Either.left(refusal(field, "must not change while it is read"))
}
