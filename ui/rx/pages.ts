/** Lists that grow: one page after another, each asked for when the reader gets there. */
import * as Effect from "effect/Effect"
import type { Page } from "../../core/kernel/answer.js"
import { AnswerError } from "../../core/kernel/errors.js"
import { isLast, type Walk } from "../../core/kernel/page.js"
import type { Result, Writable } from "./engine.js"
import type { Inquiry, Query, QueryOptions } from "./query.js"
import type { Asked } from "./source.js"

/** How far a list was read. */
interface Place {
  /** Pages read. */
  readonly pages: number
  /** Items read. */
  readonly seen: number
  /** The first item of the last page, as text. */
  readonly mark: string
}

/** The pages of a list that are there so far. */
export interface List<out A> extends Page<A> {
  /** Whether this is the whole list. */
  readonly done: boolean
  readonly place: Place
}

/** A list as a value. A message to it (`registry.set(pages, undefined)`) asks for the next page. */
export interface Pages<out A, out E> extends Query<List<A>, E>, Writable<Result<List<A>, E>, void> {}

/** How a list is read: from page `first`, 1 by default, with `limit` items a page. */
export interface PagesOptions extends QueryOptions, Walk {}

/** Reads one page more than there is. */
const next = <I, A, E, R>(
  { name, run }: Asked<I, Page<A>, E, R>,
  input: I,
  { first = 1, limit }: Walk,
  previous: List<A> | undefined
): Effect.Effect<List<A>, E | AnswerError, R> => {
  const { mark: last, pages, seen } = previous?.place ?? { mark: "", pages: 0, seen: 0 }
  const number = first + pages
  // A list's input takes further query fields, and so page and limit.
  const asked = { ...input, page: number, ...(limit === undefined ? {} : { limit }) }
  return Effect.flatMap(run(asked), (page): Effect.Effect<List<A>, AnswerError> => {
    const { items, paging } = page
    const mark = items.length === 0 ? "" : JSON.stringify(items[0])
    if (mark !== "" && mark === last) {
      const rule = `page ${number} begins as page ${number - 1} did: the platform does not page this list`
      return Effect.fail(new AnswerError({ operation: name, reason: "Paging", rule }))
    }
    const total = seen + items.length
    return Effect.succeed({
      items: previous === undefined ? items : [...previous.items, ...items],
      paging,
      done: isLast(page, number, first, total, limit),
      place: { pages: pages + 1, seen: total, mark }
    })
  })
}

/** Reads the list anew, as far as it was read before. */
const again = <I, A, E, R>(
  asked: Asked<I, Page<A>, E, R>,
  input: I,
  walk: Walk,
  pages: number
): Effect.Effect<List<A>, E | AnswerError, R> => {
  const on = (list: List<A>): Effect.Effect<List<A>, E | AnswerError, R> =>
    list.done || list.place.pages >= pages
      ? Effect.succeed(list)
      : Effect.flatMap(next(asked, input, walk, list), on)
  return Effect.flatMap(next(asked, input, walk, undefined), on)
}

/** Asks for a list page by page. */
export const listing = <I, A, E, R>(
  asked: Asked<I, Page<A>, E, R>,
  input: I,
  { first, limit }: Walk
): Inquiry<I, List<A>, E | AnswerError, R> => {
  const walk = { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
  return {
    asked,
    input,
    kind: `pages ${first ?? 1} ${limit ?? ""}`,
    ask: (previous, step) =>
      step === "more" && previous !== undefined
        ? next(asked, input, walk, previous)
        : again(asked, input, walk, previous?.place.pages ?? 1),
    hasMore: (list) => !list.done
  }
}
