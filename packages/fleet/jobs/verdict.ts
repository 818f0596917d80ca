/** What a failure of an item's work means for the item, its page and its run. */

import { doneOf } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { hasProperty, isTagged } from "effect/Predicate"
import { longestRetryAfter } from "../store/limits.js"

/** What failed, for a person: its tag, and its message, cut. */
export interface Described {
  readonly tag: string
  readonly error: string
}

const longest = 500

/** A text that any store keeps: PostgreSQL refuses one with a NUL, or with half of a surrogate pair. */
export const kept = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll("\0", "\uFFFD")
    .replace(/\p{Surrogate}/gu, "\uFFFD")

/** Describes what a work failed with, or died of. The errors of calls hold nothing that was sent; others are their author's. */
export const describe = (cause: Cause.Cause<unknown>): Described => {
  const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
  const tag = hasProperty(error, "_tag") ? error._tag : hasProperty(error, "name") ? error.name : undefined
  const message = hasProperty(error, "message") ? error.message : error
  return {
    tag: kept(typeof tag === "string" && tag !== "" ? tag : "Error"),
    error: kept(String(message))
  }
}

/**
 * `Unknown`: it may have been done. `Done`: it was, though the answer cannot be read. `Stop`: nothing of the run can succeed, such as with
 * credentials that are refused. `Wait`: what it needs is out of reach, or asked for a pause. `Again`: the same may succeed. `Failed`: it will
 * not.
 */
export type Verdict =
  | { readonly _tag: "Again" | "Done" | "Failed" | "Stop" | "Unknown" }
  | { readonly _tag: "Wait"; readonly milliseconds: number | undefined }

/** What cannot be read of a failure would end the page with it: such as an error without a prototype, or whose message throws. */
const legible = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  try {
    describe(cause)
    downOf(cause)
    isAnswered(cause)
    return cause
  } catch {
    return Cause.fail({ _tag: "Error", message: "what it failed with cannot be read as a text" })
  }
}

/** Does what its author wrote. Whatever it fails with, all can be read of it that the engine asks for. */
export const legibly = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, unknown, R> =>
  Effect.mapErrorCause(work, legible)

/** The status by which the platform, or a gateway before it, says that it is out of service. */
export const outOfService = 503

/** Whether the platform says that it is out of service, whatever was asked of it: that is no item's fault. */
export const isOutage = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) =>
    // An outcome is unknown because of the last failure, or of an earlier one.
    [error, Object(error).cause].some(
      (failure) => isTagged(failure, "ServerFault") && Object(failure).status === outOfService
    )
  )

const statusOf = (error: unknown): number | undefined =>
  hasProperty(error, "status") && typeof error.status === "number" ? error.status : undefined

/** Whether the platform answered what failed: what fails before it asks anything says nothing of it. */
export const isAnswered = (cause: Cause.Cause<unknown>): boolean =>
  Option.exists(Cause.failureOption(cause), (error) => statusOf(error) !== undefined)

/** The status that the platform answered a write with of which nobody knows whether it was done. */
export const answeredWith = (cause: Cause.Cause<unknown>): number | undefined => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  return statusOf(error) ?? statusOf(Object(error).cause)
}

/** What a failure says of the platform as a whole: that it is out of service or out of reach, or nothing. */
export const downOf = (
  cause: Cause.Cause<unknown>
): { readonly why: string; readonly after: number | undefined } | undefined => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  const verdict = verdictOf(cause)
  const after = verdict._tag === "Wait" ? verdict.milliseconds : undefined
  if (isOutage(cause)) return { why: String(outOfService), after }
  if (isTagged(error, "RateLimited")) return { why: "429", after }
  return verdict._tag === "Wait" ? { why: describe(cause).tag, after } : undefined
}

export const verdictOf = (cause: Cause.Cause<unknown>): Verdict => {
  const failure = Cause.failureOption(cause)
  if (Option.isNone(failure)) return { _tag: "Failed" }
  const error = failure.value
  const done = doneOf(Object(error))
  if (done !== "no") return { _tag: done === "yes" ? "Done" : "Unknown" }
  // A sign-in that failed for the network's sake is not tried again for a while: the one that failed says more.
  if (isTagged(error, "CredentialsError") && hasProperty(error, "reason") && error.reason === "Cooldown")
    return { _tag: "Wait", milliseconds: undefined }
  if (isTagged(error, "CredentialsError") || isTagged(error, "Unauthenticated")) return { _tag: "Stop" }
  if (isTagged(error, "PermissionDenied"))
    return { _tag: hasProperty(error, "reason") && error.reason === "Grant" ? "Stop" : "Failed" }
  if (!hasProperty(error, "retryable") || error.retryable !== true) return { _tag: "Failed" }
  const asked = hasProperty(error, "retryAfter") ? error.retryAfter : undefined
  const after = typeof asked === "number" && asked >= 0 ? Math.min(asked, longestRetryAfter) : undefined
  if (isTagged(error, "RateLimited") || after !== undefined || isOutage(cause))
    return { _tag: "Wait", milliseconds: after }
  return isTagged(error, "NetworkError") ? { _tag: "Wait", milliseconds: undefined } : { _tag: "Again" }
}
