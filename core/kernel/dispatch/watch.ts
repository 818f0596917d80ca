/** What a caller learns of a call that it may leave before the end: whether the platform may have done something by then. */
import type * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import type { CallError } from "../errors/errors.js"

/** Mutable, because its caller reads it after it has left. */
export interface Watch {
  /** Requests of writes that the platform may have performed. */
  sent: number
  /** Gives up the request under way at once, after which `sent` counts it no more if it provably never left. */
  leave?: (() => void) | undefined
  /** Runs right before each request of a write is handed to the transport, which it is not if this fails. */
  readonly before?: Effect.Effect<void, CallError>
}

/** Watches the calls of a fiber. A sign-in that several calls wait for is nobody's. */
export const currentWatch: FiberRef.FiberRef<Watch | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<
  Watch | undefined
>(undefined)
