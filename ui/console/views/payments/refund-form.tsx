/** Refunds what is left of a payment, or a part of that, and says why. It asks with amount and receiver before anything is sent. */
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react"
import { explain } from "../../app/explain.js"
import type { PaymentRow } from "../../app/rows.js"
import { refundableOf } from "../../customer/payment.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { ask } from "../../design/dialog.js"
import { Field, TextField } from "../../design/field.js"
import { decimals, number, readNumber } from "../../design/format.js"
import { amountOf } from "./data.js"
import { type Attempt, useRefund } from "./refund.js"

/** What is wrong with an amount that was written, in words; undefined where it can be refunded. */
const problemOf = (payment: PaymentRow, amount: number | undefined): string | undefined => {
  const left = refundableOf(payment)
  const digits = decimals(payment.currency)
  if (amount === undefined || amount <= 0) return "Write an amount above 0."
  if (amount > left) return `At most ${amountOf({ ...payment, amount: left })} is left.`
  // What the platform itself says is left may have more digits than its currency.
  if (amount === left || Number(amount.toFixed(digits)) === amount) return undefined
  return digits === 0 ? "Write a whole amount." : `At most ${digits} digits after the point.`
}

const doubt = (payment: PaymentRow, attempt: Attempt | undefined): string =>
  attempt === undefined
    ? ""
    : ` A refund of ${amountOf({ ...payment, amount: attempt.amount })} was sent before, and its answer was lost: be sure that it did not go through.`

export const RefundForm = (props: {
  readonly of: PaymentRow
  /** Who gets the money, in words. */
  readonly payer: string
  readonly onClose: () => void
}): ReactElement => {
  const { of, onClose, payer } = props
  const { currency } = of
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string>()
  const { attempt, send } = useRefund(of)
  const left = refundableOf(of)
  const whole = number(left, true)
  const refuse = (problem: string): undefined => {
    setRefusal(problem)
    field.current?.focus()
  }
  const form = useForm(
    { amount: whole, reason: "" },
    async ({ amount: text, reason }) => {
      const amount = readNumber(text)
      const problem = problemOf(of, amount)
      if (amount === undefined || problem !== undefined) return refuse(problem ?? "")
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
      return refuse(explain(outcome.error).advice)
    },
    onClose,
    `admin.payments.refund/${of._id}`
  )
  useEffect(() => field.current?.select(), [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.nativeEvent.isComposing) return
    // The draft stays, and the list takes the focus back.
    if (event.key === "Escape") onClose()
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (event.target instanceof HTMLInputElement) event.target.form?.requestSubmit()
  }
  const { onChange, problem, value, ...amount } = form.field("amount")
  const written = readNumber(value)
  const isFine = problemOf(of, written) === undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields within have the focus; their keys are handled once here.
    <div className="refund-form" onKeyDown={onKeyDown}>
      <Form of={form}>
        <div className="grid gap-3 @md:grid-cols-[11rem_minmax(0,1fr)]">
          <Field
            {...amount}
            label={currency ? `Amount in ${currency}` : "Amount"}
            problem={refusal ?? problem}
            hint={value === whole ? "All that is left." : `${amountOf({ ...of, amount: left })} is left.`}
          >
            {(tied) => (
              <input
                {...tied}
                ref={field}
                className="text-end tabular-nums"
                inputMode="decimal"
                autoComplete="off"
                value={value}
                onChange={(event) => {
                  setRefusal(undefined)
                  onChange(event.target.value)
                }}
              />
            )}
          </Field>
          <TextField {...form.field("reason")} label="Reason" placeholder="For the timeline, if you like" />
        </div>
        <div className="row">
          <Button kind="dangerSolid" type="submit" busy={form.busy}>
            {isFine ? `Refund ${amountOf({ ...of, amount: written })}…` : "Refund…"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {value !== whole && (
            <Button kind="ghost" onClick={() => form.set({ amount: whole })}>
              All of it
            </Button>
          )}
        </div>
      </Form>
    </div>
  )
}
