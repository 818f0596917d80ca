/**
 * What each call can fail with: one table of tags, kinds of calls and audiences. The types of a call's errors, and the table
 * of docs/errors.md, come from it.
 */
import type { CallError } from "../errors/errors.js"
import type { Audience, Kind } from "./operation.js"

const everyone = /*#__PURE__*/ Object.freeze(["admin", "public", "private", "endUser"] as const)
const admins = /*#__PURE__*/ Object.freeze(["admin"] as const)
const nobody = /*#__PURE__*/ Object.freeze([] as const)

const always = /*#__PURE__*/ Object.freeze({ read: everyone, write: everyone, signIn: everyone } as const)

/** Whose calls of which kind can fail with a tag. @category constants */
export const failures = /*#__PURE__*/ Object.freeze({
  InputError: always,
  // Keys are checked where a client is made; an admin's credentials are obtained by a call.
  CredentialsError: /*#__PURE__*/ Object.freeze({ read: admins, write: admins, signIn: nobody } as const),
  PermissionDenied: always,
  Unauthenticated: always,
  NotFound: always,
  Conflict: always,
  Rejected: always,
  RateLimited: always,
  ServerFault: always,
  NetworkError: always,
  DeadlineExceeded: always,
  AnswerError: always,
  // A call that changes nothing leaves nothing in doubt.
  OutcomeUnknown: /*#__PURE__*/ Object.freeze({ read: nobody, write: everyone, signIn: nobody } as const)
} as const) satisfies Readonly<Record<CallError["_tag"], Readonly<Record<Kind, ReadonlyArray<Audience>>>>>

type Table = typeof failures

/** The tags that a call of an audience can fail with. */
type TagOf<K extends Kind, Aud extends Audience> = {
  readonly [Tag in keyof Table]: Aud extends Table[Tag][K][number] ? Tag : never
}[keyof Table]

/** The errors of each kind of call, by audience: each is made once, however many calls name it. */
type Errors = {
  readonly [K in Kind]: {
    readonly [Aud in Audience]: Extract<CallError, { readonly _tag: TagOf<K, Aud> }>
  }
}

/**
 * What a call of a kind can fail with: everything, of a kind that is not known, and of an audience that is not, as programs
 * write that take any call.
 * @category models
 */
export type FailureOf<K extends Kind = Kind, Aud extends Audience = Audience> = [Aud] extends [never]
  ? CallError
  : Errors[K][Aud]

/** What a call that changes nothing can fail with: not with `OutcomeUnknown`. @category models */
export type ReadError<Aud extends Audience = Audience> = FailureOf<"read", Aud>

/** What a call that changes something can fail with. @category models */
export type WriteError<Aud extends Audience = Audience> = FailureOf<"write", Aud>

/** What a sign-in can fail with: it needs no credentials, and changes nothing. @category models */
export type SignInError<Aud extends Audience = Audience> = FailureOf<"signIn", Aud>
