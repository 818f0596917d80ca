/** Requests: what end users ask for, filtered by status and type; one of them in full beside the list. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useInfiniteQuery, useQuery } from "../../../rx/index.js"
import { Router, routeNames } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Badge, PageHead, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import { list, people } from "./data.js"
import { Detail } from "./detail.js"
import { statusChoices, toneOf, typeGroups } from "./options.js"

interface Chosen {
  readonly status: string | undefined
  readonly type: string | undefined
}

const to = ({ status, type }: Chosen): string =>
  Router.Requests({
    ...(status === undefined ? {} : { status: [status] }),
    ...(type === undefined ? {} : { type })
  })

const Filters = ({ status, type }: Chosen): ReactElement => (
  <div className="toolbar">
    <nav className="chips grow" aria-label="Status">
      <Link
        className="chip"
        to={to({ status: undefined, type })}
        aria-current={status === undefined || undefined}
      >
        All
      </Link>
      {statusChoices.map(({ label, value }) => (
        <Link
          key={value}
          className="chip"
          to={to({ status: value, type })}
          aria-current={status === value || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
    <select
      className="select"
      style={{ width: "13rem" }}
      aria-label="Type"
      value={type ?? ""}
      onChange={(event) => {
        const next = event.target.value
        Router.push("Requests", {
          ...(status === undefined ? {} : { status: [status] }),
          ...(next === "" ? {} : { type: next })
        })
      }}
    >
      <option value="">All types</option>
      {typeGroups.map((group) => (
        <optgroup key={group.label} label={group.label}>
          {group.types.map((name) => (
            <option key={name} value={name}>
              {words(name)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </div>
)

/** Whether the administrators have read what is there. */
const isNew = ({ seenByAdmin, version }: RequestRow): boolean => (seenByAdmin ?? 0) < (version ?? 0)

const columnsFor = (nameOf: (id: string | null | undefined) => string): ReadonlyArray<Column<RequestRow>> => [
  {
    title: "Request",
    cell: (request) => (
      <>
        <Link className="cell" to={Router.Request({ id: request._id })}>
          {request.title || words(request.type ?? "Request")}
        </Link>{" "}
        {isNew(request) && <Badge tone="accent">New</Badge>}
      </>
    )
  },
  {
    title: "Status",
    cell: ({ status }) => (
      <Badge tone={toneOf(status)} dot>
        {words(status ?? "unknown")}
      </Badge>
    )
  },
  { title: "Type", quiet: true, cell: ({ type }) => words(type ?? "") },
  { title: "From", quiet: true, cell: ({ userId }) => nameOf(userId) },
  {
    title: "Comments",
    labelled: true,
    quiet: true,
    end: true,
    cell: ({ comments }) => comments?.length ?? 0
  },
  { title: "Filed", quiet: true, end: true, cell: ({ createdAt }) => <When date={createdAt} /> }
]

const Requests = (): ReactElement => {
  const route = Router.useRoute(routeNames)
  const status = route?.name === "Requests" ? route.params.status?.[0] : undefined
  const type = route?.name === "Requests" ? route.params.type : undefined
  const answer = useInfiniteQuery(
    list({ ...(status === undefined ? {} : { status }), ...(type === undefined ? {} : { type }) })
  )
  const names = useQuery(people)
  const nameOf = (id: string | null | undefined): string =>
    names.data?.items.find((user) => user._id === id)?.fullName ?? ""
  return (
    <>
      <PageHead
        title="Requests"
        about="What people ask of you. Open one to answer it, to change its status, and to mark it as seen."
      />
      <Filters status={status} type={type} />
      <List
        label="Requests"
        of={answer}
        columns={columnsFor(nameOf)}
        rows={12}
        empty={
          <Empty icon="requests" title="No requests here">
            Nothing has this status and type. Choose others above.
          </Empty>
        }
      />
      <Detail id={route?.name === "Request" ? route.params.id : undefined} nameOf={nameOf} />
    </>
  )
}

export default Requests
