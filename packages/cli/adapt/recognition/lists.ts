/** Where lists hold their items and their total. */

import { own, type Page, Pages, readHint } from "@quartet/sdk/extend"
import { described } from "@quartet/sdk/extend/description"
import { isData } from "../../recording/keys.js"
import {
  common,
  type Exchange,
  isObject,
  isScalar,
  isSuccess,
  type Json,
  type Node,
  nodes,
  placed,
  split,
  valueAt,
  wordOf
} from "./exchange.js"
import { type Line, nothing, type Recognised } from "./line.js"

/** Names of lists that stand beside the items. */
const beside = new Set([
  "errors",
  "warnings",
  "included",
  "links",
  "facets",
  "filters",
  "aggregations",
  "columns"
])

/** Names of lists that are the items, most telling first. */
const telling = [
  "items",
  "data",
  "rows",
  "results",
  "records",
  "content",
  "docs",
  "list",
  "edges",
  "hits",
  "entries"
]

/** Whether the values of an object are things by their ids. */
const isMap = (value: unknown): value is Json => {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(
      ([key, thing]) =>
        isObject(thing) &&
        (/^\d+$/.test(key) ||
          isData(key) ||
          Object.entries(thing).some(([name, id]) => /id$|^key$/i.test(name) && String(id) === key))
    )
  )
}

/** Where the items of one answer are. */
export interface Items {
  /** The names that lead to them. */
  readonly place: string
  readonly isMap: boolean
  readonly items: ReadonlyArray<unknown>
}

const hasObjects = (list: ReadonlyArray<unknown>): boolean => list.length > 0 && list.every(isObject)

/** How telling a list is: a higher number is better. */
const scoreOf = ({ depth, name, value }: Node): number => {
  const word = wordOf(name)
  const rank = telling.indexOf(word)
  const items = Array.isArray(value) ? value : []
  return (
    (beside.has(word) ? -1000 : 0) +
    (hasObjects(items) ? 100 : items.length === 0 ? 0 : -50) +
    (rank < 0 ? 0 : 40 - rank) -
    depth * 15
  )
}

/** The items of an answer; undefined where it holds none. */
export const itemsIn = (body: unknown): Items | undefined => {
  const every = nodes(body)
  const maps = every.filter(({ value }) => isMap(value)).map(({ path }) => path)
  // What stands in a thing of a map is that thing's own.
  const all = every.filter(
    ({ path }) => !maps.some((map) => path.startsWith(map === "" ? "" : `${map}.`) && path !== map)
  )
  const lists = all.filter(({ value }) => Array.isArray(value)).sort((a, b) => scoreOf(b) - scoreOf(a))
  const [best] = lists
  if (best !== undefined && Array.isArray(best.value) && scoreOf(best) > -20 && hasObjects(best.value))
    return { place: best.path, isMap: false, items: best.value }
  const map = all.find(({ value }) => isMap(value))
  if (map !== undefined && isObject(map.value))
    return { place: map.path, isMap: true, items: Object.values(map.value) }
  return best !== undefined && scoreOf(best) > -100 && Array.isArray(best.value) && best.value.length === 0
    ? { place: best.path, isMap: false, items: [] }
    : undefined
}

/** What each item of a list wraps: the name of the field that holds the thing. */
const wrapperOf = (items: ReadonlyArray<unknown>): string | undefined =>
  common(
    items.map((item) => {
      if (!isObject(item) || isResource(item)) return undefined
      if (Object.entries(item).some(([name, id]) => /^_?(id|uuid|guid)$/i.test(name) && isScalar(id)))
        return undefined
      const inner = Object.entries(item).filter(([, value]) => isObject(value))
      const [only] = inner
      return inner.length === 1 && only !== undefined && Object.keys(item).length <= 3 ? only[0] : undefined
    })
  )

/** Whether an object is a resource of JSON:API. */
export const isResource = (value: unknown): value is Json =>
  isObject(value) && typeof value.type === "string" && isScalar(value.id) && isObject(value.attributes)

/** The things of a list's answer, without what wraps each. */
export const thingsIn = (body: unknown): ReadonlyArray<Json> => {
  const items = itemsIn(body)?.items ?? []
  const wrapper = wrapperOf(items)
  return items
    .map((item) => (wrapper === undefined ? item : own(item, wrapper)))
    .filter(isObject)
    .map((thing) =>
      isResource(thing) && isObject(thing.attributes) ? { ...thing.attributes, id: thing.id } : thing
    )
}

/** The field by which the SDK knows the list of a call. */
const keyOf = (call: string): string | undefined => {
  const success = described.find(({ name }) => name === call)?.declared.success
  return success !== undefined && "page" in success ? success.key : undefined
}

/** What the SDK finds in an answer by itself; undefined where it finds other items. */
export const readAlready = (
  { body, call }: Exchange,
  items: ReadonlyArray<unknown>
): Page<unknown> | undefined => {
  const page = Pages.find(body, keyOf(call))
  return typeof page !== "string" &&
    page.items.length === items.length &&
    page.items.every((item, at) => item === items[at])
    ? page
    : undefined
}

const totals = new Set([
  "total",
  "totalcount",
  "totalitems",
  "totalelements",
  "totaldocs",
  "totalrecords",
  "totalresults",
  "count",
  "itemcount",
  "recordcount",
  "numfound",
  "found",
  "matched",
  "matches"
])

const headersOfTotals = ["x-total-count", "x-total", "total-count", "x-pagination-total-count", "x-count"]

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Where an answer may say how many items its list has, most telling first. The total of a page that holds less than all shows that it is one. */
const totalsIn = (
  { body, headers }: Exchange,
  count: number
): ReadonlyArray<string | { readonly header: string }> => [
  ...nodes(body, 3)
    .filter(({ name, value }) => totals.has(wordOf(name)) && (numberOf(value) ?? -1) >= count)
    .sort((a, b) => Number(wordOf(a.name) === "count") - Number(wordOf(b.name) === "count"))
    .map(({ path }) => path),
  ...headersOfTotals.filter((name) => numberOf(headers[name]) !== undefined).map((header) => ({ header })),
  ...(/\/\d+$/.test(headers["content-range"] ?? "") ? [{ header: "content-range" }] : [])
]

const keyOfPlace = (place: string | { readonly header: string }): string =>
  typeof place === "object" ? `header ${place.header}` : place

/** Whether a number is that of the items of a page: it is another one on another page of the same list. */
const isOfPage = (answers: ReadonlyArray<Listed>, place: string | { readonly header: string }): boolean => {
  const numbers = answers.map((answer) => numberOf(placed(place, answer)))
  return (
    answers.every(({ items }, at) => numbers[at] === items.length) &&
    answers.some((one, at) =>
      answers.some((other, to) => one.path === other.path && numbers[at] !== numbers[to])
    )
  )
}

/** A list's answer, with its items. */
export interface Listed extends Exchange, Items {}

/** The answers of lists that hold items. */
export const listed = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Listed> =>
  exchanges.flatMap((exchange) => {
    if (exchange.purpose !== "list" || !isSuccess(exchange)) return []
    const items = itemsIn(exchange.body)
    return items === undefined ? [] : [{ ...exchange, ...items }]
  })

const total = (answers: ReadonlyArray<Listed>, isSaid: boolean): Recognised => {
  const all = answers.map((answer) =>
    totalsIn(answer, answer.items.length).filter((place) => !isOfPage(answers, place))
  )
  const firsts = all.flatMap(([first]) => (first === undefined ? [] : [first]))
  const place = firsts.find((each) =>
    all.every((places) => places.some((other) => keyOfPlace(other) === keyOfPlace(each)))
  )
  if (place === undefined)
    return {
      ...nothing,
      unseen: [
        firsts.length === 0
          ? "lists.total: no answer has the number of all items of its list"
          : firsts.length < all.length
            ? `lists.total: ${firsts.length} of ${counted(all.length)} had the number of all items, the others had none`
            : `lists.total: answers have the number of all items in different places (${[...new Set(firsts.map((each) => `\`${keyOfPlace(each)}\``))].join(", ")})`
      ]
    }
  if (!isSaid) {
    const isRead = answers.every((answer) => {
      const page = readAlready(answer, answer.items)
      const hint = page && readHint({ ...page, items: page.items }, 1, undefined)
      return typeof place === "string" && hint?.total === numberOf(valueAt(answer.body, place))
    })
    if (isRead) return { ...nothing, fits: [`the total of lists stands in \`${keyOfPlace(place)}\``] }
  }
  const value =
    typeof place === "object" && place.header === "content-range"
      ? { code: `({ header }) => /\\/(\\d+)$/.exec(header("content-range") ?? "")?.[1]` }
      : place
  return {
    ...nothing,
    lines: [
      {
        at: "lists.total",
        value,
        reason: `${counted(answers.length)} had the number of all items ${typeof place === "object" ? "in this header" : "there"}`
      }
    ]
  }
}

const counted = (count: number): string => `${count} ${count === 1 ? "answer" : "answers"} of lists`

/** How lists are answered. */
export const lists = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const all = listed(exchanges)
  // An empty list is where others are, or nowhere.
  const answers = all.some(({ items }) => items.length > 0)
    ? all.filter(({ items }) => items.length > 0)
    : all
  if (answers.length === 0)
    return {
      ...nothing,
      unseen: [
        exchanges.some((each) => each.purpose === "list" && isSuccess(each))
          ? "lists: no answer of a list has anything in it that looks like items"
          : "lists: no read of a list was accepted"
      ]
    }
  const isRead = answers.every((answer) => readAlready(answer, answer.items) !== undefined)
  const wrapper = common(answers.map(({ items }) => wrapperOf(items)))
  const lines: Array<Line> = []
  const fits: Array<string> = []
  const unseen: Array<string> = []
  const path = common(answers.map((answer) => answer.place))
  if (isRead) fits.push(`items of lists stand where the SDK looks for them${path ? ` (\`${path}\`)` : ""}`)
  else if (path !== undefined && answers.every((answer) => !answer.isMap || !isNamedBy(answer)))
    lines.push({
      at: "lists.items",
      value: path,
      reason: answers.some((answer) => answer.isMap)
        ? `${counted(answers.length)} held things by their ids there`
        : `${counted(answers.length)} had their items there`
    })
  else {
    const holder = common(answers.map((answer) => split(answer.place)[0]))
    if (holder !== undefined && answers.every((answer) => isFirstList(answer, holder)))
      lines.push({
        at: "lists.items",
        value: holder === "" ? "*" : `${holder}.*`,
        reason: `${counted(answers.length)} had their items in the first list of ${holder === "" ? "the body" : `\`${holder}\``}, whose name differs`
      })
    else
      unseen.push(
        `lists.items: lists hold their items in different places (${places(answers)}); a function can tell them apart`
      )
  }
  if (wrapper !== undefined)
    lines.push({ at: "lists.item", value: wrapper, reason: `each item holds its thing in \`${wrapper}\`` })
  const said = total(answers, lines.length > 0)
  return {
    lines: [...lines, ...said.lines],
    fits: [...fits, ...said.fits],
    unseen: [...unseen, ...said.unseen]
  }
}

/** How several values of one parameter are sent. */
export const parameters = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const asked = exchanges.filter((each) => each.purpose === "list" && isSuccess(each))
  const names = (isOf: (each: Exchange, name: string) => boolean): ReadonlyArray<string> =>
    asked.flatMap((each) => Object.keys(each.query).filter((name) => isOf(each, name)))
  const line = (value: string, reason: string): Recognised => ({
    ...nothing,
    lines: [{ at: "lists.parameters", value, reason }]
  })
  if (names((_, name) => name.endsWith("[]")).length > 0)
    return line("brackets", "a list was asked for by parameters with brackets behind their names")
  if (names(({ repeated = [] }, name) => repeated.includes(name)).length > 0)
    return line("repeat", "a list was asked for by a parameter that stood there more than once")
  return {
    ...nothing,
    unseen: ["lists.parameters: how several values of one parameter are sent, since no list was asked for so"]
  }
}

/** Whether a map of things stands below a name that differs by the call. */
const isNamedBy = ({ place }: Listed): boolean => isData(split(place)[1]) && place !== ""

const isFirstList = ({ body, items }: Listed, holder: string): boolean =>
  Object.values(Object(valueAt(body, holder))).find(Array.isArray) === items

/** Names of places, without those that look like data. */
const places = (answers: ReadonlyArray<Listed>): string =>
  [
    ...new Set(
      answers.map(
        ({ place }) =>
          `\`${place
            .split(".")
            .map((name) => (isData(name) ? "*" : name))
            .join(".")}\``
      )
    )
  ].join(", ")
