/** The requests of customers: an inbox by who acts next, and the selected one beside it. */

import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { queueOf } from "@quartet/sdk/extend/models/requests"
import type { ReactElement } from "react"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Status, statusLabel, toneOf } from "../../app/status.js"
import { requestName } from "../../customer/data.js"
import { useCustomerCommands } from "../../customer/row-commands.js"
import { useListState } from "../../data/list-state.js"
import { Select } from "../../design/field.js"
import { when } from "../../design/format.js"
import { Badge, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { useSearched } from "../../frame/narrowed.js"
import { useStatusQuestion } from "../../frame/set-status.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import { useStatusChange } from "./change-status.js"
import {
  byId,
  confirmKey,
  countOf,
  isNew,
  list,
  statusChoices,
  type Tab,
  tabLabels,
  tabOf,
  tabs,
  typeGroups
} from "./data.js"
import { RequestDetail } from "./detail.js"

type NameOf = ReturnType<typeof useNames>

/** How far it is: who acts next, who said something last, how it ended. */
const stateOf = ({ comments, status }: RequestRow): ReadonlyArray<string> => {
  const last = comments?.at(-1)
  if (status === "confirmed") return ["waiting for them"]
  const said = last && (last.author?.kind === "admin" ? "you replied" : "they replied")
  const isOpen = status === "pending" || status === "reviewed"
  return [
    ...(status && status !== "pending" ? [statusLabel(status).toLowerCase()] : []),
    ...(isOpen && said ? [said] : [])
  ]
}

const rowOf =
  (nameOf: NameOf, tab: Tab) =>
  (request: RequestRow): InboxRow => {
    const unseen = isNew(request)
    const { comments, createdAt, status, type, updatedAt, userId } = request
    const theirs = unseen ? (comments ?? []).filter(({ author }) => author?.kind !== "admin").length : 0
    const at = updatedAt ?? createdAt
    const who = [nameOf(userId), type && words(type)]
    // It stays until another one is selected, and says that it belongs elsewhere now.
    const hasLeft = tab !== "all" && status && queueOf(status) !== tab
    const news = theirs > 0 && <Badge tone="accent">{theirs}</Badge>
    const badge = hasLeft ? <Status of={status} /> : news
    return {
      tone: toneOf(status),
      title: requestName(request),
      at,
      isNew: unseen,
      line: [...who, ...(hasLeft ? [] : stateOf(request))].filter(Boolean).join(" · "),
      spoken: [
        requestName(request),
        ...who,
        status && statusLabel(status),
        theirs > 0 ? `${theirs} new ${theirs === 1 ? "comment" : "comments"}` : unseen && "new",
        at instanceof Date && when(at)
      ]
        .filter(Boolean)
        .join(", "),
      ...(badge && { badge })
    }
  }

const columnsFor = (nameOf: NameOf): ReadonlyArray<Column<RequestRow>> => [
  { title: "Request", sort: "title", value: requestName },
  { title: "Status", sort: "status", value: ({ status }) => statusLabel(status ?? "") },
  { title: "Type", sort: "type", value: ({ type }) => words(type ?? "") },
  { title: "Customer", value: ({ userId }) => nameOf(userId) || userId },
  { title: "Comments", value: ({ comments }) => comments?.length ?? 0 },
  { title: "Sent", sort: "createdAt", value: ({ createdAt }) => createdAt },
  { title: "Updated", sort: "updatedAt", value: ({ updatedAt }) => updatedAt }
]

const useCounts = () => {
  const open = useQuery(countOf("open")).data?.paging.total
  const waiting = useQuery(countOf("waiting")).data?.paging.total
  const closed = useQuery(countOf("closed")).data?.paging.total
  const all = useQuery(countOf("all")).data?.paging.total
  return { open, waiting, closed, all }
}

type Rows = ReadonlyArray<RequestRow>

const useRowCommands = () => {
  const session = useSession(admin.session)
  const { set, setAll } = useStatusChange()
  const ofCustomers = useCustomerCommands<RequestRow>(({ userId }) => userId)
  const { askStatus, dialog } = useStatusQuestion({
    noun: "request",
    choices: statusChoices,
    description: "Their customers will see this."
  })
  const ofStatus: ReadonlyArray<RowCommand<RequestRow>> = [
    {
      label: "Confirm",
      icon: "check",
      keys: confirmKey,
      isBulk: true,
      isFor: (rows: Rows) => rows.some(({ status }) => status !== "confirmed"),
      run: (rows: Rows) => set(rows, "confirmed")
    },
    { label: "Reject", icon: "close", run: (rows) => set(rows, "rejected") },
    {
      label: "Set status…",
      icon: "check",
      isBulk: true,
      run: async (rows) => {
        const status = await askStatus(rows.length)
        return status !== undefined && setAll(rows, status)
      }
    }
  ]
  return {
    commands: [...(session.can(Admin.requests.update) ? ofStatus : []), ...ofCustomers.commands],
    dialogs: (
      <>
        {dialog}
        {ofCustomers.dialog}
      </>
    )
  }
}

const Requests = (): ReactElement => {
  const id = Router.useRoute(["Request"])?.params.id
  const state = useListState()
  const nameOf = useNames()
  const { commands, dialogs } = useRowCommands()
  const counts = useCounts()
  const tab = tabOf(state)
  const of = useSearched(list, state)
  // What has left the list stands in it as it was: the request beside it is newer.
  const hasLeft = id !== undefined && of.data !== undefined && !of.items.some(({ _id }) => _id === id)
  const left = useQuery(hasLeft ? byId(id) : undefined).data
  const present = (request: RequestRow): RequestRow => (left?._id === request._id ? left : request)
  const { all = 0, closed = 0, open = 0, waiting = 0 } = counts
  // Statuses that no queue asks for are seen among all.
  const shownTabs = tabs.filter((name) => name !== "all" || tab === "all" || all > open + waiting + closed)
  const type = state.read("type")
  const hrefOf = (tab: Tab): string => state.href({ tab }, Router.Requests())
  return (
    <>
      <Workplace
        label="Requests"
        of={of}
        state={state}
        id={id}
        to={(id) => state.keep(id === undefined ? Router.Requests() : Router.Request({ id }))}
        nameOf={requestName}
        row={(request) => rowOf(nameOf, tab)(present(request))}
        columns={columnsFor(nameOf)}
        about={counts.open !== undefined && `${counts.open} open`}
        search="Find requests"
        besideSearch={
          <Select
            label="Type"
            hideLabel
            value={type ?? ""}
            choices={[{ value: "", label: "All types" }, ...typeGroups]}
            onChange={(type) => state.set({ type })}
          />
        }
        filters={
          <Tabs
            label="Tabs"
            current={hrefOf(tab)}
            tabs={shownTabs.map((value) => ({
              label: tabLabels[value],
              count: counts[value],
              to: hrefOf(value)
            }))}
          />
        }
        commands={commands}
        empty={
          <Empty
            icon="requests"
            title={`No ${type ? "such requests" : `${tabLabels[tab].toLowerCase()} requests`}`}
          >
            {type ? "Choose another type." : "New ones appear here."}
          </Empty>
        }
      >
        {(row, id) => <RequestDetail key={id} id={id} row={row} />}
      </Workplace>
      {dialogs}
    </>
  )
}

export default Requests
