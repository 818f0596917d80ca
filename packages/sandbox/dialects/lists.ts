/** Lists in a dialect: how a page is asked for, and its envelope. */
import type { Page } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { isRecord } from "effect/Predicate"
import { invalid, type Refusal } from "../platform/refusal.js"
import type { Range } from "../platform/wire.js"
import type { Dialect } from "./axes.js"

/** The parameters of a page, and what they count. */
export interface PageNames {
  /** The parameter that says where a page begins. */
  readonly from: string
  readonly limit: string
  /** The number of the first page, or of the first row. */
  readonly first: 0 | 1
  readonly counts: "pages" | "rows" | "cursors"
}

/** The names of a dialect's parameters. */
export const pageNames = ({ lists, paging }: Dialect): PageNames => {
  switch (paging) {
    case "from-zero":
      return { from: "pageNumber", limit: "pageSize", first: 0, counts: "pages" }
    case "bracketed":
      return { from: "page[number]", limit: "page[size]", first: 1, counts: "pages" }
    case "offset":
      return { from: "offset", limit: "limit", first: 0, counts: "rows" }
    case "cursor":
      return lists === "edges"
        ? { from: "after", limit: "first", first: 0, counts: "cursors" }
        : { from: "cursor", limit: "limit", first: 0, counts: "cursors" }
    case "link":
      return { from: "page", limit: "per_page", first: 1, counts: "pages" }
    default:
      return { from: "page", limit: "limit", first: 1, counts: "pages" }
  }
}

/** Items of a page, if nothing is said. */
const usual = 20

/** The most items of a page that the platform gives. */
const most = 500

const cursorOf = (offset: number): string => Encoding.encodeBase64Url(`after:${offset}`)

const offsetOf = (cursor: string): number | undefined => {
  const text = Either.getOrUndefined(Encoding.decodeBase64UrlString(cursor))
  const digits = /^after:(\d{1,9})$/.exec(text ?? "")?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A page as the platform itself numbers it, and which of its rows are asked for. */
export interface Asked {
  readonly page: number
  readonly limit: number
  readonly range: Range
}

/** Reads the parameters of a page. */
export const asked = (dialect: Dialect, from: unknown, size: unknown): Either.Either<Asked, Refusal> => {
  const names = pageNames(dialect)
  const whole = (value: unknown, name: string, least: number): Either.Either<number, Refusal> => {
    const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value
    return typeof number === "number" && Number.isSafeInteger(number) && number >= least
      ? Either.right(number)
      : Either.left(invalid(name, `must be a whole number from ${least}`))
  }
  return Either.gen(function* () {
    const limit = size === undefined ? usual : yield* whole(size, names.limit, 1)
    if (limit > most) return yield* Either.left(invalid(names.limit, `must be at most ${most}`))
    let offset = 0
    if (from !== undefined && names.counts === "cursors") {
      const decoded = typeof from === "string" ? offsetOf(from) : undefined
      if (decoded === undefined)
        return yield* Either.left(invalid(names.from, "is not a cursor of this platform"))
      offset = decoded
    } else if (from !== undefined) {
      const number = yield* whole(from, names.from, names.first)
      offset = names.counts === "rows" ? number : (number - names.first) * limit
    }
    // The platform counts pages: one that begins amid a page is read from the first row on.
    if (offset % limit === 0) return { page: offset / limit + 1, limit, range: { offset, limit, skipped: 0 } }
    if (offset + limit > most)
      return yield* Either.left(invalid(names.from, `must be a multiple of ${names.limit}, so far on`))
    return { page: 1, limit: offset + limit, range: { offset, limit, skipped: offset } }
  })
}

/** A page's rows with where they stand in the whole list. */
interface Shown {
  readonly items: ReadonlyArray<unknown>
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly hasNext: boolean
}

/** The path and the query of a request, without what a link must not repeat. */
export interface Target {
  readonly path: string
  readonly query: URLSearchParams
}

/** The address of a page of the same list. */
const hrefOf = (dialect: Dialect, { path, query }: Target, { limit }: Shown, offset: number): string => {
  const { counts, first, from, limit: size } = pageNames(dialect)
  const next = new URLSearchParams(query)
  const place = counts === "rows" ? offset : Math.floor(offset / limit) + first
  next.set(from, counts === "cursors" ? cursorOf(offset) : String(place))
  next.set(size, String(limit))
  return `${path}?${next.toString()}`
}

/** The id by which a map has a row. */
const keyOf = (item: unknown, dialect: Dialect, index: number): string => {
  const fields = isRecord(item) ? item : {}
  const key = fields[dialect.idField] ?? fields.id ?? fields.key
  return typeof key === "string" ? key : `row-${index}`
}

/** A list in its envelope, and the headers that belong to it. */
export const enveloped = (
  dialect: Dialect,
  name: string,
  page: Page<unknown>,
  range: Range | undefined,
  target: Target
): { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } => {
  const { limit = usual, page: number = 1, total = page.items.length } = page.paging
  const items = range === undefined ? page.items : page.items.slice(range.skipped)
  const offset = range?.offset ?? (number - 1) * limit
  const shown: Shown = {
    items,
    total,
    offset,
    limit: range?.limit ?? limit,
    hasNext: items.length > 0 && offset + items.length < total
  }
  const names = pageNames(dialect)
  const nextOffset = offset + items.length
  const isCursor = names.counts === "cursors"
  const nextCursor = shown.hasNext ? cursorOf(nextOffset) : null
  const next = shown.hasNext ? hrefOf(dialect, target, shown, nextOffset) : null
  const cursor = isCursor ? { nextCursor } : {}
  const headers: Record<string, string> = {}
  if (dialect.paging === "link") {
    headers["x-total-count"] = String(total)
    const links = [
      ...(next === null ? [] : [`<${next}>; rel="next"`]),
      ...(offset === 0
        ? []
        : [`<${hrefOf(dialect, target, shown, Math.max(0, offset - shown.limit))}>; rel="prev"`]),
      `<${hrefOf(dialect, target, shown, 0)}>; rel="first"`
    ]
    headers.link = links.join(", ")
  }
  const body = (): unknown => {
    switch (dialect.lists) {
      case "bare":
        return items
      case "data":
        return { data: items, meta: { total, ...cursor } }
      case "rows":
        return { result: { rows: items, count: total, ...cursor } }
      case "hal":
        return {
          _embedded: { [name]: items },
          _links: {
            self: { href: hrefOf(dialect, target, shown, offset) },
            ...(next === null ? {} : { next: { href: next } })
          },
          total
        }
      case "json-api":
        return { data: items, meta: { total }, links: { next } }
      case "edges":
        return {
          edges: items.map((node, index) => ({ node, cursor: cursorOf(offset + index + 1) })),
          pageInfo: { hasNextPage: shown.hasNext, endCursor: items.length > 0 ? cursorOf(nextOffset) : null },
          totalCount: total
        }
      case "by-id":
        return {
          items: Object.fromEntries(items.map((item, index) => [keyOf(item, dialect, index), item])),
          total,
          ...cursor
        }
      case "named":
        return { [name]: items, totalCount: total, ...cursor }
      default: {
        const { page: usualPage, pages } = page.paging
        return dialect.paging === "page"
          ? { items, paging: { page: usualPage, limit: shown.limit, total, pages } }
          : { items, paging: { limit: shown.limit, total, ...cursor } }
      }
    }
  }
  return { body: body(), headers }
}
