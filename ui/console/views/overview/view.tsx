/** The overview: how much there is of everything, how it grows, and what came last. */

import { useInfiniteQuery, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { Page } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { projectId } from "../../app/config.js"
import { everyone, useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { payments, requests } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { Status } from "../../app/status.js"
import { Loaded, type QueryView } from "../../data/loaded.js"
import { type Point, TrendChart } from "../../design/chart.js"
import { shortMonth } from "../../design/format.js"
import { Card, PageHead, When, words } from "../../design/show.js"
import { Empty, Skeleton } from "../../design/state.js"

const project = admin.query(Admin.projects.get, { id: projectId })
const facts = Router.Data({ slice: "projects", id: projectId })
const team = admin.query(Admin.admins.list, { limit: 1 })
const content = admin.query(Admin.content.paginated, { limit: 1 })
const latest = { limit: 6, query: { sort: "-createdAt" } }
const waiting = admin.query(requests.list, { ...latest, statusIn: ["pending"] })
const paid = admin.query(payments.list, latest)

/** How many there are; a dash where the role may not know. */
/** How many there are; a dash where the platform does not say so. */
const total = ({ data, error }: QueryView<Page<unknown>>): ReactNode =>
  data === undefined && error === undefined ? (
    <Skeleton width="4rem" height="2rem" />
  ) : (
    (data?.paging.total ?? "—")
  )

const Stats = (): ReactElement => {
  const tiles = [
    ["Requests that wait", total(useQuery(waiting))],
    ["End users", total(useInfiniteQuery(everyone))],
    ["Content entries", total(useQuery(content))],
    ["People in the team", total(useQuery(team))]
  ] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-4">
      {tiles.map(([name, value]) => (
        <div key={name} className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-sm">
          <dt className="quiet">{name}</dt>
          <dd className="font-bold text-2xl tabular-nums tracking-[-0.025em]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How many there are up to the end of each month from the first date on, with those `before` it. */
const growth = (dates: ReadonlyArray<Date>, before: number): ReadonlyArray<Point> => {
  const months = dates.map((date) => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth())
  const first = Math.min(...months)
  return Array.from({ length: dates.length && Math.max(...months) - first + 1 }, (_, index) => ({
    label: shortMonth(new Date(Date.UTC(1970, first + index))),
    value: before + months.filter((month) => month <= first + index).length
  }))
}

const People = (): ReactElement => {
  const list = useWhole(everyone)
  const dates = list.items.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : []))
  return (
    <Card
      title="End users"
      action={
        <span className="faint">{list.part ? `months of ${list.part}` : "all who ever signed up"}</span>
      }
    >
      <Loaded
        of={list}
        skeleton={<Skeleton height="9rem" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="people" title="Nobody has signed up yet" />}
      >
        {() =>
          dates.length === 0 ? (
            <Empty icon="people" title="The platform does not say when they signed up" />
          ) : (
            <TrendChart caption="End users by month" points={growth(dates, list.total - dates.length)} />
          )
        }
      </Loaded>
    </Card>
  )
}

/** What came last, each with a link to it. */
const Latest = <A extends { readonly _id: string; readonly createdAt?: Date | null | undefined }>(props: {
  readonly title: string
  readonly of: QueryView<Page<A>>
  readonly all: string
  readonly to: (row: A) => string
  readonly name: (row: A) => string
  readonly about: (row: A) => ReactNode
}): ReactElement => (
  <Card
    flush
    title={props.title}
    action={
      <Link to={props.all} className="text-end" aria-label={`All: ${props.title}`}>
        All
      </Link>
    }
  >
    <Loaded
      of={props.of}
      skeleton={<Skeleton height="18rem" />}
      isEmpty={({ items }) => items.length === 0}
      empty={<Empty icon="check" title="Nothing here" />}
    >
      {({ items }) => (
        <ul>
          {items.map((row) => (
            <li key={row._id} className="flex items-center gap-3 border-t border-line px-4 py-2.5 text-sm">
              <Link to={props.to(row)} className="min-w-0 truncate">
                {props.name(row)}
              </Link>
              <span className="flex-1 text-muted">{props.about(row)}</span>
              <When date={row.createdAt} className="faint" />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  </Card>
)

const Overview = (): ReactElement => {
  const session = useSession(admin.session)
  const { fullName } =
    session.status === "signed-in" && session.identity.audience === "admin" ? session.identity.admin : {}
  return (
    <>
      <PageHead
        title={["Welcome", fullName?.split(" ")[0] ?? []].flat().join(", ")}
        about={
          <>
            This is what happens in <Link to={facts}>{useQuery(project).data?.name ?? "your project"}</Link>.
          </>
        }
      />
      <div className="grid gap-4 md:grid-cols-2">
        <Stats />
        <People />
        <Latest
          title="Requests that wait"
          of={useQuery(waiting)}
          all={Router.Requests({ status: ["pending"] })}
          to={({ _id: id }) => Router.Request({ id })}
          name={({ title, type }) => title || words(type ?? "request")}
          about={({ type }) => words(type ?? "")}
        />
        <Latest
          title="Latest payments"
          of={useQuery(paid)}
          all={Router.Commerce()}
          to={({ _id: id }) => Router.Commerce({ id })}
          name={({ amount, currency }) => money(amount, currency)}
          about={({ status }) => <Status of={status} />}
        />
      </div>
    </>
  )
}

export default Overview
