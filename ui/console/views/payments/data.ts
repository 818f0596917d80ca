/** Queries of the payments, their tabs and statuses. */
import { transactionStatuses, transactionTypes } from "@quartet/sdk/extend/models/payments"
import { admin } from "../../app/query-clients.js"
import { type PaymentRow, payments } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { statusLabel } from "../../app/status.js"
import { paymentName } from "../../customer/data.js"
import { type Narrowing, shopInput } from "../../customer/found.js"
import { type ListState, pageSize } from "../../data/list-state.js"
import { words } from "../../design/show.js"

type Known = (typeof transactionStatuses)[number]

/** The statuses of the tabs; "All" has those of other platforms, too. */
export const tabStatuses = {
  all: [],
  pending: ["pending"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  partly: ["partially_refunded"],
  refunded: ["refunded"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Known>>>

export type Tab = keyof typeof tabStatuses

export const tabs: ReadonlyArray<Tab> = ["all", "pending", "succeeded", "failed", "partly", "refunded"]

export const tabLabels: Readonly<Record<Tab, string>> = {
  all: "All",
  pending: "Pending",
  succeeded: "Succeeded",
  failed: "Failed",
  partly: "Partly refunded",
  refunded: "Refunded"
}

export const tabOf = ({ read }: Pick<ListState, "read">): Tab =>
  tabs.find((tab) => tab === read("tab")) ?? "all"

/** The payments of a tab, narrowed by way, status and days, and by what is looked for. */
export const list = (state: ListState) => (narrowing: Narrowing) =>
  admin.infiniteQuery(
    payments.list,
    shopInput(state, narrowing, {
      types: transactionTypes,
      statuses: transactionStatuses,
      ofTab: tabStatuses[tabOf(state)]
    }),
    { limit: pageSize }
  )

/** How many payments there are. */
export const countOfAll = admin.query(payments.list, { limit: 1 })

export const byId = (id: string) => admin.query(payments.get, { id })

/** What happened to a payment: rarely more than a handful. */
export const eventsOf = (id: string) => admin.query(payments.events, { id, limit: 100 })

export const statusChoices = transactionStatuses.map((value) => ({ value, label: statusLabel(value) }))

export const wayChoices = transactionTypes.map((value) => ({ value, label: words(value) }))

export const amountOf = ({ amount, currency }: Pick<PaymentRow, "amount" | "currency">): string =>
  money(amount, currency)

/** What a payment is called: by its amount. */
export const nameOf = (of: PaymentRow): string => amountOf(of) || paymentName(of)
