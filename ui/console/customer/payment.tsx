/** What has become of the money of a payment: how much of it went back, how much is left, and its status by that. */
import { readNumber } from "@quartet/sdk/extend"
import type { ReactElement } from "react"
import type { OrderRow, PaymentRow } from "../app/rows.js"
import { statusLabel, toneOf } from "../app/status.js"
import { Badge } from "../design/show.js"

type Paid = Pick<PaymentRow, "amount" | "currency" | "refundableAmount" | "refundedAmount" | "status">

/** A sum of decimals as decimals have it: binary numbers do not add up exactly. */
export const exact = (amount: number): number => Number(amount.toFixed(6))

/** How much of it went back. */
export const refundedOf = ({ amount, refundedAmount, status }: Paid): number =>
  refundedAmount ?? (status === "refunded" ? (readNumber(amount) ?? 0) : 0)

/** How much of it can still go back. */
export const refundableOf = (payment: Paid): number => {
  if (!isSettled(payment)) return 0
  return (
    payment.refundableAmount ?? exact(Math.max(0, (readNumber(payment.amount) ?? 0) - refundedOf(payment)))
  )
}

const settled: ReadonlyArray<string> = ["succeeded", "partially_refunded", "refunded"]

/** Whether the money has come: some of it may have gone back since. */
export const isSettled = ({ status }: Paid): boolean => settled.includes(status ?? "")

/** Its status; one of which a part alone went back is no refunded one, whatever the platform calls it. */
export const paymentStatus = (payment: Paid): string => {
  const { amount, status } = payment
  const [paid, refunded] = [readNumber(amount), refundedOf(payment)]
  if (paid === undefined || refunded <= 0 || !isSettled(payment)) return status ?? ""
  return refunded < paid ? "partially_refunded" : "refunded"
}

/** The status of a payment; nothing where there is none. */
export const PaymentStatus = ({ of }: { readonly of: Paid }): ReactElement | null => {
  const status = paymentStatus(of)
  return status === "" ? null : <Badge tone={toneOf(status)}>{statusLabel(status)}</Badge>
}

/** What came in for an order and did not go back, of the payments in its currency. */
export const paidOf = (
  { currency }: Pick<OrderRow, "currency">,
  payments: ReadonlyArray<PaymentRow>
): number =>
  exact(
    payments
      .filter((payment) => isSettled(payment) && (payment.currency ?? currency) === currency)
      .reduce((sum, payment) => sum + (readNumber(payment.amount) ?? 0) - refundedOf(payment), 0)
  )
