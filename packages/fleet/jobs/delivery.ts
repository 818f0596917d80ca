/**
 * The port through which pages come to runners. What delivers decides nothing: the store grants each page to one runner at a time, whatever
 * is delivered, how often, and in which order; and pages that an engine has lost are put again.
 */
import type * as Effect from "effect/Effect"

/**
 * A page of a run of a job, as an engine keeps it: all three are plain values, to be delivered as they were put. The items are no part of
 * it. They stay in the store, so an engine never holds what a job is about.
 * @category models
 */
export interface PageRef {
  readonly job: string
  readonly run: string
  /** Its number from 0; the reading of the source is -1. */
  readonly page: number
}

/**
 * What came of a delivery. `Done`: nothing is left to do with the page. `Paused`: nothing is to be done before somebody resumes the run, which
 * has its pages delivered again. `Again`: some of it is left, and it was given back. `Held`: somebody else holds it, or other pages of
 * the run take all its lanes. The last two are to be delivered again, after so many milliseconds.
 * @category models
 */
export type Delivered =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Again"; readonly after: number }
  | { readonly _tag: "Held"; readonly after: number }

/**
 * Brings pages to runners: an engine that people already run, or the store itself. It needs no order, no lock and no memory: a page that it
 * loses is put again once nobody has held it for the time of a lease, and one that it delivers twice is worked on by one of the two.
 * @category models
 */
export interface Delivery {
  /** Has pages delivered. One that waits for it already need not be delivered twice. */
  readonly put: (pages: ReadonlyArray<PageRef>) => Effect.Effect<void, unknown>
  /** Delivers the pages of these jobs, several at a time, until it is interrupted: then it waits until the handler has ended with each. */
  readonly deliver: (
    jobs: ReadonlyArray<string>,
    handler: (page: PageRef) => Effect.Effect<Delivered>
  ) => Effect.Effect<never, unknown>
}
