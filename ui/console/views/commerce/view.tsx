/** What was paid: the list of payments, and the open one beside it. */
import type { ReactElement } from "react"
import { useInfiniteQuery } from "../../../rx/index.js"
import { useNames } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { PaymentRow } from "../../app/rows.js"
import { useListState } from "../../design/list-state.js"
import { money, PageHead, Status } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import typography from "../../design/typography.module.css"
import { payments } from "./data.js"
import { Payment } from "./payment.js"

const columns = (nameOf: ReturnType<typeof useNames>): ReadonlyArray<Column<PaymentRow>> => [
  { title: "Payment", value: ({ userId }) => nameOf(userId) || "Payment by link" },
  {
    title: "Amount",
    sort: "amount",
    end: true,
    value: ({ amount }) => amount,
    cell: ({ amount, currency }) => (
      <span className={typography.number}>{money(amount ?? 0, currency ?? "USD")}</span>
    )
  },
  {
    title: "Status",
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status of={status} tones={{ succeeded: "good", pending: "warn", failed: "bad" }} />
  },
  {
    title: "Provider",
    sort: "provider",
    quiet: true,
    value: ({ provider, type }) => `${provider ?? ""} ${type === "link" ? "link" : ""}`
  },
  { title: "Made", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
]

const Payments = (): ReactElement => {
  const state = useListState()
  return (
    <>
      <PageHead title="Payments" about="What was paid, for which order, and what went back." />
      <List
        label="Payments"
        search="Find payments"
        dated
        of={useInfiniteQuery(payments(state.query))}
        state={state}
        columns={columns(useNames())}
        to={({ _id }) => state.keep(Router.Payment({ id: _id }))}
        empty={
          <Empty icon="commerce" title="Nothing found">
            Nothing here matches what you look for.
          </Empty>
        }
        rows={12}
      />
      <Payment id={Router.useRoute(["Payment"])?.params.id} onClose={() => state.go(Router.Commerce())} />
    </>
  )
}

export default Payments
