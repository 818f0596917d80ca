/** The requests of end users, filtered by status and type, with the details of one beside the list. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useInfiniteQuery } from "../../../rx/index.js"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Select } from "../../design/field.js"
import { type ListState, useListState } from "../../design/list-state.js"
import { Badge, PageHead, Status, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import { list } from "./data.js"
import { Detail } from "./detail.js"
import { statusChoices, tones, typeGroups } from "./options.js"
import styles from "./requests.module.css"

const Statuses = ({ href, read }: ListState): ReactElement => (
  <nav className={styles.statuses} aria-label="Status">
    {[{ value: "", label: "All" }, ...statusChoices].map(({ label, value }) => (
      <Link
        key={value}
        to={href({ status: value })}
        aria-current={value === (read("status") ?? "") || undefined}
      >
        {label}
      </Link>
    ))}
  </nav>
)

/** Whether there is something that the administrators have not read. */
const isNew = ({ seenByAdmin, version }: RequestRow): boolean => (seenByAdmin ?? 0) < (version ?? 0)

const columnsFor = (nameOf: (id: string | null | undefined) => string): ReadonlyArray<Column<RequestRow>> => [
  {
    title: "Request",
    sort: "title",
    value: ({ title, type }) => title || words(type ?? "Request"),
    cell: (request) => (
      <>
        {request.title || words(request.type ?? "Request")}{" "}
        {isNew(request) && <Badge tone="accent">New</Badge>}
      </>
    )
  },
  {
    title: "Status",
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status of={status} tones={tones} />
  },
  { title: "Type", sort: "type", quiet: true, value: ({ type }) => words(type ?? "") },
  { title: "From", quiet: true, value: ({ userId }) => nameOf(userId) },
  {
    title: "Comments",
    labelled: true,
    quiet: true,
    end: true,
    value: ({ comments }) => comments?.length ?? 0
  },
  { title: "Filed", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
]

const Requests = (): ReactElement => {
  const id = Router.useRoute(["Request"])?.params.id
  const state = useListState()
  const nameOf = useNames()
  return (
    <>
      <PageHead
        title="Requests"
        about="What people ask of you. Open one to answer it, to change its status, and to mark it as seen."
      />
      <Statuses {...state} />
      <List
        label="Requests"
        of={useInfiniteQuery(list(state))}
        state={state}
        columns={columnsFor(nameOf)}
        to={({ _id }) => state.keep(Router.Request({ id: _id }))}
        search="Find requests"
        dated
        filters={
          <Select
            label="Type"
            hideLabel
            value={state.read("type") ?? ""}
            choices={[{ value: "", label: "All types" }, ...typeGroups]}
            onChange={(type) => state.set({ type })}
          />
        }
        rows={12}
        empty={
          <Empty icon="requests" title="No requests here">
            Nothing matches what you look for. Choose another status or type above.
          </Empty>
        }
      />
      <Detail id={id} nameOf={nameOf} onClose={() => state.go(Router.Requests())} />
    </>
  )
}

export default Requests
