/** A ready job that refunds a batch of payments. */

import type * as Admin from "@quartet/sdk/admin/client"
import * as Payments from "@quartet/sdk/admin/payments"
import { type CallError, InputError, pages } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import { isRecord, isTagged } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { numberOf as numberOfCell } from "../csv/numbers.js"
import { FleetError } from "../fleet-error.js"
import {
  countRows,
  delimited,
  FileInput,
  type Format,
  judgedRows,
  keyOf,
  type Rule,
  unique
} from "../store/rows.js"
import type { UnknownContext } from "./definition.js"
import { plainOf } from "./identify.js"
import type { Work } from "./import.js"
import { type Job, make } from "./job.js"
import { baselineOf, type Reading, type Refund, verdictOf } from "./refund-evidence.js"

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
  const unknownColumn = Object.keys(fields).find((field) => !columns.includes(field))
  if (unknownColumn !== undefined)
    return refuse(unknownColumn, "is none of a refund's: id, amount and reason")
  const { _id, amount = "", id = _id, reason = "" } = fields
  if (_id !== undefined && id !== _id) return refuse("id", "is another one than its _id: give one of them")
  if (typeof id !== "string" || id === "") return refuse("id", "must be the id of a payment as text")
  // A cell that is empty is none. What is null may be a sum that was lost on the way.
  const requestedAmount = amount === "" ? undefined : amountOf(amount)
  if (requestedAmount === undefined && amount !== "")
    return refuse("amount", "must be a number above 0, such as 12.50")
  if (typeof reason !== "string") return refuse("reason", "must be text")
  return Either.right({ id, amount: requestedAmount, reason: reason === "" ? undefined : reason })
}

/** The input of `payments.refund`. */
export const inputOf = ({ amount, id, reason }: Refund) => {
  const payload = {
    ...(amount === undefined ? {} : { amount }),
    ...(reason === undefined ? {} : { reason })
  }
  return Object.keys(payload).length === 0 ? { id } : { id, payload }
}

/** How a payment and its events are read. */
export interface Reads<E, R> {
  readonly get: (input: { readonly id: string }) => Effect.Effect<unknown, E, R>
  readonly events: (input: { readonly id: string }) => Stream.Stream<unknown, E, R>
}

/** The most events that are read of one payment: of one with more, nothing is learnt from them. */
const most = 1000

/** Of a platform that has no events of payments, or does not show them to who asks. */
const hasNone = (error: unknown): boolean =>
  ["AnswerError", "NotFound", "PermissionDenied", "Rejected"].some((tag) => isTagged(error, tag))

/** Reads a payment and its events. */
const lookAt = <E, R>({ events, get }: Reads<E, R>, id: string): Effect.Effect<Reading, E, R> =>
  Effect.all({
    payment: get({ id }),
    events: Stream.runCollect(Stream.take(events({ id }), most + 1)).pipe(
      Effect.map((listedEvents): Reading["events"] =>
        listedEvents.length > most ? undefined : [...listedEvents]
      ),
      Effect.catchIf(hasNone, () => Effect.succeed(undefined))
    )
  })

/** Reads what there is before a refund, for `baseline`. */
export const beforeRefund = <E, R>(reads: Reads<E, R>, { id }: Refund): Effect.Effect<unknown, E, R> =>
  Effect.map(lookAt(reads, id), (reading) => baselineOf(reading) ?? null)

/** Reads whether a payment was refunded, for `onUnknown`. */
export const wasRefunded = <E, R>(
  reads: Reads<E, R>,
  refund: Refund,
  { baseline, idempotencyKey }: Pick<UnknownContext<unknown>, "baseline" | "idempotencyKey">
): Effect.Effect<Option.Option<unknown>, E | FleetError, R> =>
  Effect.flatMap(lookAt(reads, refund.id), (reading): Effect.Effect<Option.Option<unknown>, FleetError> => {
    switch (verdictOf(reading, refund, idempotencyKey, baseline)) {
      case "done":
        return Effect.succeedSome(reading.payment)
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
    Either.match(refundOf("refunds", row), {
      onLeft: () => undefined,
      onRight: ({ id }) => ruleOf(plainOf(id))
    })
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
    count: ({ file }) => countRows(file, { format }),
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
