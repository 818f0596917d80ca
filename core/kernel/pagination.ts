/**
 * All pages of a list, one after another: what asks for the next one, and what says that there is none. A stream and
 * a list on a screen are walked by the same steps.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import type { Page, Paging } from "./answer.js"
import { AnswerError, InputError } from "./errors.js"
import type { Declared, Operation } from "./operation.js"

/** How `pages` asks for a list. The specification names `limit` and `page` (profile followers). */
export interface Walk {
  /**
   * Number of the first page; the input's `page` where it is left out, else 1. A platform that counts its pages from 0
   * needs `first: 0`: what it does not say, nobody can find out.
   */
  readonly first?: number
  /** Items a page; the input's `limit` where it is left out, else the platform decides. */
  readonly limit?: number
}

/**
 * The input of a call that takes `page`: as a field, as any further field, or in the payload of a search. Unknown stays:
 * it is what the compiler begins with while it finds out about I.
 */
export type Paged<I> = unknown extends I
  ? I
  : "page" extends keyof I
    ? I
    : "payload" extends keyof I
      ? I
      : never

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A count, which some platforms write as text. What is no whole number from 0 says nothing: −1 for "not known". */
export const readCount = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

const placeOf = ({ input }: Declared): "input" | "payload" | undefined => {
  const ast = AST.typeAST(input.ast)
  const names = AST.getPropertySignatures(ast).map(({ name }) => name)
  if (names.includes("payload")) return "payload"
  const isOpen = AST.isTypeLiteral(ast) && ast.indexSignatures.length > 0
  return isOpen || names.includes("page") ? "input" : undefined
}

/** Whether a call answers a list page by page: its answer is a page, and its input takes the number of one. */
export const isPaged = (operation: Operation<never, unknown, never>): boolean => {
  const declared = operation.declaration()
  return "page" in declared.success && placeOf(declared) !== undefined
}

/** A list to be walked. */
export interface Plan<out I> {
  readonly operation: string
  readonly first: number
  /** Whether the caller has said where the pages begin. */
  readonly isFirstGiven: boolean
  readonly limit: number | undefined
  /** The input that asks for a page. */
  readonly at: (page: number) => I
}

/** Says how a call is asked for its pages, or which rule its input or the walk breaks. */
export const plan = <I>(
  operation: Operation<I, Page<unknown>, never>,
  given: I,
  { first, limit }: Walk
): Either.Either<Plan<I>, InputError> => {
  const { name } = operation
  const refuse = (field: string, rule: string) =>
    Either.left(new InputError({ operation: name, field, rule }))
  const place = placeOf(operation.declaration())
  if (place === undefined) return refuse("page", "is not taken by this call, which answers its list at once")
  const input: unknown = given ?? {}
  if (!isRecord(input)) return refuse("input", "must be an object")
  const fields = place === "input" ? input : input.payload
  if (!isRecord(fields)) return refuse("payload", "must be an object, for it takes the number of the page")
  const prefix = place === "input" ? "" : "payload."
  const asked = first ?? (fields.page === undefined ? 1 : readCount(fields.page))
  if (asked === undefined || readCount(asked) !== asked)
    return refuse(first === undefined ? `${prefix}page` : "first", "must be a whole number, at least 0")
  if (limit !== undefined && (readCount(limit) !== limit || limit === 0))
    return refuse("limit", "must be a whole number, at least 1")
  const at = (page: number): unknown => {
    const numbered = { ...fields, page, ...(limit === undefined ? {} : { limit }) }
    return place === "input" ? numbered : { ...input, payload: numbered }
  }
  return Either.right({
    operation: name,
    first: asked,
    isFirstGiven: first !== undefined || fields.page !== undefined,
    limit: limit ?? readCount(fields.limit),
    // The input that was given, with two fields that its schema takes.
    at: at as Plan<I>["at"]
  })
}

/** How far a list was read. Plain data: a list on a screen travels with it from a server to a browser. */
export interface Place {
  /** Pages read. */
  readonly pages: number
  /** Items read. */
  readonly seen: number
  /** Items of the largest page. */
  readonly most: number
  /** Items in the whole list, by the latest page that said so. */
  readonly total: number | null
  /** Pages in the whole list, by the latest page that said so. */
  readonly count: number | null
  /** The prints of the latest pages, in their order. */
  readonly met: ReadonlyArray<number>
  /** One page of those before, now and then another one. */
  readonly mark: { readonly print: number; readonly page: number } | null
}

/** One page more. */
export interface Step<out A> {
  readonly page: Page<A>
  readonly place: Place
  /** Whether nothing follows. */
  readonly done: boolean
}

const start: Place = { pages: 0, seen: 0, most: 0, total: null, count: null, met: [], mark: null }

/** Prints that are kept; a circle of more pages is found out by the mark, which catches every length in the end. */
const mostMet = 1_000

/** What names the same thing in all styles: `has_next_page`, `hasNextPage`. */
const wordOf = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase()

const words = {
  total: ["total", "totalcount", "totalitems", "totalelements", "totaldocs", "totalresults", "totalrecords"],
  pages: ["pages", "totalpages", "pagecount", "numpages", "numberofpages"],
  /** The number of the last page. */
  lastPage: ["lastpage"],
  more: ["hasnext", "hasnextpage", "hasmore", "hasmorepages", "hasmoreitems", "hasmoreresults"],
  last: ["last", "islast", "lastpage", "islastpage"],
  next: ["next", "nextpage", "nextpageurl", "nexturl", "nextlink"],
  /** Another way to page, which tells nothing but that it is over. */
  cursor: ["nextcursor", "nextpagetoken", "nexttoken"],
  /** The whole list's, or this page's own. */
  count: ["count"]
} as const

/** Objects in a paging that hold some of these. */
const holders = ["paging", "pagination", "pageinfo", "links"]

/** The fields of a paging by their words. */
const signsOf = (paging: Paging): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  for (const [name, value] of Object.entries(paging)) {
    if (!isRecord(value)) found.set(wordOf(name), value)
    else if (holders.includes(wordOf(name)))
      for (const [inner, held] of Object.entries(value))
        if (!found.has(wordOf(inner))) found.set(wordOf(inner), held)
  }
  return found
}

/** What a page says of the whole list. */
interface Said {
  readonly total: number | null
  readonly count: number | null
  readonly isLast: boolean
}

/**
 * What a page says, which is the place's latest. Whatever says that there is more has the last word, for another page
 * costs one request; a count that is smaller than what came is wrong, and says nothing.
 */
const said = (page: Page<unknown>, number: number, place: Place, { first, limit }: Plan<unknown>): Said => {
  const signs = signsOf(page.paging)
  const all = (of: ReadonlyArray<string>): ReadonlyArray<unknown> => of.map((word) => signs.get(word))
  const count = (of: ReadonlyArray<string>): number | null => {
    const counts = all(of).map(readCount)
    return counts.find((one) => one !== undefined) ?? null
  }
  const compare = (reached: number, end: number | null): boolean | undefined =>
    end === null || reached > end ? undefined : reached < end
  const ambiguous = count(words.count)
  const total =
    count(words.total) ?? (ambiguous === page.items.length || ambiguous === limit ? null : ambiguous)
  const pages = count(words.pages)
  // Platforms count from 0 or from 1; a walk that begins later has skipped what is before it.
  const skipped = first - Math.min(first, 1)
  const claims = [
    compare(skipped * place.most + place.seen, total),
    compare(skipped + place.pages, pages),
    compare(number, count(words.lastPage)),
    ...all(words.more).map((value) => (typeof value === "boolean" ? value : undefined)),
    ...all(words.last).map((value) => (typeof value === "boolean" ? !value : undefined)),
    ...all(words.next).map((value) => {
      if (isNothing(value)) return false
      return typeof value === "number"
        ? value > number
          ? true
          : undefined
        : value !== undefined || undefined
    }),
    ...all(words.cursor).map((value) => (isNothing(value) ? false : undefined))
  ]
  return { total, count: pages, isLast: !claims.includes(true) && claims.includes(false) }
}

const isNothing = (value: unknown): boolean => value === null || value === false || value === ""

/** The prime factors and shifts of cyrb53, whose two halves of 32 bits are kept apart here. */
const scatter = (text: string): readonly [high: number, low: number] => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  const one = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const two = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return [one, two]
}

/** What can be told apart of values that JSON does not know. */
const plain = (_: string, held: unknown): unknown => {
  if (typeof held === "bigint") return `${held}n`
  return held instanceof Map || held instanceof Set ? [...held] : held
}

const textOf = (item: unknown): string =>
  isRecord(item) && Object.hasOwn(item, "_id") && typeof item._id === "string"
    ? item._id
    : (JSON.stringify(item, plain) ?? "")

/**
 * A number of 53 bits that tells a page from others by its items, whatever their order: an item with an `_id` is known
 * by that, so that a server which stamps the time on its answers is found out too.
 */
const printOf = (items: ReadonlyArray<unknown>): number => {
  let high = items.length
  let low = 0
  for (const item of items) {
    const [one, two] = scatter(textOf(item))
    high = (high + one) >>> 0
    low = (low + two) >>> 0
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + low
}

/** The number of the page that had this print. */
const metAt = (print: number, { mark, met, pages }: Place, first: number): number | undefined => {
  const index = met.lastIndexOf(print)
  if (index >= 0) return first + pages - met.length + index
  return mark?.print === print ? mark.page : undefined
}

/** The end of a list at an empty page, and whether fewer items came than the platform has counted. */
const ended = <A>(
  page: Page<A>,
  place: Place,
  { first, isFirstGiven, operation }: Plan<unknown>
): Effect.Effect<Step<A>, AnswerError> => {
  const { count, most, pages, seen, total } = place
  const [came, all, what] = total !== null ? [seen, total, "items"] : [pages, count ?? 0, "pages"]
  // A walk that began later does not know what was before it.
  const missing = first > 1 ? 0 : all - came
  const end = Effect.succeed({ page, place, done: true })
  if (missing <= 0) return end
  const rule = `ends at page ${first + pages}, which is empty after ${came} of ${all} ${what}`
  const isOnePage = came === 0 || missing === (total !== null ? most : 1)
  return isOnePage && !isFirstGiven
    ? Effect.fail(
        new AnswerError({
          operation,
          reason: "Paging",
          rule: `${rule}: one page is missing. Pass \`first: 0\` where the platform counts its pages from 0, \`first: 1\` where it counts from 1`
        })
      )
    : Effect.zipRight(Effect.logWarning(`${operation}: the list ${rule}`), end)
}

/**
 * Reads one page more. Fails with AnswerError `Paging` where it was met before, and where the platform's own counts
 * say that a page before the first was left out.
 */
export const next = <I, A, E, R>(
  asked: Plan<I>,
  ask: (input: I) => Effect.Effect<Page<A>, E, R>,
  before: Place = start
): Effect.Effect<Step<A>, E | AnswerError, R> => {
  const { first, operation } = asked
  const number = first + before.pages
  return Effect.flatMap(ask(asked.at(number)), (page): Effect.Effect<Step<A>, AnswerError> => {
    const { items } = page
    const print = printOf(items)
    const again = items.length === 0 ? undefined : metAt(print, before, first)
    if (again !== undefined) {
      const why = number === first + 1 ? ", so the platform does not page this list" : ""
      const rule = `repeats itself: page ${number} is page ${again} again${why}`
      return Effect.fail(new AnswerError({ operation, reason: "Paging", rule }))
    }
    const pages = before.pages + (items.length === 0 ? 0 : 1)
    const place = {
      ...before,
      pages,
      seen: before.seen + items.length,
      most: Math.max(before.most, items.length)
    }
    const { count, isLast, total } = said(page, number, place, asked)
    // An empty page may count what it holds itself.
    const counted = { ...place, total: total || before.total, count: count || before.count }
    if (items.length === 0) return ended(page, counted, asked)
    const isMark = Number.isInteger(Math.log2(pages))
    return Effect.succeed({
      page,
      place: {
        ...counted,
        met: [...before.met, print].slice(-mostMet),
        mark: isMark ? { print, page: number } : before.mark
      },
      done: isLast
    })
  })
}
