/**
 * The one visible door past what the types of inputs know: a platform may take more than the SDK has heard of. What goes through it is sent
 * as it is.
 */
import { isRecord } from "effect/Predicate"

/**
 * The field that marks a value. It is data, so that an input with one can be kept as JSON, copied and compared like any other; no body of a
 * platform has a field of this name.
 */
export const mark = "@quartet/raw"

/**
 * A value that is sent as it is: made by `raw`. To the compiler it is no object: so it completes no names beside the fields of a body, and
 * suggests the right one for a misspelt one. It passes as text, which is refused when the call is made.
 * @category models
 */
declare enum Raw {
  // There is no such enumeration when a program runs, so its type alone is exported.
  made = "@quartet/raw"
}

export type { Raw }

/**
 * Passes a value that the types of a call do not know, as it is: a body with other fields, or a word that a filter is
 * not known to take. It is the one door past closed inputs: a body that comes through it may hold any names, also
 * where money moves. Nothing about it is checked but that it can be sent, and the platform decides whether it takes
 * it.
 *
 * @example
 * ```ts
 * import { Input } from "@quartet/sdk/promise"
 *
 * await admin.payments.refund({ id: "p1", payload: Input.raw({ amount: 5, note: "By telephone" }) })
 * await admin.orders.search({ statusIn: ["paid", Input.raw("on_hold")] })
 * ```
 * @category constructors
 */
export const raw = (value: unknown): Raw =>
  // What it is to a program is nobody's concern but this module's.
  ({ [mark]: value }) as unknown as Raw

/** Whether a value came through `raw`. @category guards */
export const isRaw = (value: unknown): value is Raw =>
  isRecord(value) && Object.hasOwn(value, mark) && Object.keys(value).length === 1

/** What is sent of a value: of one that came through `raw`, what is in it. @category getters */
export const sentOf = (value: unknown): unknown => (isRaw(value) ? Object(value)[mark] : value)
