/** The pane beside a thing: whose it is, how to reach them, and what else is theirs. */
import { useQuery } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { explain } from "../app/explain.js"
import { Router } from "../app/routes.js"
import type { UserRow } from "../app/rows.js"
import { money } from "../app/settled.js"
import { Status } from "../app/status.js"
import { month, number } from "../design/format.js"
import { Avatar, When } from "../design/show.js"
import { Skeleton } from "../design/state.js"
import { Part, PartLink } from "../frame/detail.js"
import { Contact } from "./contact.js"
import {
  type Belongings,
  conversationName,
  conversationsOf,
  customer,
  customerName,
  orderName,
  ordersOf,
  type Related,
  requestName,
  requestsOf,
  useBelongings
} from "./data.js"

/** The most of a group that stand beside a thing; the customer's own page has all. */
const most = 5

/** Among how many rows of a list a customer's were looked for, and how to look further. */
export const Among = <A,>({ of }: { readonly of: Related<A> }): ReactNode =>
  of.among !== undefined && (
    <p className="faint">
      {of.items.length === 0 ? "None among" : "Among"} the last {number(of.among)}.{" "}
      {of.readMore && (
        <button type="button" className="text-accent-text hover:underline" onClick={of.readMore}>
          Search more
        </button>
      )}
    </p>
  )

/** One group of what belongs to a customer; nothing where there is none. */
export const Group = <A,>(props: {
  readonly title: string
  readonly of: Related<A>
  /** The address of all of them. */
  readonly all?: string | undefined
  readonly children: (row: A) => ReactElement
}): ReactNode => {
  const { all, of, title } = props
  const { items, total = items.length } = of
  if (of.data === undefined && of.error === undefined)
    return (
      <Part title={title}>
        <Skeleton height="4rem" />
      </Part>
    )
  if (of.error !== undefined && of.data === undefined)
    return (
      <Part title={title}>
        <p className="quiet">{explain(of.error).title}.</p>
      </Part>
    )
  if (of.items.length === 0 && of.among === undefined) return null
  return (
    <Part
      title={title}
      tools={
        all !== undefined &&
        total > most && (
          <Link to={all} className="text-xs">
            All {number(total)}
          </Link>
        )
      }
    >
      {of.items.length > 0 && <ul>{of.items.slice(0, most).map(props.children)}</ul>}
      <Among of={of} />
    </Part>
  )
}

/** What is left out of a group: the thing beside which it stands. */
const without = <A extends { readonly _id: string }>(
  of: Belongings<A>,
  except: string | undefined
): Belongings<A> => {
  const items = of.items.filter(({ _id }) => _id !== except)
  return { ...of, items, total: of.total - (of.items.length - items.length) }
}

const Head = (props: {
  readonly id: string
  readonly name: string
  readonly of: UserRow | undefined
}): ReactElement => {
  const { id, name, of } = props
  const { createdAt, status } = of ?? {}
  return (
    <div className="flex items-center gap-2.5">
      <Avatar name={name} />
      <div className="min-w-0 flex-1">
        <Link
          to={Router.Customer({ id })}
          className="block truncate font-semibold text-ink no-underline hover:underline"
          title={name}
        >
          {name}
        </Link>
        {status === "inactive" && <span className="quiet">Inactive · </span>}
        {createdAt instanceof Date && <span className="quiet">Customer since {month(createdAt)}</span>}
      </div>
    </div>
  )
}

const Who = (props: { readonly id: string; readonly name: string | undefined }): ReactElement => {
  const { id } = props
  const { data, error } = useQuery(customer(id))
  if (data !== undefined)
    return (
      <>
        <Head id={id} name={data.fullName || props.name || customerName(data)} of={data} />
        <div className="mt-3">
          <Contact of={data} />
        </div>
      </>
    )
  if (error === undefined)
    return props.name ? <Head id={id} name={props.name} of={undefined} /> : <Skeleton height="2.25rem" />
  return (
    <>
      {props.name && <p className="font-semibold">{props.name}</p>}
      <p className="quiet">
        {error._tag === "NotFound" ? "This customer no longer exists." : `${explain(error).title}.`}
      </p>
    </>
  )
}

const Known = (props: {
  readonly id: string
  readonly name: string | undefined
  readonly except: string | undefined
}): ReactElement => {
  const { except, id } = props
  const orders = without(useBelongings(id, ordersOf(id)), except)
  const requests = without(useBelongings(id, requestsOf(id)), except)
  const chats = without(useBelongings(id, conversationsOf()), except)
  const all = Router.Customer({ id })
  return (
    <>
      <Who id={id} name={props.name} />
      <Group title="Orders" of={orders} all={all}>
        {(order) => (
          <PartLink
            key={order._id}
            to={Router.Order({ id: order._id })}
            end={
              <>
                <span className="text-muted">{money(order.total, order.currency)}</span>
                <Status of={order.status} />
              </>
            }
          >
            {orderName(order)}
          </PartLink>
        )}
      </Group>
      <Group title="Other requests" of={requests} all={all}>
        {(request) => (
          <PartLink
            key={request._id}
            to={Router.Request({ id: request._id })}
            end={<When date={request.createdAt} className="faint" />}
          >
            {requestName(request)}
          </PartLink>
        )}
      </Group>
      <Group title="Chat" of={chats} all={all}>
        {(chat) => (
          <PartLink
            key={chat._id}
            to={Router.Conversation({ id: chat._id })}
            end={<When date={chat.updatedAt} className="faint" />}
          >
            {conversationName(chat)}
          </PartLink>
        )}
      </Group>
    </>
  )
}

export const AboutCustomer = (props: {
  readonly id: string | null | undefined
  /** What the thing itself says of their name. */
  readonly name?: string | null | undefined
  /** The thing beside which it stands: it is not among what else is theirs. */
  readonly except?: string
}): ReactElement | null => {
  const { except, id } = props
  const name = props.name || undefined
  if (id) return <Known key={id} id={id} name={name} except={except} />
  return name === undefined ? null : <p className="quiet">{name}</p>
}
