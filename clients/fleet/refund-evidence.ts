/**
 * What a payment says of a refund whose answer was lost. The platform publishes no shape of payments, and what one shows may be the work of
 * others, or of a refund that failed. So a verdict needs evidence: a refund was made where it explains all that has changed, and was not made
 * where nothing has changed of a payment that shows its refunds. What is not known here explains nothing. Otherwise a person decides.
 */
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"
import { parse as dateOf } from "../../core/kernel/codec/dates.js"

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
const isSum = (sum: number | undefined, wanted: number | undefined): boolean =>
  sum !== undefined && wanted !== undefined && wanted > 0 && Math.abs(sum - wanted) <= wanted * 1e-6

/** A date as text, or in seconds or milliseconds since 1970. */
const isDate = (value: unknown): boolean =>
  typeof value === "string" ? dateOf(value) !== undefined : Number.isInteger(value) && Number(value) > 1e9

/** A name without its style: `refunded_amount` and `refundedAmount` are one. */
const plainName = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase()

/** A value as text, in which the order of fields says nothing: equal texts are equal values. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    isRecord(field)
      ? Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)))
      : field
  ) ?? ""

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other)

/** The words of a text: `refund.succeeded`, `REFUND_SUCCEEDED` and `refundSucceeded` have the same. */
const wordsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? value
        .split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u)
        .flatMap((word) => (word === "" ? [] : [word.toLowerCase()]))
    : []

/** The words that say of a refund that it was made. With any other it may have failed, or wait. */
const madeWords = new Set(
  "complete completed done executed full fully made ok paid partial partially payment processed refund refunded refunds settled succeeded success successful transaction".split(
    " "
  )
)

const saysMade = (value: unknown): boolean => {
  const words = wordsOf(value)
  return words.length > 0 && words.every((word) => madeWords.has(word))
}

const saysRefund = (value: unknown): boolean =>
  saysMade(value) && wordsOf(value).some((word) => word.startsWith("refund"))

const states = new Set(["status", "state", "outcome"])
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
  /** What it comes to. undefined where the payment does not say what the whole is. */
  readonly sum: number | undefined
  readonly currency: unknown
}

/** Whether a field of a listed refund, or of an event, is known here and is as one of this refund. */
const isOfRefund = (name: string, value: unknown, wanted: Wanted): boolean => {
  if (value === wanted.key) return true
  if (isRecord(value)) return areOfRefund(value, wanted)
  const plain = plainName(name)
  if (states.has(plain)) return saysMade(value)
  if (kinds.has(plain)) return saysRefund(value)
  switch (plain) {
    case "id":
      return !isNothing(value)
    case "amount":
      return isSum(numberOf(value), wanted.sum ?? numberOf(value))
    case "currency":
    case "currencycode":
      return (
        isNothing(wanted.currency) || textOf(value).toLowerCase() === textOf(wanted.currency).toLowerCase()
      )
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
      return (
        /^(created|updated|refunded|processed|completed|succeeded|settled)?(at|on|date|time|timestamp)?$/.test(
          plain
        ) && isDate(value)
      )
  }
}

const areOfRefund = (fields: Fields, wanted: Wanted): boolean =>
  Object.entries(fields).every(([name, value]) => isOfRefund(name, value, wanted))

/** Whether a listed refund, or an event, is of this refund in all that it says. */
const isOfIt = (entry: unknown, wanted: Wanted): entry is Fields =>
  isRecord(entry) && areOfRefund(entry, wanted)

/** Whether a value holds a text, at any depth. */
const mentions = (value: unknown, text: string): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some((field) => mentions(field, text))
    : value === text

/** What is kept of a payment before it is refunded. */
const Baseline = Schema.Struct({
  payment: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** What was refunded of it so far, where that is known. */
  refunded: Schema.optional(Schema.Number),
  /** A hash of each event. */
  events: Schema.optional(Schema.Array(Schema.Number))
})
interface Baseline extends Schema.Schema.Type<typeof Baseline> {}

/** What was refunded so far: as a sum is shown, or nothing where neither the payment nor an event has a word of refunds. */
const refundedOf = (payment: Fields, events: ReadonlyArray<unknown> = []): number | undefined => {
  const [shown] = valuesOf(payment, sums).filter((sum) => !isNothing(sum))
  if (shown !== undefined) return numberOf(shown)
  const said = Object.entries(payment).filter(
    ([, value]) => !isNothing(value) && value !== false && !isSame(value, [])
  )
  return /refund|revers/i.test(textOf([said, events])) ? undefined : 0
}

const hashOf = (value: unknown): number => Hash.string(textOf(value))

/** A reading as it is kept: as JSON. undefined for what is no payment. */
const keptOf = (
  reading: Reading
): { readonly payment: Fields; readonly events: Reading["events"] } | undefined => {
  const text = JSON.stringify(reading, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value
  )
  const { events, payment }: Reading = JSON.parse(text)
  return isRecord(payment) ? { payment, events } : undefined
}

/** What a payment is compared with once the answer to its refund is lost. undefined for what is no payment. */
export const baselineOf = (reading: Reading): Baseline | undefined => {
  const kept = keptOf(reading)
  if (kept === undefined) return undefined
  const { events, payment } = kept
  const refunded = refundedOf(payment, events)
  return {
    payment,
    ...(refunded === undefined ? {} : { refunded }),
    ...(events === undefined ? {} : { events: events.map(hashOf) })
  }
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

/** Whether a refund of this payment would be seen in it: a part of which no sum and no list is shown need not be. */
const isShown = (payment: Fields, events: ReadonlyArray<unknown> | undefined, { amount }: Refund): boolean =>
  valuesOf(payment, sums).some((sum) => numberOf(sum) !== undefined) ||
  listOf(payment) !== undefined ||
  (events ?? []).some((event) => isRecord(event) && valuesOf(event, kinds).some(saysRefund)) ||
  (amount === undefined && valuesOf(payment, flags).some((flag) => typeof flag === "boolean"))

/** What a change of a payment's field is: its sum or its word for the whole, which are evidence, what goes along with a refund, or neither. */
type Change = "sum" | "whole" | "along" | "other"

/** Reads the change of one field. `isRest` says whether nothing is left of the payment after the refund. */
const changeOf = (
  name: string,
  was: unknown,
  is: unknown,
  before: Baseline,
  wanted: Wanted,
  isRest: boolean
): Change => {
  const plain = plainName(name)
  const [from, to] = [numberOf(was), numberOf(is)]
  if (sums.has(plain)) {
    const start = from ?? before.refunded
    const moved = to === undefined || start === undefined ? undefined : to - start
    return isSum(moved, wanted.sum) ? "sum" : "other"
  }
  if (lefts.has(plain))
    return from !== undefined && to !== undefined && isSum(from - to, wanted.sum) ? "along" : "other"
  // The whole needs no sum: what says that it is refunded now, and was not before, is enough.
  const whole = wanted.amount === undefined && before.refunded === 0 ? "whole" : "along"
  if (flags.has(plain)) return is === true && isRest ? whole : "other"
  const words = wordsOf(is).join(" ")
  if (states.has(plain) && isRest) return /^(fully )?refunded$/.test(words) ? whole : "other"
  if (states.has(plain)) return /^(partially refunded|partial refund)$/.test(words) ? "along" : "other"
  if (/^(updated|modified|changed|(last)?refunded)(at|on|date|time)$/.test(plain))
    return isDate(is) ? "along" : "other"
  return /^(v|version|revision)$/.test(plain) && Number(is) > Number(was) ? "along" : "other"
}

/** Whether this refund, and nothing else, explains how a payment has changed. */
const explains = (before: Baseline, now: Baseline, events: Reading["events"], wanted: Wanted): boolean => {
  const left = numberOf(now.payment.amount)
  const isRest =
    wanted.amount === undefined ||
    (left !== undefined && before.refunded !== undefined && isSum(left - before.refunded, wanted.amount))
  const names = [...new Set([...Object.keys(before.payment), ...Object.keys(now.payment)])]
  const changes = names.flatMap((name) => {
    const [was, is] = [before.payment[name], now.payment[name]]
    const isList = name === "refunds" && (Array.isArray(was) || Array.isArray(is))
    return isList || isSame(was, is) ? [] : [changeOf(name, was, is, before, wanted, isRest)]
  })
  const list = listOf(now.payment)
  // Some list their refunds only once there are any.
  const listed = listOf(before.payment) ?? (list === undefined || before.refunded === 0 ? [] : undefined)
  const refunds = listed && freshOf(listed.map(textOf), list ?? [], textOf)
  const noted = freshOf(before.events ?? [], events ?? [], hashOf)
  if (!refunds || !noted || refunds.length !== (list === undefined ? 0 : 1) || noted.length > 1) return false
  if (changes.includes("other") || ![...refunds, ...noted].every((entry) => isOfIt(entry, wanted)))
    return false
  const isNoted = noted.every((event) => isRecord(event) && valuesOf(event, kinds).some(saysRefund))
  const isListed = [...refunds, ...noted].some(
    (entry) => isRecord(entry) && isSum(numberOf(entry.amount), wanted.sum)
  )
  const hasSum = [before, now].some(({ payment }) => valuesOf(payment, sums).some((sum) => !isNothing(sum)))
  return isNoted && (hasSum ? changes.includes("sum") : isListed || changes.includes("whole"))
}

/** Whether a listed refund, or an event, says that it was made, and how much. */
const isProof = (entry: Fields, { sum }: Wanted): boolean =>
  [...valuesOf(entry, states), ...valuesOf(entry, kinds)].some(saysMade) &&
  isSum(numberOf(entry.amount), sum ?? numberOf(entry.amount))

/** What a payment says of a refund: that it was made, that it was not, or nothing that could be told apart. */
export const verdictOf = (
  reading: Reading,
  refund: Refund,
  key: string,
  baseline: Option.Option<unknown>
): "done" | "not" | "unclear" => {
  const [now, events] = [baselineOf(reading), keptOf(reading)?.events]
  if (now === undefined) return "unclear"
  const before = Option.getOrUndefined(Option.flatMap(baseline, Schema.decodeUnknownOption(Baseline)))
  const { amount: total, currency } = now.payment
  const rest = (numberOf(total) ?? Number.NaN) - (before?.refunded ?? Number.NaN)
  const wanted: Wanted = { ...refund, key, currency, sum: refund.amount ?? (rest > 0 ? rest : undefined) }
  const own = [...(listOf(now.payment) ?? []), ...(events ?? [])].filter((entry) => mentions(entry, key))
  if (own.length > 0)
    return own.every((entry) => isOfIt(entry, wanted)) &&
      own.some((entry) => isOfIt(entry, wanted) && isProof(entry, wanted))
      ? "done"
      : "unclear"
  if (before === undefined) return "unclear"
  if (isSame(before, now)) return isShown(now.payment, events, refund) ? "not" : "unclear"
  const isOneCurrency = Object.entries(now.payment).every(
    ([name, value]) => !/currency/i.test(name) || isNothing(value) || isSame(value, currency)
  )
  return isOneCurrency && explains(before, now, events, wanted) ? "done" : "unclear"
}
