/** Queries and mutations of the orders, and their statuses, types and tabs. */
import { change } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { readNumber } from "@quartet/sdk/extend"
import { orderStatuses, orderTypes } from "@quartet/sdk/extend/models/orders"
import { admin } from "../../app/query-clients.js"
import { type OrderRow, orderGroups, orders } from "../../app/rows.js"
import { toneOf } from "../../app/status.js"
import { type Narrowing, shopInput } from "../../customer/found.js"
import { exact } from "../../customer/payment.js"
import { type ListState, pageSize } from "../../data/list-state.js"
import { words } from "../../design/show.js"
import type { StatusChoice } from "../../frame/status-menu.js"

type Known = (typeof orderStatuses)[number]

/** The statuses of the tabs: what is still to be done, what is done, what will not be. "All" has those of other platforms, too. */
export const tabStatuses = {
  open: ["new", "confirmed", "paid"],
  done: ["delivered"],
  cancelled: ["cancelled"],
  all: []
} as const satisfies Readonly<Record<string, ReadonlyArray<Known>>>

export type Tab = keyof typeof tabStatuses

export const tabs: ReadonlyArray<Tab> = ["open", "done", "cancelled", "all"]

export const tabLabels: Readonly<Record<Tab, string>> = {
  open: "Open",
  done: "Done",
  cancelled: "Cancelled",
  all: "All"
}

export const tabOf = ({ read }: Pick<ListState, "read">): Tab =>
  tabs.find((tab) => tab === read("tab")) ?? "open"

/** The orders of a tab, narrowed by type, status and days, and by what is looked for. */
export const list = (state: ListState) => (narrowing: Narrowing) =>
  admin.infiniteQuery(
    orders.list,
    shopInput(state, narrowing, {
      types: orderTypes,
      statuses: orderStatuses,
      ofTab: tabStatuses[tabOf(state)]
    }),
    { limit: pageSize }
  )

/** How many orders a tab has. */
export const countOf = (tab: Tab) => admin.query(orders.list, { statusIn: tabStatuses[tab], limit: 1 })

export const byId = (id: string) => admin.query(orders.get, { id })

export const groupById = (id: string) => admin.query(orderGroups.get, { id })

/** Whether an item is still in the catalogue. */
export const itemById = (id: string) => admin.query(Admin.items.get, { id })

/** Reads an order once more, now, and refreshes its detail. */
export const reading = admin.mutation(orders.get, { invalidates: ({ id }) => [byId(id)] })

/** Changes the status: shown at once, and undone if the platform refuses it. */
export const updating = admin.mutation(orders.update, {
  invalidates: ["orders", "ordersV2", "orderGroups"],
  optimistic: ({ payload }) => {
    const { _id: id, status } = Object(payload)
    return [change(byId(id), (order) => ({ ...order, status }))]
  }
})

const verbs: Readonly<Record<Known, readonly [verb: string, letter: string]>> = {
  new: ["Mark as new", "n"],
  confirmed: ["Confirm", "c"],
  paid: ["Mark as paid", "p"],
  delivered: ["Mark as delivered", "d"],
  cancelled: ["Cancel order", "x"]
}

/** The statuses that an order can be given, each with the letter that sets it. */
export const statusChoices: ReadonlyArray<StatusChoice> = orderStatuses.map((value) => {
  const [verb, letter] = verbs[value]
  return { value, label: words(value), verb, letter, tone: toneOf(value) }
})

/** What follows each status most often; all others are one key further. */
const following: Readonly<Record<Known, ReadonlyArray<Known>>> = {
  new: ["confirmed"],
  confirmed: ["paid"],
  paid: ["delivered"],
  delivered: [],
  cancelled: ["new"]
}

const isKnown = (status: string | null | undefined): status is Known =>
  orderStatuses.some((known) => known === status)

export const nextStatuses = (status: string | null | undefined): ReadonlyArray<string> =>
  isKnown(status) ? following[status] : []

export const typeChoices = orderTypes.map((value) => ({ value, label: words(value) }))

export const nameOf = ({ number }: Pick<OrderRow, "number">): string => number || "Order without a number"

/** What the lines come to; undefined where a price or a quantity is no number, or there are none. */
export const sumOf = ({ lines }: Pick<OrderRow, "lines">): number | undefined => {
  if (!lines || lines.length === 0) return undefined
  const sum = lines.reduce((all, line) => all + lineSum(line), 0)
  return Number.isNaN(sum) ? undefined : exact(sum)
}

type Line = NonNullable<OrderRow["lines"]>[number]

/** What a line comes to; one piece where it does not say how many. */
export const lineSum = ({ price, quantity }: Line): number =>
  (readNumber(price) ?? Number.NaN) * (quantity ?? 1)
