/** The rows that were opened last, the newest first, for the palette. They are not kept beyond the page: they name people. */
import { cell, registry } from "./cells.js"

export interface RecentRow {
  readonly label: string
  /** The list that it is of. */
  readonly about: string
  readonly to: string
}

const most = 5

export const recentRows = cell<ReadonlyArray<RecentRow>>([])

export const remember = (row: RecentRow): void =>
  registry.update(recentRows, (rows) => [row, ...rows.filter(({ to }) => to !== row.to)].slice(0, most))

export const forgetRows = (): void => registry.set(recentRows, [])
