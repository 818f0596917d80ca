/** Finds customers by what people remember of them, so that what is theirs can be found: lists of it hold only their ids. */
import { source } from "@quartet/react"
import * as Effect from "effect/Effect"
import { admin } from "../app/query-clients.js"
import { users } from "../app/rows.js"
import { isWhole } from "../data/list-state.js"
import { holds } from "../frame/narrowed.js"

/** At most so many customers are looked up for a text. */
export const mostNamed = 100

/** The customers whose name, e-mail, phone or any other field has a text: a platform that does not search answers others, too. */
const findCustomers = (text: string) =>
  Effect.map(users.list({ query: { search: text }, limit: mostNamed }), (page) => ({
    ids: page.items.filter((user) => holds(user, text.toLowerCase())).map(({ _id }) => _id),
    /** Whether there are more than were looked through. */
    isCut: !isWhole(page, mostNamed)
  }))

const finding = source("customers.find", ({ text }: { readonly text: string }) => findCustomers(text))

/** The same as a query. */
export const customersWith = (text: string) => admin.query(finding, { text })
