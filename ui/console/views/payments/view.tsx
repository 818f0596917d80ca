/** The payments of customers, found by whose they are, and the selected one beside them. */
import { useQuery } from "@quartet/react"
import { readNumber } from "@quartet/sdk/extend"
import type { ReactElement } from "react"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { PaymentRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { statusLabel, toneOf } from "../../app/status.js"
import { type Found, useFound } from "../../customer/found.js"
import { FoundNote } from "../../customer/found-note.js"
import { hasFilter, ListFilters, noFilters } from "../../customer/list-filters.js"
import {
  exact,
  isSettled,
  PaymentStatus,
  paymentStatus,
  refundableOf,
  refundedOf
} from "../../customer/payment.js"
import { useCustomerCommands } from "../../customer/row-commands.js"
import { useListState } from "../../data/list-state.js"
import { Select } from "../../design/field.js"
import { number, when } from "../../design/format.js"
import { When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { ClearFilters } from "../../frame/filters.js"
import type { InboxRow } from "../../frame/inbox.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import {
  amountOf,
  countOfAll,
  list,
  nameOf,
  statusChoices,
  type Tab,
  tabLabels,
  tabOf,
  tabStatuses,
  tabs,
  wayChoices
} from "./data.js"
import { PaymentDetail } from "./detail.js"

type NameOf = ReturnType<typeof useNames>

const rowOf =
  (customerOf: NameOf) =>
  (payment: PaymentRow): InboxRow => {
    const { createdAt, description, type, userId } = payment
    const paidAt = createdAt && when(createdAt)
    const what = description || (type && words(type))
    return {
      tone: toneOf(paymentStatus(payment)),
      title: customerOf(userId) || description || "Payment",
      end: amountOf(payment),
      // What it is for gives way: the day is never cut.
      line: (
        <span className="flex whitespace-pre">
          {what && <span className="truncate">{what}</span>}
          <span className="flex-none">
            {what && paidAt && " · "}
            {paidAt}
          </span>
        </span>
      ),
      badge: <PaymentStatus of={payment} />
    }
  }

/** What went back of a payment; nothing where nothing did. */
const refundText = (payment: PaymentRow): string => {
  const refunded = refundedOf(payment)
  return refunded > 0 ? `−${money(refunded, payment.currency)}` : ""
}

const columnsFor = (customerOf: NameOf): ReadonlyArray<Column<PaymentRow>> => [
  {
    title: "Date",
    sort: "createdAt",
    width: "m",
    value: ({ createdAt }) => createdAt,
    cell: (payment) => (
      <>
        <When date={payment.createdAt} />
        <span className="sr-only">
          {[amountOf(payment), customerOf(payment.userId), statusLabel(paymentStatus(payment))]
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
    title: "Description",
    width: "fill",
    from: "xl",
    value: ({ description }) => description,
    also: [{ title: "Order ID", value: ({ orderId }) => orderId }]
  },
  {
    title: "Method",
    width: "xs",
    from: "xl",
    value: ({ type }) => words(type ?? ""),
    also: [{ title: "Provider", value: ({ provider }) => provider }]
  },
  {
    title: "Status",
    width: "m",
    value: (payment) => statusLabel(paymentStatus(payment)),
    cell: (payment) => <PaymentStatus of={payment} />
  },
  {
    title: "Amount",
    sort: "amount",
    isEnd: true,
    width: "m",
    value: ({ amount }) => readNumber(amount) ?? String(amount ?? ""),
    also: [{ title: "Currency", value: ({ currency }) => currency }],
    cell: amountOf
  },
  {
    title: "Refunded",
    isEnd: true,
    width: "s",
    from: "xl",
    value: refundedOf,
    also: [{ title: "Left to refund", value: refundableOf }],
    cell: refundText
  }
]

/** What came in and what went back of all that is shown: of one currency alone, and only where all of it was read. */
const sumsOf = ({ among, hasNextPage, items }: Found<PaymentRow>): string | undefined => {
  const [currency, ...others] = new Set(items.map((payment) => payment.currency))
  const settled = items.filter(isSettled)
  if (hasNextPage || among !== undefined || settled.length === 0 || !currency || others.length > 0)
    return undefined
  const sum = (amounts: ReadonlyArray<number>): number => exact(amounts.reduce((all, one) => all + one, 0))
  const paid = sum(settled.map(({ amount }) => readNumber(amount) ?? 0))
  const refunded = sum(settled.map(refundedOf))
  const back = refunded > 0 ? `, ${money(refunded, currency)} refunded` : ""
  return `${number(items.length)} shown: ${money(paid, currency)} paid${back}`
}

const Payments = (): ReactElement => {
  const id = Router.useRoute(["Payment"])?.params.id
  const state = useListState()
  const customerOf = useNames()
  const all = useQuery(countOfAll).data?.paging.total
  const tab = tabOf(state)
  const found = useFound(state, list(state))
  const hrefOf = (tab: Tab): string => state.href({ tab, status: "" }, Router.Payments())
  const ownStatuses: ReadonlyArray<string> = tabStatuses[tab]
  const offeredStatuses = statusChoices.filter(({ value }) => tab === "all" || ownStatuses.includes(value))
  const sums = sumsOf(found)
  const ofCustomers = useCustomerCommands<PaymentRow>(({ userId }) => userId)
  return (
    <>
      <Workplace
        label="Payments"
        of={found}
        state={state}
        id={id}
        to={(id) => state.keep(id === undefined ? Router.Payments() : Router.Payment({ id }))}
        nameOf={(payment) =>
          [nameOf(payment), customerOf(payment.userId), payment.createdAt && when(payment.createdAt)]
            .filter(Boolean)
            .join(", ")
        }
        row={rowOf(customerOf)}
        hasTable
        width={window.innerWidth >= 1440 ? 600 : 400}
        columns={columnsFor(customerOf)}
        about={all !== undefined && `${number(all)} in all`}
        search="Find by customer or text"
        filters={
          <>
            <Tabs
              label="Tabs"
              current={hrefOf(tab)}
              tabs={tabs.map((value) => ({ label: tabLabels[value], to: hrefOf(value) }))}
            >
              <ListFilters state={state} nameOf={customerOf} labelOf={statusLabel}>
                {offeredStatuses.length > 1 && (
                  <Select
                    label="Status"
                    value={state.read("status") ?? ""}
                    choices={[{ value: "", label: "All statuses" }, ...offeredStatuses]}
                    onChange={(status) => state.set({ status })}
                  />
                )}
                <Select
                  label="Method"
                  value={state.read("type") ?? ""}
                  choices={[{ value: "", label: "All methods" }, ...wayChoices]}
                  onChange={(type) => state.set({ type })}
                />
              </ListFilters>
            </Tabs>
            {sums !== undefined && <p className="faint tabular-nums">{sums}</p>}
            <FoundNote of={found} />
          </>
        }
        commands={ofCustomers.commands}
        empty={
          hasFilter(state) ? (
            <Empty icon="search" title="No payments match the filters">
              <ClearFilters onClear={() => state.set(noFilters)} />
            </Empty>
          ) : (
            <Empty
              icon="payments"
              title={tab === "all" ? "No payments yet" : `No ${tabLabels[tab].toLowerCase()} payments`}
            >
              {tab === "all" && "They appear once a customer pays."}
            </Empty>
          )
        }
      >
        {(row, id) => <PaymentDetail key={id} id={id} row={row} />}
      </Workplace>
      {ofCustomers.dialog}
    </>
  )
}

export default Payments
