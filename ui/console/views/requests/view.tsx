/** The requests of end users, filtered by status and type, with the details of one beside the list. */

import { useInfiniteQuery } from "@quartet/react"
import type { ReactElement } from "react"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { useListState } from "../../data/list-state.js"
import { type Column, List } from "../../data/table.js"
import { Select } from "../../design/field.js"
import { Badge, PageHead, Tabs, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { list, statusChoices, typeGroups } from "./data.js"
import { Detail } from "./detail.js"

const titleOf = ({ title, type }: RequestRow): string => title || words(type ?? "Request")

const columnsFor = (nameOf: ReturnType<typeof useNames>): ReadonlyArray<Column<RequestRow>> => [
  {
    title: "Request",
    sort: "title",
    value: titleOf,
    cell: (request) => (
      <>
        {/* What no administrator has read yet. */}
        {(request.seenByAdmin ?? 0) < (request.version ?? 0) && <Badge tone="accent">New</Badge>}{" "}
        {titleOf(request)}
      </>
    )
  },
  {
    title: "Status",
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status of={status} />
  },
  { title: "Type", sort: "type", value: ({ type }) => words(type ?? "") },
  { title: "From", value: ({ userId }) => nameOf(userId) },
  { title: "Comments", value: ({ comments }) => comments?.length ?? 0 },
  { title: "Filed", sort: "createdAt", value: ({ createdAt }) => createdAt }
]

const Requests = (): ReactElement => {
  const id = Router.useRoute(["Request"])?.params.id
  const state = useListState()
  const nameOf = useNames()
  return (
    <>
      <PageHead title="Requests" about="What people ask of you." />
      <Tabs
        label="Status"
        current={state.href({ status: state.read("status") })}
        tabs={[{ value: "", label: "All" }, ...statusChoices].map(({ label, value }) => ({
          to: state.href({ status: value }),
          label
        }))}
      />
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
        empty={
          <Empty icon="requests" title="No requests here">
            Choose another status or type, or look for another word.
          </Empty>
        }
      />
      <Detail id={id} onClose={() => state.close(state.keep(Router.Requests()))} />
    </>
  )
}

export default Requests
