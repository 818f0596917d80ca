/**
 * All pages of a list, one after another: how the end is detected. A list ends where the answer says so, and else where a page is empty or
 * brings nothing new: a short page alone ends nothing. Streams and lists on a screen take the same steps.
 */
import * as Effect from "effect/Effect"
import { isRecord } from "effect/Predicate"
import { isListless } from "../codec/page.js"
import { AnswerError } from "../errors/errors.js"
import type { Page } from "../operation/answer.js"
import { anyOf } from "./page-hint.js"
import { printsOf } from "./page-prints.js"
import type { PageSource } from "./page-source.js"
import { currentCursor } from "./watch.js"

/** The progress in a list. Plain data: it is sent from a server to a browser with a list on a screen. */
export interface Place {
  /** Pages read. */
  readonly pages: number
  /** Items read; one that came again, by its id, counts once. */
  readonly seen: number
  /** Items of the largest page. */
  readonly most: number
  /** Items in the whole list, by the latest page that said so. */
  readonly total: number | null
  /** Pages in the whole list, by the latest page that said so. */
  readonly count: number | null
  /** Whether the latest page said that another follows; null where it said nothing. */
  readonly more: boolean | null
  /** What the latest page said that the next one is asked for by; null where it said nothing. */
  readonly cursor: string | null
  /** Consecutive pages before the next one that were empty or brought nothing new. */
  readonly idle: number
  /** The hash of the latest page. */
  readonly latest: number | null
  /** The hashes of the latest items. */
  readonly items: ReadonlyArray<number>
  /** The hash of one earlier page, replaced from time to time. */
  readonly mark: number | null
}

/** One more page. */
export interface Step<out A> {
  readonly page: Page<A>
  readonly place: Place
  /** Whether nothing follows. */
  readonly done: boolean
  /** Whether the second page was the first one again: the platform may not page this list. */
  readonly isUnpaged: boolean
}

/** The place before the first page. A walk that goes on with another one has its cursor. */
export const start: Place = {
  pages: 0,
  seen: 0,
  most: 0,
  total: null,
  count: null,
  more: null,
  cursor: null,
  idle: 0,
  latest: null,
  items: [],
  mark: null
}

/** Hashes that are kept; a longer circle is detected by the mark, which finds every length in the end. */
const mostItems = 10_000

/** Most consecutive pages that are empty or bring nothing new, though more is announced. */
const patience = 10

const fail = (operation: string, rule: string): Effect.Effect<never, AnswerError> =>
  Effect.fail(new AnswerError({ operation, reason: "Paging", rule }))

const whereToBegin =
  "Pass `first: 0` where the platform counts its pages from 0, `first: 1` where it counts from 1"

/** Pages that a later start leaves out: platforms count from 0 or from 1. */
const skippedBefore = (first: number): number => first - Math.min(first, 1)

/** Whether what was counted and did not arrive may be exactly the page before the first. */
const isOnePage = ({ count, most, pages, seen, total }: Place, limit: number | undefined): boolean => {
  if (seen === 0 || (count !== null && count - pages === 1)) return true
  const missing = total === null ? 0 : total - seen
  // All pages except the last are full: a single page may be either.
  return pages === 1 ? missing >= most : missing === most || missing === limit
}

/** The end of a list at a page without items: checks whether fewer came than the platform has counted. */
const ended = <A>(
  page: Page<A>,
  place: Place,
  { first, isFirstGiven, limit, operation }: PageSource<unknown>
): Effect.Effect<Step<A>, AnswerError> => {
  const { count, most, pages, seen, total } = place
  const end = Effect.succeed({ page, place, done: true, isUnpaged: false })
  const skipped = skippedBefore(first)
  // A single page may be the last one, and then does not show how many items the pages before it hold.
  if (skipped > 0 && pages === 1 && limit === undefined && total !== null) return end
  const before = skipped * Math.max(most, limit ?? 0)
  const [came, all, what] =
    total !== null ? [before + seen, total, "items"] : [skipped + pages, count ?? 0, "pages"]
  if (came >= all) return end
  const about = skipped > 0 && total !== null ? "at most " : ""
  const rule = `ends at page ${first + pages}, which is empty after ${about}${came} of ${all} ${what}`
  return skipped === 0 && isOnePage(place, limit) && !isFirstGiven
    ? fail(operation, `${rule}: one page is missing. ${whereToBegin}`)
    : Effect.zipRight(Effect.logWarning(`${operation}: the list ${rule}`), end)
}

/**
 * The end of a list at a page that is the one before it again, and is left out. A platform that answers its last page for all later ones has
 * given all; one that answers its first page for all may not page the list, and may have more.
 */
const repeated = <A>(
  { paging }: Page<A>,
  before: Place,
  { first, limit, operation }: PageSource<unknown>
): Effect.Effect<Step<A>, AnswerError> => {
  const isUnpaged = before.pages === 1
  const number = first + before.pages
  const begin = first === 0 ? "counts its pages from 1 (pass `first: 1`), or " : ""
  const doubt = isUnpaged ? `: it may be that the platform ${begin}does not page this list` : ""
  const rule = `page ${number} is page ${number - 1} again${doubt}`
  return isUnpaged && (first === 0 || before.seen === limit)
    ? fail(operation, `repeats itself: ${rule}`)
    : Effect.as(Effect.logWarning(`${operation}: the list ends, because ${rule}`), {
        page: { items: [], paging },
        place: before,
        done: true,
        isUnpaged
      })
}

/** Whether this is an answer for a page after the last one: 404, nothing, or null. */
const isNoPage = (error: unknown): boolean =>
  isRecord(error) && (error._tag === "NotFound" || (error._tag === "AnswerError" && error.reason === "Empty"))

/** What an end and what came to it say of what follows. An end below what came is wrong, and says nothing. */
const isBefore = (came: number, end: number | null): boolean | undefined =>
  end === null || came > end ? undefined : came < end

type Counted = Pick<Place, "count" | "more" | "most" | "pages" | "seen" | "total">

/** What a total says. Where pages were skipped, their items are guessed: a guess may say that more is to come, and never that nothing is. */
const isBelowTotal = ({ most, seen, total }: Counted, skipped: number): boolean | undefined => {
  const isBelow = isBefore(seen, total)
  return skipped === 0 || isBelow !== true ? isBelow : isBefore(skipped * most + seen, total) || undefined
}

/** Whether more is to come, as far as the latest page and the counts say; undefined where they say nothing. */
const isMoreAfter = (place: Counted, skipped: number): boolean | undefined =>
  anyOf([place.more ?? undefined, isBelowTotal(place, skipped), isBefore(skipped + place.pages, place.count)])

/**
 * Reads one more page. Fails with AnswerError `Paging` if pages repeat others, are empty or bring nothing new though more is announced, if
 * the second page is the first again though that was as long as was asked for, or if the platform says that a page before the first was skipped.
 */
export const next = <I, A, E, R>(
  source: PageSource<I>,
  ask: (input: I) => Effect.Effect<Page<A>, E, R>,
  before: Place = start
): Effect.Effect<Step<A>, E | AnswerError, R> => {
  const { first, isFirstGiven, limit, operation } = source
  const number = first + before.pages
  const none: Page<A> = { items: [], paging: {} }
  const skipped = skippedBefore(first)
  const wasMore = before.pages > 0 && isMoreAfter(before, skipped) === true
  const { cursor } = before
  const asking = Effect.suspend(() => ask(source.at(number)))
  // Most platforms answer none.
  const asked = typeof cursor !== "string" ? asking : Effect.locally(asking, currentCursor, cursor)
  const answered = Effect.catchAll(asked, (error) =>
    before.pages > 0 && !wasMore && isNoPage(error) ? Effect.succeed(none) : Effect.fail(error)
  )
  return Effect.flatMap(answered, (page): Effect.Effect<Step<A>, AnswerError> => {
    const own = page.items.length
    const hint = source.readHint(page, number, limit)
    if (hint.earlier === true && before.pages === 0 && number === 1 && !isFirstGiven)
      return fail(operation, `begins at page 1, which is not the first one. ${whereToBegin}`)
    if (isListless(page) && own === 0 && wasMore && hint.more === undefined)
      return fail(
        operation,
        `ends too early: the answer for page ${number} is no list, though page ${number - 1} said that there is more`
      )
    // The first page's own number of items may be all that a total counts, unless more would have fitted.
    const isOwn = hint.total === own && before.pages === 0 && own >= (limit ?? 0)
    const prints = printsOf(page.items)
    const known = new Set(before.items)
    const news = new Set(prints.items.filter((print) => !known.has(print)))
    const read = {
      pages: before.pages + 1,
      seen: before.seen + (prints.hasIds ? news.size : own),
      most: Math.max(before.most, own)
    }
    const said = {
      more: hint.more ?? null,
      cursor: hint.cursor ?? null,
      // An empty page may count only its own items.
      total: (isOwn ? undefined : hint.total) || before.total,
      count: hint.pages || before.count
    }
    // Missing items are no sign of more after an empty page.
    const isMore =
      own === 0
        ? anyOf([hint.more, isBefore(skipped + read.pages, hint.pages ?? null)])
        : isMoreAfter({ ...read, ...said }, skipped)
    if (own === 0 && isMore !== true) return ended(page, { ...before, ...said }, source)
    const isTelling = own > 0 && prints.isTelling
    if (isTelling && prints.page === before.latest)
      return isMore === true
        ? fail(
            operation,
            `repeats itself: page ${number} is page ${number - 1} again, and says that there is more`
          )
        : repeated(page, before, source)
    if (isTelling && prints.page === before.mark)
      return fail(operation, `repeats itself: page ${number} was read before`)
    const isStale = own > 0 && news.size === 0
    const idle = own === 0 || isStale ? before.idle + 1 : 0
    if (idle >= patience)
      return fail(
        operation,
        `goes on without an end: pages ${number - patience + 1} to ${number} are empty or bring nothing new`
      )
    const place = {
      ...read,
      ...said,
      idle,
      latest: prints.page,
      items: before.items.concat(isStale ? [] : prints.items).slice(-mostItems),
      mark: Number.isInteger(Math.log2(read.pages)) ? prints.page : before.mark
    }
    // One thing instead of a list is all there is, unless more was announced.
    const done = own > 0 && (isMore === false || (isListless(page) && isMore !== true && !wasMore))
    const step = Effect.succeed({ page, place, done, isUnpaged: false })
    return done && isStale && isTelling
      ? Effect.zipRight(
          Effect.logWarning(`${operation}: the list ends at page ${number}, which brings nothing new`),
          step
        )
      : step
  })
}
