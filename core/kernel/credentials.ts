/** What a client sends to prove who it is, and where it gets that from. */
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import type { CallError } from "./errors.js"
import { isWellFormed } from "./path.js"

/** Credentials that are ready to send. */
export interface Credentials {
  /** Headers by lower-case name. Secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** The token's permission map; undefined for audiences that have none. */
  readonly grants: unknown
}

/** The source of a client's credentials. */
export interface Authority {
  /**
   * Credentials at hand, or undefined where they must be obtained first. `time` is `now` of the clock, on which those
   * that are about to end are renewed in the background.
   */
  readonly current: (time: number, clock: Clock.Clock) => Credentials | undefined
  /** Obtains credentials; concurrent callers share one sign-in. */
  readonly obtain: Effect.Effect<Credentials, CallError>
  /** Replaces credentials that the platform refused; undefined for keys, which cannot be renewed. */
  readonly renew: ((refused: Credentials) => Effect.Effect<Credentials, CallError>) | undefined
  /** Everything that must never be shown. */
  readonly secrets: () => ReadonlyArray<string>
}

/** Replaces every secret in a text, also in percent-encoded form, by dots. */
export const mask = (text: string, secrets: ReadonlyArray<string>): string => {
  let masked = text
  // The longest first: where one secret holds another, the rest of it would stay.
  for (const secret of [...secrets].sort((one, two) => two.length - one.length)) {
    if (secret.length < 4) continue
    masked = masked.replaceAll(secret, "•••")
    const escaped = isWellFormed(secret) ? encodeURIComponent(secret) : secret
    if (escaped !== secret) masked = masked.replaceAll(escaped, "•••")
  }
  return masked
}
