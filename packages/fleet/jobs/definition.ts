/** What a job is made of: what a run of it reads, what it does for each item, how it learns what became of a lost answer. */

import type { OutcomeUnknown } from "@quartet/sdk/extend"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

/** What an item's work knows besides the item. @category models */
export interface ItemContext<I> {
  /** The run's input. */
  readonly input: I
  /** The run's id. */
  readonly run: string
  /** The number of the item in the source, from 0. */
  readonly item: number
  /**
   * The same whenever and wherever this item is worked on: give it to the write. The platform performs what comes with one key
   * once. Where it honours none, give it all the same: by it the fleet's own clients (`clients`) know what not to send once its lease has
   * ended, and to ask `onUnknown` before a lost write is repeated. A client of your own repeats it by its `policy`.
   */
  readonly idempotencyKey: string
}

/** What `onUnknown` knows besides the item. @category models */
export interface UnknownContext<I> extends ItemContext<I> {
  /** What `baseline` answered before the item was first sent, as JSON keeps it. None where nothing was kept. */
  readonly baseline: Option.Option<unknown>
}

/** What the work of a page knows besides its items. @category models */
export interface PageContext<I> {
  readonly input: I
  readonly run: string
  /** The number of the page, from 0: the same items have the same one whenever the page is worked on. */
  readonly page: number
}

/** What a job needs, whatever it does with its items. @category models */
export interface Common<I, IE, A, AE, SE, SR, FE, FR, CR = never> {
  /** The schema of a run's input, which is kept as JSON. */
  readonly input: Schema.Schema<I, IE>
  /** What makes two inputs one run: the same key, the same run. A source's name and version, for example. */
  readonly key: (input: I) => string
  /**
   * The items, read once and in order. A run that is continued reads them again up to where it was, so the same input must give the
   * same items in the same order. Where the source can begin elsewhere, `skip` says how many items need not come: answer
   * `{ from: n, items }` with the number of the first that does.
   */
  readonly source: (input: I, skip: number) => Source<A, SE, SR>
  /**
   * How many items the source has, where that is known sooner than by reading it, such as the total of a list: it is asked once, beside the reading,
   * and only shown. A wrong number does no harm, and neither does a failure.
   */
  readonly count?: (input: I) => Effect.Effect<number, unknown, CR>
  /**
   * Why this runner cannot work on a run, such as that its clients are of another platform; undefined where it can. It is asked once of each run; one that fails or does not answer, again later.
   * A runner that refuses one leaves it to the others, and where all do, the run says why.
   */
  readonly refuse?: (input: I) => Effect.Effect<string | undefined, never, CR>
  /** How an item is kept until it is done. Plain JSON by default, so Dates become texts: give a schema where that matters. */
  readonly item?: Schema.Schema<A, AE>
  /**
   * Raise it with a change of `input` or `item` that older code cannot read; 1. A run keeps the one that it was started with, and runners
   * with a lower one leave it to others.
   */
  readonly version?: number
  /** Items of a page, which is what one runner takes at a time; 1,000. At most 10,000. */
  readonly page?: number
  /** How many pages are worked on at a time, over all runners; 4. At most 512. */
  readonly lanes?: number
  /** Failed and unknown items that the run bears before it pauses itself; 1,000. Once it is resumed, as many more. */
  readonly maxFailures?: number
  /** Runs once all items are done, before the run is. May run again after a crash. */
  readonly finish?: (input: I, run: string) => Effect.Effect<void, FE, FR>
}

/** The items of a source: all of them, or those from the n-th on. @category models */
export type Source<A, E, R> =
  | Stream.Stream<A, E, R>
  | { readonly from: number; readonly items: Stream.Stream<A, E, R> }

/** Work for each item. @category models */
export interface EachItem<I, A, E, R, UR, BR = never> {
  /** The work for one item, usually one call with `idempotencyKey`. What it answers is not kept. */
  readonly each: (item: A, context: ItemContext<I>) => Effect.Effect<unknown, E, R>
  /**
   * Whether an item whose answer was lost was done: anything if so, None if it was not and is to be done now, with the same key. Where it
   * fails, the item is listed as unknown, and never repeated unless somebody says so. Required where `each` can fail with `OutcomeUnknown`.
   * What a look finds may have been there before: only what has changed since `baseline` was taken shows that the item was done.
   */
  readonly onUnknown?: (
    item: A,
    context: UnknownContext<I>
  ) => Effect.Effect<Option.Option<unknown>, unknown, UR>
  /**
   * What there is before an item is first sent: the sum that was refunded, the ids of entries like it. It is kept as JSON before the item is
   * sent, so that a crash loses neither, and given to `onUnknown` for comparison. Where it fails, so does the item, and nothing is sent.
   */
  readonly baseline?: (item: A, context: ItemContext<I>) => Effect.Effect<unknown, unknown, BR>
  /** Whether a run of this input takes baselines; each does, by default. Keeping one costs a write to the store for each item. */
  readonly hasBaseline?: (input: I) => boolean
  /** Items of a page that are worked on at once; 4. At most 256. */
  readonly concurrency?: number
  /** How often an item is tried that fails with what may pass, such as a 500 of a read; 5. A platform that is out of reach is waited for. */
  readonly attempts?: number
  readonly eachPage?: never
}

/** Work for each page. @category models */
export interface EachPage<I, A, E, R> {
  /**
   * The work for a page as a whole. It runs again after a crash, so it must be idempotent: write a file of that page, insert with its number. Where
   * it fails, the run pauses itself.
   */
  readonly eachPage: (items: ReadonlyArray<A>, context: PageContext<I>) => Effect.Effect<unknown, E, R>
  readonly each?: never
  readonly onUnknown?: never
  readonly baseline?: never
  readonly hasBaseline?: never
  readonly concurrency?: never
  readonly attempts?: never
}

/** Makes `onUnknown` required where an answer can be lost. */
export type Reconciled<I, A, E, UR> = [Extract<E, OutcomeUnknown>] extends [never]
  ? unknown
  : Required<Pick<EachItem<I, A, E, never, UR>, "onUnknown">>

/** What a runner knows of a job: inputs and items are those that its own schemas read. */
export interface Definition<out R> {
  readonly name: string
  readonly input: Schema.Schema<unknown, unknown>
  readonly item: Schema.Schema<unknown, unknown>
  readonly source: (input: unknown, skip: number) => Source<unknown, unknown, R>
  readonly count: ((input: unknown) => Effect.Effect<number, unknown, R>) | undefined
  readonly refuse: ((input: unknown) => Effect.Effect<string | undefined, never, R>) | undefined
  readonly each:
    | ((item: unknown, context: ItemContext<unknown>) => Effect.Effect<unknown, unknown, R>)
    | undefined
  readonly eachPage:
    | ((items: ReadonlyArray<unknown>, context: PageContext<unknown>) => Effect.Effect<unknown, unknown, R>)
    | undefined
  readonly onUnknown:
    | ((item: unknown, context: UnknownContext<unknown>) => Effect.Effect<Option.Option<unknown>, unknown, R>)
    | undefined
  readonly baseline:
    | ((item: unknown, context: ItemContext<unknown>) => Effect.Effect<unknown, unknown, R>)
    | undefined
  readonly hasBaseline: (input: unknown) => boolean
  readonly finish: ((input: unknown, run: string) => Effect.Effect<void, unknown, R>) | undefined
  readonly version: number
  readonly page: number
  readonly lanes: number
  readonly concurrency: number
  readonly attempts: number
  readonly maxFailures: number
}
