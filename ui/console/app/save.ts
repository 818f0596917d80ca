/** What the user takes away as a file: what a call downloads, or rows of a table as CSV (RFC 4180). */
import { lineOf, type Value } from "@quartet/sdk/extend"

/** Hands data to the user as a file. */
export const saveFile = (data: BlobPart, name: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([data], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Lines of a CSV file. */
export const csvOf = (lines: ReadonlyArray<ReadonlyArray<Value>>): string =>
  lines.map((line) => lineOf(line)).join("")
