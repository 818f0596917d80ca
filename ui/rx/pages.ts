/** Lists that grow: one page after another, each asked for when the reader gets there. */
import * as Effect from "effect/Effect"
import type { Place, Walk } from "../../core/kernel/dispatch/pagination.js"
import * as Pagination from "../../core/kernel/dispatch/pagination.js"
import type { AnswerError, InputError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Operation } from "../../core/kernel/operation/operation.js"
import type { Result, Writable } from "./engine.js"
import type { Inquiry, Query, QueryOptions } from "./query.js"
import type { Asked } from "./source.js"

/** The pages of a list that are there so far. */
export interface InfiniteData<out A> extends Page<A> {
  /** Whether this is the whole list. */
  readonly done: boolean
  readonly place: Place
}

/** A list as a value. A message to it (`registry.set(pages, undefined)`) asks for the next page. */
export interface InfiniteQuery<out A, out E>
  extends Query<InfiniteData<A>, E>,
    Writable<Result<InfiniteData<A>, E>, void> {}

/** How a list is read: from page `first`, else the input's `page`, else 1, with `limit` items a page. */
export interface InfiniteQueryOptions extends QueryOptions, Walk {}

/** Asks for a list page by page. */
export const listing = <I, A, E, R>(
  asked: Asked<I, Page<A>, E, R>,
  operation: Operation<I, Page<A>, never>,
  input: I,
  { first, limit }: Walk
): Inquiry<I, InfiniteData<A>, E | InputError | AnswerError, R> => {
  const walk = { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
  const planned = Pagination.plan(operation, input, walk)
  /** Reads one page more than there is. */
  const next = (
    previous: InfiniteData<A> | undefined
  ): Effect.Effect<InfiniteData<A>, E | InputError | AnswerError, R> =>
    Effect.flatMap(planned, (plan) =>
      Effect.map(Pagination.next(plan, asked.run, previous?.place), ({ done, page, place }) => ({
        items: previous === undefined ? page.items : [...previous.items, ...page.items],
        paging: page.paging,
        done,
        place
      }))
    )
  /** Reads the list anew, as far as it was read before. */
  const again = (pages: number): ReturnType<typeof next> => {
    const on = (list: InfiniteData<A>): ReturnType<typeof next> =>
      list.done || list.place.pages >= pages ? Effect.succeed(list) : Effect.flatMap(next(list), on)
    return Effect.flatMap(next(undefined), on)
  }
  return {
    asked,
    input,
    kind: `pages ${first ?? ""} ${limit ?? ""}`,
    ask: (previous, step) =>
      step === "more" && previous !== undefined ? next(previous) : again(previous?.place.pages ?? 1),
    hasMore: (list) => !list.done
  }
}
