/** All that a customer has to do with the project: what is open first, then their orders, payments, requests and conversations. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useState } from "react"
import { explain } from "../../app/explain.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { money } from "../../app/settled.js"
import { Status } from "../../app/status.js"
import { Among } from "../../customer/about.js"
import {
  type Belongings,
  conversationName,
  conversationsOf,
  isOpenConversation,
  isOpenRequest,
  isUnpaid,
  ordered,
  orderName,
  ordersOf,
  paid,
  paymentName,
  paymentsOf,
  requestName,
  requestsOf,
  useBelongings
} from "../../customer/data.js"
import { PaymentStatus, refundedOf } from "../../customer/payment.js"
import { Button } from "../../design/button.js"
import { number } from "../../design/format.js"
import { Icon, type IconName } from "../../design/icon.js"
import { When, words } from "../../design/show.js"
import { Skeleton } from "../../design/state.js"

/** So many of a group are shown until one asks for all. */
const few = 5

const phone = window.matchMedia("(max-width: 760px)")

interface LineProps {
  readonly to: string
  readonly icon?: IconName
  readonly title: string
  readonly about?: string | null | undefined
  readonly at: Date | null | undefined
  readonly status: ReactNode
  readonly amount?: string | undefined
}

/** One of a group: what it is, and at the end when, how far and how much. */
const Line = (props: LineProps): ReactElement => {
  const { about, amount, at, icon, status, title, to } = props
  return (
    <li className="story-line">
      <Link to={to} className="story-link" title={title}>
        {icon && <Icon name={icon} className="text-faint" />}
        <span className="truncate">{title}</span>
        {about && <span className="shrink-100 truncate faint max-md:hidden">{about}</span>}
      </Link>
      <span className="story-amount">{amount}</span>
      <span className="story-status">{status}</span>
      <span className="text-end">{at && <When date={at} className="faint" />}</span>
    </li>
  )
}

/** Lines, the first of them until one asks for all. */
const Lines = <A,>(props: {
  readonly title: string
  readonly items: ReadonlyArray<A>
  readonly total?: number
  readonly readMore?: (() => void) | undefined
  readonly children: (row: A) => ReactElement
}): ReactElement => {
  const { items, readMore, title, total = items.length } = props
  const [isAll, setAll] = useState(false)
  const shown = isAll ? items : items.slice(0, few)
  return (
    <>
      <ul aria-label={title}>{shown.map(props.children)}</ul>
      {items.length > few && (
        <Button size="s" kind="ghost" className="-ml-2 w-fit" onClick={() => setAll(!isAll)}>
          {isAll ? "Show fewer" : `All ${number(total)}`}
        </Button>
      )}
      {isAll && readMore && total > items.length && (
        <Button size="s" kind="ghost" className="-ml-2 w-fit" onClick={readMore}>
          Read more
        </Button>
      )}
    </>
  )
}

/** One group: its title with how many, what they come to, and its lines. */
const Group = <A,>(props: {
  readonly title: string
  readonly none: string
  readonly of: Belongings<A>
  /** Whether the role may read them. */
  readonly isAllowed: boolean
  /** What they come to, of those that are read. */
  readonly sum?: ((items: ReadonlyArray<A>) => string) | undefined
  /** What the sum says, such as "paid". */
  readonly sumLabel?: string
  /** Whether it begins closed on a narrow screen. */
  readonly isLater?: boolean
  readonly children: (row: A) => ReactElement
}): ReactElement => {
  const { children, isAllowed, isLater = false, none, of, sum, sumLabel, title } = props
  const [isOpen, setOpen] = useState(() => !(isLater && phone.matches))
  const { among, data, error, items, readMore, total } = of
  const amount = sum?.(items) ?? ""
  const isPart = total > items.length || among !== undefined
  const content = (): ReactNode => {
    if (!isAllowed) return <p className="quiet">Your role does not let you view {title.toLowerCase()}.</p>
    if (data === undefined)
      return error === undefined ? (
        <Skeleton height="4.5rem" />
      ) : (
        <p className="quiet" role="alert">
          {explain(error).title}.{" "}
          <button type="button" className="text-accent-text hover:underline" onClick={of.refetch}>
            Try again
          </button>
        </p>
      )
    return (
      <>
        {error !== undefined && <p className="faint">{explain(error).title}. Earlier data is shown.</p>}
        {items.length > 0 ? (
          <Lines title={title} items={items} total={total} readMore={readMore}>
            {children}
          </Lines>
        ) : (
          among === undefined && <p className="faint">{none}</p>
        )}
        <Among of={of} />
      </>
    )
  }
  return (
    <details className="story-part" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="next" className="story-sign" />
        <h3>{title}</h3>
        {data !== undefined && <span className="faint tabular-nums">{number(total)}</span>}
        {amount !== "" && (
          <span className="ml-auto text-end text-sm font-medium tabular-nums">
            {amount}{" "}
            <span className="faint font-normal">
              {sumLabel}
              {isPart && ` in the last ${number(items.length)}`}
            </span>
          </span>
        )}
      </summary>
      <div className="grid grid-cols-1 gap-1">{content()}</div>
    </details>
  )
}

/** What waits for somebody: a line each, whatever it is of. */
const openLines = (of: {
  readonly orders: ReturnType<typeof useStory>["orders"]
  readonly requests: ReturnType<typeof useStory>["requests"]
  readonly chats: ReturnType<typeof useStory>["chats"]
}): ReadonlyArray<LineProps> =>
  [
    ...of.requests.items.filter(isOpenRequest).map(
      (request): LineProps => ({
        to: Router.Request({ id: request._id }),
        icon: "requests",
        title: requestName(request),
        about: request.title && request.type ? words(request.type) : undefined,
        at: request.updatedAt ?? request.createdAt,
        status: <Status of={request.status} />
      })
    ),
    ...of.orders.items.filter(isUnpaid).map(
      (order): LineProps => ({
        to: Router.Order({ id: order._id }),
        icon: "commerce",
        title: orderName(order),
        about: "unpaid",
        at: order.createdAt,
        status: <Status of={order.status} />,
        amount: money(order.total, order.currency)
      })
    ),
    ...of.chats.items.filter(isOpenConversation).map(
      (chat): LineProps => ({
        to: Router.Conversation({ id: chat._id }),
        icon: "chat",
        title: conversationName(chat),
        about: chat.lastMessage ? chat.topic : undefined,
        at: chat.updatedAt ?? chat.createdAt,
        status: <Status of={chat.status} />
      })
    )
  ].sort((left, right) => (right.at?.getTime() ?? 0) - (left.at?.getTime() ?? 0))

/** All that is a customer's, as far as the role may read it. */
export const useStory = (id: string) => {
  const session = useSession(admin.session)
  const can = {
    orders: session.can(Admin.ordersV2.list),
    payments: session.can(Admin.payments.list),
    requests: session.can(Admin.requests.list),
    chats: session.can(Admin.conversations.list)
  }
  return {
    can,
    orders: useBelongings(id, can.orders ? ordersOf(id) : undefined),
    payments: useBelongings(id, can.payments ? paymentsOf(id) : undefined),
    requests: useBelongings(id, can.requests ? requestsOf(id) : undefined),
    chats: useBelongings(id, can.chats ? conversationsOf() : undefined)
  }
}

const isPending = <A,>({ data, error }: Belongings<A>): boolean => data === undefined && error === undefined

const Open = ({ of }: { readonly of: ReturnType<typeof useStory> }): ReactElement => {
  const { can, chats, orders, requests } = of
  const lines = openLines(of)
  const isLoading = [
    can.orders && isPending(orders),
    can.requests && isPending(requests),
    can.chats && isPending(chats)
  ].includes(true)
  return (
    <section className="story-open" aria-label="Open">
      <h3>
        Open {lines.length > 0 && <span className="faint font-normal tabular-nums">{lines.length}</span>}
      </h3>
      {lines.length > 0 ? (
        <Lines title="Open" items={lines}>
          {(line) => <Line key={line.to} {...line} />}
        </Lines>
      ) : isLoading ? (
        <Skeleton height="4.5rem" />
      ) : (
        <p className="faint">Nothing is open.</p>
      )}
    </section>
  )
}

export const Story = ({ of }: { readonly of: ReturnType<typeof useStory> }): ReactElement => (
  <div className="story">
    <Open of={of} />
    <Group
      title="Orders"
      none="No orders"
      of={of.orders}
      isAllowed={of.can.orders}
      sum={ordered}
      sumLabel="ordered"
    >
      {(order) => (
        <Line
          key={order._id}
          to={Router.Order({ id: order._id })}
          title={orderName(order)}
          about={order.number && order.type ? words(order.type) : undefined}
          at={order.createdAt}
          status={<Status of={order.status} />}
          amount={money(order.total, order.currency)}
        />
      )}
    </Group>
    <Group
      title="Payments"
      none="No payments"
      of={of.payments}
      isAllowed={of.can.payments}
      sum={paid}
      sumLabel="paid"
      isLater
    >
      {(payment) => (
        <Line
          key={payment._id}
          to={Router.Payment({ id: payment._id })}
          title={paymentName(payment)}
          about={
            refundedOf(payment) > 0 ? `${money(refundedOf(payment), payment.currency)} refunded` : undefined
          }
          at={payment.createdAt}
          status={<PaymentStatus of={payment} />}
          amount={money(payment.amount, payment.currency)}
        />
      )}
    </Group>
    <Group title="Requests" none="No requests" of={of.requests} isAllowed={of.can.requests} isLater>
      {(request) => (
        <Line
          key={request._id}
          to={Router.Request({ id: request._id })}
          title={requestName(request)}
          about={request.title && request.type ? words(request.type) : undefined}
          at={request.createdAt}
          status={<Status of={request.status} />}
        />
      )}
    </Group>
    <Group title="Conversations" none="No conversations" of={of.chats} isAllowed={of.can.chats} isLater>
      {(chat) => (
        <Line
          key={chat._id}
          to={Router.Conversation({ id: chat._id })}
          title={conversationName(chat)}
          about={chat.lastMessage ? chat.topic : undefined}
          at={chat.updatedAt ?? chat.createdAt}
          status={<Status of={chat.status} />}
        />
      )}
    </Group>
  </div>
)
