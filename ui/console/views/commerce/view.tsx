/** Commerce: items, orders and payments. */
import type { ReactElement } from "react"
import { useInfiniteQuery } from "../../../rx/index.js"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { ItemRow, OrderRow, PaymentRow } from "../../app/rows.js"
import { useListState } from "../../design/list-state.js"
import { money, PageHead, Status, Tabs, type Tone, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import typography from "../../design/typography.module.css"
import { items, orders, payments } from "./data.js"
import { Payment } from "./payment.js"

const tones: Readonly<Record<string, Tone>> = {
  available: "good",
  active: "good",
  reserved: "warn",
  sold: "calm",
  new: "info",
  confirmed: "info",
  paid: "good",
  delivered: "good",
  cancelled: "bad",
  succeeded: "good",
  pending: "warn",
  failed: "bad",
  refunded: "calm"
}

const sum = (amount: number | null | undefined, currency: string | null | undefined): ReactElement => (
  <span className={typography.number}>{money(amount ?? 0, currency ?? "USD")}</span>
)

const statusColumn: Column<{ readonly status?: string | null | undefined }> = {
  title: "Status",
  sort: "status",
  value: ({ status }) => status,
  cell: ({ status }) => <Status of={status} tones={tones} />
}

const itemColumns: ReadonlyArray<Column<ItemRow>> = [
  { title: "Item", sort: "name", value: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
  {
    title: "Price",
    sort: "price",
    end: true,
    value: ({ price }) => price,
    cell: ({ currency, price }) => sum(price, currency)
  },
  { title: "Type", sort: "type", quiet: true, value: ({ type }) => words(type ?? "") },
  statusColumn
]

const orderColumns = (nameOf: (id: string | null | undefined) => string): ReadonlyArray<Column<OrderRow>> => [
  {
    title: "Order",
    sort: "number",
    value: ({ number }) => number,
    cell: ({ number }) => <strong>{number}</strong>
  },
  {
    title: "Total",
    sort: "total",
    end: true,
    value: ({ total }) => total,
    cell: ({ currency, total }) => sum(total, currency)
  },
  { title: "Customer", quiet: true, value: ({ userId }) => nameOf(userId) },
  statusColumn,
  { title: "Ordered", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
]

const paymentColumns = (
  nameOf: (id: string | null | undefined) => string
): ReadonlyArray<Column<PaymentRow>> => [
  { title: "Payment", value: ({ userId }) => nameOf(userId) || "Payment by link" },
  {
    title: "Amount",
    sort: "amount",
    end: true,
    value: ({ amount }) => amount,
    cell: ({ amount, currency }) => sum(amount, currency)
  },
  statusColumn,
  {
    title: "Provider",
    sort: "provider",
    quiet: true,
    value: ({ provider, type }) => `${provider ?? ""} ${type === "link" ? "link" : ""}`
  },
  { title: "Made", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
]

const tabs = (["items", "orders", "payments"] as const).map((tab) => ({
  to: Router.Commerce({ tab }),
  label: words(tab)
}))

const nothing = (
  <Empty icon="commerce" title="Nothing found">
    Nothing here matches what you look for.
  </Empty>
)

const Items = (): ReactElement => {
  const state = useListState()
  return (
    <List
      label="Items"
      search="Find items"
      of={useInfiniteQuery(items(state.query))}
      state={state}
      columns={itemColumns}
      empty={nothing}
      rows={12}
    />
  )
}

const Orders = (): ReactElement => {
  const state = useListState()
  return (
    <List
      label="Orders"
      search="Find orders"
      dated
      of={useInfiniteQuery(orders(state.query))}
      state={state}
      columns={orderColumns(useNames())}
      empty={nothing}
      rows={12}
    />
  )
}

const Payments = (): ReactElement => {
  const state = useListState()
  return (
    <List
      label="Payments"
      search="Find payments"
      dated
      of={useInfiniteQuery(payments(state.query))}
      state={state}
      columns={paymentColumns(useNames())}
      to={({ _id }) => state.keep(Router.Payment({ id: _id }))}
      empty={nothing}
      rows={12}
    />
  )
}

const Commerce = (): ReactElement => {
  const route = Router.useRoute(["Commerce", "Payment"])
  const tab = route?.name === "Payment" ? "payments" : (route?.params.tab ?? "items")
  const { go } = useListState()
  return (
    <>
      <PageHead title="Commerce" about="What you offer, what was ordered, and what was paid." />
      <Tabs label="Commerce" current={Router.Commerce({ tab })} tabs={tabs} />
      {tab === "items" && <Items />}
      {tab === "orders" && <Orders />}
      {tab === "payments" && <Payments />}
      <Payment
        id={route?.name === "Payment" ? route.params.id : undefined}
        onClose={() => go(Router.Commerce({ tab: "payments" }))}
      />
    </>
  )
}

export default Commerce
