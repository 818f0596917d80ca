/** How a call can fail, and what a program does about it. */
import type { CallError } from "../../core/kernel/errors/errors.js"
import { failures } from "../../core/kernel/operation/failures.js"
import { type Audience, type Declared, kindOf } from "../../core/kernel/operation/operation.js"

/** One error of a call. */
export interface Failure {
  readonly tag: CallError["_tag"]
  readonly when: string
  /** What to do about it. */
  readonly advice: string
}

/** All tags, in the order of docs/errors.md, which is written from them. */
export const kinds: Readonly<Record<CallError["_tag"], Omit<Failure, "tag">>> = {
  InputError: {
    when: "The input breaks a rule. Nothing was sent.",
    advice: "Correct the field that `field` names; `rule` says how."
  },
  CredentialsError: {
    when: "There are no usable credentials, or the sign-in was refused.",
    advice: "Check the client's configuration, or have the user sign in again."
  },
  PermissionDenied: {
    when: "The token does not grant the call, or the platform answered 403.",
    advice: "Do not repeat it. Hide the action, or grant the level that the call needs."
  },
  Unauthenticated: {
    when: "401, and a new sign-in did not help.",
    advice: "Have the user sign in again."
  },
  NotFound: {
    when: "404: there is nothing with this id or key, or the caller must not see it.",
    advice: "Treat it as absent, and read the list anew."
  },
  Conflict: {
    when: "409: the state has moved on, or it was done before.",
    advice: "Read it again, and decide anew."
  },
  Rejected: {
    when: "Another 4xx; `field` names what the platform minds, if it says so.",
    advice:
      "Show `serverMessage`, beside the `field` that it names, if any, and correct the input. After a 408 a write may have been done: read the state before you repeat it."
  },
  RateLimited: {
    when: "429: too many calls.",
    advice: "Wait for `retryAfter` milliseconds. Reads, and writes with a key, were repeated already."
  },
  ServerFault: {
    when: "5xx: the platform failed.",
    advice:
      "Try later where `retryable` is true. A write may have been done: read the state before you repeat it."
  },
  NetworkError: {
    when: "No connection, or none that lasted. Nothing was changed.",
    advice: "Try again where `retryable` is true; `reason` says what broke."
  },
  DeadlineExceeded: {
    when: "The deadline passed. Nothing was changed.",
    advice: "Try again, or give the call more time: `{ policy: { deadline: 60_000 } }`."
  },
  AnswerError: {
    when: "An answer came that cannot be read, or that a strict client refuses.",
    advice:
      "Look at `field` and `rule`. Where `isDone` is true, the write was done: do not repeat it. Where `isInDoubt` is true, read the state first."
  },
  OutcomeUnknown: {
    when: "The write was sent, and nobody knows whether it was done.",
    advice: "Read the state before you repeat it, or repeat it with the same `idempotencyKey`."
  }
}

const tags = Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>

/** The errors with which a call of an audience can fail, as its type states them. */
export const errorsOf = (declared: Declared, audience: Audience): ReadonlyArray<Failure> => {
  const kind = kindOf(declared)
  return tags
    .filter((tag) => (failures[tag][kind] as ReadonlyArray<Audience>).includes(audience))
    .map((tag) => ({ tag, ...kinds[tag] }))
}
