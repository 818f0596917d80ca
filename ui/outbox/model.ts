/** What an app sees of an outbox, and what it can do. */
import type * as Rx from "@effect-rx/rx/Rx"
import type { CallError } from "@quartet/sdk/extend"
import type { EntryError, MutationQueue } from "../rx/queue.js"
import type { Registry } from "../rx/registry.js"
import type { OutboxError } from "./error.js"

/**
 * `queued`: it waits to be sent. `sending`: it is under way. `unknown`: it was sent, and nobody knows whether it was done; a
 * person decides. `failed`: the platform or this app refused it, so it was not done; a person decides.
 * @category models
 */
export type EntryState = "queued" | "sending" | "unknown" | "failed"

/** An entry, as an app shows it. @category models */
export interface Entry {
  readonly id: string
  /** The name of the call, such as `requests.markSeen`. */
  readonly operation: string
  readonly input: unknown
  readonly scope: string
  /** When it was written. */
  readonly at: Date
  readonly state: EntryState
  /** Why it failed, why its outcome is not known, or why it is not done yet. */
  readonly error: EntryError | undefined
  /** How often it was sent. */
  readonly attempts: number
  /** The entry of its scope that it waits behind, if there is one. */
  readonly behind: string | undefined
  readonly idempotencyKey: string
}

/** The state of an outbox. @category models */
export interface OutboxState {
  /** `error`: nothing can be read or kept, see `error`. */
  readonly status: "loading" | "ready" | "error"
  /**
   * Why nothing can be read or kept. Or, of a `ready` one: `Probe`, nothing of it is sent because its `probe` fails; `Deleted`, something
   * else has removed entries, which is shown until `clear`, a change of user or a reload.
   */
  readonly error: OutboxError | undefined
  /**
   * Whether entries wait for another tab that stands still while it is its turn to send, as under an open `alert`. True after 4 to 10 seconds
   * without an answer from it; 4 to 5 seconds later, this tab goes on without it.
   */
  readonly isBlocked: boolean
  /** What the person who is signed in has written and the platform has not done yet, in the order of sending. */
  readonly entries: ReadonlyArray<Entry>
  /** How many entries other people have left on this device. They are shown and sent when those sign in again. */
  readonly others: number
}

/** How an action ended. `refused`: there is no such entry any more, or it is in no state for this. @category models */
export type ActionOutcome =
  | { readonly status: "success" | "refused" }
  | { readonly status: "error"; readonly error: OutboxError | CallError }

/** Ways to act on an outbox. None of them rejects. @category models */
export interface OutboxActions {
  /** Sends an entry again that failed or whose outcome is not known; the latter with the same idempotency key. */
  readonly retry: (id: string) => Promise<ActionOutcome>
  /** Replaces the input of an entry that failed or was not sent yet, and sends it. It keeps its place. */
  readonly edit: (id: string, input: unknown) => Promise<ActionOutcome>
  /** Forgets an entry, unless it is being sent. */
  readonly discard: (id: string) => Promise<ActionOutcome>
  /** Forgets the entries of everybody on this device, save one that is being sent. */
  readonly clear: () => Promise<ActionOutcome>
}

/** The options of an outbox. @category models */
export interface OutboxOptions {
  /** Names what is kept on this device. All tabs of the app use one name; another app of the origin uses another. */
  readonly name: string
  /** Most entries of all people; 1,000. `mutate` then fails with OutboxError `Full`. */
  readonly capacity?: number
  /**
   * Whether the platform can be reached now. It is asked before each entry is sent: a browser that says that it is online
   * may not reach anything, and what is then sent has an unknown outcome, because browsers do not tell whether it
   * arrived. See `reaches`. Always true where it is left out. It answers false for what it does not reach: one that throws or
   * rejects is at fault, and shown as `error` of the outbox while entries wait for it.
   */
  readonly probe?: () => Promise<boolean>
}

/**
 * Keeps the calls of mutations on the device until the platform has done them, over reloads and while there is no network.
 * As an Rx it shows what is kept.
 * @category models
 */
export interface Outbox extends Rx.Rx<OutboxState>, MutationQueue {
  readonly actions: (registry: Registry) => OutboxActions
}
