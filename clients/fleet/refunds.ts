/** A ready job that refunds a batch of payments. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { numberOf as numberOfCell } from "../../adapters/csv/numbers.js"
import { delimited, type FileOptions, type Format, rows, sourceFailed } from "../../adapters/fleet/rows.js"
import { FleetError } from "../../adapters/fleet/store.js"
import { InputError } from "../../core/kernel/errors/errors.js"
import type * as Admin from "../admin/client.js"
import * as Payments from "../admin/payments.js"
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

/** A number, or the text of one without spaces, signs and thousands, which mean different things in different places. */
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
  const { _id, amount, id = _id, reason } = fields
  if (typeof id !== "string" || id === "") return refuse("id", "must be the id of a payment as text")
  const asked = isNothing(amount) ? undefined : amountOf(amount)
  if (asked === undefined && !isNothing(amount))
    return refuse("amount", "must be a number above 0, such as 12.50")
  if (!isNothing(reason) && typeof reason !== "string") return refuse("reason", "must be text")
  return Either.right({
    id,
    amount: asked,
    reason: typeof reason === "string" && reason !== "" ? reason : undefined
  })
}

/** The input of `payments.refund`. */
export const inputOf = ({ amount, id, reason }: Refund) => {
  const payload = {
    ...(amount === undefined ? {} : { amount }),
    ...(reason === undefined ? {} : { reason })
  }
  return Object.keys(payload).length === 0 ? { id } : { id, payload }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? Number(value) : undefined

/**
 * What a payment says of a refund: that it was made, that none was, or nothing that could be told apart. The platform publishes no shape of
 * payments: this reads the words and sums that such platforms use, and where they do not agree a person decides.
 */
export const verdictOf = (payment: unknown, { amount }: Refund): "done" | "not" | "unclear" => {
  if (!isRecord(payment)) return "unclear"
  const {
    amount: whole,
    isRefunded,
    refunded,
    refundedAmount,
    refundedAt,
    refunds,
    state,
    status = state
  } = payment
  const sum = numberOf(refundedAmount) ?? numberOf(refunded)
  const says = typeof status === "string" ? /refund|revers/i.test(status) : undefined
  const isMarked =
    says === true ||
    refunded === true ||
    isRefunded === true ||
    !isNothing(refundedAt) ||
    (Array.isArray(refunds) && refunds.length > 0) ||
    (sum !== undefined && sum > 0)
  if (!isMarked) return says === undefined && sum === undefined ? "unclear" : "not"
  // A payment that was refunded in part before says so too.
  const wanted = amount ?? numberOf(whole)
  if (sum === undefined)
    return amount === undefined && says === true && !/part/i.test(String(status)) ? "done" : "unclear"
  return sum === wanted ? "done" : "unclear"
}

/** Reads whether a payment was refunded, for `onUnknown`. */
export const wasRefunded = <E, R>(
  get: (input: { readonly id: string }) => Effect.Effect<unknown, E, R>,
  refund: Refund
): Effect.Effect<Option.Option<unknown>, E | FleetError, R> =>
  Effect.flatMap(get({ id: refund.id }), (payment): Effect.Effect<Option.Option<unknown>, FleetError> => {
    switch (verdictOf(payment, refund)) {
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

/** The rule that a second refund of one payment breaks. */
export const repeated = "this payment stands in the file already"

/** Tells of one row of a batch after another whether its payment stood in it before. */
export const repeats = (): ((row: unknown) => boolean) => {
  const seen = new Set<string>()
  return (row) => {
    const refund = refundOf("refunds", row)
    if (Either.isLeft(refund)) return false
    const { id } = refund.right
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated
  }
}

/** The rows of a batch. A payment that stands in it twice stops it, because two refunds of one payment cannot be told apart. */
export const refundRows = (
  file: string,
  options: FileOptions,
  skip: number
): Stream.Stream<unknown, FleetError> =>
  Stream.suspend(() => {
    const isRepeated = repeats()
    return rows(file, options).pipe(
      Stream.zipWithIndex,
      Stream.mapEffect(([row, index]) =>
        isRepeated(row) ? sourceFailed(`${file}, row ${index + 1}: ${repeated}`) : Effect.succeed(row)
      ),
      Stream.drop(skip)
    )
  })

/** What a batch of refunds may set. @category models */
export interface RefundsOptions extends Work {
  readonly name?: string
  /** By the end of the file's name, by default: `.csv`, `.ndjson` or `.jsonl`. */
  readonly format?: Format
  /** What is between the cells of CSV; by its first line, by default, with a warning where that is no comma. */
  readonly delimiter?: string
}

/**
 * Refunds the payments of a file of CSV or NDJSON, with the columns `id`, `amount` and `reason`, of which the last two may be missing:
 * `refunds.start({ file: "refunds.csv" })`. A refund whose answer was lost is looked up in the payment; where that does not say clearly that it was
 * made or not, it is listed as unknown, and not repeated. Each payment may stand in the file once.
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
      items: refundRows(file, { ...delimited(delimiter), format }, skip)
    }),
    each: (row, { idempotencyKey }): Effect.Effect<unknown, unknown, Admin.Client> =>
      Effect.flatMap(refundOf(name, row), (refund) => Payments.refund(inputOf(refund), { idempotencyKey })),
    onUnknown: (row) => Effect.flatMap(refundOf(name, row), (refund) => wasRefunded(Payments.get, refund))
  })
}
