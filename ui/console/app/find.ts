/** Finds rows in all lists of an administrator. Loaded by the first search: it holds the whole catalogue. */

import type { Page } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { isWhole } from "../data/list-state.js"
import type { IconName } from "../design/icon.js"
import { asking, once, type Resource, resources, rowOf, type Values } from "./catalogue.js"
import { kinds } from "./config.js"
import { placeOf } from "./place-of.js"
import { admin } from "./query-clients.js"
import { Router } from "./routes.js"
import { columnsOf, labelOf, nameOf, singular, textOf } from "./values.js"
import { dataOf, places } from "./viewer.js"

export interface Match {
  readonly label: string
  /** What it is, whose, and what else says which one it is. */
  readonly about: string
  readonly icon: IconName
  readonly to: string
}

/** What one list answered. */
export interface Found {
  /** The place of the list, by which matches are grouped. */
  readonly group: string
  /** Its place among the lists, those that people look in most being the first. */
  readonly rank: number
  readonly matches: ReadonlyArray<Match>
  /** Where all that it finds is listed. */
  readonly all: string
  /** Among how many rows was looked, where the list does not search. */
  readonly among?: number
  /** Whether it could not be searched, or not by the names of customers. */
  readonly hasFailed?: boolean
}

/** At most so many rows of a list are looked at. */
const most = 30

/** What people look for most, the first one first. */
const preferred = ["users", "orders", "payments", "requests", "conversations", "items", "content"]

const rankOf = ({ name }: Resource): number => (preferred.indexOf(name) + 100) % 100

/** All lists; of entities, those of the kinds that are known. */
const lists = resources
  .filter(({ audience, list }) => audience === "admin" && list !== undefined)
  .sort((left, right) => rankOf(left) - rankOf(right))
  .flatMap((of) => (of.scope === undefined ? [""] : kinds).map((scoped) => ({ of, scoped })))

type List = (typeof lists)[number]

const nothing: Page<Values> = { items: [], paging: {} }

/** Names by ids, of people whose names have the text. */
interface People {
  readonly names: ReadonlyMap<string, string>
  /** Whether more may have it than were looked at. */
  readonly isCut: boolean
  /** Whether they could not be searched: what is theirs is not found by their names. */
  readonly hasFailed: boolean
}

const isIn = (row: Values, parts: ReadonlyArray<string>): boolean => {
  const text = JSON.stringify(row).toLowerCase()
  return parts.every((part) => text.includes(part))
}

const nobody: People = { names: new Map(), isCut: false, hasFailed: false }

const rowsOf = ({ of, scoped }: List, query: Values) => {
  const list = asking(of, { limit: most, ...query }, scoped)
  return list === undefined ? Effect.succeed(nothing) : list.call(list.input)
}

const iconOf = (label: string): IconName => places.find((place) => place.label === label)?.icon ?? "server"

/** A row as a line. */
const matchOf =
  ({ of, scoped }: List, names: People["names"]) =>
  (values: Values, index: number): Match => {
    const { name } = of
    const row = rowOf(of, values, index)
    const { _id: id } = row
    const place = placeOf(name)
    const [, column = ""] = columnsOf(name, [values]).filter((column) => !/Id$|^_id$/.test(column))
    const isCustomer = name === "users"
    const parts = [
      isCustomer ? "Customer" : singular(name),
      names.get(String(row.userId)),
      textOf(isCustomer && row.email ? "email" : column, row)
    ]
    return {
      label: nameOf(name, row),
      about: parts.filter(Boolean).join(" · "),
      icon: iconOf(place?.label ?? ""),
      to: place?.to(id) ?? dataOf("admin", { slice: name, id, ...(scoped && { scope: scoped }) })
    }
  }

/** The rows of a list that hold the text, then those of the people whose names do. */
const inList = (list: List, text: string, people: Effect.Effect<People>) =>
  Effect.gen(function* () {
    const parts = text.split(/\s+/)
    const takesUsers = list.of.list?.fields.some(({ name }) => name === "inUserIds") === true
    const { hasFailed, isCut, names } = takesUsers ? yield* people : nobody
    const ownPage = yield* rowsOf(list, { search: text })
    const theirPage = names.size === 0 ? nothing : yield* rowsOf(list, { inUserIds: [...names.keys()] })
    // A platform may have lists that pass over what they are asked for: they answer other rows.
    const own = ownPage.items.filter((row) => isIn(row, parts))
    const theirs = theirPage.items.filter(({ userId }) => typeof userId === "string" && names.has(userId))
    const isSearched = own.length === ownPage.items.length || isWhole(ownPage, most)
    const isNarrowed = theirs.length === theirPage.items.length || isWhole(theirPage, most)
    const ids = new Set(own.map(({ _id }) => _id))
    const all = [...own, ...theirs.filter(({ _id }) => !ids.has(_id))]
    // Of people who may have the text, so many were looked at.
    const looked = Math.max(isCut ? most : 0, ownPage.items.length, theirPage.items.length)
    const among = isSearched && isNarrowed && !isCut ? {} : { among: looked }
    return { matches: all.map(matchOf(list, names)), hasFailed, ...among }
  })

/** Looks in every list, and tells what each found as soon as it answers; the promise ends when all have. */
export const find = async (
  search: string,
  can: (call: NonNullable<Resource["list"]>["call"]) => boolean,
  onFound: (found: Found) => void
): Promise<{ readonly unread: ReadonlyArray<string> }> => {
  const text = search.toLowerCase()
  const readable = lists.filter(({ of }) => of.list && can(of.list.call))
  const users = readable.find(({ of }) => of.name === "users")
  const named = once(
    admin,
    "palette.people",
    users === undefined ? Effect.succeed(nothing) : rowsOf(users, { search: text })
  ).then((outcome): People => {
    const page = outcome.status === "success" ? outcome.data : nothing
    const parts = text.split(/\s+/)
    const named = page.items.filter((row) =>
      isIn({ fullName: row.fullName, email: row.email, phone: row.phone }, parts)
    )
    return {
      names: new Map(named.map((row) => [String(row._id), String(row.fullName ?? row.email ?? "")])),
      isCut: !isWhole(page, most),
      hasFailed: outcome.status === "error"
    }
  })
  const people = Effect.promise(() => named)
  await Promise.all(
    readable.map(async (list, rank) => {
      const { name } = list.of
      const group = placeOf(name)?.label ?? "Data"
      const own = placeOf(name)?.to()
      const all = `${own ?? Router.Data({ slice: name })}?search=${encodeURIComponent(search)}`
      const outcome = await once(admin, "palette.find", inList(list, text, people))
      if (outcome.status === "success") onFound({ group, rank, all, ...outcome.data })
      else if (outcome.status === "error") onFound({ group, rank, all, matches: [], hasFailed: true })
    })
  )
  const unread = lists.filter(({ of }) => of.list && !can(of.list.call)).map(({ of }) => labelOf(of.name))
  return { unread: [...new Set(unread)] }
}
