/** What a client sends to prove who it is, and where it gets that from. */
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import type { CallError } from "../errors/errors.js"

/** Credentials that are ready to send. */
export interface Credentials {
  /** Headers by lower-case name. Secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** The token's permission map; undefined for audiences that have none. */
  readonly grants: unknown
}

/** The source of a client's credentials. */
export interface CredentialsProvider {
  /**
   * Credentials at hand, or undefined where they must be obtained first. `time` is `now` of the clock, on which those
   * that are about to end are renewed in the background.
   */
  readonly current: (time: number, clock: Clock.Clock) => Credentials | undefined
  /**
   * Credentials at hand, or those that are obtained for all who wait for them by one sign-in. That belongs to the time
   * of this call: a sign-out before the effect runs does not lead it to a later sign-in.
   */
  readonly getCredentials: (clock: Clock.Clock) => Effect.Effect<Credentials, CallError>
  /**
   * Replaces credentials that the platform refused to an operation. Answers undefined where the refusal stands: others
   * would be refused too, or they were given up. Undefined for keys, which cannot be renewed.
   */
  readonly renew:
    | ((refused: Credentials, operation: string) => Effect.Effect<Credentials | undefined, CallError>)
    | undefined
  /** Is told of credentials that the platform took for an operation, whatever it answered to that. */
  readonly accepted: (credentials: Credentials, operation: string) => void
  /** Counts sign-outs: what was begun before one does not go on after it. Left out for keys, which nobody signs out of. */
  readonly signOuts?: () => number
  /** Everything that must never be shown; the same list for as long as nothing is added. */
  readonly secrets: () => ReadonlyArray<string>
}
