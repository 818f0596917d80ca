/** Commerce: items, orders and payments. */
import { Link } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
import { type Mutation, useInfiniteQuery, useMutation } from "../../../rx/index.js"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { ItemRow, OrderRow, PaymentRow } from "../../app/rows.js"
import { addToast, warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { SearchField } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { money, PageHead, Status, size, Tabs, type Tone, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import table from "../../design/table.module.css"
import typography from "../../design/typography.module.css"
import { exportOrders, exportPayments, items, orders, payments } from "./data.js"
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

const Export = (props: { readonly of: Mutation<Record<never, never>, number, unknown> }): ReactElement => {
  const run = useMutation(props.of)
  const start = async (): Promise<void> => {
    const outcome = await run.mutate()
    if (outcome.status === "success") addToast("Download ready", `${size(outcome.data)} saved as a CSV file`)
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <Button icon="download" busy={run.status === "pending"} onClick={() => void start()}>
      Download CSV
    </Button>
  )
}

const itemColumns: ReadonlyArray<Column<ItemRow>> = [
  { title: "Item", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Price", end: true, cell: ({ currency, price }) => sum(price, currency) },
  { title: "Type", quiet: true, cell: ({ type }) => words(type ?? "") },
  { title: "Status", cell: ({ status }) => <Status of={status} tones={tones} /> }
]

const orderColumns = (nameOf: (id: string | null | undefined) => string): ReadonlyArray<Column<OrderRow>> => [
  { title: "Order", cell: ({ number }) => <strong>{number}</strong> },
  { title: "Total", end: true, cell: ({ currency, total }) => sum(total, currency) },
  { title: "Customer", quiet: true, cell: ({ userId }) => nameOf(userId) },
  { title: "Status", cell: ({ status }) => <Status of={status} tones={tones} /> },
  { title: "Ordered", quiet: true, end: true, cell: ({ createdAt }) => <When date={createdAt} /> }
]

const paymentColumns = (
  nameOf: (id: string | null | undefined) => string
): ReadonlyArray<Column<PaymentRow>> => [
  {
    title: "Payment",
    cell: ({ _id, userId }) => (
      <Link className={table.link} to={Router.Payment({ id: _id })}>
        {nameOf(userId) || "Payment by link"}
      </Link>
    )
  },
  { title: "Amount", end: true, cell: ({ amount, currency }) => sum(amount, currency) },
  { title: "Status", cell: ({ status }) => <Status of={status} tones={tones} /> },
  {
    title: "Provider",
    quiet: true,
    cell: ({ provider, type }) => `${provider ?? ""} ${type === "link" ? "link" : ""}`
  },
  { title: "Made", quiet: true, end: true, cell: ({ createdAt }) => <When date={createdAt} /> }
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

const Items = ({ search }: { readonly search: string }): ReactElement => (
  <List label="Items" of={useInfiniteQuery(items(search))} columns={itemColumns} empty={nothing} rows={12} />
)

const Orders = ({ search }: { readonly search: string }): ReactElement => (
  <List
    label="Orders"
    of={useInfiniteQuery(orders(search))}
    columns={orderColumns(useNames())}
    empty={nothing}
    rows={12}
  />
)

const Payments = ({ search }: { readonly search: string }): ReactElement => (
  <List
    label="Payments"
    of={useInfiniteQuery(payments(search))}
    columns={paymentColumns(useNames())}
    empty={nothing}
    rows={12}
  />
)

const Commerce = (): ReactElement => {
  const route = Router.useRoute(["Commerce", "Payment"])
  const tab = route?.name === "Payment" ? "payments" : (route?.params.tab ?? "items")
  const [search, setSearch] = useState("")
  return (
    <>
      <PageHead title="Commerce" about="What you offer, what was ordered, and what was paid." />
      <Tabs label="Commerce" current={Router.Commerce({ tab })} tabs={tabs} />
      <div className={layout.toolbar}>
        <SearchField label={`Find ${tab}`} value={search} onChange={setSearch} />
        <span className={layout.grow} />
        {tab === "orders" && <Export of={exportOrders} />}
        {tab === "payments" && <Export of={exportPayments} />}
      </div>
      {tab === "items" && <Items search={search} />}
      {tab === "orders" && <Orders search={search} />}
      {tab === "payments" && <Payments search={search} />}
      <Payment id={route?.name === "Payment" ? route.params.id : undefined} />
    </>
  )
}

export default Commerce
