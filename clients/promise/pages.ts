/** All pages of a list, as a loop over its items. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { CallOptions } from "../../core/kernel/dispatch/call-options.js"
import type { Args, Bindable, Call } from "../../core/kernel/dispatch/dispatcher.js"
import type { Paged, PageRange } from "../../core/kernel/dispatch/page-source.js"
import { type PagesOptions, pageOptions, pages as pulled } from "../../core/kernel/dispatch/pulls.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Audience, Operation } from "../../core/kernel/operation/operation.js"
import type { Known } from "../../core/kernel/operation/options.js"
import { type Caller, type ImportedCall, type Options, operationOf, type Parts, partsOf } from "./caller.js"
import { iterate } from "./iterate.js"
import { type Cancellable, cancellable, split } from "./options.js"

const known = { ...pageOptions, ...cancellable } satisfies Known<Options & PageRange>

/** The arguments of a list whose input takes the number of a page; none for others. @category models */
export type PagesArgs<I> = [Paged<I>] extends [never] ? never : Args<I, PagesOptions & Cancellable>

/** All items of a list, page after page. */
export const itemsOf = (
  { client, runner }: Parts<never, Bindable>,
  operation: Operation<unknown, unknown, never>,
  input: unknown = {},
  options: (Options & PageRange) | undefined
): AsyncIterable<unknown> => {
  // Pagination reads the operation and the answers, which are pages if declared so.
  const call = Object.assign(
    (input: unknown, options?: CallOptions) => client.dispatcher.call(operation, input, options),
    { operation }
  ) as unknown as Call<unknown, Page<unknown>, Audience, never>
  const read = split(operation.name, options, known)
  return Either.isLeft(read)
    ? iterate(runner, operation.name, Effect.fail(read.left), undefined)
    : // Its input takes a page number: others are refused.
      iterate(runner, operation.name, pulled(call, input as never, read.right.own), read.right.signal)
}

/**
 * All items of a list, page after page, one page in memory at a time, as an async iterable. Each loop begins anew. It
 * takes a client in the form of one function; the lists of a client with all calls have `pages` as their own method.
 *
 * @example
 * ```ts
 * for await (const request of admin.requests.list.pages({ statusIn: ["pending"] })) console.log(request.title)
 * ```
 * @throws while it is looped over, what its calls fail with, or the reason of its signal.
 * @category combinators
 */
export const pages = <Id, I, Item>(
  caller: Caller<Id>,
  call: ImportedCall<I, Page<Item>, NoInfer<Id>>,
  ...[input, options]: PagesArgs<NoInfer<I>>
): AsyncIterable<Item> => {
  const parts = partsOf("pages", caller)
  const operation = operationOf("pages", parts, call, false)
  if (Either.isLeft(operation)) return iterate(parts.runner, "pages", Effect.fail(operation.left), undefined)
  // Its items are what the page of its operation holds.
  return itemsOf(
    parts,
    operation.right as Operation<unknown, unknown, never>,
    input,
    options
  ) as AsyncIterable<Item>
}
