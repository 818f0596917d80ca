/** The filters, search, order and paging of every list of the sandbox. */

import { Dates, type Page, Raw } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { isRecord } from "effect/Predicate"
import { invalid, type Refusal } from "../platform/refusal.js"

/** Default and maximum items per page. */
const usual = 20
const most = 500

type Fields = Readonly<Record<string, unknown>>
type Test = (row: Fields) => boolean

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const asText = (given: unknown): string => {
  const value = Raw.sentOf(given)
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Whether a field is one of the values, or a list that holds one. */
const oneOf = (values: ReadonlyArray<unknown>): ((field: unknown) => boolean) => {
  const accepted = new Set(values.map(asText))
  return (field) =>
    isList(field) ? field.some((item) => accepted.has(asText(item))) : accepted.has(asText(field))
}

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  isList(value) ? value : typeof value === "string" ? value.split(",").filter((text) => text !== "") : [value]

/** A test of what a row has in a place, by the values of a query. */
const testing =
  (of: (row: Fields) => unknown) =>
  (value: unknown): Test => {
    const isWanted = oneOf(listOf(value))
    return (row) => isWanted(of(row))
  }

const userOf = (row: Fields): unknown => row.userId ?? row._id

/** Filters with names of their own. */
const named: Readonly<Record<string, (value: unknown) => Test>> = {
  inUserIds: testing(userOf),
  notInUserIds: (value) => {
    const isWanted = testing(userOf)(value)
    return (row) => !isWanted(row)
  },
  typeIn: testing(({ type }) => type),
  statusIn: testing(({ status }) => status),
  interestsIn: testing(({ interests }) => interests)
}

/** Whether any text in a row, at any depth, holds a text, ignoring case. */
const holds = (value: unknown, text: string): boolean => {
  if (typeof value === "string") return value.toLowerCase().includes(text)
  if (value instanceof Date || typeof value !== "object" || value === null) return false
  return Object.values(value).some((item) => holds(item, text))
}

const dateOf = (value: unknown): Date | undefined => {
  if (value instanceof Date) return value
  if (typeof value !== "string") return undefined
  return Dates.parse(value.length === 10 ? `${value}T00:00Z` : value)
}

/** Orders two values of one field: numbers and dates by size, others as text; missing ones last. */
export const compare = (a: unknown, b: unknown): number => {
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : 1
  if (b === undefined || b === null) return -1
  if (typeof a === "number" && typeof b === "number") return a - b
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  return asText(a).localeCompare(asText(b), "en")
}

const whole = (value: unknown, name: string, max: number): Effect.Effect<number, Refusal> => {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= max
    ? Effect.succeed(number)
    : Effect.fail(invalid(name, `must be a whole number from 1 to ${max}`))
}

/** What a list is asked for: its own filters, and the further ones beside them. */
const parametersOf = ({ query, ...own }: Fields): Fields =>
  isRecord(query) ? { ...query, ...own } : { query, ...own }

/** One page of a list that is already chosen and ordered. */
export const paged = <A>(rows: ReadonlyArray<A>, query: Fields): Effect.Effect<Page<A>, Refusal> =>
  Effect.gen(function* () {
    const page = yield* whole(query.page ?? 1, "page", 999_999_999)
    const limit = yield* whole(query.limit ?? usual, "limit", most)
    return {
      items: rows.slice((page - 1) * limit, page * limit),
      paging: { page, limit, total: rows.length, pages: Math.ceil(rows.length / limit) }
    }
  })

/** Whether any row of a list has a field. */
interface Known {
  readonly has: (name: string) => boolean
}

const fieldsOf = (rows: ReadonlyArray<object>): Known => ({
  has: (name) => rows.some((row) => Object.hasOwn(row, name))
})

/** `minPrice` and `maxPrice` bound the field `price`, and likewise for other fields. */
const boundOf = (
  name: string,
  known: Known
): { readonly field: string; readonly sign: 1 | -1 } | undefined => {
  const match = /^(min|max)([A-Z])(.*)$/.exec(name)
  const field = `${match?.[2]?.toLowerCase() ?? ""}${match?.[3] ?? ""}`
  return match !== null && known.has(field) ? { field, sign: match[1] === "min" ? 1 : -1 } : undefined
}

/** One test for a field of the query, or why it is invalid. */
const testOf = (name: string, value: unknown, known: Known): Effect.Effect<Test, Refusal> => {
  const special = Object.hasOwn(named, name) ? named[name] : undefined
  if (special !== undefined) return Effect.succeed(special(value))
  if (name === "search" || name === "q") {
    const text = asText(value).toLowerCase()
    return Effect.succeed((row) => holds(row, text))
  }
  if (name === "from" || name === "to") {
    const date = dateOf(value)
    if (date === undefined) return Effect.fail(invalid(name, "must be an ISO 8601 date or date-time"))
    const sign = name === "from" ? 1 : -1
    return Effect.succeed(
      ({ createdAt }) => createdAt instanceof Date && sign * (createdAt.getTime() - date.getTime()) >= 0
    )
  }
  const bound = boundOf(name, known)
  if (bound !== undefined) {
    const limit = Number(value)
    return Number.isFinite(limit)
      ? Effect.succeed(
          (row) =>
            typeof row[bound.field] === "number" && bound.sign * (Number(row[bound.field]) - limit) >= 0
        )
      : Effect.fail(invalid(name, "must be a number"))
  }
  if (!known.has(name)) return Effect.fail(invalid(name, "is not a field of this list"))
  return Effect.succeed(testing((row) => row[name])(value))
}

/**
 * The rows of a query, ordered. `search` searches all texts, `from` and `to` bound `createdAt`, `sort` is a field, with
 * `-` before it for the reverse; `minPrice` and `maxPrice` bound `price`, and likewise for other fields; the
 * specification's list parameters work by name; every other name must be a field to compare with. A list as value
 * matches any of its items.
 */
export const chosen = <A extends object>(
  rows: ReadonlyArray<A>,
  input: Fields
): Effect.Effect<ReadonlyArray<A>, Refusal> =>
  Effect.gen(function* () {
    const query = parametersOf(input)
    const known = fieldsOf(rows)
    const tests: Array<Test> = []
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || name === "page" || name === "limit" || name === "sort") continue
      // An empty list does not filter: on the wire it is omitted.
      if (isList(value) && value.length === 0) continue
      if (rows.length > 0) tests.push(yield* testOf(name, value, known))
    }
    const matches = rows.filter((row) => tests.every((test) => test(row as Fields)))
    const { sort } = query
    if (sort === undefined || rows.length === 0) return matches
    const name = asText(sort).replace(/^-/, "")
    if (!known.has(name))
      return yield* invalid("sort", "must be a field of this list, with - for the reverse")
    const sign = asText(sort).startsWith("-") ? -1 : 1
    return [...matches].sort((a, b) => sign * compare((a as Fields)[name], (b as Fields)[name]))
  })

/** The page of a query's rows. */
export const select = <A extends object>(
  rows: ReadonlyArray<A>,
  query: Fields
): Effect.Effect<Page<A>, Refusal> => Effect.flatMap(chosen(rows, query), (matches) => paged(matches, query))

/** Newest first, the order of lists of events. */
export const newest = <A extends { readonly createdAt: Date }>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  [...rows].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
