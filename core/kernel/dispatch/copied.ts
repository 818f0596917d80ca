/** How an input is kept that several calls are made with. */
import { isPlain } from "../operation/input.js"
import * as Raw from "../operation/raw.js"
import { isDate } from "../operation/schema.js"

/** A copy of plain data, so that the caller's later changes do not affect later calls. */
export const copied = (value: unknown, copies = new Map<object, unknown>()): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (isDate(value)) return new Date(value)
  if (Raw.isRaw(value)) return Raw.raw(copied(Raw.sentOf(value), copies))
  const isRecord = !Array.isArray(value)
  // A value with its own encoding is kept, and one with hidden fields, which are refused.
  if ((isRecord && !isPlain(value)) || "toJSON" in value) return value
  if (isRecord && Object.getOwnPropertyNames(value).length > Object.keys(value).length) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy: Array<unknown> | Record<string, unknown> = Array.isArray(value) ? [] : Object.create(null)
  copies.set(value, copy)
  for (const [name, item] of Object.entries(value)) Object.assign(copy, { [name]: copied(item, copies) })
  return copy
}
