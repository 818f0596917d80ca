/**
 * The state of a client's session as one value, and what changes it. Nothing here runs: times are passed in, in
 * milliseconds on the monotonic clock (`now`).
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { StoredSession } from "../../ports/session-store.js"
import type { Credentials } from "../dispatch/credentials.js"
import type { CallError } from "../errors/errors.js"

/** How long a session is used. */
export interface Expiration {
  /** From then on it is renewed in the background while it still works. Never after `expiresAt`. */
  readonly renewAt: number
  /** From then on the platform refuses it. */
  readonly expiresAt: number
  /** The least time from a renewal that failed to the next. */
  readonly retryDelay: number
}

/** The expiration of a session that does not say when it ends: it is used until the platform refuses it. */
export const unknown: Expiration = {
  renewAt: Number.POSITIVE_INFINITY,
  expiresAt: Number.POSITIVE_INFINITY,
  retryDelay: 0
}

/** A session that calls are sent with. */
export interface Session {
  readonly stored: StoredSession
  readonly credentials: Credentials
  /** Undefined for a given session, one from the store, or one that was renewed without a sign-in. */
  readonly signedInAt: number | undefined
  /** Whether it was found in the store in place of another one. */
  readonly isReplacement: boolean
  readonly expiration: Expiration
  /** Whether the platform has accepted it for any call. */
  readonly isAccepted: boolean
}

/** The part of the state that does not depend on a session. */
interface History {
  /** Counts sign-outs: work that began before one changes nothing after it. */
  readonly signOuts: number
  /** The last sign-in, if it failed. */
  readonly failure: FailedSignIn | undefined
  /** The last session that was refused. */
  readonly refused: Session | undefined
  /** The time of the last refusal of each operation that has not been accepted since. */
  readonly refusals: ReadonlyMap<string, number>
}

interface FailedSignIn {
  readonly at: number
  readonly error: CallError
}

/**
 * A new session is being obtained in `SigningIn`, with none to use until then, and in `Renewing`, beside the present
 * one. The next call changes `SignedOut` to `SigningIn`.
 */
export type State = History &
  (
    | { readonly _tag: "SignedOut" | "SigningIn"; readonly session: undefined }
    | { readonly _tag: "SignedIn" | "Renewing"; readonly session: Session }
  )

export const make = (session: Session | undefined): State => {
  const history: History = { signOuts: 0, failure: undefined, refused: undefined, refusals: new Map() }
  return session === undefined
    ? { ...history, _tag: "SignedOut", session }
    : { ...history, _tag: "SignedIn", session }
}

/** The credentials that a call is sent with; undefined where a sign-in comes first. */
export const credentials = ({ session }: State, time: number): Credentials | undefined =>
  session !== undefined && time < session.expiration.expiresAt ? session.credentials : undefined

/** Whether there is a session that need not be renewed yet. */
export const isFresh = (state: State, time: number): state is State & { readonly session: Session } =>
  state.session !== undefined && time < state.session.expiration.renewAt

/** Whether the session still works, and a renewal is due but not running. */
export const mustRenew = (state: State, time: number): boolean =>
  state._tag === "SignedIn" &&
  time >= state.session.expiration.renewAt &&
  time < state.session.expiration.expiresAt

/** Why no sign-in may be tried yet; undefined if one may. */
export const coolingDown = ({ failure }: State, time: number, cooldown: number): CallError | undefined =>
  failure !== undefined && time - failure.at < cooldown ? failure.error : undefined

/**
 * Whether the store has nothing more to offer: the platform refused the session that stood there in place of another one, without
 * having accepted it for anything. A store of such sessions would keep a client from signing in for ever. It is looked at again
 * where no sign-in may be tried yet.
 */
export const isStoreSpent = (state: State, time: number, cooldown: number): boolean =>
  state.session === undefined &&
  state.refused?.isReplacement === true &&
  !state.refused.isAccepted &&
  coolingDown(state, time, cooldown) === undefined

/** Another session is being obtained. */
export const started = (state: State, signOuts: number): State => {
  if (signOuts !== state.signOuts) return state
  return state.session === undefined ? { ...state, _tag: "SigningIn" } : { ...state, _tag: "Renewing" }
}

/** Another session has been obtained. */
export const obtained = (state: State, signOuts: number, session: Session): State => {
  if (signOuts !== state.signOuts) return state
  const failure = session.signedInAt === undefined ? state.failure : undefined
  return { ...state, _tag: "SignedIn", session, failure }
}

/** A sign-in has failed. */
export const failed = (state: State, signOuts: number, at: number, error: CallError): State =>
  signOuts === state.signOuts ? { ...state, failure: { at, error } } : state

/**
 * The attempt that `started` recorded is over. A session whose renewal failed stays in use, and the next renewal waits.
 */
export const ended = (
  state: State,
  signOuts: number,
  exit: Exit.Exit<unknown, CallError>,
  time: number,
  cooldown: number
): State => {
  if (signOuts !== state.signOuts) return state
  if (state._tag === "SigningIn") return { ...state, _tag: "SignedOut" }
  if (state._tag !== "Renewing") return state
  if (Exit.isSuccess(exit)) return { ...state, _tag: "SignedIn" }
  const { expiration } = state.session
  // A refused password is not tried repeatedly: that can lock the account.
  const pause = Option.exists(Cause.failureOption(exit.cause), isRejection)
    ? Number.POSITIVE_INFINITY
    : Math.max(cooldown, expiration.retryDelay)
  const renewAt = Math.min(expiration.expiresAt, time + pause)
  return { ...state, _tag: "SignedIn", session: { ...state.session, expiration: { ...expiration, renewAt } } }
}

const isRejection = (error: CallError): boolean =>
  error._tag === "CredentialsError" && error.reason === "Rejected"

/**
 * Whether another sign-in would not help: the session is fresh, and either no call accepted it or the one before it, or
 * this operation was refused with the one before it too.
 */
const isHopeless = (
  { refused, refusals }: History,
  { expiration, isAccepted, signedInAt }: Session,
  operation: string,
  time: number,
  cooldown: number
): boolean => {
  const isNew = signedInAt !== undefined && time - signedInAt < cooldown
  if (!isNew || time >= expiration.expiresAt) return false
  const last = refusals.get(operation) ?? Number.NEGATIVE_INFINITY
  return (refused?.isAccepted === false && !isAccepted) || time - last < 2 * cooldown
}

/** The platform has refused credentials to an operation. The session stays if another one would be refused too. */
export const refused = (
  state: State,
  credentials: Credentials,
  operation: string,
  time: number,
  cooldown: number
): State => {
  const { session } = state
  if (session?.credentials !== credentials || isHopeless(state, session, operation, time, cooldown))
    return state
  return {
    ...state,
    _tag: state._tag === "Renewing" ? "SigningIn" : "SignedOut",
    session: undefined,
    refused: session,
    refusals: new Map(state.refusals).set(operation, time)
  }
}

/** The platform has accepted credentials for an operation. Runs for every call, and nearly always changes nothing. */
export const accepted = (state: State, credentials: Credentials, operation: string): State => {
  if (state.refusals.has(operation)) {
    const refusals = new Map(state.refusals)
    refusals.delete(operation)
    return accepted({ ...state, refusals }, credentials, operation)
  }
  return state.session === undefined || state.session.credentials !== credentials || state.session.isAccepted
    ? state
    : { ...state, session: { ...state.session, isAccepted: true } }
}

/** The session is dropped, with the record of failed sign-ins. */
export const signedOut = (state: State): State => ({
  ...state,
  _tag: "SignedOut",
  session: undefined,
  failure: undefined,
  signOuts: state.signOuts + 1
})
