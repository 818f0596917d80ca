/** Payments: listed, exported and refunded by admins, and created by servers that send a link. */

import * as Payments from "@quartet/sdk/extend/operations/payments"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, invalid, type Refusal } from "../platform/refusal.js"
import { csvOf } from "../state/csv.js"
import { Transaction, type TransactionEvent } from "../state/entities.js"
import { created, fieldsOf, optionalFieldsOf, type RowContext } from "../state/rows.js"
import { chosen, newest, select } from "../state/select.js"
import type { State } from "../state/state.js"

/** Records an event of a payment. */
const note = (
  { now, state }: RowContext,
  transaction: Transaction,
  type: string,
  amount: number,
  reason?: unknown
): TransactionEvent =>
  state.transactionEvents.put({
    _id: state.random.id(),
    transactionId: transaction._id,
    type,
    amount,
    currency: transaction.currency,
    ...(typeof reason === "string" ? { reason } : {}),
    createdAt: now
  })

/** A sum of money from a body. */
const amountOf = (value: unknown, most: number): Effect.Effect<number, Refusal> =>
  typeof value === "number" && value > 0 && value <= most
    ? Effect.succeed(value)
    : Effect.fail(invalid("amount", `must be a number above 0 and at most ${most}`))

/** A difference of sums as decimals have it: binary numbers do not add up exactly. */
const exact = (amount: number): number => Math.round(amount * 1e6) / 1e6

const checkOwners = (state: State, { orderId, userId }: Transaction): Effect.Effect<void, Refusal> => {
  if (typeof userId === "string" && state.users.peek(userId) === undefined)
    return Effect.fail(invalid("userId", "is not an end user"))
  if (typeof orderId === "string" && state.orders.peek(orderId) === undefined)
    return Effect.fail(invalid("orderId", "is not an order"))
  return Effect.void
}

const largest = 100_000_000
const columns = [
  "_id",
  "orderId",
  "userId",
  "amount",
  "currency",
  "status",
  "type",
  "provider",
  "createdAt"
] as const

export const payments: ReadonlyArray<Handler> = [
  handle(Payments.list, ({ input, state }) => select(newest(state.transactions.all()), input)),

  handle(Payments.get, ({ input, state }) => state.transactions.get(input.id)),

  handle(Payments.events, ({ input, state }) =>
    Effect.gen(function* () {
      const { id, ...query } = input
      yield* state.transactions.get(id)
      const events = state.transactionEvents.filter((event) => event.transactionId === id)
      return yield* select(events, query)
    })
  ),

  handle(Payments.exportCsv, ({ input, state }) =>
    Effect.map(chosen(newest(state.transactions.all()), input), (rows) =>
      csvOf("transactions.csv", columns, rows)
    )
  ),

  handle(Payments.refund, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.transactions.get(input.id)
      if (before.status === "refunded") return yield* conflict("the transaction is refunded already")
      if (before.status !== "succeeded" && before.status !== "partially_refunded")
        return yield* conflict(`a transaction that is ${before.status} cannot be refunded`)
      const { amount: requestedAmount, reason } = yield* optionalFieldsOf(input.payload)
      const { amount: whole } = before
      const refunded = before.refundedAmount ?? 0
      const refundable = exact(whole - refunded)
      const amount = requestedAmount === undefined ? refundable : yield* amountOf(requestedAmount, refundable)
      note({ now, state }, before, "refunded", amount, reason)
      const refundableAmount = exact(refundable - amount)
      return state.transactions.put({
        ...before,
        status: refundableAmount === 0 ? "refunded" : "partially_refunded",
        refundedAmount: exact(whole - refundableAmount),
        refundableAmount,
        updatedAt: now
      })
    })
  ),

  handle(
    Payments.payWithLink,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const values = yield* fieldsOf(input.payload)
        const amount = yield* amountOf(values.amount, largest)
        const transaction = yield* created(
          Transaction,
          { now, state },
          {
            defaults: { currency: "USD", provider: "BOG" },
            values,
            fixed: { amount, status: "pending", type: "link" }
          }
        )
        yield* checkOwners(state, transaction)
        state.transactions.put(transaction)
        note({ now, state }, transaction, "created", amount)
        const { _id, currency } = transaction
        return { _id, transactionId: _id, amount, currency, link: `https://pay.quartet.test/${_id}` }
      }),
    { status: 201 }
  )
]
