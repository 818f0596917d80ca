/**
 * What a payment says of a refund whose answer was lost. The platform publishes no shape of payments, and what one shows may be the work of
 * others, or of a refund that failed. So a verdict needs evidence: a refund was made where a sum or a list of refunds shows it and it explains all
 * that has changed, and was not made where nothing has changed of a payment that shows its refunds. What is not known here explains nothing.
 * Otherwise a person decides.
 */

import { Dates } from "@quartet/sdk/extend"
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"

/** A payment to refund. @category models */
export interface Refund {
  readonly id: string
  /** The whole by default. */
  readonly amount: number | undefined
  readonly reason: string | undefined
}

/** A payment as it is read. `events` is undefined where the platform has none, or does not show them. @category models */
export interface Reading {
  readonly payment: unknown
  readonly events: ReadonlyArray<unknown> | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

/** A number, or undefined for what is none. */
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** Whether a sum is the wanted one: binary numbers do not add up hundredths exactly. */
const isSum = (sum: number | undefined, wanted: number): boolean =>
  sum !== undefined && wanted > 0 && Math.abs(sum - wanted) <= Math.min(wanted, 1) * 1e-6

/** A date as text, or in seconds or milliseconds since 1970. */
const isDate = (value: unknown): boolean =>
  typeof value === "string"
    ? Dates.parse(value) !== undefined
    : Number.isInteger(value) && Number(value) > 1e9

/** A name without its style: `refunded_amount` and `refundedAmount` are one. */
const plainName = (name: string): string => name.replace(/[_ -]/g, "").toLowerCase()

/** A value as text, in which the order of fields says nothing: equal texts are equal values. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    isRecord(field)
      ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
      : field
  ) ?? ""

const isSame = (self: unknown, that: unknown): boolean => textOf(self) === textOf(that)

/** The words of a text: `refund.succeeded`, `REFUND_SUCCEEDED` and `refundSucceeded` have the same. None of one with other signs. */
const wordsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" && /^[\p{L}\p{N}._ -]+$/u.test(value)
    ? value.split(/[._ -]+|(?<=[a-z])(?=[A-Z])/).flatMap((word) => (word === "" ? [] : [word.toLowerCase()]))
    : []

/** The words that say of a refund that it was made. */
const madeWords = new Set(
  "complete completed done executed made paid processed refunded settled succeeded success successful".split(
    " "
  )
)
const refundWords = new Set(["refund", "refunded"])
/** Those beside them that say nothing else. With any other it may have failed, or wait. */
const plainWords = new Set(["full", "fully", "partial", "partially", "payment"])

/** Whether one word of a text is of these, and no word leaves a doubt. */
const says = (value: unknown, words: ReadonlySet<string>): boolean => {
  const said = wordsOf(value)
  return (
    said.some((word) => words.has(word)) &&
    said.every((word) => [madeWords, refundWords, plainWords].some((known) => known.has(word)))
  )
}

const states = new Set(["status", "state"])
const kinds = new Set(["type", "kind", "event", "object"])
const sums = new Set(["refundedamount", "amountrefunded", "totalrefunded"])
const lefts = new Set(["refundableamount", "amountrefundable"])
const flags = new Set(["refunded", "isrefunded"])

/** The values of the fields that have one of these names. */
const valuesOf = (fields: Fields, names: ReadonlySet<string>): ReadonlyArray<unknown> =>
  Object.entries(fields).flatMap(([name, value]) => (names.has(plainName(name)) ? [value] : []))

/** The refund that is looked for. */
interface Wanted extends Refund {
  readonly key: string
  /** What it comes to. NaN where the payment does not say what is left of it. */
  readonly sum: number
  /** Whether nothing is left of the payment after it. */
  readonly isRest: boolean
  readonly currency: unknown
}

/** Whether a field of a listed refund, or of an event, is known here and is as one of this refund. */
const isOfRefund = (name: string, value: unknown, wanted: Wanted): boolean => {
  const plain = plainName(name)
  if (value === wanted.key) return true
  if (isRecord(value)) return /^(meta(data)?|request)$/.test(plain) && areOfRefund(value, wanted)
  if (states.has(plain)) return says(value, madeWords)
  if (kinds.has(plain)) return says(value, refundWords)
  switch (plain) {
    case "id":
      return !isNothing(value)
    case "amount":
      return isSum(numberOf(value), wanted.sum)
    case "currency":
    case "currencycode":
      return textOf(value).toLowerCase() === textOf(wanted.currency).toLowerCase()
    case "success":
    case "succeeded":
    case "ok":
      return value === true
    case "error":
    case "failed":
    case "failure":
      return isNothing(value) || value === false
    case "reason":
      return isNothing(value) || value === wanted.reason
    case "paymentid":
    case "transactionid":
      return value === wanted.id
    default:
      return /^(created|updated|refunded)?(at|on|date|time|timestamp)?$/.test(plain) && isDate(value)
  }
}

const areOfRefund = (fields: Fields, wanted: Wanted): boolean =>
  Object.entries(fields).every(([name, value]) => isOfRefund(name, value, wanted))

/** What is kept of a payment before it is refunded. */
const Baseline = Schema.Struct({
  payment: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** What was refunded of it so far, where that is known. */
  refunded: Schema.optional(Schema.Number),
  /** A hash of each event. */
  events: Schema.optional(Schema.Array(Schema.Number))
})
interface Baseline extends Schema.Schema.Type<typeof Baseline> {}

/**
 * What was refunded so far: a sum above 0 that is shown, or nothing where the payment and its events have no other word of refunds. undefined
 * where that contradicts itself.
 */
const refundedOf = (payment: Fields, events: ReadonlyArray<unknown> = []): number | undefined => {
  const [shown] = valuesOf(payment, sums).filter((sum) => !isNothing(sum))
  const sum = numberOf(shown)
  if (shown !== undefined && sum !== 0) return sum
  const said = Object.entries(payment).filter(
    ([name, value]) =>
      !sums.has(plainName(name)) && !isNothing(value) && value !== false && !isSame(value, [])
  )
  return /refund(?!able)|revers/i.test(textOf([said, events])) ? undefined : 0
}

const hashOf = (value: unknown): number => Hash.string(textOf(value))

/** A reading as JSON has it, in which it is kept. */
interface Read extends Reading {
  readonly payment: Fields
}

/** undefined for what is no payment. */
const readOf = (reading: Reading): Read | undefined => {
  const text = JSON.stringify(reading, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
  const { events, payment }: Reading = JSON.parse(text)
  return isRecord(payment) ? { payment, events } : undefined
}

const noteOf = ({ events, payment }: Read): Baseline => {
  const refunded = refundedOf(payment, events)
  return {
    payment,
    ...(refunded === undefined ? {} : { refunded }),
    ...(events === undefined ? {} : { events: events.map(hashOf) })
  }
}

/** What a payment is compared with once the answer to its refund is lost. undefined for what is no payment. */
export const baselineOf = (reading: Reading): Baseline | undefined => {
  const read = readOf(reading)
  return read && noteOf(read)
}

/** The entries that were not there before, by what is kept of each. undefined where one that was there is gone, or another. */
const freshOf = <A>(
  before: ReadonlyArray<A>,
  now: ReadonlyArray<unknown>,
  kept: (entry: unknown) => A
): ReadonlyArray<unknown> | undefined => {
  const left = [...before]
  const fresh = now.filter((entry) => {
    const at = left.indexOf(kept(entry))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return left.length === 0 ? fresh : undefined
}

const listOf = (payment: Fields): ReadonlyArray<unknown> | undefined =>
  Array.isArray(payment.refunds) ? payment.refunds : undefined

/** Whether a refund of this payment would be seen in it. A list that is not empty need not be the whole list. */
const isShown = ({ payment, refunded }: Baseline, { amount }: Refund): boolean =>
  refunded !== undefined &&
  (valuesOf(payment, sums).some((sum) => numberOf(sum) !== undefined) ||
    listOf(payment)?.length === 0 ||
    (amount === undefined && valuesOf(payment, flags).includes(false)))

/** What a change of a payment's field is: the sum, which is evidence of the refund, what goes along with one, or neither. */
type Change = "sum" | "along" | "other"

/** Reads the change of one field. */
const changeOf = (name: string, was: unknown, is: unknown, { isRest, sum }: Wanted): Change => {
  const plain = plainName(name)
  const moved = Number(numberOf(is)) - Number(numberOf(was))
  if (sums.has(plain)) return isSum(moved, sum) ? "sum" : "other"
  if (lefts.has(plain)) return isSum(-moved, sum) ? "along" : "other"
  if (flags.has(plain)) return is === true && isRest ? "along" : "other"
  const words = isRest ? /^(fully )?refunded$/ : /^(partially refunded|partial refund)$/
  if (states.has(plain)) return words.test(wordsOf(is).join(" ")) ? "along" : "other"
  if (/^(updated|modified|changed|(last)?refunded)(at|on|date|time)$/.test(plain))
    return isDate(is) ? "along" : "other"
  return /^(v|version|revision)$/.test(plain) && moved > 0 ? "along" : "other"
}

/** Whether this refund, and nothing else, explains how a payment has changed. */
const explains = (before: Baseline, now: Baseline, events: Reading["events"], wanted: Wanted): boolean => {
  const [had, has] = [listOf(before.payment), listOf(now.payment)]
  const names = [...new Set([...Object.keys(before.payment), ...Object.keys(now.payment)])]
  const changes = names.flatMap((name) => {
    const [was, is] = [before.payment[name], now.payment[name]]
    return (name === "refunds" && had && has) || isSame(was, is) ? [] : [changeOf(name, was, is, wanted)]
  })
  const refunds = freshOf((had ?? []).map(textOf), has ?? [], textOf)
  const noted = freshOf(before.events ?? [], events ?? [], hashOf)
  // What could not be read before may have been there.
  if (!refunds || !noted || changes.includes("other") || (before.events === undefined && noted.length > 0))
    return false
  if (refunds.length !== (has === undefined ? 0 : 1) || noted.length > 1) return false
  const areIts = [...refunds, ...noted].every((entry) => isRecord(entry) && areOfRefund(entry, wanted))
  const isNoted = noted.every(
    (event) => isRecord(event) && valuesOf(event, kinds).some((kind) => says(kind, refundWords))
  )
  const hasSum = [before, now].some(({ payment }) => valuesOf(payment, sums).some((sum) => !isNothing(sum)))
  const isListed = refunds.some((entry) => isRecord(entry) && isSum(numberOf(entry.amount), wanted.sum))
  return areIts && isNoted && (hasSum ? changes.includes("sum") : isListed)
}

/** What a payment says of a refund: that it was made, that it was not, or nothing that could be told apart. */
export const verdictOf = (
  reading: Reading,
  refund: Refund,
  key: string,
  baseline: Option.Option<unknown>
): "done" | "not" | "unclear" => {
  const read = readOf(reading)
  const before = Option.getOrUndefined(Option.flatMap(baseline, Schema.decodeUnknownOption(Baseline)))
  if (read === undefined || before === undefined) return "unclear"
  const now = noteOf(read)
  if (isSame(before, now)) return isShown(now, refund) ? "not" : "unclear"
  const { amount: total, currency } = now.payment
  const rest = Number(numberOf(total)) - Number(before.refunded)
  const sum = refund.amount ?? rest
  const wanted: Wanted = { ...refund, key, currency, sum, isRest: isSum(rest, sum) }
  const isOneCurrency = Object.entries(now.payment).every(
    ([name, value]) => !/refund.*currency/i.test(name) || isNothing(value) || isSame(value, currency)
  )
  return isOneCurrency && explains(before, now, read.events, wanted) ? "done" : "unclear"
}
