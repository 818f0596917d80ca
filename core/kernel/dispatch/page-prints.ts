/** Hashes by which a page, and each of its items, is known again. */
import { isRecord } from "effect/Predicate"
import { halves, joined } from "../codec/hash.js"

/** A distinguishable form of values that JSON lacks. */
const plain = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/** Fields that identify an item, most specific first. */
const ids = ["_id", "id", "key", "uuid"]

const isId = (value: unknown): boolean => /^(string|number|bigint)$/.test(typeof value) && value !== ""

/** The id of an item, if it has such a field: text or a whole number. */
const idOf = (item: unknown): string | undefined => {
  if (!isRecord(item)) return undefined
  const name = ids.find((id) => Object.hasOwn(item, id) && isId(item[id]))
  return name === undefined ? undefined : `${name} ${item[name]}`
}

/** The hashes of a page, numbers of 53 bits. */
interface Prints {
  /** Identifies the page by its items, in any order. */
  readonly page: number
  readonly items: ReadonlyArray<number>
  /** Whether the items are known by their ids: one that comes twice is the same one. */
  readonly hasIds: boolean
  /** Whether no other page can look the same. Identical items without ids may occur again. */
  readonly isTelling: boolean
}

/**
 * An item with an id is identified by it, so that a server that puts the time into its answers is detected too; any
 * other item by all its content.
 */
export const printsOf = (items: ReadonlyArray<unknown>): Prints => {
  let high = items.length
  let low = 0
  const known = items.map(idOf).filter((id) => id !== undefined)
  // A field with the same value in two items identifies neither: `{ id: "USD", at: … }`.
  const hasIds =
    known.length > 0 && (new Set(known).size === known.length || known[0]?.startsWith("_id ") === true)
  const prints = items.map((item) => {
    const [itemHigh, itemLow] = halves((hasIds ? idOf(item) : undefined) ?? JSON.stringify(item, plain) ?? "")
    high = (high + itemHigh) >>> 0
    low = (low + itemLow) >>> 0
    return joined([itemHigh, itemLow])
  })
  const isVaried = items.length > 1 && new Set(prints).size === items.length
  return { page: joined([high, low]), items: prints, hasIds, isTelling: hasIds || isVaried }
}
