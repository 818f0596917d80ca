/** The requests of end users, filtered by status and type, with the details of one beside the list. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useInfiniteQuery } from "../../../rx/index.js"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Select } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Badge, PageHead, Status, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import table from "../../design/table.module.css"
import { type Filter, list } from "./data.js"
import { Detail } from "./detail.js"
import { statusChoices, tones, typeGroups } from "./options.js"
import styles from "./requests.module.css"

const to = ({ status, type }: Filter): string =>
  Router.Requests({
    ...(status === undefined ? {} : { status: [status] }),
    ...(type === undefined ? {} : { type })
  })

const Filters = ({ status, type }: Filter): ReactElement => (
  <div className={`${layout.toolbar} ${styles.filters}`}>
    <nav className={styles.statuses} aria-label="Status">
      <Link to={to({ status: undefined, type })} aria-current={status === undefined || undefined}>
        All
      </Link>
      {statusChoices.map(({ label, value }) => (
        <Link key={value} to={to({ status: value, type })} aria-current={status === value || undefined}>
          {label}
        </Link>
      ))}
    </nav>
    <Select
      label="Type"
      hideLabel
      value={type ?? ""}
      choices={[{ value: "", label: "All types" }, ...typeGroups]}
      onChange={(next) => pushUnsafe(to({ status, type: next === "" ? undefined : next }))}
    />
  </div>
)

/** Whether there is something that the administrators have not read. */
const isNew = ({ seenByAdmin, version }: RequestRow): boolean => (seenByAdmin ?? 0) < (version ?? 0)

const columnsFor = (
  nameOf: (id: string | null | undefined) => string,
  sheetOf: (id: string) => string
): ReadonlyArray<Column<RequestRow>> => [
  {
    title: "Request",
    cell: (request) => (
      <>
        <Link className={table.link} to={sheetOf(request._id)}>
          {request.title || words(request.type ?? "Request")}
        </Link>{" "}
        {isNew(request) && <Badge tone="accent">New</Badge>}
      </>
    )
  },
  {
    title: "Status",
    cell: ({ status }) => <Status of={status} tones={tones} />
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
  const route = Router.useRoute(["Requests", "Request"])
  const id = route?.name === "Request" ? route.params.id : undefined
  const { status: [status] = [], type } = route?.params ?? {}
  const shown = { ...(status && { status: [status] }), ...(type && { type }) }
  const answer = useInfiniteQuery(list({ status, type }))
  const nameOf = useNames()
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
        columns={columnsFor(nameOf, (request) => Router.Request({ ...shown, id: request }))}
        rows={12}
        empty={
          <Empty icon="requests" title="No requests here">
            Nothing has this status and type. Choose others above.
          </Empty>
        }
      />
      <Detail id={id} nameOf={nameOf} onClose={() => Router.push("Requests", shown)} />
    </>
  )
}

export default Requests
