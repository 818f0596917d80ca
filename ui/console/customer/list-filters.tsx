/** The filters that lists of customers' orders and payments have alike: kind, status, customer, days; and what they say when set. */
import type { ReactElement, ReactNode } from "react"
import type { ListState } from "../data/list-state.js"
import { DateRange } from "../design/date.js"
import { dayRange } from "../design/format.js"
import { Filters, type SetFilter } from "../frame/filters.js"
import { CustomerChoice } from "./choice.js"

/** The parameters of the address that narrow such a list beside its tab and its search. */
const names = ["type", "status", "customer", "from", "to"] as const

/** All of them, unset. */
export const noFilters: Readonly<Record<string, string>> = Object.fromEntries(
  [...names, "search"].map((name) => [name, ""])
)

/** Whether any is set. */
export const hasFilter = ({ read }: Pick<ListState, "read">): boolean =>
  [...names, "search"].some((name) => read(name) !== undefined)

export const ListFilters = (props: {
  readonly state: ListState
  readonly nameOf: (id: string) => string
  /** What a type or a status is called. */
  readonly labelOf: (word: string) => string
  /** The fields of types and statuses. */
  readonly children: ReactNode
}): ReactElement => {
  const { children, labelOf, nameOf, state } = props
  const { read, set } = state
  const [customer, from, to] = [read("customer"), read("from"), read("to")]
  const word = (name: "type" | "status"): ReadonlyArray<SetFilter> => {
    const value = read(name)
    return value === undefined ? [] : [{ label: labelOf(value), clear: () => set({ [name]: "" }) }]
  }
  return (
    <Filters
      set={[
        ...word("type"),
        ...word("status"),
        ...(customer === undefined
          ? []
          : [{ label: nameOf(customer) || customer, clear: () => set({ customer: "" }) }]),
        ...(from === undefined && to === undefined
          ? []
          : [{ label: dayRange(from, to), clear: () => set({ from: "", to: "" }) }])
      ]}
    >
      {children}
      <CustomerChoice value={customer} onChange={(customer) => set({ customer })} />
      <div className="grid justify-items-start gap-1.5">
        <span className="text-sm font-medium" aria-hidden="true">
          Dates
        </span>
        <DateRange label="Dates" from={from ?? ""} to={to ?? ""} onChange={(from, to) => set({ from, to })} />
      </div>
    </Filters>
  )
}
