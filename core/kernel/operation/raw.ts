/**
 * The one visible door past what the types of inputs know: a platform may take more than the SDK has heard of. What goes through it is sent
 * as it is.
 */
import { isRecord } from "effect/Predicate"

/** Marks a value that came through `raw`. No JSON has it, so what somebody else wrote is never raw; two copies of the SDK agree on it. @category constants */
export const RawValueId: unique symbol = Symbol.for("@quartet/sdk/RawValue")

/** The field under which JSON has a raw value. No body of a platform has a field of this name, and none is sent with it. @category constants */
export const mark = "@quartet/raw"

/**
 * A value that is sent as it is: made by `raw`. To the compiler it is a symbol that can be called, which no value is: so it completes no names
 * beside the fields of a body, the right name is suggested for a misspelt one, and no field for text or numbers takes it.
 * @category models
 */
export type Raw = symbol & (() => never)

/** How JSON writes a raw value. An own function, so that `structuredClone` refuses a raw value: it would lose what is in it. */
function toJSON(this: { readonly [RawValueId]: unknown }): object {
  return { [mark]: this[RawValueId] }
}

/**
 * Passes a value that the types of a call do not know, as it is: a body with other fields, or a word that a filter is
 * not known to take. It is the one door past closed inputs: a body that comes through it may hold any names, also
 * where money moves. Nothing about it is checked but that it can be sent, and the platform decides whether it takes
 * it. Make it where the call is made: what was written as JSON is raw no more, and `structuredClone` refuses it.
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
  ({ [RawValueId]: value, toJSON }) as unknown as Raw

/** Whether a value came through `raw`. @category guards */
export const isRaw = (value: unknown): value is Raw =>
  typeof value === "object" && value !== null && Object.hasOwn(value, RawValueId)

/** What is sent of a value: of one that came through `raw`, what is in it. @category getters */
export const sentOf = (value: unknown): unknown => (isRaw(value) ? Object(value)[RawValueId] : value)

/**
 * The rule that a raw value breaks: what is added to it would not be sent, such as an amount, and of undefined nothing would.
 * @category getters
 */
export const ruleOf = (value: Raw): string | undefined => {
  if (Reflect.ownKeys(Object(value)).length > 2)
    return "must be Input.raw of all fields: what is added to what it gives is not sent"
  return sentOf(value) === undefined
    ? "must not be Input.raw of undefined: leave it out, or pass a value"
    : undefined
}

/** How deep in an input something raw may stand: in a list of a body, or in an object of such a list. */
const deepest = 6

/** The same with some of its parts replaced. What has none of them is the same value. */
const replaced = (value: unknown, replace: (part: object) => unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || depth > deepest) return value
  const part = replace(value)
  if (part !== value) return part
  const inner = (item: unknown): unknown => replaced(item, replace, depth + 1)
  if (Array.isArray(value)) {
    const items = value.map(inner)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).map(([name, item]) => [name, inner(item)] as const)
  return entries.some(([name, item]) => item !== value[name]) ? Object.fromEntries(entries) : value
}

/** An input with what is in its raw values, as it is sent. @category combinators */
export const opened = (input: unknown): unknown => replaced(input, sentOf)

/** An input as data, which can be kept as JSON and copied: `revived` makes it what it was. @category combinators */
export const written = (input: unknown): unknown =>
  replaced(input, (part) => (isRaw(part) ? { [mark]: written(sentOf(part)) } : part))

/**
 * An input that `written` wrote. For what this program has kept itself: whatever of it says that it is raw is raw.
 * @category combinators
 */
export const revived = (input: unknown): unknown =>
  replaced(input, (part) => (Object.hasOwn(part, mark) ? raw(Object(part)[mark]) : part))
