/**
 * Refunds, of which none is sent twice: while one is under way no other begins, and after one whose answer never came the payment is
 * read again, to see what became of it. This outlives the detail in which it was begun.
 */
import { useInvalidate, useMutation } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { doneOf, readNumber } from "@quartet/sdk/extend"
import { cell, registry, useCellValue } from "../../app/cells.js"
import { admin } from "../../app/query-clients.js"
import type { PaymentRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { refundableOf, refundedOf } from "../../customer/payment.js"
import { amountOf } from "./data.js"

/** What was sent, and what had been refunded before: only a difference shows that it was done. */
export interface Attempt {
  readonly before: number
  readonly amount: number
  /** `lost`: no answer came. `conflict`: the platform says that it was done before, by a request that the browser repeated, or by another. */
  readonly state: "sending" | "lost" | "conflict"
  /** When it ended: what was read before then says nothing of it. */
  readonly endedAt?: Date
}

const attempts = cell<Readonly<Record<string, Attempt | undefined>>>({})

const note = (id: string, attempt: Attempt | undefined): void =>
  registry.update(attempts, (all) => ({ ...all, [id]: attempt }))

/** If it fails without an answer, the payment and its events are read again: they show what happened. */
const refunding = admin.mutation(Admin.payments.refund, { invalidates: ["payments"] })

/** Whether some of it can be refunded, as far as is known. */
export const canBeRefunded = (payment: PaymentRow): boolean =>
  readNumber(payment.amount) !== undefined && refundableOf(payment) > 0

export const useRefund = (payment: PaymentRow) => {
  const { _id: id } = payment
  const attempt = useCellValue(attempts)[id]
  const invalidate = useInvalidate(admin)
  const { mutate } = useMutation(refunding)
  /** Refunds an amount: the whole has none in its body, so that a platform may know it as such. */
  const send = async (amount: number, reason: string, payer: string) => {
    if (registry.get(attempts)[id]?.state === "sending") return undefined
    const before = refundedOf(payment)
    const isWhole = before === 0 && amount === refundableOf(payment)
    const payload = { ...(isWhole ? {} : { amount }), ...(reason === "" ? {} : { reason }) }
    const isBare = Object.keys(payload).length === 0
    note(id, { before, amount, state: "sending" })
    const outcome = await mutate({ id, ...(isBare ? {} : { payload }) })
    const ended = { before, amount, endedAt: new Date() }
    if (outcome.status === "success") {
      note(id, undefined)
      addToast(`Refunded ${amountOf({ ...payment, amount })}`, `It goes back to ${payer}.`)
      return outcome
    }
    if (outcome.status === "error" && outcome.error._tag === "Conflict") {
      note(id, { ...ended, state: "conflict" })
      invalidate("payments")
      return undefined
    }
    if (outcome.status === "error" && doneOf(outcome.error) === "no") {
      note(id, undefined)
      return outcome
    }
    note(id, outcome.status === "cancelled" ? undefined : { ...ended, state: "lost" })
    return undefined
  }
  return { attempt, send, forget: () => note(id, undefined) }
}
