/** A list as a file: the rows that are ticked, or all that the list holds as it is filtered. Those that are not read yet are read first. */
import { useEffect, useState } from "react"
import { csvOf, saveFile } from "../app/save.js"
import type { Column } from "./columns.js"
import type { Listed } from "./rows.js"

/** Rows that are written without a pause: a page that writes a hundred thousand at once would answer nothing meanwhile. */
const step = 1_000

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export const useExport = <A>(label: string, columns: ReadonlyArray<Column<A>>, of: Listed<A>) => {
  const { error, fetchNextPage, hasNextPage, isFetching, items, lookFurther } = of
  const [isReading, setReading] = useState(false)
  const save = async (rows: ReadonlyArray<A>): Promise<void> => {
    const all = columns.flatMap(({ also = [], title, value }) => [{ title, value }, ...also])
    // The mark tells spreadsheets that it is UTF-8: without it they garble all but Latin letters.
    const parts = ["\uFEFF", csvOf([all.map(({ title }) => title)])]
    for (let at = 0; at < rows.length; at += step) {
      if (at > 0) await pause()
      parts.push(csvOf(rows.slice(at, at + step).map((row) => all.map(({ value }) => value(row)))))
    }
    saveFile(new Blob(parts), `${label.toLowerCase()}.csv`, "text/csv")
  }
  useEffect(() => {
    if (!isReading || isFetching) return
    if (hasNextPage && error === undefined) return fetchNextPage()
    if (lookFurther !== undefined && error === undefined) return lookFurther()
    setReading(false)
    if (error === undefined) void save(items)
  })
  return {
    isReading,
    save: (rows: ReadonlyArray<A>) => void save(rows),
    saveAll: () => setReading(true),
    stop: () => setReading(false)
  }
}
