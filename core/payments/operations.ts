/** The calls on payments (specification, point 7). */
import { type Bytes, csv, type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import {
  ListEvents,
  ListTransactions,
  NewLink,
  PaymentLink,
  Refund,
  Transaction,
  TransactionEvent
} from "./model.js"

/** Lists payment transactions, filtered by users, types and statuses, as those of orders are. */
export const list: Operation<
  ListTransactions,
  Page<Transaction>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("payments.list", () => ({
  method: "GET",
  path: "payment/transaction",
  audiences: ["admin"],
  input: ListTransactions,
  success: page(Transaction),
  requires: Level.Read
}))

/** Reads a payment transaction. */
export const get: Operation<Entity.ById, Transaction, "admin" | "private", "read"> =
  /*#__PURE__*/ Operation.make("payments.get", () => ({
    method: "GET",
    path: "payment/transaction/{id}",
    audiences: ["admin", "private"],
    input: Entity.ById,
    success: Transaction,
    requires: Level.Read
  }))

/** Lists the events of a payment transaction; other filters go into `query`. */
export const events: Operation<
  ListEvents,
  Page<TransactionEvent>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("payments.events", () => ({
  method: "GET",
  path: "payment/transaction/{id}/event",
  audiences: ["admin"],
  input: ListEvents,
  success: page(TransactionEvent),
  requires: Level.Read
}))

/** Downloads payment transactions as CSV, filtered as their list is. */
export const exportCsv: Operation<ListTransactions, Bytes, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "payments.csv",
  () => ({
    method: "GET",
    path: "payment/transaction/csv",
    audiences: ["admin"],
    input: ListTransactions,
    success: csv,
    requires: Level.Read
  })
)

/** Refunds a transaction; an optional body gives the amount and a reason, and takes no other fields. */
export const refund: Operation<
  Refund,
  Entity.Guess<Transaction>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("payments.refund", () => ({
  method: "POST",
  path: "payment/transaction/{id}/refund",
  audiences: ["admin"],
  input: Refund,
  success: Entity.guess(Transaction),
  requires: Level.Write
}))

/** Requests a payment by link. */
export const payWithLink: Operation<
  Entity.WithBody<NewLink>,
  Entity.Guess<PaymentLink>,
  "private",
  "write"
> = /*#__PURE__*/ Operation.make("payments.payWithLink", () => ({
  method: "POST",
  path: "payment/payWithLink",
  audiences: ["private"],
  input: Entity.withBody(NewLink),
  success: Entity.guess(PaymentLink)
}))
