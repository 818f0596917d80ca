/** A list as a file: the rows that are ticked, or all that the list holds as it is filtered. Those that are not read yet are read first. */
import { useEffect, useState } from "react"
import { csvOf, saveFile } from "../app/save.js"
import type { Column } from "./columns.js"
import type { Listed } from "./rows.js"

export const useExport = <A>(label: string, columns: ReadonlyArray<Column<A>>, of: Listed<A>) => {
  const { error, fetchNextPage, hasNextPage, isFetching, items } = of
  const [isReading, setReading] = useState(false)
  const save = (rows: ReadonlyArray<A>): void => {
    const all = columns.flatMap(({ also = [], title, value }) => [{ title, value }, ...also])
    const lines = [all.map(({ title }) => title), ...rows.map((row) => all.map(({ value }) => value(row)))]
    saveFile(csvOf(lines), `${label.toLowerCase()}.csv`, "text/csv")
  }
  useEffect(() => {
    if (!isReading || isFetching) return
    if (hasNextPage && error === undefined) return fetchNextPage()
    setReading(false)
    if (error === undefined) save(items)
  })
  return { isReading, save, saveAll: () => setReading(true), stop: () => setReading(false) }
}
