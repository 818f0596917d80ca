/** What the answer for a page says of its list: the default reads names that many platforms use, and guesses nothing from a page's length. */
import { isRecord } from "effect/Predicate"
import { readCount } from "../codec/page.js"
import type { Page, Paging } from "../operation/answer.js"

/** What an answer says of its list. */
export interface Hint {
  /** Whether another page follows. */
  readonly more?: boolean | undefined
  /** Items in the whole list. */
  readonly total?: number | undefined
  /** Pages in the whole list. */
  readonly pages?: number | undefined
  /** Whether there are pages before this one. */
  readonly earlier?: boolean | undefined
  /** What the next page is asked for by, on a platform that pages by it. */
  readonly cursor?: string | undefined
}

/** Reads what the answer for a page says; `number` is the page that was requested, `limit` how many items it was to have. */
export type ReadHint = (page: Page<unknown>, number: number, limit: number | undefined) => Hint

/** One form for a name in all styles: `has_next_page`, `hasNextPage`. */
const wordOf = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase()

const words = {
  total: ["total", "totalcount", "totalitems", "totalelements", "totaldocs"],
  /** Of the whole list or of this page. */
  count: ["count"],
  pages: ["pages", "totalpages", "pagecount"],
  more: ["hasmore", "hasnext", "hasnextpage"],
  isLast: ["islast"],
  /** A flag, or a number or an address. */
  last: ["last"],
  /** A number or an address. */
  next: ["next", "nextpage"],
  earlier: ["hasprev", "hasprevpage", "hasprevious", "haspreviouspage"],
  first: ["first"]
} as const

/** Nested objects that may hold some of these. */
const holders = ["paging", "pagination", "pageinfo", "links"]

/** The fields of a paging by their normalised names. */
const signsOf = (paging: Paging): ReadonlyMap<string, unknown> => {
  const signs = new Map<string, unknown>()
  for (const [name, value] of Object.entries(paging)) {
    if (!(isRecord(value) && holders.includes(wordOf(name)))) signs.set(wordOf(name), value)
    else
      for (const [inner, innerValue] of Object.entries(value))
        if (!signs.has(wordOf(inner))) signs.set(wordOf(inner), innerValue)
  }
  return signs
}

/** A boolean, which some platforms write as text. */
const readFlag = (value: unknown): boolean | undefined => {
  const flag = typeof value === "string" ? value.toLowerCase() : value
  if (flag === true || flag === "true") return true
  return flag === false || flag === "false" ? false : undefined
}

/** The same for a name that stands for nothing else: 0 and 1 count, too. */
const readAnswer = (value: unknown): boolean | undefined => {
  const bit = readCount(value)
  return bit === 0 || bit === 1 ? bit === 1 : readFlag(value)
}

const negated = (flag: boolean | undefined): boolean | undefined => (flag === undefined ? undefined : !flag)

/** No link: `null`, `false`, empty text, `{ href: null }`. */
export const isNothing = (value: unknown): boolean =>
  value === null ||
  value === "" ||
  value === false ||
  value === "false" ||
  (isRecord(value) && Object.values(value).every(isNothing))

/** What the link to the next page says. */
const readNext = (value: unknown, number: number): boolean | undefined => {
  if (isNothing(value)) return false
  const next = readCount(value)
  return next === undefined ? value !== undefined || undefined : next > number || undefined
}

/** Any sign of more wins, because another page costs one request. */
export const anyOf = (signs: ReadonlyArray<boolean | undefined>): boolean | undefined =>
  signs.includes(true) ? true : signs.includes(false) ? false : undefined

/** What an answer says, by names that many platforms use. */
export const readHint: ReadHint = ({ items, paging }, number, limit) => {
  const own = items.length
  const signs = signsOf(paging)
  const all = (of: ReadonlyArray<string>): ReadonlyArray<unknown> => of.map((word) => signs.get(word))
  const count = (of: ReadonlyArray<string>): number | undefined =>
    all(of)
      .map(readCount)
      .find((number) => number !== undefined)
  const either = count(words.count)
  return {
    cursor: [paging.next, paging.nextOffset].find((cursor) => typeof cursor === "string"),
    total: count(words.total) ?? (either === own || either === limit ? undefined : either),
    pages: count(words.pages),
    more: anyOf([
      ...all(words.more).map(readAnswer),
      ...all(words.isLast).map((value) => negated(readAnswer(value))),
      ...all(words.last).map((value) => negated(readFlag(value))),
      ...all(words.next).map((value) => readNext(value, number))
    ]),
    earlier: anyOf([
      ...all(words.earlier).map(readAnswer),
      ...all(words.first).map((value) => negated(readFlag(value)))
    ])
  }
}
