/** How a page of a list is asked for. */
import * as Either from "effect/Either"
import { readCount } from "../kernel/codec/page.js"
import type { DialectOperation } from "../kernel/dispatch/dialect.js"
import { placeOf } from "../kernel/dispatch/page-source.js"
import type { Refusal } from "../kernel/operation/input.js"
import * as Path from "../kernel/operation/path.js"
import * as Raw from "../kernel/operation/raw.js"
import { own } from "../permissions/own.js"
import type { Lists } from "./definition.js"

/** A parameter of a query: its name and its value, as they are before they are escaped. */
export type Pair = readonly [name: string, text: string]

/** The parameters of a query, ours or one that the platform has written. */
export const pairsOf = (query: string): ReadonlyArray<Pair> => [...new URLSearchParams(query)]

/** A query, from its question mark. */
export const queryOf = (pairs: ReadonlyArray<Pair>): string =>
  pairs
    .map(([name, text], at) => `${at === 0 ? "?" : "&"}${Path.percent(name)}=${Path.percent(text)}`)
    .join("")

/** The query of an address. */
export const queryIn = (address: string): string => /\?([^#]*)/.exec(address)?.[1] ?? ""

/** An address without some of its parameters. */
export const withoutParameters = (address: string, names: ReadonlyArray<unknown>): string => {
  const pairs = pairsOf(queryIn(address))
  const rest = pairs.filter(([name]) => !names.includes(name))
  return rest.length === pairs.length ? address : address.replace(/\?[^#]*/, queryOf(rest))
}

/** The page that a call asks for, and how many items it is to have; undefined where the platform decides. */
export interface AskedPage {
  readonly page: unknown
  readonly limit: unknown
}

/** The page that an input asks for. */
export const pageIn = ({ declared }: DialectOperation, input: unknown): AskedPage => {
  const holder = placeOf(declared) === "payload" ? Raw.sentOf(own(input, "payload")) : input
  return { page: own(holder, "page"), limit: own(holder, "limit") }
}

const isPaged = ({ declared }: DialectOperation): boolean =>
  "page" in declared.success && placeOf(declared) !== undefined

/** Whether a call is a search: it declares the page as a part of its body. */
export const isSearch = (operation: DialectOperation): boolean => {
  const { method, query = [] } = operation.declared
  return isPaged(operation) && method !== "GET" && !query.includes("page")
}

/**
 * Which part of a request names the page. Undefined of a call that answers no pages, and where nothing is said of how they are asked
 * for.
 */
export const partOf = (lists: Lists, operation: DialectOperation): "query" | "body" | undefined => {
  if (!isPaged(operation) || (lists.page === undefined && lists.searches === undefined)) return undefined
  return isSearch(operation) && lists.searches !== "query" ? "body" : "query"
}

/** The number of the first item of a page, as the platform counts them; undefined where it cannot be told. */
export const offsetOf = (
  { page, limit }: AskedPage,
  first: number,
  cursor: string | undefined
): number | undefined => {
  if (cursor !== undefined) return Number(cursor)
  const number = readCount(page) ?? 1
  if (number === 1) return first
  const size = readCount(limit)
  return size === undefined ? undefined : first + (number - 1) * size
}

const refuse = (rule: string): Either.Either<never, Refusal> => Either.left({ field: "page", rule })

const tooSmall = "must be at least 1: the platform's own number of its first page is said in its value"

const unreachable =
  "is reached through the pages before it alone: take pages, which asks for one after another. Where pages says this, the page before says that another one follows, and lists.next of the platform leads to nothing there, or a function of lists has failed"

/** Asks for a page in the platform's way. A link says all by itself, once there is one. */
export const ask = (
  { page: way = { by: "page" } }: Lists,
  asked: AskedPage,
  cursor: string | undefined
): Either.Either<ReadonlyArray<Pair>, Refusal> => {
  const { limit: limitName = "limit" } = way
  const limit: ReadonlyArray<Pair> =
    asked.limit === undefined || limitName === false ? [] : [[limitName, String(asked.limit)]]
  const number = readCount(asked.page) ?? 1
  switch (way.by) {
    case "page": {
      if (asked.page === undefined) return Either.right(limit)
      const { first = 1, parameter = "page" } = way
      if (number < 1) return refuse(tooSmall)
      return Either.right([[parameter, String(number - 1 + first)], ...limit])
    }
    case "offset": {
      const { first = 0, parameter = "offset" } = way
      if (number < 1) return refuse(tooSmall)
      const offset = offsetOf(asked, first, cursor)
      if (offset === undefined)
        return refuse("needs a limit beside it: the platform counts the items before a page")
      return Either.right(offset === first ? limit : [[parameter, String(offset)], ...limit])
    }
    case "cursor":
    case "link": {
      if (cursor === undefined) return number === 1 ? Either.right(limit) : refuse(unreachable)
      return Either.right(way.by === "link" ? [] : [[way.parameter ?? "cursor", cursor], ...limit])
    }
  }
}
