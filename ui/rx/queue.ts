/** What a query client and an outbox know of each other. An app without an outbox carries nothing of it. */
import type * as Rx from "@effect-rx/rx/Rx"
import type { CallError, Details } from "@quartet/sdk/extend"
import type { OutboxError } from "../outbox/error.js"
import type { ClientState } from "./client.js"
import type { MutationOptions } from "./mutation.js"
import type { AnyCall } from "./query.js"
import type { Registry } from "./registry.js"
import type { Session, SessionError } from "./session.js"

/** Why an entry of an outbox waits, failed, or may have been done: the call's error as plain data. @category models */
export interface EntryError extends Omit<Details, "cause" | "operation"> {
  /**
   * The tag of the call's error. `Interrupted`: its tab was closed or reloaded, or stood still, or the person signed out, while it was sent.
   * `Deleted`: something else than the outbox removed it from the device.
   * `Unrecognised`: this version of the app has no such mutation. `Fault`: the program failed, not the call.
   */
  readonly _tag: CallError["_tag"] | "Interrupted" | "Deleted" | "Unrecognised" | "Fault"
  readonly message: string
  readonly field?: string
  readonly rule?: string
  readonly reason?: string
}

/** How an entry came to rest for the first time. `cancelled`: this page no longer watches. @category models */
export type EntryEnd<A> =
  | {
      readonly status: "done"
      /** What the platform answered; undefined where another tab sent it, or the answer cannot be read. */
      readonly data: A | undefined
    }
  | { readonly status: "failed" | "unknown"; readonly error: EntryError }
  | { readonly status: "discarded" | "cancelled" }

/** How `mutate` of a mutation with an outbox ended. @category models */
export type QueueOutcome<A, E> =
  | {
      /** It is kept on this device, and not done yet. */
      readonly status: "queued"
      /** Its entry in the outbox. */
      readonly id: string
      readonly ended: Promise<EntryEnd<A>>
    }
  /** It is not kept, and nothing was sent. */
  | { readonly status: "error"; readonly error: E }
  | { readonly status: "defect"; readonly defect: unknown }

interface Shown<S, I = undefined, A = undefined, E = undefined> {
  readonly status: S
  /** The entry in the outbox. */
  readonly id: I
  readonly data: A
  readonly error: E
}

/**
 * The latest run of a mutation with an outbox. `pending`: being kept. `queued`: kept, and not done yet. `unknown`: it may
 * have been done, and a person decides. `error` with an `id`: the platform refused it, and its entry waits; without one,
 * nothing was kept. @category models
 */
export type QueuedState<A, E> =
  | Shown<"idle" | "pending">
  | Shown<"queued", string>
  | Shown<"success", string, A | undefined>
  | Shown<"unknown", string, undefined, EntryError>
  | Shown<"error", string, undefined, EntryError>
  | Shown<"error", undefined, undefined, E>

/** Ways to act on a mutation with an outbox. @category models */
export interface QueuedActions<I, out A, out E> {
  /** Keeps the call in the outbox, which sends it. Answers as soon as it is kept, and never rejects. */
  readonly mutate: (
    ...input: Record<never, never> extends I ? readonly [input?: I] : readonly [input: I]
  ) => Promise<QueueOutcome<A, E>>
  /** Forgets what the latest run came to. The entry stays. */
  readonly reset: () => void
}

/** The latest run, or the fault in the program that it met: nothing is kept then. @category models */
export type QueuedRun<A, E> = QueuedState<A, E> | { readonly status: "defect"; readonly defect: unknown }

/** A mutation whose calls an outbox keeps until the platform has done them. @category models */
export interface QueuedMutation<I, A, E> extends Rx.Writable<QueuedRun<A, E>, I> {
  /** The same with runs of its own, as each component has them. */
  readonly instance: () => QueuedMutation<I, A, E>
  readonly actions: (registry: Registry) => QueuedActions<I, A, E>
  /** What a component shows: a fault is thrown. */
  view(run: QueuedRun<A, E>): QueuedState<A, E>
}

/** A mutation as a query client hands it to an outbox. */
export interface QueueSource<I, A, R, LE> {
  readonly states: Rx.Rx<ClientState<R, LE>>
  readonly session: Session<never, SessionError<LE>>
  readonly call: AnyCall<I, A, R>
  readonly options: QueuedMutationOptions<I>
}

export const QueueId: unique symbol = Symbol.for("@quartet/react/Queue")

/** What keeps mutations: an outbox of `@quartet/react/outbox`. @category models */
export interface MutationQueue {
  readonly [QueueId]: <I, A, R, LE>(
    source: QueueSource<I, A, R, LE>
  ) => QueuedMutation<I, A, CallError | LE | OutboxError>
}

/** What a mutation with an outbox does besides its call. @category models */
export interface QueuedMutationOptions<I> extends MutationOptions<I> {
  /** Keeps each run on the device until the platform has done it. */
  readonly outbox: MutationQueue
  /**
   * Entries of one scope are sent in the order of writing, and wait behind one that failed or whose outcome is not known.
   * All entries of the outbox are of one scope where it is left out.
   */
  readonly scope?: (input: I) => string
  /** Tells mutations of one call apart after a reload; the name of the call where it is left out. */
  readonly name?: string
}
