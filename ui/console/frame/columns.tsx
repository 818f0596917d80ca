/** The columns of a list: what each says of a row, in its table and in the file that one takes away. */
import type { Value } from "@quartet/sdk/extend"
import type { ReactNode } from "react"
import { When } from "../design/show.js"

export interface Column<A> {
  readonly title: string
  /** What the column says: in the CSV file, and in its cells unless they have a form of their own. */
  readonly value: (row: A) => Value
  readonly cell?: (row: A) => ReactNode
  /** Columns of the CSV file for what else its cells say. */
  readonly also?: ReadonlyArray<{ readonly title: string; readonly value: (row: A) => Value }>
  /** The field that the platform sorts by. */
  readonly sort?: string
  /** Numbers and dates stand at the end of their columns. */
  readonly isEnd?: boolean
  /** How wide the pane must be for the column to be shown; it always is without one. */
  readonly from?: keyof typeof fromClass
  /** How much room it takes; `fill` shares what is left. */
  readonly width?: keyof typeof widthClass
}

export const fromClass = {
  s: "@max-sm:hidden",
  m: "@max-md:hidden",
  l: "@max-lg:hidden",
  xl: "@max-xl:hidden",
  xxl: "@max-3xl:hidden",
  /** Of the CSV file alone. */
  file: "hidden"
}

export const widthClass = { xs: "w-20", s: "w-28", m: "w-34", l: "w-48", fill: "" }

/** The same in pixels; what is left has to be as much as `fill`. */
const widths = { xs: 80, s: 112, m: 136, l: 192, fill: 112 }

/** The column of the boxes that tick rows, in pixels. */
const tickWidth = 36

/** Those that only a wide pane has, the ones that go first before the others. */
const spared = ["xxl", "xl", "l", "m", "s"] as const

/** How wide a table of these columns is at least, in pixels. */
export const leastWidth = <A,>(columns: ReadonlyArray<Column<A>>): number =>
  columns
    .filter(({ from }) => from !== "file")
    .reduce((sum, { width = "m" }) => sum + widths[width], tickWidth)

/** The columns that a pane has room for: those that need a wider one go, until the others have theirs. */
export const fitting = <A,>(columns: ReadonlyArray<Column<A>>, width: number): ReadonlyArray<Column<A>> => {
  if (leastWidth(columns) <= width) return columns
  const go = spared.find((from) => columns.some((column) => column.from === from))
  if (go === undefined) return columns
  const last = columns.map(({ from }) => from).lastIndexOf(go)
  return fitting(
    columns.filter((_, at) => at !== last),
    width
  )
}

/** What a cell says of a value. */
export const shown = (value: Value): ReactNode => {
  if (value instanceof Date) return <When date={value} />
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (value === null || value === undefined || value === "") return <span className="faint">—</span>
  return String(value)
}
