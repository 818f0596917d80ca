/** What happened to a payment, and its refund, whose outcome may be unknown for a moment. */

import { useInvalidate, useMutation, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { doneOf, readNumber } from "@quartet/sdk/extend"
import { type ReactElement, useState } from "react"
import type { AnyRow } from "../../app/catalogue.js"
import { admin } from "../../app/query-clients.js"
import { type PaymentRow, paymentOf, payments } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { addToast, warn } from "../../app/toasts.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { Confirm } from "../../design/dialog.js"
import { MoneyField, TextField } from "../../design/field.js"
import { moneyProblem, readNumber as readWritten } from "../../design/format.js"
import { When, words } from "../../design/show.js"
import { Note, SkeletonRows } from "../../design/state.js"

const amountOf = ({ amount, currency }: Pick<PaymentRow, "amount" | "currency">): string =>
  money(amount, currency)

/** If it fails without an answer, the payment and its events are read again: they show what happened. */
const refund = admin.mutation(Admin.payments.refund)

const Timeline = ({ id }: { readonly id: string }): ReactElement => {
  const answer = useQuery(admin.query(payments.events, { id }))
  return (
    <Loaded of={answer} skeleton={<SkeletonRows rows={2} />}>
      {({ items }) => (
        <ol>
          {items.map((event, index) => (
            <li key={event._id ?? index} className="flex items-center gap-3 border-t border-line py-3">
              <div className="flex-1">
                <strong>{words(event.type ?? "event")}</strong>{" "}
                <When date={event.createdAt} long className="faint" />
                {event.reason && <p className="quiet">{event.reason}</p>}
              </div>
              <span className="tabular-nums">{amountOf(event)}</span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

/** What was requested, and what was refunded before: only a difference shows that it was done. */
interface RefundRequest {
  readonly before: number
  readonly amount: number
}

const refundedOf = ({ amount, refundedAmount, status }: PaymentRow): number =>
  refundedAmount ?? (status === "refunded" ? (readNumber(amount) ?? 0) : 0)

const isSame = (left: number, right: number): boolean => Math.abs(left - right) < 1e-6

/** What the state that was read since says. */
const outcomeOf = (moved: number, requested: number) => {
  if (isSame(moved, requested))
    return "We have looked again: the refund did happen. There is nothing left to do."
  return isSame(moved, 0)
    ? "We have looked again: nothing more of the payment is refunded so far. If it stays like this for a few minutes, the refund can be repeated."
    : "We have looked again: another sum was refunded since than was asked for. See what happened below, before you do it again."
}

/** What is known after a refund whose outcome is unknown. */
const Afterwards = (props: {
  readonly isConflict: boolean
  readonly requested: RefundRequest
  readonly now: number
}): ReactElement => {
  const { amount, before } = props.requested
  return (
    <Note tone={isSame(props.now - before, amount) ? "good" : "warn"}>
      <strong>
        {props.isConflict
          ? "The platform did not refund it a second time."
          : "The answer to the refund was lost."}
      </strong>{" "}
      {outcomeOf(props.now - before, amount)}
    </Note>
  )
}

/**
 * Refunds what is left of a payment or a part of that, and says why. The specification gives no body for this call: a whole refund without a
 * reason has none.
 */
const Refund = ({ of }: { readonly of: PaymentRow }): ReactElement => {
  const session = useSession(admin.session)
  const invalidate = useInvalidate(admin)
  const run = useMutation(refund)
  const { data: user } = useQuery(of.userId ? admin.query(Admin.users.get, { id: of.userId }) : undefined)
  const payer = user?.fullName || "the payer"
  const [asking, setAsking] = useState(false)
  const [requested, setRequested] = useState<RefundRequest>()
  const refunded = refundedOf(of)
  const refundable = of.refundableAmount ?? Number(((readNumber(of.amount) ?? 0) - refunded).toFixed(6))
  const [typedAmount, setText] = useState<string>()
  const text = typedAmount ?? String(refundable)
  const [why, setWhy] = useState("")
  const part = readWritten(text) ?? 0
  const isPossible = moneyProblem(part, of.currency, refundable) === undefined
  const sum = amountOf({ ...of, amount: part })
  const confirm = async (): Promise<void> => {
    if (!isPossible) return
    const isWhole = part === refundable && refunded === 0
    const payload = { ...(isWhole ? {} : { amount: part }), ...(why === "" ? {} : { reason: why }) }
    const isBare = Object.keys(payload).length === 0
    setRequested({ before: refunded, amount: part })
    const outcome = await run.mutate({ id: of._id, ...(isBare ? {} : { payload }) })
    setAsking(false)
    setText(undefined)
    if (outcome.status === "success") addToast("Payment refunded", `${sum} goes back to ${payer}`)
    if (outcome.status !== "error") return
    // A browser may send a request twice when a connection breaks, and then the second one finds the work done.
    if (outcome.error._tag === "Conflict") invalidate("payments")
    else if (doneOf(outcome.error) !== "perhaps") warn(outcome.error)
  }
  const failure = run.status === "error" ? run.error : undefined
  const isConflict = failure?._tag === "Conflict"
  return (
    <div className="stack">
      {failure && requested && (isConflict || doneOf(failure) === "perhaps") && (
        <Afterwards isConflict={isConflict} requested={requested} now={refunded} />
      )}
      {readNumber(of.amount) === undefined && (
        <Note>
          The amount of this payment is no number that the console can read, so it refunds nothing of it.
        </Note>
      )}
      {readNumber(of.amount) !== undefined &&
        (of.status === "succeeded" || of.status === "partially_refunded") &&
        session.can(Admin.payments.refund) && (
          <div className="row">
            <Button kind="danger" onClick={() => setAsking(true)}>
              Refund…
            </Button>
            <span className="faint">
              {refunded > 0
                ? `What is left, ${amountOf({ ...of, amount: refundable })}, or a part of it.`
                : "The whole amount or a part of it."}
            </span>
          </div>
        )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void confirm()}
        title={`Refund the payment of ${amountOf(of)}?`}
        description={`The money goes back to ${payer}. This cannot be undone.`}
        action={run.status === "pending" ? "Refunding…" : isPossible ? `Refund ${sum}` : "Refund"}
        danger
        busy={run.status === "pending"}
      >
        <MoneyField
          label={of.currency ? `Amount in ${of.currency}` : "Amount"}
          currency={of.currency}
          max={refundable}
          value={text}
          onChange={setText}
          problem={moneyProblem(part, of.currency, refundable)}
        />
        <TextField label="Reason" value={why} onChange={setWhy} />
        <Note>
          If the connection breaks while this is sent, we cannot know at once whether it happened. The console
          then reads the payment again and tells you, and never repeats a refund by itself.
        </Note>
      </Confirm>
    </div>
  )
}

/** What belongs to a payment beside its facts. */
export const Payment = ({ row }: { readonly row: AnyRow }): ReactElement => (
  <>
    <Refund of={paymentOf(row)} />
    <h3>What happened</h3>
    <Timeline id={row._id} />
  </>
)
