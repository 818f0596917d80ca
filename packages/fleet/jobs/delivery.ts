/**
 * The port through which pages come to runners. What delivers decides nothing: the store grants each page to one runner at a time, whatever
 * is delivered, how often, and in which order; and pages that an engine has lost are put again.
 */
import type * as Effect from "effect/Effect"

/** A page of a run of a job. @category models */
export interface PageRef {
  readonly job: string
  readonly run: string
  /** Its number from 0; the reading of the source is -1. */
  readonly page: number
}

/**
 * What came of a delivery. `Done`: nothing is left to do with the page. `Again`: it is to be delivered once more, after so many
 * milliseconds, because somebody else holds it, or the run was paused.
 * @category models
 */
export type Delivered = { readonly _tag: "Done" } | { readonly _tag: "Again"; readonly after: number }

/** Brings pages to runners: an engine that people already run, or the store itself. @category models */
export interface Delivery {
  /** Has pages delivered. One that waits for it already need not be delivered twice. */
  readonly put: (pages: ReadonlyArray<PageRef>) => Effect.Effect<void, unknown>
  /** Delivers the pages of these jobs, several at a time, until it is interrupted: then it waits until the handler has ended with each. */
  readonly deliver: (
    jobs: ReadonlyArray<string>,
    handler: (page: PageRef) => Effect.Effect<Delivered>
  ) => Effect.Effect<never, unknown>
}
