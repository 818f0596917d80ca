/** The pane beside a thing: whose it is, how to reach them, and what else is theirs. */
import { useQuery } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { explain } from "../app/explain.js"
import { Router } from "../app/routes.js"
import { money } from "../app/settled.js"
import { Status } from "../app/status.js"
import { month } from "../design/format.js"
import { Avatar, FactList, When, words } from "../design/show.js"
import { Skeleton } from "../design/state.js"
import { Part, PartLink } from "../frame/detail.js"
import { type Belongings, conversationsOf, customer, ordersOf, requestsOf, useBelongings } from "./data.js"

/** The most of a group that stand beside a thing; the customer's own page has all. */
const most = 5

/** One group of what belongs to a customer; nothing where there is none. */
export const Group = <A,>(props: {
  readonly title: string
  readonly of: Belongings<A>
  /** The address of all of them. */
  readonly all?: string | undefined
  readonly children: (row: A) => ReactElement
}): ReactNode => {
  const { all, of, title } = props
  if (of.data === undefined && of.error === undefined) return <Skeleton height="4rem" />
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
        of.items.length > most && (
          <Link to={all} className="text-xs">
            All {of.items.length}
          </Link>
        )
      }
    >
      <ul>{of.items.slice(0, most).map(props.children)}</ul>
      {of.among !== undefined && (
        <p className="faint">
          {of.items.length === 0 ? "None " : ""}among the last {of.among}
        </p>
      )}
    </Part>
  )
}

export const AboutCustomer = (props: {
  readonly id: string | null | undefined
  /** What the thing itself says of their name. */
  readonly name?: string | null | undefined
  /** The thing beside which it stands: it is not among what else is theirs. */
  readonly except?: string
}): ReactElement | null => {
  const { except } = props
  const id = props.id || undefined
  const who = useQuery(id === undefined ? undefined : customer(id))
  const orders = useBelongings(id, id === undefined ? undefined : ordersOf(id))
  const requests = useBelongings(id, id === undefined ? undefined : requestsOf(id))
  const chats = useBelongings(id, id === undefined ? undefined : conversationsOf())
  if (id === undefined) return props.name ? <p className="quiet">{props.name}</p> : null
  const { city, createdAt, email, fullName, phone } = who.data ?? {}
  const name = fullName || props.name || email || id
  const others = { ...requests, items: requests.items.filter(({ _id }) => _id !== except) }
  const talks = { ...chats, items: chats.items.filter(({ _id }) => _id !== except) }
  return (
    <>
      <div className="flex items-center gap-2.5">
        <Avatar name={name} />
        <div className="min-w-0 flex-1">
          <Link to={Router.Customer({ id })} className="block truncate font-semibold text-ink">
            {name}
          </Link>
          {createdAt instanceof Date && <span className="quiet">Customer since {month(createdAt)}</span>}
        </div>
      </div>
      <div className="mt-3">
        <FactList
          of={[
            ...(email
              ? ([
                  [
                    "E-mail",
                    <a key="" href={`mailto:${email}`}>
                      {email}
                    </a>
                  ]
                ] as const)
              : []),
            ...(phone
              ? ([
                  [
                    "Phone",
                    <a key="" href={`tel:${phone}`}>
                      {phone}
                    </a>
                  ]
                ] as const)
              : []),
            ...(city ? ([["City", city]] as const) : [])
          ]}
        />
      </div>
      <Group title="Orders" of={orders} all={Router.Customer({ id })}>
        {({ _id, currency, number, status, total }) => (
          <PartLink key={_id} to={Router.Order({ id: _id })} end={<Status of={status} />}>
            {number || "Order"} · {money(total, currency)}
          </PartLink>
        )}
      </Group>
      <Group title="Other requests" of={others} all={Router.Customer({ id })}>
        {({ _id, createdAt, title, type }) => (
          <PartLink
            key={_id}
            to={Router.Request({ id: _id })}
            end={<When date={createdAt} className="faint" />}
          >
            {title || words(type ?? "Request")}
          </PartLink>
        )}
      </Group>
      <Group title="Chat" of={talks}>
        {({ _id, lastMessage, topic, updatedAt }) => (
          <PartLink
            key={_id}
            to={Router.Conversation({ id: _id })}
            end={<When date={updatedAt} className="faint" />}
          >
            {lastMessage || topic || "Conversation"}
          </PartLink>
        )}
      </Group>
    </>
  )
}
