/** A new project's tasks, documents, prices and figures as Promises. They are held locally: nothing is sent. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Actions } from "../../core/onboarding/actions.js"
import type {
  BillingItem,
  Document,
  Onboarding,
  PendingTask,
  ProjectStats
} from "../../core/onboarding/model.js"
import { iterate } from "./iterate.js"
import { type Cancellable, signalOf } from "./options.js"
import type { Runner } from "./run.js"

/** The onboarding and its actions. @category models */
export interface PromiseOnboarding {
  /** The tasks, with what is complete. */
  readonly tasks: () => Promise<ReadonlyArray<PendingTask>>
  /** The documents to accept. */
  readonly documents: () => Promise<ReadonlyArray<Document>>
  /** The prices of services. */
  readonly billing: () => Promise<ReadonlyArray<BillingItem>>
  /** The project in figures. */
  readonly stats: () => Promise<ProjectStats>
  /** The present state, then every change. */
  readonly changes: (options?: Cancellable) => AsyncIterable<Onboarding>
  /** Marks a task as complete. Rejects with UnknownId if there is no such task. */
  readonly complete: (id: string) => Promise<PendingTask>
  /**
   * Marks a document as accepted, now, by the person whose id or e-mail `by` is. Rejects with UnknownId if there is no
   * such document, with InputError if `by` is missing.
   */
  readonly accept: (id: string, by: string) => Promise<Document>
}

/** Makes the onboarding of one client. */
export const makeOnboarding = (state: Actions, runner: Runner): PromiseOnboarding => {
  const { runEffect } = runner
  return {
    tasks: () => runEffect("onboarding.tasks", state.tasks, undefined),
    documents: () => runEffect("onboarding.documents", state.documents, undefined),
    billing: () => runEffect("onboarding.billing", state.billing, undefined),
    stats: () => runEffect("onboarding.stats", state.stats, undefined),
    changes: (options) =>
      Either.match(signalOf("onboarding.changes", options), {
        onLeft: (refused) => iterate(runner, "onboarding.changes", Effect.fail(refused), undefined),
        onRight: (signal) => iterate(runner, "onboarding.changes", state.changes, signal)
      }),
    complete: (id) => runEffect("onboarding.complete", state.complete(id), undefined),
    accept: (id, by) => runEffect("onboarding.accept", state.accept(id, by), undefined)
  }
}
