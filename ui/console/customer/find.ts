/** Finds customers by what people remember of them, so that what is theirs can be found: lists of it hold only their ids. */
import { source } from "@quartet/react"
import * as Effect from "effect/Effect"
import { admin } from "../app/query-clients.js"
import { users } from "../app/rows.js"

/** At most so many customers are looked up for a text. */
const most = 100

/** Whether any field of a row has a text, which is in small letters. */
export const holds = (row: object, text: string): boolean => JSON.stringify(row).toLowerCase().includes(text)

/** The customers whose name, e-mail, phone or any other field has a text: a platform that does not search answers others, too. */
const findCustomers = (text: string) =>
  Effect.map(users.list({ query: { search: text }, limit: most }), ({ items, paging }) => ({
    ids: items.filter((user) => holds(user, text.toLowerCase())).map(({ _id }) => _id),
    /** Whether there are more than were looked through. */
    isCut: (paging.total ?? items.length) > items.length
  }))

const finding = source("customers.find", ({ text }: { readonly text: string }) => findCustomers(text))

/** The same as a query. */
export const customersWith = (text: string) => admin.query(finding, { text })
