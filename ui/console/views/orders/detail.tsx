/** One order: how far it is, what it comes to and what of that is paid; its lines, its payments, and what belongs to it. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { explain } from "../../app/explain.js"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { OrderRow, PaymentRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { Status } from "../../app/status.js"
import { AboutCustomer } from "../../customer/about.js"
import { ordersOf, type Related, useBelongings } from "../../customer/data.js"
import { usePaymentsOf } from "../../customer/order.js"
import { exact, PaymentStatus, paidOf } from "../../customer/payment.js"
import { number } from "../../design/format.js"
import { FactList, type Facts, When, words } from "../../design/show.js"
import { Skeleton } from "../../design/state.js"
import { Detail, Part, PartLink, Thing, useFrame } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { StatusBar } from "../../frame/status-menu.js"
import { useStatusChange } from "./change-status.js"
import { byId, groupById, nameOf, nextStatuses, statusChoices } from "./data.js"
import { Lines } from "./lines.js"

/** The fields that the view shows; all others stand under "More". */
const known = [
  "number",
  "userId",
  "groupId",
  "status",
  "type",
  "total",
  "currency",
  "lines",
  "createdAt",
  "updatedAt"
]

/** What of the order is paid, and what is still to be. */
const Paid = (props: { readonly order: OrderRow; readonly payments: Related<PaymentRow> }): ReactNode => {
  const { order, payments } = props
  const { currency, status, total } = order
  if (payments.data === undefined) return null
  const paid = paidOf(order, payments.items)
  const among = payments.among === undefined ? "" : `, among the last ${number(payments.among)} payments`
  const whole = typeof total === "number" ? ` of ${money(total, currency)}` : ""
  const left = typeof total === "number" ? exact(total - paid) : 0
  return (
    <p className="mb-4 flex flex-wrap items-baseline gap-x-3">
      <span className="text-lg font-semibold tabular-nums">
        Paid {money(paid, currency)}
        {whole}
      </span>
      {left > 0 && status !== "cancelled" && (
        <span className="text-sm text-warn tabular-nums">{money(left, currency)} unpaid</span>
      )}
      {left < 0 && <span className="text-sm text-warn tabular-nums">{money(-left, currency)} overpaid</span>}
      {among !== "" && <span className="faint">{among.slice(2)}</span>}
    </p>
  )
}

const Payments = ({ of }: { readonly of: Related<PaymentRow> }): ReactNode => {
  if (of.data === undefined)
    return (
      <Part title="Payments">
        {of.error === undefined ? (
          <Skeleton height="2rem" />
        ) : (
          <p className="quiet">{explain(of.error).title}.</p>
        )}
      </Part>
    )
  return (
    <Part title="Payments">
      <ul>
        {of.items.map((payment) => (
          <PartLink
            key={payment._id}
            to={Router.Payment({ id: payment._id })}
            end={
              <>
                <When date={payment.createdAt} className="faint" />
                <PaymentStatus of={payment} />
              </>
            }
          >
            {money(payment.amount, payment.currency)}
            {payment.type && ` · ${words(payment.type)}`}
          </PartLink>
        ))}
      </ul>
      {of.items.length === 0 && <p className="faint">No payments</p>}
    </Part>
  )
}

/** The other orders of its group, which are its customer's too. */
const Group = ({ of: { _id, groupId, userId } }: { readonly of: OrderRow }): ReactNode => {
  const group = useQuery(groupId ? groupById(groupId) : undefined)
  const theirs = useBelongings(userId ?? undefined, userId ? ordersOf(userId) : undefined)
  const others = theirs.items.filter((order) => order.groupId === groupId && order._id !== _id)
  if (!groupId || others.length === 0) return null
  const { currency, status, total } = group.data ?? {}
  return (
    <Part
      title="Same checkout"
      tools={
        <span className="row faint tabular-nums">
          {typeof total === "number" && `${money(total, currency)} in all`} <Status of={status} />
        </span>
      }
    >
      <ul>
        {others.map(({ _id, currency, number, status, total }) => (
          <PartLink
            key={_id}
            to={Router.Order({ id: _id })}
            end={
              <>
                <span className="tabular-nums">{money(total, currency)}</span> <Status of={status} />
              </>
            }
          >
            {number || "Order"}
          </PartLink>
        ))}
      </ul>
    </Part>
  )
}

const datesOf = ({ createdAt, updatedAt }: OrderRow): Facts => {
  const isChanged = updatedAt instanceof Date && updatedAt.getTime() !== createdAt?.getTime()
  return [
    ...(createdAt instanceof Date ? ([["Ordered", <When key="" date={createdAt} long />]] as const) : []),
    ...(isChanged ? ([["Updated", <When key="" date={updatedAt} long />]] as const) : [])
  ]
}

const Order = ({ order }: { readonly order: OrderRow }): ReactElement => {
  const { _id: id, currency, status, total, type, userId } = order
  const session = useSession(admin.session)
  const frame = useFrame()
  const nameOfCustomer = useNames()
  const { busy, set } = useStatusChange()
  const payments = usePaymentsOf(order, session.can(Admin.payments.list))
  const name = nameOfCustomer(userId)
  return (
    <Detail
      title={nameOf(order)}
      about={
        <>
          {userId && <Link to={Router.Customer({ id: userId })}>{name || "Customer"}</Link>}
          {type && ` · ${words(type)}`}
        </>
      }
      tools={
        typeof total === "number" && (
          <strong className="text-lg leading-[1.3] font-semibold whitespace-nowrap tabular-nums">
            {money(total, currency)}
          </strong>
        )
      }
      actions={
        session.can(Admin.orders.update) ? (
          <StatusBar
            status={status}
            choices={statusChoices}
            next={nextStatuses(status)}
            busy={busy}
            onSet={(next, isNext) => void set(order, next, isNext ? frame?.next : undefined)}
          />
        ) : (
          <>
            <Status of={status} />
            <span className="quiet">You can view orders, but your role does not let you change them.</span>
          </>
        )
      }
      aside={userId && <AboutCustomer id={userId} except={id} />}
      asideLabel="Customer"
    >
      <Paid order={order} payments={payments} />
      <Lines of={order} />
      {session.can(Admin.payments.list) && <Payments of={payments} />}
      <Group of={order} />
      <div className="mt-5">
        <FactList of={datesOf(order)} />
      </div>
      <More of={order} known={known} />
    </Detail>
  )
}

export const OrderDetail = (props: {
  readonly id: string
  readonly row: OrderRow | undefined
}): ReactElement => (
  <Thing of={useQuery(byId(props.id))} row={props.row} noun="order">
    {(order) => <Order key={order._id} order={order} />}
  </Thing>
)
