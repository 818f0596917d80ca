/**
 * Values that JSON lacks, written so that they can be read back: an input in a key, which TanStack compares as JSON, and an answer
 * on its way from a server, or into a browser's storage. A Date is `{ $date: "2026-…" }`; a field's own `$` is doubled.
 */

import { InputError, secretFieldOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"

/** Writes an object that is neither a list nor plain, nor a Date. */
type WriteFallback = (value: object) => unknown

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's objects are as plain as ours.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Fields that JSON leaves out. */
const isLeftOut = (value: unknown): boolean => /^(undefined|function|symbol)$/.test(typeof value)

const write = (value: unknown, fallback: WriteFallback): unknown => {
  if (typeof value === "bigint") return { $bigint: String(value) }
  if (typeof value === "number") return Number.isFinite(value) ? value : { $number: String(value) }
  if (isLeftOut(value)) return null
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  if (Array.isArray(value)) return value.map((item) => write(item, fallback))
  return isPlain(value) && !("toJSON" in value) ? fields(value, fallback) : fallback(value)
}

const fields = (value: object, fallback: WriteFallback): unknown =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => !isLeftOut(field))
      .map(([name, field]) => [name.startsWith("$") ? `$${name}` : name, write(field, fallback)])
  )

/**
 * What an input means on the wire, as plain JSON: instances of classes by their fields or their `toJSON`. An input that cannot
 * be read has no form of its own: its call is refused by the client.
 */
export const keyOf = (input: unknown): unknown => {
  const fallback: WriteFallback = (value) =>
    "toJSON" in value && typeof value.toJSON === "function"
      ? write(value.toJSON(), fallback)
      : fields(value, fallback)
  try {
    return write(input, fallback)
  } catch {
    return { $unreadable: true }
  }
}

/**
 * An answer as plain JSON, Dates included. Throws InputError for an instance of a class, which a schema of the app's own may
 * have made: it would be read as something else.
 */
export const serializeData = (data: unknown): unknown =>
  write(data, (value) => {
    const rule = `must be plain data to travel, and holds an instance of ${value.constructor?.name ?? "a class"}`
    throw new InputError({ operation: "dehydrate", field: "data", rule })
  })

/** An answer that `serializeData` wrote. */
export const deserializeData = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(deserializeData)
  if (!isRecord(json)) return json
  const { $bigint, $date, $number } = json
  if ($date !== undefined) return new Date(typeof $date === "string" ? $date : Number.NaN)
  if ($bigint !== undefined) return BigInt(String($bigint))
  if ($number !== undefined) return Number($number)
  return Object.fromEntries(
    Object.entries(json).map(([name, field]) => [name.replace(/^\$\$/, "$"), deserializeData(field)])
  )
}

/** What TanStack asks about a query that may travel. */
interface Settled {
  readonly state: { readonly status: string; readonly data: unknown }
}

/** Whether a write that waits for the network may be kept: what it is to be called with holds nothing named like a secret. */
const shouldDehydrateMutation = ({
  state: { isPaused, variables }
}: {
  readonly state: { readonly isPaused: boolean; readonly variables: unknown }
}): boolean =>
  isPaused &&
  Either.getOrElse(
    Either.try(() => secretFieldOf(variables) === undefined),
    () => false
  )

/**
 * How TanStack repeats a query whose promise came from a server before a component has given it options: the promise counts as the
 * first attempt. In a browser the client asks then, once, and repeats what may be repeated; a server leaves it to the browser.
 */
const retry = (failureCount: number): boolean => failureCount < 1 && typeof window !== "undefined"

/** Whether an answer is there and can travel. */
const shouldDehydrateQuery = ({ state: { data, status } }: Settled): boolean => {
  if (status !== "success") return false
  try {
    serializeData(data)
    return true
  } catch {
    return false
  }
}

/**
 * Default options of a TanStack QueryClient with which answers travel as JSON, and Dates as Dates: over server rendering, into persisters
 * and back. An answer that holds instances of classes stays behind, and is asked for again.
 *
 * ```ts
 * new QueryClient({ defaultOptions: { ...hydration, queries: { staleTime: 5_000 } } })
 * ```
 * @category constants
 */
export const hydration = /*#__PURE__*/ Object.freeze({
  dehydrate: /*#__PURE__*/ Object.freeze({ serializeData, shouldDehydrateMutation, shouldDehydrateQuery }),
  hydrate: /*#__PURE__*/ Object.freeze({ deserializeData, queries: /*#__PURE__*/ Object.freeze({ retry }) })
})
