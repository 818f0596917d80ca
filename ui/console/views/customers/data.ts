/** Queries and mutations of the customers, and what is chosen from about them. */

import { change } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { userStatuses, userTypes } from "@quartet/sdk/extend/models/auth"
import { everyone, useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { profiles, type UserRow, users } from "../../app/rows.js"
import { customer } from "../../customer/data.js"
import { type Asked, pageSize } from "../../data/list-state.js"
import type { Choice } from "../../design/field.js"
import { words } from "../../design/show.js"
import { useSearched } from "../../frame/narrowed.js"
import type { Listed } from "../../frame/rows.js"

/** What a list is narrowed by, beside a text. */
export const filters = ["type", "status", "interests"] as const
export type Filter = (typeof filters)[number]

const wantedOf = ({ read }: Pick<Asked, "read">): Partial<Record<Filter, string>> =>
  Object.fromEntries(filters.flatMap((name) => (read(name) ? [[name, read(name)]] : [])))

/** The customers that a list asks for, the newest first. */
const list = (state: Asked) =>
  admin.infiniteQuery(
    users.list,
    { query: { sort: "-createdAt", ...state.query, ...wantedOf(state) } },
    { limit: pageSize }
  )

const has = (row: UserRow, name: Filter, wanted: string): boolean => {
  const { [name]: value } = row
  return Array.isArray(value) ? value.includes(wanted) : value === wanted
}

/** The customers of a list. A platform may pass over what they are narrowed by. */
export const useCustomers = (state: Asked): Listed<UserRow> => {
  const wanted = Object.entries(wantedOf(state)) as ReadonlyArray<[Filter, string]>
  return useSearched(list, state, {
    isWanted: (row) => wanted.every(([name, value]) => has(row, name, value)),
    by: JSON.stringify(wanted)
  })
}

export const profile = (id: string) => admin.query(profiles.get, { id })

/** Reads a customer once more, now. */
export const read = admin.mutation(users.get)
export const create = admin.mutation(users.create)
export const update = admin.mutation(users.update, {
  optimistic: ({ id, payload }) => [
    change(customer(id), (before) => ({ ...before, ...(payload as Partial<UserRow>) }))
  ]
})
// What is gone is not read once more.
export const remove = admin.mutation(Admin.users.delete, { invalidates: [users.list] })

const choice = (value: string): Choice<string> => ({ value, label: words(value) })

const distinct = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  [...new Set(values)].flatMap((value) => value || [])

/** The types, statuses and interests that a customer may have: those of the model, then those that customers of this platform have. */
export const useChoices = () => {
  const { items } = useWhole(everyone)
  const of = (known: ReadonlyArray<string>, theirs: ReadonlyArray<string | null | undefined>) =>
    distinct([...known, ...theirs]).map(choice)
  return {
    types: of(
      userTypes,
      items.map(({ type }) => type)
    ),
    statuses: of(
      userStatuses,
      items.map(({ status }) => status)
    ),
    interests: [...distinct(items.flatMap(({ interests }) => interests ?? []))].sort()
  }
}
