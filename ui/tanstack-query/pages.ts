/**
 * The pages of a list, as an infinite query reads them: each with where the next one begins. How a list is read, and where it ends, is
 * the kernel's (`pagination.ts`); TanStack hands a page nothing but its parameter.
 */

import { type AnswerError, halves, joined, type Page, type PageSource, Pagination } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"

/** The hashes of what was read. */
type Hashes = Pick<Pagination.Place, "items" | "mark">

/** Where a page of a list begins. @category models */
export interface PageParam {
  /** The number of the page. */
  readonly page: number
  /** What the pages before it came to; `null` where the reading begins. */
  readonly counted: Omit<Pagination.Place, keyof Hashes> | null
  /** A hash of the pages before it: two parameters are equal only if what was read before them is. */
  readonly after: number
}

/** A page of a list, and where the next one begins; `null` at the end. @category models */
export interface ListPage<out A> extends Page<A> {
  readonly next: PageParam | null
}

/**
 * The hashes of what was read before a page. They stay out of its parameter, which is stored with each page: those of a long list
 * would be there once for each of its pages. After a parameter that came from a server or a storage, none are known.
 */
const hashes = /*#__PURE__*/ new WeakMap<PageParam, Hashes>()

/** The parameter of a page at which the reading begins. */
export const paramOf = (page: number): PageParam => ({ page, counted: null, after: 0 })

const nextParam = (first: number, { after }: PageParam, place: Pagination.Place): PageParam => {
  const { items, mark, ...counted } = place
  const chain = joined(halves(`${after} ${place.latest}`))
  const param = { page: first + counted.pages, counted, after: chain }
  hashes.set(param, { items, mark })
  return param
}

/** Reads a page of a list. Pages that are empty and announce more are passed over. */
export const readPage = <I, A, E, R>(
  source: PageSource.PageSource<I>,
  param: PageParam,
  ask: (input: I) => Effect.Effect<Page<A>, E, R>
): Effect.Effect<ListPage<A>, E | AnswerError, R> => {
  const { counted } = param
  const first = param.page - (counted?.pages ?? 0)
  const begun = { ...source, first, isFirstGiven: source.isFirstGiven || first !== source.first }
  const before = counted && { ...counted, ...(hashes.get(param) ?? { items: [], mark: null }) }
  const step = (place?: Pagination.Place) => Pagination.next(begun, ask, place)
  return Effect.map(
    Effect.flatMap(step(before ?? undefined), (read) =>
      Effect.iterate(read, {
        while: ({ done, page }) => !done && page.items.length === 0,
        body: ({ place }) => step(place)
      })
    ),
    ({ done, page, place }) => ({ ...page, next: done ? null : nextParam(first, param, place) })
  )
}
