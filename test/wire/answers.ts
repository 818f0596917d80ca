/** What the platform answers to a row of its list, and what a program must then see. */
import { answer, type Reply } from "@quartet/support/raw-server.js"
import type { Row } from "@quartet/support/wire-rows.js"
import { json } from "./platform.js"

const csv = '_id,amount\r\nt1,"1,5"\r\n'
const binary = Uint8Array.from({ length: 256 }, (_, index) => 255 - index)
const time = "2024-05-01T09:30:00.000Z"

/** The fields that a row's note names: `answer {accessToken, user}`. */
const named = (row: Row): ReadonlyArray<string> =>
  /answer \{([^}]*)\}/.exec(row.note ?? "")?.[1]?.split(", ") ?? []

export interface Answer {
  readonly reply: Reply
  /** What the call answers, date-times turned into Dates. */
  readonly value: unknown
}

/** An answer that fits a row. */
export const answerTo = (row: Row): Answer => {
  const item = { _id: "a1", extra: { since: time, day: "2024-05-01" }, tags: [1, null, "x"] }
  const revived = { ...item, extra: { since: new Date(time), day: "2024-05-01" } }
  switch (row.answer) {
    case "json": {
      const fields = Object.fromEntries(named(row).map((name) => [name, `${name}-1`]))
      return { reply: json({ ...item, ...fields }), value: { ...revived, ...fields } }
    }
    case "list":
      return { reply: json([item]), value: { items: [revived], paging: {} } }
    case "page {content, paging}":
      return {
        reply: json({ content: [item], paging: { page: 1, total: 1 } }),
        value: { content: [revived], items: [revived], paging: { page: 1, total: 1 } }
      }
    case "text/csv":
      return { reply: answer(200, ["content-type: text/csv"], csv), value: new TextEncoder().encode(csv) }
    case "bytes":
      return { reply: answer(200, [], Buffer.from(binary)), value: binary }
    default:
      throw new Error(`${row.id}: the answer ${row.answer} is not known`)
  }
}
