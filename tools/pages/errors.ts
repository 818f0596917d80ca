/** How a call can fail, and what a program does about it. */
import { fieldsOf } from "../../clients/description/fields.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { type Declared, isWrite } from "../../core/kernel/operation/operation.js"

/** One error of a call. */
export interface Failure {
  readonly tag: CallError["_tag"]
  readonly when: string
  /** What to do about it. */
  readonly advice: string
}

interface Kind {
  readonly when: string
  readonly advice: string
  readonly concerns?: (declared: Declared) => boolean
}

const isSigned = ({ credentials }: Declared): boolean => credentials !== "none"

/** All tags, in the order of docs/errors.md, which is written from them. */
export const kinds: Readonly<Record<CallError["_tag"], Kind>> = {
  InputError: {
    when: "The input breaks a rule. Nothing was sent.",
    advice: "Correct the field that `field` names; `rule` says how.",
    concerns: (declared) => fieldsOf(declared).length > 0
  },
  CredentialsError: {
    when: "There are no usable credentials, or the sign-in was refused.",
    advice: "Check the client's configuration, or have the user sign in again.",
    concerns: isSigned
  },
  PermissionDenied: {
    when: "The token does not grant the call, or the platform answered 403.",
    advice: "Do not repeat it. Hide the action, or grant the level that the call needs.",
    concerns: isSigned
  },
  Unauthenticated: {
    when: "401, and a new sign-in did not help.",
    advice: "Have the user sign in again.",
    concerns: isSigned
  },
  NotFound: {
    when: "404: there is nothing with this id or key, or the caller must not see it.",
    advice: "Treat it as absent, and read the list anew.",
    concerns: (declared) => fieldsOf(declared).some(({ place }) => place === "path")
  },
  Conflict: {
    when: "409: the state has moved on, or it was done before.",
    advice: "Read it again, and decide anew.",
    concerns: isWrite
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
    advice: "Read the state before you repeat it, or repeat it with the same `idempotencyKey`.",
    concerns: isWrite
  }
}

/** The errors with which a call can fail. */
export const errorsOf = (declared: Declared): ReadonlyArray<Failure> =>
  Object.entries(kinds).flatMap(([tag, { advice, concerns, when }]) =>
    // The table's keys are the tags.
    concerns?.(declared) === false ? [] : [{ tag: tag as Failure["tag"], when, advice }]
  )
