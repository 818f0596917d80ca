/**
 * What a payment says of a refund whose answer was lost. The platform publishes no shape of payments, and what one shows may be the work of
 * others, or of a refund that failed. So both answers need evidence: a refund was made where it alone is what has changed, and all that is
 * said of it agrees; and it was not where nothing at all has changed. Otherwise a person decides.
 */
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

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

/** A sum, or undefined for what is none. */
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** Sums are of hundredths or thousandths, which binary numbers do not add up exactly. */
const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6

type Field = readonly [name: string, value: unknown]

/** The fields of an object, its own and those of all that is in it. */
const fieldsIn = (value: unknown): ReadonlyArray<Field> =>
  typeof value === "object" && value !== null && !(value instanceof Date)
    ? Object.entries(value).flatMap(
        ([name, field]): ReadonlyArray<Field> => [[name, field], ...fieldsIn(field)]
      )
    : []

/** What fields say of a refund that was made. Any other word may mean that it was not. */
const madeWords = new Set(
  "complete completed done executed full fully issued made ok paid partial partially payment processed refund refunded refunds settled succeeded success successful transaction true yes".split(
    " "
  )
)

const saysMade = (value: unknown): boolean =>
  isNothing(value) ||
  String(value)
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .every((word) => word === "" || madeWords.has(word.toLowerCase()))

const namesStatus = /stat(us|e)$|phase|stage|outcome|result$|event$/i
const namesFailure = /fail|error|cancel|reject|declin|denied|void|revers|expir|pending/i
const namesSuccess =
  /^(is|was|has)?[_-]?(succe|complete|approve|ok$|done|settle|paid|processe|made|final|refunded)/i

/** Whether a field leaves no doubt that a refund was made: most fields say nothing of that. */
const isFree = ([name, value]: Field): boolean => {
  if (namesFailure.test(name)) return isNothing(value) || value === false
  if (typeof value === "boolean") return value || !namesSuccess.test(name)
  return !namesStatus.test(name) || typeof value === "object" || saysMade(value)
}

/** A refund that a payment lists. */
interface Listed {
  readonly id: string | undefined
  readonly amount: number | undefined
  readonly reason: string | undefined
  /** Whether nothing that it says leaves in doubt that its money was paid back. */
  readonly isMade: boolean
  readonly currencies: ReadonlyArray<string>
  /** Its texts at any depth: an idempotency key may be among them. */
  readonly texts: ReadonlyArray<unknown>
  /** Whether it names any idempotency key. */
  readonly hasKey: boolean
}

const currenciesIn = (fields: ReadonlyArray<Field>): ReadonlyArray<string> =>
  fields.flatMap(([name, value]) =>
    /currency/i.test(name) && textOf(value) ? [String(value).toLowerCase()] : []
  )

const listedOf = (entry: unknown): Listed => {
  const own: Readonly<Record<string, unknown>> = isRecord(entry) ? entry : { id: entry }
  const { _id, amount, id = _id, kind, reason, type } = own
  const fields = fieldsIn(own)
  return {
    id: textOf(id),
    amount: numberOf(amount),
    reason: textOf(reason),
    isMade:
      fields.every(isFree) &&
      saysMade(type) &&
      saysMade(kind) &&
      (isNothing(amount) || numberOf(amount) !== undefined),
    currencies: currenciesIn(fields),
    texts: fields.map(([, value]) => value),
    hasKey: fields.some(([name, value]) => /idempot/i.test(name) && !isNothing(value))
  }
}

/** What a payment says of its refunds. */
interface Refunds {
  /** What was refunded of it so far. Where no sum is shown: 0 if it says that nothing was, all of it if it says that everything was. */
  readonly sum: number | undefined
  readonly hasSum: boolean
  /** Whether the whole is refunded, by its words. */
  readonly isWhole: boolean
  /** Whether its words say of a refund that it failed, waits, or what nobody knows here. */
  readonly isDoubtful: boolean
  readonly amount: number | undefined
  readonly currencies: ReadonlyArray<string>
  readonly list: ReadonlyArray<Listed> | undefined
}

const sums = ["refundedAmount", "refunded", "amountRefunded", "amount_refunded", "refunded_amount"]

/** Reads a payment by the words and sums that such platforms use. undefined where it says nothing of refunds. */
const refundsOf = (payment: unknown): Refunds | undefined => {
  if (!isRecord(payment)) return undefined
  const { isRefunded, refunded, refundedAt, refunds, state, status = state } = payment
  const amount = numberOf(payment.amount)
  const list = Array.isArray(refunds) ? refunds.map(listedOf) : undefined
  const shown = sums.map((name) => numberOf(payment[name])).find((found) => found !== undefined)
  const word = typeof status === "string" ? status : undefined
  const isWhole = /^(fully[ _-]?)?(refunded|reversed)$/i.test(word ?? "")
  const isMarked =
    refunded === true || isRefunded === true || !isNothing(refundedAt) || /refund|revers/i.test(word ?? "")
  const saysNone = word !== undefined || refunded === false || isRefunded === false || list !== undefined
  if (shown === undefined && !isMarked && !saysNone) return undefined
  const isNone = !isMarked && (list === undefined || list.length === 0)
  const meant = isNone ? 0 : isWhole ? amount : undefined
  const others = Object.entries(payment).filter(
    ([name, value]) => /refund/i.test(name) && namesStatus.test(name) && !saysMade(value)
  )
  return {
    // A sum of 0 of what is marked as refunded is late, or counts something else.
    sum: shown === 0 && !isNone ? undefined : (shown ?? meant),
    hasSum: shown !== undefined,
    isWhole,
    isDoubtful: others.length > 0 || (isMarked && !isWhole && !saysMade(word)),
    amount,
    currencies: currenciesIn(Object.entries(payment)),
    list
  }
}

/** All that a payment says but its dates, in one order. */
const sorted = (value: unknown): unknown => {
  if (value instanceof Date || (typeof value === "string" && dateOf(value) !== undefined)) return null
  if (Array.isArray(value)) return value.map(sorted)
  return isRecord(value)
    ? Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, field]) => [name, sorted(field)])
    : value
}

const printOf = (payment: unknown): string => JSON.stringify(sorted(payment)) ?? ""

/** What is kept of a payment before it is refunded. */
const Baseline = Schema.Struct({
  sum: Schema.optional(Schema.Number),
  /** The ids of the refunds that it lists; one without an id is null. */
  ids: Schema.optional(Schema.Array(Schema.NullOr(Schema.String))),
  /** All that it says but its dates: where that is the same later, nothing has changed. */
  print: Schema.String
})
interface Baseline extends Schema.Schema.Type<typeof Baseline> {}

/** What a payment is compared with once the answer to its refund is lost. */
export const baselineOf = (payment: unknown): Baseline => {
  const found = refundsOf(payment)
  return {
    ...(found?.sum === undefined ? {} : { sum: found.sum }),
    ...(found?.list === undefined ? {} : { ids: found.list.map(({ id }) => id ?? null) }),
    print: printOf(payment)
  }
}

/** The refunds that were not listed before. undefined where that cannot be told. */
const freshOf = (list: ReadonlyArray<Listed>, { ids, sum }: Baseline): ReadonlyArray<Listed> | undefined => {
  // Some list their refunds only once there are any.
  const before = ids ?? (sum === 0 ? [] : undefined)
  if (before === undefined) return undefined
  const kept = list.filter(({ id }) => id !== undefined && before.includes(id))
  return kept.length === before.length ? list.filter((one) => !kept.includes(one)) : undefined
}

/** What a payment says of a refund: that it was made, that it was not, or nothing that could be told apart. */
export const verdictOf = (
  payment: unknown,
  { amount, reason }: Refund,
  key: string,
  baseline: Option.Option<unknown>
): "done" | "not" | "unclear" => {
  const now = refundsOf(payment)
  if (now === undefined) return "unclear"
  const before = Option.getOrUndefined(Option.flatMap(baseline, Schema.decodeUnknownOption(Baseline)))
  const left = now.amount === undefined || before?.sum === undefined ? undefined : now.amount - before.sum
  const wanted = amount ?? left
  const isWanted = (sum: number | undefined): boolean =>
    sum !== undefined && wanted !== undefined && isSame(sum, wanted)
  const isIt = (one: Listed): boolean =>
    one.isMade &&
    (one.amount === undefined || isWanted(one.amount)) &&
    (now.currencies.length === 0 || one.currencies.every((currency) => now.currencies.includes(currency))) &&
    (one.reason === undefined || reason === undefined || one.reason === reason)
  const own = now.list?.find(({ texts }) => texts.includes(key))
  if (own !== undefined) return isIt(own) ? "done" : "unclear"
  if (before === undefined) return "unclear"
  if (before.print === printOf(payment)) {
    // A part of which neither a sum nor a list is shown need not be seen.
    const isSeen = amount === undefined ? now.sum !== undefined : now.hasSum
    return isSeen || now.list !== undefined ? "not" : "unclear"
  }
  const moved = now.sum === undefined || before.sum === undefined ? undefined : now.sum - before.sum
  if (now.list !== undefined) {
    const [one, other] = freshOf(now.list, before) ?? []
    // One with a key that is not this one's is the work of somebody else.
    if (one === undefined || other !== undefined || one.hasKey || !isIt(one)) return "unclear"
    return isWanted(now.hasSum ? moved : one.amount) ? "done" : "unclear"
  }
  // A list that is gone, or sums that cannot be compared. One that becomes refunded as a whole says so without a sum.
  if (now.isDoubtful || (before.ids !== undefined && before.ids.length > 0)) return "unclear"
  if (moved === undefined) return amount === undefined && before.sum === 0 && now.isWhole ? "done" : "unclear"
  return isWanted(moved) ? "done" : "unclear"
}
