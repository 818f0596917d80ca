/** A ready job that refunds a batch of payments. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isRecord, isTagged } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { numberOf as numberOfCell } from "../../adapters/csv/numbers.js"
import { delimited, type Format, judgedRows, type Rule, unique } from "../../adapters/fleet/rows.js"
import { FleetError } from "../../adapters/fleet/store.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { type CallError, InputError } from "../../core/kernel/errors/errors.js"
import type * as Admin from "../admin/client.js"
import * as Payments from "../admin/payments.js"
import type { UnknownContext } from "./definition.js"
import { FileInput, keyOf } from "./file.js"
import type { Work } from "./import.js"
import { type Job, make } from "./job.js"

/** A payment to refund. @category models */
export interface Refund {
  readonly id: string
  /** The whole by default. */
  readonly amount: number | undefined
  readonly reason: string | undefined
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

/** A number above 0, or the text of one without spaces, signs and thousands, which mean different things in different places. */
const amountOf = (value: unknown): number | undefined => {
  const amount =
    typeof value === "string" && /^\d+(\.\d+)?$/.test(value)
      ? Either.getOrUndefined(numberOfCell(value))
      : value
  return typeof amount === "number" && Number.isFinite(amount) && amount > 0 ? amount : undefined
}

const columns = ["_id", "id", "amount", "reason"]

/**
 * Reads a row: `id` (or `_id`), and where they are given `amount` and `reason`. Other fields are refused: where `Amount` is overlooked, the whole
 * would be refunded.
 */
export const refundOf = (name: string, row: unknown): Either.Either<Refund, InputError> => {
  const refuse = (field: string, rule: string) =>
    Either.left(new InputError({ operation: name, field: `row.${field}`, rule }))
  const fields: Readonly<Record<string, unknown>> = isRecord(row) ? row : {}
  const other = Object.keys(fields).find((field) => !columns.includes(field))
  if (other !== undefined) return refuse(other, "is none of a refund's: id, amount and reason")
  const { _id, amount = "", id = _id, reason = "" } = fields
  if (_id !== undefined && id !== _id) return refuse("id", "is another one than its _id: give one of them")
  if (typeof id !== "string" || id === "") return refuse("id", "must be the id of a payment as text")
  // A cell that is empty is none. What is null may be a sum that was lost on the way.
  const asked = amount === "" ? undefined : amountOf(amount)
  if (asked === undefined && amount !== "") return refuse("amount", "must be a number above 0, such as 12.50")
  if (typeof reason !== "string") return refuse("reason", "must be text")
  return Either.right({ id, amount: asked, reason: reason === "" ? undefined : reason })
}

/** The input of `payments.refund`. */
export const inputOf = ({ amount, id, reason }: Refund) => {
  const payload = {
    ...(amount === undefined ? {} : { amount }),
    ...(reason === undefined ? {} : { reason })
  }
  return Object.keys(payload).length === 0 ? { id } : { id, payload }
}

/** A sum, or undefined for what is none. */
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** Sums are of hundredths or thousandths, which binary numbers do not add up exactly. */
const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6

/** A refund that a payment lists. */
interface Listed {
  readonly id: string | undefined
  readonly amount: number | undefined
  readonly reason: string | undefined
  /** Whether its money was paid back, by its words and sum: one that failed, waits, or says what nobody knows here, is not. */
  readonly isMade: boolean
  readonly currency: string | undefined
  /** Its texts, its own and one level down: an idempotency key may be among them. */
  readonly texts: ReadonlyArray<string>
  /** Whether it names any idempotency key. */
  readonly hasKey: boolean
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** What fields say of a refund that was made. Any other word may mean that it was not. */
const madeWords = new Set(
  "complete completed done executed full fully issued made ok paid partial partially payment processed refund refunded refunds settled succeeded success successful transaction true yes".split(
    " "
  )
)

const isMadeWord = (value: unknown): boolean =>
  isNothing(value) ||
  String(value)
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .every((word) => word === "" || madeWords.has(word.toLowerCase()))

const listedOf = (entry: unknown): Listed => {
  const fields: Readonly<Record<string, unknown>> = isRecord(entry) ? entry : { id: entry }
  const { _id, amount, currency, id = _id, reason, type } = fields
  const inner = Object.values(fields).filter(isRecord)
  const entries = [fields, ...inner].flatMap((one) => Object.entries(one))
  const isFailure = ([name, value]: readonly [string, unknown]): boolean =>
    (/^(success|succeeded|ok)$/i.test(name) && value === false) ||
    (/^(fail|error|cancel|reject|declin)/i.test(name) && !isNothing(value) && value !== false)
  const words = entries.filter(([name]) => /^(event|outcome|result|state|status)$/i.test(name))
  return {
    id: textOf(id),
    amount: numberOf(amount),
    reason: textOf(reason),
    isMade:
      !entries.some(isFailure) &&
      [type, ...words.map(([, value]) => value)].every(isMadeWord) &&
      (isNothing(amount) || numberOf(amount) !== undefined),
    currency: textOf(currency)?.toLowerCase(),
    texts: entries.flatMap(([, value]) => (typeof value === "string" ? [value] : [])),
    hasKey: entries.some(([name, value]) => /idempot/i.test(name) && !isNothing(value))
  }
}

/** What a payment says of its refunds. */
interface Refunds {
  /** What was refunded of it so far. Where no sum is shown: 0 if it says that nothing was, all of it if it says that everything was. */
  readonly sum: number | undefined
  readonly hasSum: boolean
  /** Whether a sum or a list is shown. Where none is, a part may not be seen. */
  readonly isShown: boolean
  /** Whether the whole is refunded, by its words. */
  readonly isWhole: boolean
  /** Whether its words say of a refund that it failed, waits, or what nobody knows here. */
  readonly isDoubtful: boolean
  readonly amount: number | undefined
  readonly currency: string | undefined
  readonly list: ReadonlyArray<Listed> | undefined
}

const sums = ["refundedAmount", "refunded", "amountRefunded", "amount_refunded", "refunded_amount"]

/**
 * Reads a payment. The platform publishes no shape of payments: these are the words and sums that such platforms use. undefined where it says
 * nothing of refunds.
 */
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
  return {
    // A sum of 0 of what is marked as refunded is late, or counts something else.
    sum: shown === 0 && !isNone ? undefined : (shown ?? meant),
    hasSum: shown !== undefined,
    isShown: shown !== undefined || list !== undefined,
    isWhole,
    isDoubtful: isMarked && !isWhole && !isMadeWord(word),
    amount,
    currency: textOf(payment.currency)?.toLowerCase(),
    list
  }
}

/** What is kept of a payment before it is refunded. */
const Baseline = Schema.Struct({
  sum: Schema.optional(Schema.Number),
  isWhole: Schema.Boolean,
  /** The ids of the refunds that it lists; one without an id is null. */
  ids: Schema.optional(Schema.Array(Schema.NullOr(Schema.String)))
})
interface Baseline extends Schema.Schema.Type<typeof Baseline> {}

/** What a payment is compared with once the answer to its refund is lost. */
export const baselineOf = (payment: unknown): Baseline => {
  const found = refundsOf(payment)
  return {
    isWhole: found?.isWhole ?? false,
    ...(found?.sum === undefined ? {} : { sum: found.sum }),
    ...(found?.list === undefined ? {} : { ids: found.list.map(({ id }) => id ?? null) })
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

/**
 * What a payment says of a refund: that it was made, that none was, or nothing that could be told apart. What it shows may be the work of others,
 * before and since. So a refund was made where it alone is what has changed since the baseline, or where it is listed with its key; and it was not
 * where nothing has changed. Otherwise a person decides.
 */
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
    (one.currency === undefined || now.currency === undefined || one.currency === now.currency) &&
    (one.reason === undefined || reason === undefined || one.reason === reason)
  const own = now.list?.find(({ texts }) => texts.includes(key))
  if (own !== undefined) return isIt(own) ? "done" : "unclear"
  // Where nothing was ever refunded, neither was this.
  if (now.sum === 0 && (before === undefined || before.sum === 0))
    return amount === undefined || now.isShown ? "not" : "unclear"
  if (before === undefined) return "unclear"
  const moved = now.sum === undefined || before.sum === undefined ? undefined : now.sum - before.sum
  const isStill = (moved === undefined || isSame(moved, 0)) && now.isWhole === before.isWhole
  if (now.list !== undefined) {
    const fresh = freshOf(now.list, before)
    const [one, other] = fresh ?? []
    if (fresh !== undefined && one === undefined) return isStill ? "not" : "unclear"
    // One with a key that is not this one's is the work of somebody else.
    if (one === undefined || other !== undefined || one.hasKey || !isIt(one)) return "unclear"
    return isWanted(now.hasSum ? moved : one.amount) ? "done" : "unclear"
  }
  // A list that is gone, or sums that cannot be compared. One that becomes refunded as a whole says so without a sum.
  if (now.isDoubtful || (before.ids !== undefined && before.ids.length > 0)) return "unclear"
  if (moved === undefined) return amount === undefined && before.sum === 0 && now.isWhole ? "done" : "unclear"
  if (isStill) return "not"
  return isWanted(moved) ? "done" : "unclear"
}

/** How a payment and its events are read. */
export interface Reads<E, R> {
  readonly get: (input: { readonly id: string }) => Effect.Effect<unknown, E, R>
  readonly events: (input: { readonly id: string }) => Stream.Stream<unknown, E, R>
}

/** Events that are read of one payment. */
const most = 1000

/** Of a platform that has no events of payments, or does not show them to who asks. */
const hasNone = (error: unknown): boolean =>
  ["AnswerError", "NotFound", "PermissionDenied", "Rejected"].some((tag) => isTagged(error, tag))

/** A payment with its refunds: those that it lists, or its events that are some. */
const lookAt = <E, R>({ events, get }: Reads<E, R>, id: string): Effect.Effect<unknown, E, R> =>
  Effect.gen(function* () {
    const payment = yield* get({ id })
    if (!isRecord(payment) || Array.isArray(payment.refunds)) return payment
    const found = yield* Stream.runCollect(Stream.take(events({ id }), most)).pipe(
      Effect.catchIf(hasNone, () => Effect.succeed([]))
    )
    const refunds = [...found].filter((event) => isRecord(event) && /refund/i.test(String(event.type)))
    return refunds.length === 0 ? payment : { ...payment, refunds }
  })

/** Reads what there is before a refund, for `baseline`. */
export const beforeRefund = <E, R>(reads: Reads<E, R>, { id }: Refund): Effect.Effect<unknown, E, R> =>
  Effect.map(lookAt(reads, id), baselineOf)

/** Reads whether a payment was refunded, for `onUnknown`. */
export const wasRefunded = <E, R>(
  reads: Reads<E, R>,
  refund: Refund,
  { baseline, idempotencyKey }: Pick<UnknownContext<unknown>, "baseline" | "idempotencyKey">
): Effect.Effect<Option.Option<unknown>, E | FleetError, R> =>
  Effect.flatMap(lookAt(reads, refund.id), (payment): Effect.Effect<Option.Option<unknown>, FleetError> => {
    switch (verdictOf(payment, refund, idempotencyKey, baseline)) {
      case "done":
        return Effect.succeedSome(payment)
      case "not":
        return Effect.succeedNone
      case "unclear":
        return new FleetError({
          reason: "Unknown",
          advice:
            "the payment does not say whether this refund was made: look it up, then settle it or try it again"
        })
    }
  })

/** Judges the rows of a batch, one after another: two refunds of one payment cannot be told apart. */
export const repeats = (): ((row: unknown) => Rule | undefined) => {
  const ruleOf = unique("id", "this payment stands in the file already")
  return (row) =>
    Either.match(refundOf("refunds", row), { onLeft: () => undefined, onRight: ({ id }) => ruleOf(id) })
}

/** `repeats`, as a file's rows are judged. */
export const judgeRefunds = () => {
  const ruleOf = repeats()
  return (row: unknown) => Effect.sync(() => ruleOf(row))
}

/** What a batch of refunds may set. @category models */
export interface RefundsOptions extends Work {
  readonly name?: string
  /** By the end of the file's name, by default: `.csv`, `.ndjson` or `.jsonl`. */
  readonly format?: Format
  /** What is between the cells of CSV; by its first line, by default, with a warning where that is no comma. */
  readonly delimiter?: string
}

const reads: Reads<CallError, Admin.Client> = {
  get: Payments.get,
  events: (input) => pages(Payments.events, input)
}

/**
 * Refunds the payments of a file of CSV or NDJSON, with the columns `id`, `amount` and `reason`, of which the last two may be missing:
 * `refunds.start({ file: "refunds.csv" })`. Each payment is read before it is refunded, and again where the answer was lost: what has changed in
 * between shows whether this refund was made. Where that is not clear, such as when others refund the same payment meanwhile, it is listed as
 * unknown, and not repeated. Each payment may stand in the file once.
 * @category constructors
 */
export const refundsJob = (options: RefundsOptions = {}): Job<FileInput, Admin.Client> => {
  const { delimiter, format, name = "refunds", ...work } = options
  return make(name, {
    ...work,
    input: FileInput,
    key: keyOf,
    source: ({ file }, skip) => ({
      from: skip,
      items: judgedRows(file, { ...delimited(delimiter), format, skip }, judgeRefunds)
    }),
    each: (row, { idempotencyKey }): Effect.Effect<unknown, unknown, Admin.Client> =>
      Effect.flatMap(refundOf(name, row), (refund) => Payments.refund(inputOf(refund), { idempotencyKey })),
    baseline: (row) => Effect.flatMap(refundOf(name, row), (refund) => beforeRefund(reads, refund)),
    onUnknown: (row, context) =>
      Effect.flatMap(refundOf(name, row), (refund) => wasRefunded(reads, refund, context))
  })
}
