/** The orders of customers: by what is still to be done with them, and the selected one beside them. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { ReactElement } from "react"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { OrderRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { Status, toneOf } from "../../app/status.js"
import { useFound } from "../../customer/found.js"
import { FoundNote } from "../../customer/found-note.js"
import { hasFilter, ListFilters, noFilters } from "../../customer/list-filters.js"
import { useCustomerCommands } from "../../customer/row-commands.js"
import { useListState } from "../../data/list-state.js"
import { Select } from "../../design/field.js"
import { When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { ClearFilters } from "../../frame/filters.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { useStatusQuestion } from "../../frame/set-status.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import { useStatusChange } from "./change-status.js"
import {
  countOf,
  list,
  nameOf,
  statusChoices,
  type Tab,
  tabLabels,
  tabOf,
  tabStatuses,
  tabs,
  typeChoices
} from "./data.js"
import { OrderDetail } from "./detail.js"

type NameOf = ReturnType<typeof useNames>

const totalOf = ({ currency, total }: OrderRow): string =>
  total === null || total === undefined ? "" : money(total, currency)

const rowOf =
  (customerOf: NameOf) =>
  (order: OrderRow): InboxRow => {
    const { status, type, userId } = order
    return {
      tone: toneOf(status),
      title: nameOf(order),
      end: totalOf(order),
      line: [customerOf(userId), type && words(type)].filter(Boolean).join(" · "),
      badge: <Status of={status} />
    }
  }

const columnsFor = (customerOf: NameOf): ReadonlyArray<Column<OrderRow>> => [
  {
    title: "Number",
    sort: "number",
    width: "s",
    value: ({ number }) => number,
    cell: (order) => (
      <>
        {nameOf(order)}
        <span className="sr-only">
          {[customerOf(order.userId), order.status, totalOf(order)]
            .filter(Boolean)
            .map((text) => `, ${text}`)}
        </span>
      </>
    )
  },
  {
    title: "Customer",
    width: "fill",
    value: ({ userId }) => customerOf(userId) || userId,
    also: [{ title: "Customer ID", value: ({ userId }) => userId }],
    cell: ({ userId }) => customerOf(userId)
  },
  {
    title: "Status",
    sort: "status",
    width: "s",
    value: ({ status }) => words(status ?? ""),
    cell: ({ status }) => <Status of={status} />
  },
  { title: "Type", sort: "type", width: "xs", from: "xl", value: ({ type }) => words(type ?? "") },
  { title: "Lines", width: "xs", isEnd: true, from: "xl", value: ({ lines }) => lines?.length ?? 0 },
  {
    title: "Total",
    sort: "total",
    isEnd: true,
    width: "m",
    value: ({ total }) => total,
    also: [{ title: "Currency", value: ({ currency }) => currency }],
    cell: totalOf
  },
  {
    title: "Ordered",
    sort: "createdAt",
    isEnd: true,
    width: "s",
    from: "l",
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When date={createdAt} className="text-muted" />
  }
]

const useCounts = () => {
  const open = useQuery(countOf("open")).data?.paging.total
  const done = useQuery(countOf("done")).data?.paging.total
  const cancelled = useQuery(countOf("cancelled")).data?.paging.total
  const all = useQuery(countOf("all")).data?.paging.total
  return { open, done, cancelled, all }
}

const Orders = (): ReactElement => {
  const id = Router.useRoute(["Order"])?.params.id
  const state = useListState()
  const customerOf = useNames()
  const session = useSession(admin.session)
  const { set, setAll } = useStatusChange()
  const ofCustomers = useCustomerCommands<OrderRow>(({ userId }) => userId)
  const { askStatus, dialog } = useStatusQuestion({
    noun: "order",
    choices: statusChoices,
    description: "Their customers will see this. No money is moved."
  })
  const counts = useCounts()
  const tab = tabOf(state)
  const found = useFound(state, list(state))
  const { all = 0, cancelled = 0, done = 0, open = 0 } = counts
  /** Whether the list is narrowed: then the numbers of its tabs are not those of what it shows. */
  const isNarrowed = hasFilter(state)
  // Statuses that no tab asks for are seen among all, and so is whatever one looks for.
  const isAllShown = isNarrowed || tab === "all" || all > open + done + cancelled
  const shownTabs = tabs.filter((name) => name !== "all" || isAllShown)
  const hrefOf = (tab: Tab): string => state.href({ tab, status: "" }, Router.Orders())
  const ownStatuses: ReadonlyArray<string> = tabStatuses[tab]
  const offeredStatuses = statusChoices.filter(({ value }) => tab === "all" || ownStatuses.includes(value))
  const commands: ReadonlyArray<RowCommand<OrderRow>> = [
    ...(session.can(Admin.orders.update)
      ? [
          {
            label: "Confirm",
            icon: "check",
            keys: "c",
            isFor: ([row]: ReadonlyArray<OrderRow>) => row?.status === "new",
            run: ([row]: ReadonlyArray<OrderRow>) => row && void set(row, "confirmed")
          } as const,
          {
            label: "Set status…",
            icon: "check",
            isBulk: true,
            run: async (rows: ReadonlyArray<OrderRow>) => {
              const status = await askStatus(rows.length)
              return status !== undefined && setAll(rows, status)
            }
          } as const
        ]
      : []),
    ...ofCustomers.commands
  ]
  return (
    <>
      <Workplace
        label="Orders"
        of={found}
        state={state}
        id={id}
        to={(id) => state.keep(id === undefined ? Router.Orders() : Router.Order({ id }))}
        nameOf={nameOf}
        row={rowOf(customerOf)}
        hasTable
        width={window.innerWidth >= 1440 ? 560 : 400}
        columns={columnsFor(customerOf)}
        about={counts.open !== undefined && `${counts.open} open`}
        search="Find by number or customer"
        filters={
          <>
            <Tabs
              label="Tabs"
              current={hrefOf(tab)}
              tabs={shownTabs.map((value) => ({
                label: tabLabels[value],
                count: isNarrowed ? undefined : counts[value],
                to: hrefOf(value)
              }))}
            >
              <ListFilters state={state} nameOf={customerOf} labelOf={words}>
                <Select
                  label="Type"
                  value={state.read("type") ?? ""}
                  choices={[{ value: "", label: "All types" }, ...typeChoices]}
                  onChange={(type) => state.set({ type })}
                />
                {offeredStatuses.length > 1 && (
                  <Select
                    label="Status"
                    value={state.read("status") ?? ""}
                    choices={[{ value: "", label: "All statuses" }, ...offeredStatuses]}
                    onChange={(status) => state.set({ status })}
                  />
                )}
              </ListFilters>
            </Tabs>
            <FoundNote of={found} />
          </>
        }
        commands={commands}
        empty={
          hasFilter(state) ? (
            <Empty icon="search" title="No orders match the filters">
              <ClearFilters onClear={() => state.set(noFilters)} />
            </Empty>
          ) : (
            <Empty
              icon="commerce"
              title={`No ${tab === "all" ? "" : `${tabLabels[tab].toLowerCase()} `}orders`}
            >
              New ones appear here.
            </Empty>
          )
        }
      >
        {(row, id) => <OrderDetail key={id} id={id} row={row} />}
      </Workplace>
      {dialog}
      {ofCustomers.dialog}
    </>
  )
}

export default Orders
