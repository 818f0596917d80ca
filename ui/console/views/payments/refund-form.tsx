/** Refunds what is left of a payment, or a part of that, and says why. It asks with amount and receiver before anything is sent. */
import { type KeyboardEvent, type ReactElement, useEffect } from "react"
import { explain } from "../../app/explain.js"
import type { PaymentRow } from "../../app/rows.js"
import { refundableOf } from "../../customer/payment.js"
import { FieldProblem, Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { ask } from "../../design/dialog.js"
import { MoneyField, TextField } from "../../design/field.js"
import { keepFocus } from "../../design/focus.js"
import { moneyProblem, number, readNumber } from "../../design/format.js"
import { amountOf } from "./data.js"
import { type Attempt, useRefund } from "./refund.js"

const refusal = (problem: string) => ({
  status: "error",
  error: new FieldProblem({ field: "amount", problem })
})

const doubt = (payment: PaymentRow, attempt: Attempt | undefined): string =>
  attempt === undefined
    ? ""
    : ` A refund of ${amountOf({ ...payment, amount: attempt.amount })} was sent before and its answer was lost. Make sure that it did not go through.`

export const RefundForm = (props: {
  readonly of: PaymentRow
  /** Who gets the money, in words. */
  readonly payer: string
  readonly onClose: () => void
}): ReactElement => {
  const { of, onClose, payer } = props
  const { currency } = of
  const { attempt, send } = useRefund(of)
  const left = refundableOf(of)
  useEffect(() => keepFocus, [])
  const whole = number(left)
  const form = useForm(
    { amount: whole, reason: "" },
    async ({ amount: text, reason }) => {
      const amount = readNumber(text)
      if (amount === undefined) return refusal("Enter an amount above 0.")
      const sum = amountOf({ ...of, amount })
      const isAgreed = await ask({
        title: `Refund ${sum} to ${payer}?`,
        description: `This cannot be undone.${doubt(of, attempt)}`,
        action: `Refund ${sum}`,
        danger: true
      })
      if (!isAgreed) return undefined
      const outcome = await send(amount, reason.trim(), payer)
      // What came of it is said beside the payment.
      if (outcome === undefined) onClose()
      if (outcome?.status !== "error" || outcome.error._tag !== "Rejected") return outcome
      return refusal(explain(outcome.error).advice)
    },
    onClose,
    `admin.payments.refund/${of._id}`
  )
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing) return
    // The draft stays.
    if (event.key === "Escape") onClose()
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (event.target instanceof HTMLInputElement) event.target.form?.requestSubmit()
  }
  const { amount } = form.values
  const written = readNumber(amount)
  const isFine = written !== undefined && moneyProblem(amount, currency, left) === undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields within have the focus; their keys are handled once here.
    <div className="refund-form" onKeyDown={onKeyDown}>
      <Form of={form}>
        <div className="grid gap-3 @md:grid-cols-[11rem_minmax(0,1fr)]">
          <MoneyField
            {...form.field("amount")}
            autoSelect
            currency={currency}
            left={left}
            label={currency ? `Amount in ${currency}` : "Amount"}
            hint={amount === whole ? "All that is left." : `${amountOf({ ...of, amount: left })} is left.`}
          />
          <TextField {...form.field("reason")} label="Reason" placeholder="Optional, shown in the timeline" />
        </div>
        <div className="row">
          <Button kind="dangerSolid" type="submit" busy={form.busy}>
            {isFine ? `Refund ${amountOf({ ...of, amount: written })}…` : "Refund…"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {amount !== whole && (
            <Button kind="ghost" onClick={() => form.set({ amount: whole })}>
              Full amount
            </Button>
          )}
        </div>
      </Form>
    </div>
  )
}
