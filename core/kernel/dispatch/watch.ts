/** What a caller learns of a call that it may leave before the end: whether the platform may have done something by then. */
import type * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type { HeaderReader } from "../../ports/transport.js"
import type { CallError } from "../errors/errors.js"
import type { Progress } from "./middleware.js"

/** Mutable, because its caller reads it after it has left. */
export interface Watch {
  /** Requests of writes that the platform may have performed. */
  sent: number
  /** Gives up the request under way at once, after which `sent` counts it no more if it provably never left. */
  leave?: (() => void) | undefined
  /** Runs right before each request of a write is handed to the transport, which it is not if this fails. */
  readonly before?: Effect.Effect<void, CallError>
}

/** The headers of an answer, and what nobody may see in them. */
export interface AnswerHeaders {
  readonly header: HeaderReader
  /** The credentials that were sent, by the names of their headers. */
  readonly credentials: Readonly<Record<string, string>>
  readonly secrets: () => ReadonlyArray<string>
}

/** The progress of a call whose caller reads what was answered. */
export interface AnswerProgress extends Progress {
  /** Of the last answer; undefined while there is none. */
  answer: AnswerHeaders | undefined
  /** Makes a call whose own work has no progress, such as a sign-in that it waits for. */
  readonly alone: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Set for the next call of a fiber; work that the call waits for or starts has none. */
export const currentProgress: FiberRef.FiberRef<AnswerProgress | undefined> =
  /*#__PURE__*/ FiberRef.unsafeMake<AnswerProgress | undefined>(undefined)

/** Watches the calls of a fiber. A sign-in that several calls wait for is nobody's. */
export const currentWatch: FiberRef.FiberRef<Watch | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<
  Watch | undefined
>(undefined)

/** What the page of a list is asked for by, on a platform that pages by what the page before it answered. */
export const currentCursor: FiberRef.FiberRef<string | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<
  string | undefined
>(undefined)
