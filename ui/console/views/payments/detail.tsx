/** One payment: how much, from whom, and what became of it; its refund, and what it is for. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { readNumber } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { orders, type PaymentRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { Status } from "../../app/status.js"
import { AboutCustomer, Group } from "../../customer/about.js"
import { customer, paymentsOf, useBelongings } from "../../customer/data.js"
import { usePaymentsOf } from "../../customer/order.js"
import { exact, PaymentStatus, paidOf, refundableOf, refundedOf } from "../../customer/payment.js"
import type { QueryView } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { FactList, type Facts, Kbd, When, words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { Detail, Part, PartLink, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { Afterwards } from "./afterwards.js"
import { amountOf, byId, nameOf } from "./data.js"
import { canBeRefunded, useRefund } from "./refund.js"
import { RefundForm } from "./refund-form.js"
import { Timeline } from "./timeline.js"

/** The fields that the view shows; all others stand under "More". */
const known = [
  "userId",
  "orderId",
  "amount",
  "currency",
  "status",
  "type",
  "provider",
  "description",
  "refundedAmount",
  "refundableAmount",
  "createdAt",
  "updatedAt"
]

/** The order that it is for: its number, its total, and what of that is paid. */
const OrderLink = ({ id }: { readonly id: string }): ReactElement => {
  const session = useSession(admin.session)
  const { data: order } = useQuery(
    session.can(Admin.ordersV2.get) ? admin.query(orders.get, { id }) : undefined
  )
  const payments = usePaymentsOf(order)
  const { currency, number, status, total } = order ?? {}
  const paid = order === undefined ? 0 : paidOf(order, payments.items)
  const isKnown = order !== undefined && payments.data !== undefined && typeof total === "number"
  return (
    <span className="row">
      <span className="row flex-nowrap">
        <Link to={Router.Order({ id })}>{number || "Order"}</Link>
        <Status of={status} />
      </span>
      {order !== undefined && isKnown && (
        <span className="tabular-nums">
          {money(paid, currency)} of {money(total, currency)} paid
          {paid > total && `, ${money(exact(paid - total), currency)} overpaid`}
        </span>
      )}
    </span>
  )
}

const fact = (name: string, value: ReactNode): Facts => (value ? [[name, value]] : [])

/** What neither the head nor the timeline says. */
const factsOf = ({ createdAt, description, orderId, provider, updatedAt }: PaymentRow): Facts => {
  const isChanged = updatedAt instanceof Date && updatedAt.getTime() !== createdAt?.getTime()
  return [
    ...fact("Description", description),
    ...fact("Order", orderId && <OrderLink key="" id={orderId} />),
    ...fact("Provider", provider),
    ...fact("Updated", isChanged && <When key="" date={updatedAt} long />)
  ]
}

/** Their other payments. */
const Others = ({ of: { _id, userId } }: { readonly of: PaymentRow }): ReactElement => {
  const theirs = useBelongings(userId ?? undefined, userId ? paymentsOf(userId) : undefined)
  const items = theirs.items.filter((payment) => payment._id !== _id)
  return (
    <Group title="Other payments" of={{ ...theirs, items }} all={Router.Payments({})}>
      {(payment) => (
        <PartLink
          key={payment._id}
          to={Router.Payment({ id: payment._id })}
          end={<PaymentStatus of={payment} />}
        >
          {amountOf(payment)} · <When date={payment.createdAt} className="text-muted" />
        </PartLink>
      )}
    </Group>
  )
}

const Payment = (props: {
  readonly payment: PaymentRow
  readonly of: QueryView<PaymentRow>
}): ReactElement => {
  const { of, payment } = props
  const { createdAt, currency, type, userId } = payment
  const session = useSession(admin.session)
  const who = useQuery(userId ? customer(userId) : undefined)
  const { attempt, forget } = useRefund(payment)
  const [isOpen, setOpen] = useState(false)
  const name = who.data?.fullName || who.data?.email
  const refunded = refundedOf(payment)
  const left = refundableOf(payment)
  const facts = factsOf(payment)
  const canRefund = session.can(Admin.payments.refund)
  const { updatedAt } = of
  /** Whether what became of the latest refund is not seen yet. */
  const isUnsure = attempt !== undefined && !(attempt.endedAt && updatedAt && updatedAt > attempt.endedAt)
  const isOffered = canRefund && canBeRefunded(payment) && !isUnsure
  useCommands([
    { label: "Refund…", icon: "undo", keys: "r", isOffered: () => isOffered, run: () => setOpen(true) }
  ])
  const refundAction = isOffered && !isOpen && (
    <>
      <Button kind="danger" icon="undo" onClick={() => setOpen(true)}>
        Refund… <Kbd keys="r" />
      </Button>
      {refunded > 0 && <span className="text-sm tabular-nums">{money(left, currency)} left to refund</span>}
    </>
  )
  const actions = canRefund ? (
    refundAction || undefined
  ) : (
    <span className="quiet">You can view payments, but your role does not let you refund them.</span>
  )
  return (
    <Detail
      title={<span className="text-xl tabular-nums">{nameOf(payment)}</span>}
      about={
        <span className="row">
          <PaymentStatus of={payment} />
          <span>
            {userId && <Link to={Router.Customer({ id: userId })}>{name || "Customer"}</Link>}
            {type && `${userId ? " · " : ""}${words(type)}`}
            {createdAt instanceof Date && (
              <>
                {(userId || type) && " · "}
                <When date={createdAt} long />
              </>
            )}
          </span>
        </span>
      }
      actions={actions}
      aside={
        userId && (
          <>
            <AboutCustomer id={userId} />
            <Others of={payment} />
          </>
        )
      }
      asideLabel="Customer"
    >
      {attempt !== undefined && attempt.state !== "sending" && (
        <div className="mb-5">
          <Afterwards
            of={attempt}
            refunded={refunded}
            readAt={updatedAt}
            onLook={of.refetch}
            onDismiss={forget}
          />
        </div>
      )}
      {canRefund && readNumber(payment.amount) === undefined && (
        <Note>The console cannot read this amount, so it cannot be refunded here.</Note>
      )}
      {isOpen && canRefund && left > 0 && (
        <RefundForm of={payment} payer={name || "the payer"} onClose={() => setOpen(false)} />
      )}
      <Part title="Timeline">
        <Timeline of={payment} />
      </Part>
      {facts.length > 0 && (
        <Part title="About this payment">
          <FactList of={facts} />
        </Part>
      )}
      <More of={payment} known={known} />
    </Detail>
  )
}

export const PaymentDetail = (props: {
  readonly id: string
  readonly row: PaymentRow | undefined
}): ReactElement => {
  const of = useQuery(byId(props.id))
  return (
    <Thing of={of} row={props.row} noun="payment">
      {(payment) => <Payment key={payment._id} payment={payment} of={of} />}
    </Thing>
  )
}
