/** What a client sends to authenticate, and the source of it. */
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Reading, Verdict } from "../../permissions/grants.js"
import type { Level } from "../../permissions/level.js"
import type { CallError, CredentialsError, PermissionDenied } from "../errors/errors.js"
import type { Lifetime } from "./lifetime/lifetime.js"

/** Credentials that are ready to send. */
export interface Credentials {
  /** Headers by lower-case name. Secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** The token's permission map; undefined for audiences that have none. */
  readonly grants: unknown
  /** Who an admin is by their token, or why that cannot be read; undefined for other audiences. */
  readonly identity?: Either.Either<AdminIdentity, CredentialsError>
  /** Whose they are, in words for an error: the audience, and the account where that is known. No secret. */
  readonly who?: string
  /** Whether nobody signed in for them: found in a store, or renewed, they may be refused as those were that they replace. */
  readonly isKept?: boolean
}

/** The source of a client's credentials. */
export interface CredentialsProvider {
  /**
   * Credentials available, or undefined if they must be obtained first. `time` is `now` of the clock, on which those
   * that are about to end are renewed in the background.
   */
  readonly current: (time: number, clock: Clock.Clock) => Credentials | undefined
  /**
   * Credentials that are available, or those of one sign-in shared by all waiting callers. The time of this call
   * counts: after a sign-out before the effect runs, it does not join a later sign-in.
   */
  readonly getCredentials: (clock: Clock.Clock) => Effect.Effect<Credentials, CallError>
  /**
   * Replaces credentials that the platform refused to an operation. Returns undefined if the refusal is final: others
   * would be refused too, or the client was signed out. Undefined for keys, which cannot be renewed.
   */
  readonly renew:
    | ((refused: Credentials, operation: string) => Effect.Effect<Credentials | undefined, CallError>)
    | undefined
  /** Called with credentials that the platform accepted for an operation, with any result. */
  readonly accepted: (credentials: Credentials, operation: string) => void
  /** Counts sign-outs: what was begun before one does not go on after it. Left out for keys, which nobody signs out of. */
  readonly signOuts?: () => number
  /**
   * Runs `end` at the next sign-out, or when the client closes, unless the returned function is called before. Left out for keys.
   */
  readonly onEnd?: Lifetime["enter"]
  /** All secrets that must never be shown; the same list until one is added. */
  readonly secrets: () => ReadonlyArray<string>
}

/** An admin, as the access token names them (specification, point 3). */
export interface AdminIdentity {
  /** The token's subject; one that is a number, as its digits. */
  readonly _id: string
  /** The token's e-mail address; undefined if it names none. */
  readonly email: string | undefined
  /** The token's name. */
  readonly fullName: string | undefined
  /** The claim `p`: resource to action to level. */
  readonly permissions: unknown
  /** When the token was made; undefined if it does not say. */
  readonly issuedAt: Date | undefined
  /** When the token ends; undefined if it does not say. */
  readonly expiresAt: Date | undefined
}

/** A grant in the token's names. */
export interface Requirement {
  /** What is acted on, in the token's names. */
  readonly resource: string
  /** What is done to it, in the token's names. */
  readonly action: string
}

/** What a check of permissions found, and what was looked for in the token's names. @category models */
export interface Decision extends Requirement, Verdict {
  /** The level that was asked for. */
  readonly required: Level
}

/** What an admin's credentials allow. */
export interface Authorization {
  /** The grant that the call `<slice>.<call>` needs, in the token's names. */
  readonly requirement: (name: string) => Requirement
  /** Whether grants allow it at a level. */
  readonly verdict: (name: string, level: Level, grants: unknown) => Verdict
  /** The same for an action on a resource, in our names or the token's, by a reading of its own if there is one. */
  readonly decide: (
    resource: string,
    action: string,
    level: Level,
    grants: unknown,
    reading?: Reading
  ) => Decision
  /** Refuses a call that the credentials do not grant. `requires` is the level that it needs, if any. */
  readonly authorize: (
    call: {
      /** Name of the call, such as `requests.markSeen`. */
      readonly name: string
      /** The level that it needs; undefined if it needs none. */
      readonly requires: Level | undefined
    },
    credentials: Credentials
  ) => PermissionDenied | undefined
}
