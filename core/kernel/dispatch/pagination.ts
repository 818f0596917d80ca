/**
 * All pages of a list, one after another: how the next one is requested, and how the end is detected. Streams and lists
 * on a screen take the same steps.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { halves, joined } from "../codec/hash.js"
import { isListless, readCount } from "../codec/page.js"
import { AnswerError, type InputError } from "../errors/errors.js"
import type { Page, Paging } from "../operation/answer.js"
import { ruleOfData } from "../operation/input.js"
import type { Declared, Operation } from "../operation/operation.js"
import { refuser } from "../operation/options.js"

/** How `pages` requests a list. The specification names `limit` and `page` (profile followers). */
export interface PageRange {
  /**
   * Number of the first page; by default the input's `page`, else 1. A platform that counts its pages from 0 needs
   * `first: 0`, because the answers may not show it.
   */
  readonly first?: number
  /** Items per page; by default the input's `limit`, else the platform decides. */
  readonly limit?: number
}

/**
 * The input of a call that takes `page`: as a field, as any further field, or in the payload of a search. Unknown
 * passes: the compiler starts with it while it infers I.
 */
export type Paged<I> = unknown extends I
  ? I
  : "page" extends keyof I
    ? I
    : "payload" extends keyof I
      ? I
      : never

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

/** The source of a list's pages. */
export interface PageSource<out I> {
  readonly operation: string
  readonly first: number
  /** Whether the caller has set the first page. */
  readonly isFirstGiven: boolean
  readonly limit: number | undefined
  /** The input that requests a page. */
  readonly at: (page: number) => I
}

/** A copy of plain data, so that the caller's later changes do not affect later pages. */
const copied = (value: unknown, copies = new Map<object, unknown>()): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return new Date(value)
  const prototype = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  // A value with its own encoding is kept.
  if (!(isPlain || Array.isArray(value)) || "toJSON" in value) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy: Array<unknown> | Record<string, unknown> = Array.isArray(value) ? [] : Object.create(null)
  copies.set(value, copy)
  for (const [name, held] of Object.entries(value)) Object.assign(copy, { [name]: copied(held, copies) })
  return copy
}

/** How to request the pages of a call, or the rule that its input or the range breaks. */
export const source = <I>(
  operation: Operation<I, Page<unknown>, never>,
  given: I,
  { first, limit }: PageRange
): Either.Either<PageSource<I>, InputError> => {
  const { name } = operation
  const refuse = refuser(name)
  if (!isPaged(operation))
    return refuse("page", "is not taken by this call: it does not answer a list page by page")
  const place = placeOf(operation.declaration())
  const read = Either.try(() => copied(given === undefined ? {} : given))
  if (Either.isLeft(read)) return refuse("input", "could not be read: a getter or a proxy threw")
  const input = read.right
  if (!isRecord(input)) return refuse("input", "must be an object")
  const hollow = ruleOfData(input)
  if (hollow !== undefined) return refuse("input", hollow)
  const fields = place === "input" ? input : input.payload
  if (!isRecord(fields)) return refuse("payload", "must be an object, for it takes the number of the page")
  const prefix = place === "input" ? "" : "payload."
  const asked = first === undefined ? (fields.page === undefined ? 1 : readCount(fields.page)) : first
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
    // The given input, plus two fields that its schema accepts.
    at: at as PageSource<I>["at"]
  })
}

/**
 * What a page says about the next one. `perhaps`: it seems to be the last, by an ambiguous sign, so one more page is
 * requested, which may repeat it.
 */
type Claim = "more" | "over" | "perhaps" | null

/** The progress in a list. Plain data: it is sent from a server to a browser with a list on a screen. */
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
  /** Items per page, by the latest page that said so. */
  readonly size: number | null
  /** What the latest page said about the next one. */
  readonly claim: Claim
  /** Consecutive empty pages before the next one. */
  readonly empty: number
  /** Consecutive pages before the next one without a new item. */
  readonly stale: number
  /** The hashes of the latest pages, in order. */
  readonly met: ReadonlyArray<number>
  /** The hashes of the latest items. */
  readonly items: ReadonlyArray<number>
  /** One earlier page, replaced from time to time. */
  readonly mark: { readonly print: number; readonly page: number } | null
}

/** One more page. */
export interface Step<out A> {
  readonly page: Page<A>
  readonly place: Place
  /** Whether nothing follows. */
  readonly done: boolean
}

const start: Place = {
  pages: 0,
  seen: 0,
  most: 0,
  total: null,
  count: null,
  size: null,
  claim: null,
  empty: 0,
  stale: 0,
  met: [],
  items: [],
  mark: null
}

/** Hashes that are kept; a longer cycle is detected by the mark, which finds every length in the end. */
const mostMet = 1_000
const mostItems = 10_000

/** Maximum consecutive pages that are empty but announce more, or hold nothing new. */
const patience = 10

/** One form for a name in all styles: `has_next_page`, `hasNextPage`. */
const wordOf = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase()

const words = {
  total: ["total", "totalcount", "totalitems", "totalelements", "totaldocs", "totalresults", "totalrecords"],
  pages: ["pages", "totalpages", "pagecount", "numpages", "numberofpages"],
  /** Items per page. */
  size: ["size", "limit", "perpage", "pagesize", "itemsperpage"],
  /** The number of the last page. */
  lastPage: ["lastpage"],
  more: ["hasnext", "hasnextpage", "hasmore", "hasmorepages", "hasmoreitems", "hasmoreresults"],
  last: ["last"],
  isLast: ["islast", "islastpage"],
  /** Whether there are pages before. */
  earlier: ["hasprev", "hasprevpage", "hasprevious", "haspreviouspage"],
  first: ["first"],
  isFirst: ["isfirst", "isfirstpage"],
  next: ["next", "nextpage", "nextpageurl", "nexturl", "nextlink"],
  /** Another kind of paging: it can only show the end, unless it shows that it is not used. */
  cursor: ["nextcursor", "nextpagetoken", "nexttoken"],
  /** Of the whole list or of this page. */
  count: ["count"]
} as const

/** Nested objects that may hold some of these. */
const holders = ["paging", "pagination", "pageinfo", "links"]

/** The fields of a paging by their normalised names. */
const signsOf = (paging: Paging): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  for (const [name, value] of Object.entries(paging)) {
    if (!(isRecord(value) && holders.includes(wordOf(name)))) found.set(wordOf(name), value)
    else
      for (const [inner, held] of Object.entries(value))
        if (!found.has(wordOf(inner))) found.set(wordOf(inner), held)
  }
  return found
}

/** A boolean, which some platforms write as text. */
const readFlag = (value: unknown): boolean | undefined => {
  const flag = typeof value === "string" ? value.toLowerCase() : value
  if (flag === true || flag === "true") return true
  return flag === false || flag === "false" ? false : undefined
}

/** The same for an unambiguous name: a number counts, too. */
const readAnswer = (value: unknown): boolean | undefined => {
  const bit = readCount(value)
  return bit === 0 || bit === 1 ? bit === 1 : readFlag(value)
}

const negated = (flag: boolean | undefined): boolean | undefined => (flag === undefined ? undefined : !flag)

/** No link: `null`, `false`, empty text, `{ href: null }`. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === "" ||
  value === false ||
  value === "false" ||
  (isRecord(value) && Object.values(value).every(isNothing))

/** What a page says about the whole list. */
interface Said extends Pick<Place, "total" | "count" | "size" | "claim"> {
  /** Whether it says that there are pages before it. */
  readonly isLater: boolean
}

/**
 * What a page says, recorded as the latest. Any sign of more pages wins, because another page costs one request; a
 * count below the items received is wrong and ignored.
 */
const said = (
  page: Page<unknown>,
  number: number,
  place: Place,
  { first, limit }: PageSource<unknown>
): Said => {
  const signs = signsOf(page.paging)
  const own = page.items.length
  const all = (of: ReadonlyArray<string>): ReadonlyArray<unknown> => of.map((word) => signs.get(word))
  const count = (of: ReadonlyArray<string>): number | null => {
    const counts = all(of).map(readCount)
    return counts.find((one) => one !== undefined) ?? null
  }
  const compare = (reached: number, end: number | null): boolean | undefined =>
    end === null || reached > end ? undefined : reached < end
  const size = count(words.size) || null
  const either = count(words.count)
  const named = count(words.total)
  // On a page that may be full, a total equal to its own items may count only those.
  const isOwn = own > 0 && named === own && place.pages === 1 && (size ?? limit ?? 0) <= own
  const total = named === null ? (either === own || either === limit ? null : either) : isOwn ? null : named
  const pages = count(words.pages)
  // Platforms count from 0 or from 1; a later start has skipped the pages before it.
  const skipped = first - Math.min(first, 1)
  const claims = [
    // Missing items are not a sign of more after an empty page.
    own === 0 ? undefined : compare(skipped * place.most + place.seen, total),
    compare(skipped + place.pages, pages),
    compare(number, count(words.lastPage)),
    ...all(words.more).map(readAnswer),
    ...all(words.isLast).map((value) => negated(readAnswer(value))),
    // These may be a number or an address.
    ...all([...words.last, ...words.lastPage]).map((value) => negated(readFlag(value))),
    ...all(words.next).map((value) => {
      if (isNothing(value)) return false
      const named = readCount(value)
      return named === undefined ? value !== undefined || undefined : named > number || undefined
    })
  ]
  const mayBeOver = isOwn || all(words.cursor).some((value) => value !== undefined && isNothing(value))
  return {
    total,
    count: pages,
    size,
    claim: claims.includes(true) ? "more" : claims.includes(false) ? "over" : mayBeOver ? "perhaps" : null,
    isLater: [
      ...all(words.earlier).map(readAnswer),
      ...all(words.isFirst).map((value) => negated(readAnswer(value))),
      ...all(words.first).map((value) => negated(readFlag(value)))
    ].includes(true)
  }
}

/** A distinguishable form of values that JSON lacks. */
const plain = (_: string, held: unknown): unknown => {
  if (typeof held === "bigint") return `${held}n`
  return held instanceof Map || held instanceof Set ? [...held] : held
}

/** Fields that identify an item, most specific first. */
const ids = ["_id", "id", "key", "uuid"]

const isId = (value: unknown): boolean => /^(string|number|bigint)$/.test(typeof value) && value !== ""

/** The id of an item, if it has such a field: text or a whole number. */
const idOf = (item: unknown): string | undefined => {
  if (!isRecord(item)) return undefined
  const name = ids.find((id) => Object.hasOwn(item, id) && isId(item[id]))
  return name === undefined ? undefined : `${name} ${item[name]}`
}

/** The hashes of a page, numbers of 53 bits. */
interface Prints {
  /** Identifies the page by its items, in any order. */
  readonly page: number
  readonly items: ReadonlyArray<number>
  /** Whether no other page can look the same. Identical items without ids may occur again. */
  readonly isTelling: boolean
}

/**
 * An item with an id is identified by it, so that a server that puts the time into its answers is detected too; any
 * other item by all its content.
 */
const printsOf = (items: ReadonlyArray<unknown>): Prints => {
  let high = items.length
  let low = 0
  const known = items.map(idOf).filter((id) => id !== undefined)
  // A field with the same value in two items identifies neither: `{ id: "USD", at: … }`.
  const hasIds = known.length > 0 && (new Set(known).size === known.length || known[0]?.startsWith("_id "))
  const prints = items.map((item) => {
    const [one, two] = halves((hasIds ? idOf(item) : undefined) ?? JSON.stringify(item, plain) ?? "")
    high = (high + one) >>> 0
    low = (low + two) >>> 0
    return joined([one, two])
  })
  const isVaried = items.length > 1 && new Set(prints).size === items.length
  return { page: joined([high, low]), items: prints, isTelling: hasIds || isVaried }
}

/** The number of the page with this hash. */
const metAt = (print: number, { mark, met, pages }: Place, first: number): number | undefined => {
  const index = met.lastIndexOf(print)
  if (index >= 0) return first + pages - met.length + index
  return mark?.print === print ? mark.page : undefined
}

const fail = (operation: string, rule: string): Effect.Effect<never, AnswerError> =>
  Effect.fail(new AnswerError({ operation, reason: "Paging", rule }))

const whereToBegin =
  "Pass `first: 0` where the platform counts its pages from 0, `first: 1` where it counts from 1"

/** Whether the counted items that did not arrive may be exactly the page before the first. */
const isOnePage = ({ count, most, pages, seen, size, total }: Place, limit: number | undefined): boolean => {
  if (seen === 0 || (count !== null && count - pages === 1)) return true
  const missing = total === null ? 0 : total - seen
  // All pages except the last are full: a single page may be either.
  return pages === 1 ? missing >= most && missing <= (size ?? missing) : [most, size, limit].includes(missing)
}

/** The end of a list at an empty page: checks whether fewer items arrived than the platform has counted. */
const ended = <A>(
  page: Page<A>,
  place: Place,
  { first, isFirstGiven, limit, operation }: PageSource<unknown>
): Effect.Effect<Step<A>, AnswerError> => {
  const { count, pages, seen, total } = place
  const [came, all, what] = total !== null ? [seen, total, "items"] : [pages, count ?? 0, "pages"]
  const end = Effect.succeed({ page, place, done: true })
  // A reading that began later does not know the pages before it.
  if (first > 1 || came >= all) return end
  const rule = `ends at page ${first + pages}, which is empty after ${came} of ${all} ${what}`
  return isOnePage(place, limit) && !isFirstGiven
    ? fail(operation, `${rule}: one page is missing. ${whereToBegin}`)
    : Effect.zipRight(Effect.logWarning(`${operation}: the list ${rule}`), end)
}

/** Whether this is an answer for a page after the last one: 404, nothing, or null. */
const isNoPage = (error: unknown): boolean =>
  isRecord(error) && (error._tag === "NotFound" || (error._tag === "AnswerError" && error.reason === "Empty"))

/**
 * Reads one more page. Fails with AnswerError `Paging` if the page was read before, if consecutive pages bring nothing
 * new or are empty but announce more, or if the platform says that a page before the first was skipped.
 */
export const next = <I, A, E, R>(
  asked: PageSource<I>,
  ask: (input: I) => Effect.Effect<Page<A>, E, R>,
  before: Place = start
): Effect.Effect<Step<A>, E | AnswerError, R> => {
  const { first, isFirstGiven, operation } = asked
  const number = first + before.pages
  const none: Page<A> = { items: [], paging: {} }
  const answered = Effect.catchAll(ask(asked.at(number)), (error) =>
    before.pages > 0 && before.claim !== "more" && isNoPage(error) ? Effect.succeed(none) : Effect.fail(error)
  )
  return Effect.flatMap(answered, (page): Effect.Effect<Step<A>, AnswerError> => {
    const { items } = page
    const prints = printsOf(items)
    const isEmpty = items.length === 0
    const again = isEmpty || !prints.isTelling ? undefined : metAt(prints.page, before, first)
    // The previous page seemed to be the last by an ambiguous sign: it was.
    if (again === number - 1 && before.claim === "perhaps")
      return Effect.succeed({ page: { items: [], paging: page.paging }, place: before, done: true })
    if (again !== undefined) {
      const begin = first === 0 ? "counts its pages from 1 (pass `first: 1`), or " : ""
      const why = number === first + 1 ? `: it may be that the platform ${begin}does not page this list` : ""
      return fail(operation, `repeats itself: page ${number} is page ${again} again${why}`)
    }
    const pages = before.pages + 1
    const reached = {
      ...before,
      pages,
      seen: before.seen + items.length,
      most: Math.max(before.most, items.length)
    }
    const { claim, count, isLater, size, total } = said(page, number, reached, asked)
    if (isLater && before.pages === 0 && number === 1 && !isFirstGiven)
      return fail(operation, `begins at page 1, which is not the first one. ${whereToBegin}`)
    if (isListless(page) && isEmpty && before.claim === "more" && claim !== "more")
      return fail(
        operation,
        `ends too early: the answer for page ${number} is no list, though page ${number - 1} said that there is more`
      )
    // An empty page may count only its own items.
    const counted = { total: total || before.total, count: count || before.count, size: size ?? before.size }
    if (isEmpty && claim !== "more") return ended(page, { ...before, ...counted, claim }, asked)
    const empty = isEmpty ? before.empty + 1 : 0
    const isStale = !isEmpty && prints.items.every((print) => before.items.includes(print))
    const stale = isStale ? before.stale + 1 : isEmpty ? before.stale : 0
    const row = `pages ${number - patience + 1} to ${number}`
    if (empty >= patience)
      return fail(operation, `goes on without an end: ${row} are empty, and say that there is more`)
    if (stale >= patience)
      return fail(operation, `repeats itself: ${row} hold nothing that did not come before`)
    const isMark = Number.isInteger(Math.log2(pages))
    const place = {
      ...reached,
      ...counted,
      claim,
      empty,
      stale,
      met: before.met.concat(prints.page).slice(-mostMet),
      items: before.items.concat(isStale ? [] : prints.items).slice(-mostItems),
      mark: isMark ? { print: prints.page, page: number } : before.mark
    }
    return Effect.succeed({ page, place, done: !isEmpty && (claim === "over" || isListless(page)) })
  })
}
