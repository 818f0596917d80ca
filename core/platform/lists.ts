/** The page of a list in an answer of the platform: its items, and what the answer says of the whole list, as the SDK reads it. */
import { isRecord } from "effect/Predicate"
import { readCount } from "../kernel/codec/page.js"
import { kindOf } from "../kernel/codec/state.js"
import type { DialectCall, DialectOperation } from "../kernel/dispatch/dialect.js"
import { isNothing } from "../kernel/dispatch/page-hint.js"
import { isPlain } from "../kernel/operation/input.js"
import { own } from "../permissions/own.js"
import type { Answer, Entities, Lists } from "./definition.js"
import { refuse } from "./faults.js"
import type { Translate } from "./fields.js"
import { thingOf } from "./json-api.js"
import { offsetOf, pageIn, withoutParameters } from "./paging.js"
import { at, linkOf, namesOf, read } from "./places.js"

/** The items, where something is said of them, and the fields around them. */
interface Found {
  readonly items: ReadonlyArray<unknown>
  readonly around: Readonly<Record<string, unknown>>
}

const without = (
  holder: unknown,
  isLeft: (name: string, value: unknown) => boolean
): Record<string, unknown> => {
  if (!isRecord(holder)) return {}
  return Object.fromEntries(Object.entries(holder).filter(([name, value]) => !isLeft(name, value)))
}

/** Names of numbers in the SDK's own form of a page. */
const counts = ["page", "limit", "total", "pages"]

/** Fields around a list without objects under the names of numbers, such as `meta.page` of JSON:API: they are no counts that went wrong. */
const withoutHolders = (around: Readonly<Record<string, unknown>>, depth = 1): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(around).flatMap(([name, value]) => {
      if (!isRecord(value)) return [[name, value]]
      if (counts.includes(name)) return []
      return [[name, depth === 0 ? value : withoutHolders(value, depth - 1)]]
    })
  )

/** A list, or the values of an object. A value that should have an id and has none has the name under which it stands. */
const itemsOf = (value: unknown, idName: string, hasId: boolean): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(value)) return value
  if (!isRecord(value) || !isPlain(value)) return undefined
  return Object.entries(value).map(([name, item]) =>
    isRecord(item) && hasId && own(item, idName) === undefined ? { [idName]: name, ...item } : item
  )
}

const find = (
  items: NonNullable<Lists["items"]>,
  answer: Answer,
  idName: string,
  hasId: boolean
): Found | undefined => {
  if (typeof items === "function") {
    const said: unknown = items(answer)
    const found = itemsOf(said, idName, hasId)
    if (found === undefined && said !== undefined && said !== null) return refuse("lists.items", kindOf(said))
    return found === undefined
      ? undefined
      : { items: found, around: without(answer.body, (_, value) => value === said) }
  }
  const names = namesOf(items, answer.body)
  if (names === undefined) return undefined
  const list = itemsOf(
    names.reduce<unknown>((holder, name) => own(holder, name), answer.body),
    idName,
    hasId
  )
  if (list === undefined) return undefined
  // What stands beside the way to the list says something of it.
  let around: Record<string, unknown> = {}
  let holder = answer.body
  for (const name of names) {
    around = { ...around, ...without(holder, (field) => field === name) }
    holder = own(holder, name)
  }
  return { items: list, around }
}

/** One form for a name in all styles: `has_more`, `hasMore`. */
const wordOf = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "")

/** What commonly says something of a page. */
const holders = ["meta", "paging", "pagination", "page", "pageinfo", "links"]

/** Whether a flag says that there is no next page, beside what leads to it or where such flags commonly stand: some platforms lead on from the last page, too. */
const isLast = (path: string, body: unknown): boolean => {
  const beside = at(path.split(".").slice(0, -1).join("."), body)
  const common = Object.entries(isRecord(body) ? body : {}).flatMap(([name, value]) =>
    holders.includes(wordOf(name)) ? [value] : []
  )
  const flags = [beside, body, ...common].flatMap((holder) =>
    Object.entries(isRecord(holder) ? holder : {}).flatMap(([name, value]) =>
      /^has(next|nextpage|more)$/.test(wordOf(name)) ? [value] : []
    )
  )
  // Any sign of more wins: another page costs one request.
  return flags.includes(false) && !flags.includes(true)
}

/** Whether the next page is asked for by what the answer says of it. */
const isAskedBy = ({ page }: Lists): boolean => page?.by === "cursor" || page?.by === "link"

/** What an answer says of the next page; undefined where nothing is said of where it stands. */
const nextOf = (lists: Lists, answer: Answer): unknown => {
  const { next } = lists
  if (next === undefined)
    return lists.page?.by === "link" ? (linkOf(answer.header("link"), "next") ?? null) : undefined
  if (typeof next === "object" && "header" in next && next.header.toLowerCase() === "link")
    return linkOf(answer.header("link"), "next") ?? null
  if (typeof next === "string" && isLast(next, answer.body)) return null
  const said = read(next, answer)
  const value = Array.isArray(said) ? said[0] : said
  const address = own(value, "href") ?? value
  if (address === undefined || isNothing(address)) return null
  const isText = typeof address === "string" || typeof address === "number"
  return isText || !isAskedBy(lists) ? address : refuse("lists.next", kindOf(address))
}

const asText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

/** The number of items in the whole list. `content-range` has it behind the items of the page: `0-24/319`. */
const totalOf = (lists: Lists, answer: Answer): { readonly total?: unknown } => {
  const said = lists.total === undefined ? undefined : read(lists.total, answer)
  const text = typeof said === "string" ? said.replace(/^.*\//, "") : said
  // What is no number stays as it came: it is told as drift.
  return said === undefined || said === null || text === "*" ? {} : { total: readCount(text) ?? said }
}

/**
 * The items of HAL where they are no list: of an empty one, links stand alone; a single one may stand as it is, in place of a list of one.
 * Undefined of any other answer.
 */
const halOf = (items: Lists["items"], body: unknown): Found | undefined => {
  const [, relation] = /^_embedded\.([^.]+)$/.exec(typeof items === "string" ? items : "") ?? []
  if (relation === undefined || !isRecord(body)) return undefined
  const { _embedded: embedded, ...around } = body
  const isEmpty = embedded === null || (isRecord(embedded) && Object.keys(embedded).length === 0)
  if (isEmpty || (embedded === undefined && body._links !== undefined)) return { items: [], around }
  const found = relation === "*" ? Object.values(Object(embedded)) : [own(embedded, relation)]
  return found.length > 0 && found.every(isRecord) ? { items: found, around } : undefined
}

/** Compiles what reads the pages of an operation, from answers whose items it translates. */
export const make = (
  lists: Lists,
  entities: Entities,
  reserved: ReadonlyArray<unknown>,
  operation: DialectOperation,
  idName: string,
  known: ReadonlySet<string>,
  item: Translate
): ((answer: Answer, call: DialectCall) => unknown) => {
  const isJsonApi = entities.unwrap === "json:api"
  const itemsPlace = lists.items ?? (isJsonApi ? "data" : undefined)
  const { page: way = { by: "page" as const } } = lists

  const itemOf = (value: unknown): unknown => {
    const thing = lists.item === undefined ? value : (at(lists.item, value) ?? value)
    return item(isJsonApi ? thingOf(thing, known) : thing)
  }

  /** A cursor, or a link without what the client itself writes: a platform may repeat the credentials that it was asked with. */
  const cursorOf = (next: unknown): string | null => {
    const text = asText(next)
    if (text === undefined) return null
    // What a template leaves open, such as `{&sort}`, is left out.
    return way.by === "link" ? withoutParameters(text.replaceAll(/\{[?&#][^{}]*\}/g, ""), reserved) : text
  }

  /** What the kernel is told of the pages that follow. */
  const pagingOf = (
    answer: Answer,
    { cursor, input }: DialectCall,
    size: number
  ): Record<string, unknown> => {
    const next = nextOf(lists, answer)
    const counted = totalOf(lists, answer)
    if (way.by === "cursor" || way.by === "link")
      return { ...counted, ...(next === undefined ? {} : { next: cursorOf(next) }) }
    if (way.by === "offset") {
      const { first = 0 } = way
      const offset = offsetOf(pageIn(operation, input), first, cursor) ?? first
      const isEnd = size === 0 || next === null || offset - first + size === counted.total
      if (isEnd) return { ...counted, next: null }
      // Where the next page begins says nothing of whether there is one.
      return {
        ...counted,
        nextOffset: String(offset + size),
        ...(next === undefined ? {} : { hasMore: true })
      }
    }
    return { ...counted, ...(next === undefined ? {} : { next: null, hasMore: next !== null }) }
  }

  return (answer, call) => {
    const found =
      itemsPlace === undefined
        ? undefined
        : (halOf(itemsPlace, answer.body) ?? find(itemsPlace, answer, idName, known.has(idName)))
    if (found !== undefined) {
      const items = found.items.map(itemOf)
      // Where somebody says the total or the next page, nothing around has to be read for them.
      const isSaid = lists.total !== undefined || lists.next !== undefined
      const around = isSaid ? withoutHolders(found.around) : found.around
      return { ...around, items, ...pagingOf(answer, call, items.length) }
    }
    // The kernel finds the list by itself: its items are translated where they are.
    return inPlace(answer.body, itemOf, (size) => pagingOf(answer, call, size))
  }
}

/** An answer whose first list, at most two objects deep, is translated. */
const inPlace = (
  body: unknown,
  itemOf: Translate,
  pagingOf: (size: number) => Record<string, unknown>,
  depth = 3
): unknown => {
  if (Array.isArray(body)) {
    const items = body.map(itemOf)
    const paging = pagingOf(items.length)
    return Object.keys(paging).length === 0 ? items : { items, ...paging }
  }
  if (!isRecord(body) || depth === 0) return body
  // Errors are no items, whatever the status says.
  const lists = Object.keys(body).filter((name) => Array.isArray(body[name]) && name !== "errors")
  const name = lists[0] ?? Object.keys(body).find((field) => isRecord(body[field]))
  if (name === undefined) return body
  const inner = body[name]
  if (Array.isArray(inner)) {
    const items = inner.map(itemOf)
    return { ...body, [name]: items, ...pagingOf(items.length) }
  }
  return { ...body, [name]: inPlace(inner, itemOf, pagingOf, depth - 1) }
}
