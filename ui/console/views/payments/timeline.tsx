/** What happened to a payment, from its beginning. */
import { useQuery } from "@quartet/react"
import { readNumber } from "@quartet/sdk/extend"
import type { ReactElement } from "react"
import type { PaymentEventRow, PaymentRow } from "../../app/rows.js"
import { Loaded } from "../../data/loaded.js"
import { Icon, type IconName } from "../../design/icon.js"
import { When, words } from "../../design/show.js"
import { SkeletonRows } from "../../design/state.js"
import { amountOf, eventsOf } from "./data.js"

const icons: Readonly<Record<string, IconName>> = {
  created: "plus",
  authorised: "check",
  captured: "payments",
  declined: "close",
  refunded: "undo"
}

/** What an event is called: a refund of less than the whole says so. */
const labelOf = ({ amount, type }: PaymentEventRow, payment: PaymentRow): string => {
  const [part = 0, whole = 0] = [readNumber(amount), readNumber(payment.amount)]
  return type === "refunded" && part < whole ? "Partly refunded" : words(type ?? "event")
}

const inTime = (left: PaymentEventRow, right: PaymentEventRow): number =>
  (left.createdAt?.getTime() ?? 0) - (right.createdAt?.getTime() ?? 0)

const Event = (props: { readonly of: PaymentEventRow; readonly payment: PaymentRow }): ReactElement => {
  const { of, payment } = props
  const { amount, createdAt, reason, type } = of
  return (
    <li className="timeline-event">
      <span className="grid size-7 place-items-center text-faint">
        <Icon name={icons[type ?? ""] ?? "info"} />
      </span>
      <div className="min-w-0 self-center">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <strong className="text-ink">{labelOf(of, payment)}</strong>
          {createdAt instanceof Date && <When date={createdAt} long className="faint" />}
          <span className="flex-1" />
          {amount !== undefined && amount !== null && (
            <span className="tabular-nums text-ink">
              {type === "refunded" && "−"}
              {amountOf({ currency: payment.currency, ...of })}
            </span>
          )}
        </p>
        {reason && <p className="said">{reason}</p>}
      </div>
    </li>
  )
}

export const Timeline = ({ of }: { readonly of: PaymentRow }): ReactElement => (
  <Loaded of={useQuery(eventsOf(of._id))} what="The timeline" skeleton={<SkeletonRows rows={2} />}>
    {({ items }) =>
      items.length === 0 ? (
        <p className="quiet">The platform has no history of this payment.</p>
      ) : (
        <ol className="timeline mt-0" aria-label="Timeline">
          {[...items].sort(inTime).map((event, place) => (
            <Event key={event._id ?? place} of={event} payment={of} />
          ))}
        </ol>
      )
    }
  </Loaded>
)
