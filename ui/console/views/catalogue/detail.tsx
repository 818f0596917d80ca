/** One item: how it looks, what it costs, what is known of it, and the orders that hold it. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link, pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { copyLink } from "../../app/copy.js"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ItemRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { Group } from "../../customer/about.js"
import { useMentions } from "../../data/mentions.js"
import { Button } from "../../design/button.js"
import { Badge, FactList, When, words } from "../../design/show.js"
import { Detail, Part, PartLink, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { Gallery } from "../../frame/pictures.js"
import {
  byId,
  descriptionOf,
  factsLine,
  lastOrders,
  lastRequests,
  nameOf,
  ofType,
  picturesElsewhere,
  picturesOf,
  priceText,
  shownFields,
  stockText
} from "./data.js"

/** Texts with more letters than about eight lines hold are cut, and can be seen whole. */
const most = 560

const Description = ({ text }: { readonly text: string }): ReactElement => {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > most || text.split("\n").length > 8
  return (
    <>
      <p className={`prose ${isLong && !isWhole ? "line-clamp-8" : ""}`}>{text}</p>
      {isLong && (
        <Button size="s" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
        </Button>
      )}
    </>
  )
}

/** Pictures at other addresses: the page may load nothing from there. */
const Elsewhere = ({ of }: { readonly of: ReadonlyArray<string> }): ReactElement | null =>
  of.length === 0 ? null : (
    <p className="mb-4 quiet">
      {of.length === 1 ? "A picture is" : `${of.length} pictures are`} stored elsewhere:{" "}
      {of.map((address, at) => (
        <span key={address}>
          {at > 0 && ", "}
          <a href={address} target="_blank" rel="noopener noreferrer">
            open {of.length === 1 ? "it" : at + 1}
          </a>
        </span>
      ))}
      .
    </p>
  )

const Aside = ({ of }: { readonly of: ItemRow }): ReactElement => {
  const { _id: id, type, userId } = of
  const session = useSession(admin.session)
  const customerOf = useNames()
  const orders = useMentions(id, session.can(Admin.ordersV2.list) ? lastOrders : undefined)
  const requests = useMentions(id, session.can(Admin.requests.list) ? lastRequests : undefined)
  const similar = useQuery(type ? ofType(type) : undefined)
  const others = (similar.data?.items ?? []).filter(({ _id }) => _id !== id).slice(0, 5)
  const canReadOrders = session.can(Admin.ordersV2.list)
  return (
    <>
      {userId && (
        <Part title="Offered by">
          <ul>
            <PartLink to={Router.Customer({ id: userId })}>{customerOf(userId) || userId}</PartLink>
          </ul>
        </Part>
      )}
      {canReadOrders && (
        <Group title="Orders with this item" of={orders} all={Router.Orders({ search: nameOf(of) })}>
          {({ _id, number, status, userId }) => (
            <PartLink key={_id} to={Router.Order({ id: _id })} end={<Status of={status} />}>
              {[number || "Order", customerOf(userId)].filter(Boolean).join(" · ")}
            </PartLink>
          )}
        </Group>
      )}
      {orders.data !== undefined && orders.items.length === 0 && orders.among === undefined && (
        <Part title="Orders with this item">
          <p className="quiet">Nobody has ordered this yet.</p>
        </Part>
      )}
      <Group title="Requests about this item" of={{ ...requests, among: undefined }}>
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
      {others.length > 0 && type && (
        <Part
          title="Similar items"
          tools={
            <Link to={Router.Catalogue({ type: [type] })} className="text-xs">
              All
            </Link>
          }
        >
          <ul>
            {others.map((item) => (
              <PartLink
                key={item._id}
                to={Router.Item({ id: item._id })}
                end={<span className="faint">{priceText(item)}</span>}
              >
                {nameOf(item)}
              </PartLink>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

const Item = ({ item }: { readonly item: ItemRow }): ReactElement => {
  const { _id: id, createdAt, featured, interests, status, type, updatedAt, userId } = item
  const session = useSession(admin.session)
  const stock = stockText(item)
  const facts = factsLine(item, true)
  const description = descriptionOf(item)
  const name = nameOf(item)
  useCommands(
    userId
      ? [
          {
            label: "Open the seller",
            icon: "user",
            keys: "o",
            run: () => pushUnsafe(Router.Customer({ id: userId }))
          }
        ]
      : []
  )
  return (
    <Detail
      title={name}
      about={
        <span className="row gap-x-2.5 gap-y-1">
          {priceText(item) !== "" && (
            <strong className="text-base text-ink tabular-nums">{priceText(item)}</strong>
          )}
          <Status of={status} />
          {stock !== "" && <span>{stock}</span>}
          {featured === true && <Badge tone="accent">Featured</Badge>}
        </span>
      }
      actions={
        <>
          <Button keys="l" onClick={() => void copyLink(Router.Item({ id }))}>
            Copy link
          </Button>
          {session.can(Admin.ordersV2.list) && (
            <Link
              className="press h-8 border-line-strong bg-surface px-3 text-sm text-ink no-underline hover:bg-hover"
              to={Router.Orders({ search: name })}
            >
              Show orders
            </Link>
          )}
          <span className="quiet">Items are changed on the platform. Here you can only view them.</span>
        </>
      }
      aside={<Aside of={item} />}
    >
      <Gallery
        ids={picturesOf(item)}
        placeholder={<span className="text-xl">{[...name][0]?.toUpperCase()}</span>}
      />
      <Elsewhere of={picturesElsewhere(item)} />
      {facts !== "" && <p className="mb-3 font-medium">{facts}</p>}
      {description !== "" && <Description text={description} />}
      <div className="mt-4">
        <FactList
          of={[
            ...(type ? ([["Type", words(type)]] as const) : []),
            ...(interests && interests.length > 0
              ? ([["Interests", interests.map((interest) => words(interest)).join(", ")]] as const)
              : []),
            ...(createdAt ? ([["Added", <When key="" date={createdAt} long />]] as const) : []),
            ...(updatedAt && updatedAt.getTime() !== createdAt?.getTime()
              ? ([["Updated", <When key="" date={updatedAt} long />]] as const)
              : [])
          ]}
        />
      </div>
      <More of={item} known={shownFields(item)} />
    </Detail>
  )
}

export const ItemDetail = (props: {
  readonly id: string
  readonly row: ItemRow | undefined
}): ReactElement => (
  <Thing of={useQuery(byId(props.id))} row={props.row} noun="item">
    {(item) => <Item key={item._id} item={item} />}
  </Thing>
)
