/** Signing in and out, who is signed in, and what they may do, as far as the client knows. */
import type * as Rx from "@effect-rx/rx/Rx"
import * as Admin from "@quartet/sdk/admin/client"
import { identityOf } from "@quartet/sdk/admin/identity"
import * as EndUser from "@quartet/sdk/end-user/client"
import {
  type AdminIdentity,
  type CallError,
  isCallError,
  isProof,
  type Level,
  Operation,
  own,
  Write
} from "@quartet/sdk/extend"
import type { User } from "@quartet/sdk/extend/models/auth"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Private from "@quartet/sdk/private/client"
import * as Public from "@quartet/sdk/public/client"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Client, type ClientState } from "./client.js"
import { type Outcome, outcomeOf } from "./mutation.js"
import type { AnyCall } from "./query.js"
import { fromStore, type Registry, Store } from "./registry.js"

/**
 * Whose client a query client runs on. An admin's `_id` is empty if the session does not say whose it is: a token that
 * cannot be read, with `permissions: "off"`.
 * @category models
 */
export type Identity =
  | { readonly audience: "admin"; readonly admin: AdminIdentity }
  | { readonly audience: "endUser"; readonly user: User }
  | { readonly audience: "public" | "private" | "none" }

/** Somebody, and what their client knows of their rights. */
interface Account {
  readonly identity: Identity
  /** Whether the level is granted on `<slice>.<call>`. Only admins' tokens say so; for all others the platform decides. */
  readonly may: (name: string, level: Level) => boolean
}

const unlimited = (identity: Identity): Account => ({ identity, may: () => true })

/** The admin of a session that names nobody. */
const nobody: AdminIdentity = {
  _id: "",
  email: undefined,
  fullName: undefined,
  permissions: {},
  issuedAt: undefined,
  expiresAt: undefined
}

const adminAccount = ({
  dispatcher,
  headerNames,
  session
}: Admin.Service): Effect.Effect<Account, CallError> =>
  Effect.gen(function* () {
    const credentials = yield* Effect.clockWith(session.getCredentials)
    // A session whose token cannot be read is one all the same: the platform accepts it.
    const admin = yield* Effect.orElseSucceed(identityOf({ headerNames, session }), () => nobody)
    const { authorization } = dispatcher.settings
    return {
      identity: { audience: "admin", admin },
      may: (name, required) => authorization?.verdict(name, required, credentials.grants).allowed ?? true
    }
  })

/**
 * Reads whose client there is: an admin from the token, after a sign-in where there is none yet, an end user from the
 * platform. Of several clients in a layer, the first of admin, end user, private and public counts.
 */
const account: Effect.Effect<Account, CallError> = /*#__PURE__*/ Effect.gen(function* () {
  const admin = yield* Effect.serviceOption(Admin.Client)
  if (Option.isSome(admin)) return yield* adminAccount(admin.value)
  const endUser = yield* Effect.serviceOption(EndUser.Client)
  if (Option.isSome(endUser))
    return unlimited({ audience: "endUser", user: yield* endUser.value.dispatcher.call(Auth.self, {}) })
  if (Option.isSome(yield* Effect.serviceOption(Private.Client))) return unlimited({ audience: "private" })
  if (Option.isSome(yield* Effect.serviceOption(Public.Client))) return unlimited({ audience: "public" })
  return unlimited({ audience: "none" })
})

/** Forgets an admin's session, also where it is kept between runs. All other clients have none of their own. */
const forget: Effect.Effect<void> = /*#__PURE__*/ Effect.flatMap(
  /*#__PURE__*/ Effect.serviceOption(Admin.Client),
  Option.match({ onNone: () => Effect.void, onSome: ({ session }) => session.signOut })
)

/** Who is signed in. @category models */
export type SessionState<E> =
  | {
      readonly status: "signed-out"
      /** Why the last sign-in failed, where it did. */
      readonly error: E | undefined
    }
  | { readonly status: "signing-in" }
  | {
      readonly status: "signed-in"
      readonly identity: Identity
      /**
       * Why calls fail since, where the platform no longer takes the session and it cannot be renewed. Signing in again as
       * the same person keeps what is shown and fetches it again.
       */
      readonly refusal: CallError | undefined
    }

/** A call, or a slice and an action at a level (Write where it is left out). @category models */
export type PermissionArgs =
  | readonly [call: AnyCall<never, unknown, unknown>]
  | readonly [slice: string, action: string, level?: Level]

/** What signing in can fail with. @category errors */
export type SessionError<LE> = CallError | LE

/** Ways to act on a session. @category models */
export interface SessionActions<in C, out E> {
  /**
   * Builds a client for these credentials and proves them; all answers are then fetched again, and those to somebody else
   * forgotten. Never rejects.
   */
  readonly signIn: (credentials: C) => Promise<Outcome<Identity, E>>
  /** Forgets the session and every answer. Calls fail with CredentialsError until somebody signs in. */
  readonly signOut: () => Promise<void>
  /** Whether this is permitted; false while nobody is signed in. Early feedback only: the platform decides. */
  readonly can: (...args: PermissionArgs) => boolean
}

/** The session of a query client. `C` is what signing in takes. @category models */
export interface Session<in C, out E> extends Rx.Rx<SessionState<E>> {
  readonly actions: (registry: Registry) => SessionActions<C, E>
}

/** The id of somebody who signed in, if it is known. */
export const personIn = (identity: Identity | undefined): string | undefined => {
  if (identity?.audience === "admin") return identity.admin._id || undefined
  return identity?.audience === "endUser" ? identity.user._id : undefined
}

/** The error that says that nobody is signed in any more. During a cooldown, that is not known yet. */
const refusalIn = (cause: Cause.Cause<unknown>): CallError | undefined => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (!isCallError(error)) return undefined
  const isRefusal =
    error._tag === "Unauthenticated" || (error._tag === "CredentialsError" && error.reason !== "Cooldown")
  return isRefusal ? error : undefined
}

/** The calls of a client by slice and name, as its module exports them. */
export type Calls = Readonly<Record<string, unknown>>

const isCall = (value: unknown): value is AnyCall<never, unknown, unknown> =>
  typeof value === "function" && "operation" in value && Operation.isOperation(value.operation)

const permits = ({ may }: Account, calls: Calls, [target, action, level]: PermissionArgs): boolean => {
  const call = typeof target === "string" ? own(own(calls, target), action ?? "") : target
  if (!isCall(call)) return may(`${target}.${action}`, level ?? Write)
  const { requires } = call.operation.declaration()
  return requires === undefined || may(call.operation.name, level ?? requires)
}

/** A session that the tabs of a browser share, such as `Tabs.make` of `@quartet/sdk/adapters/tabs` makes. @category models */
export interface SharedSession<out C> {
  /** The kept session, as credentials; undefined where nobody is signed in. */
  readonly session: () => C | undefined
  /** Calls back with what another tab has signed in with, and whether as the same person as before; nothing after a sign-out. */
  readonly subscribe: (listener: (credentials: C | undefined, isSame: boolean) => void) => () => void
  /** Forgets the session in all tabs. */
  readonly forget: () => void
}

/** The session in one registry. */
export const makeStore = <R, LE, C>(
  { client: present, onUserChange }: ClientState<R, LE>,
  layerFor: (credentials: C) => Layer.Layer<R, LE>,
  calls: Calls,
  shared: SharedSession<C> | undefined
) => {
  type State = SessionState<SessionError<LE>>
  const store = new Store<State>(
    present.isOpen ? { status: "signing-in" } : { status: "signed-out", error: undefined }
  )
  let known: Account | undefined
  /** Interrupts the sign-in under way. */
  let interrupt: (() => void) | undefined
  const cancel = (): void => interrupt?.()
  const changeUser = (isSame: boolean): void => {
    for (const listener of [...onUserChange]) listener(isSame)
  }
  /** Why the platform no longer takes the present session. */
  let refusal: CallError | undefined
  const showKnown = ({ identity }: Account): void => store.set({ status: "signed-in", identity, refusal })
  present.onExit = (exit) => {
    const error = Exit.isSuccess(exit) ? undefined : refusalIn(exit.cause)
    // A success says that the session was renewed; any other failure says nothing of it.
    if (known === undefined || (Exit.isSuccess(exit) ? refusal : error) === undefined) return
    refusal = error
    if (interrupt === undefined) showKnown(known)
  }

  /** Reads whose client this is; one that is new replaces the present one, or is closed where it is refused. */
  const identify = (
    client: Client<R, LE>,
    onExit: (exit: Exit.Exit<Account, SessionError<LE>>, isSame: boolean) => void = () => undefined
  ): void => {
    store.set({ status: "signing-in" })
    interrupt = client.fork(Effect.locally(account, isProof, client !== present), (exit) => {
      interrupt = undefined
      const before = personIn(known?.identity)
      const isSame = before !== undefined && Exit.isSuccess(exit) && before === personIn(exit.value.identity)
      if (Exit.isSuccess(exit)) {
        known = exit.value
        refusal = undefined
      }
      if (client !== present && Exit.isSuccess(exit)) present.adopt(client, isSame)
      else if (client !== present) client.close()
      const outcome = outcomeOf(exit)
      if (known !== undefined) showKnown(known)
      else store.set({ status: "signed-out", error: outcome.status === "error" ? outcome.error : undefined })
      onExit(exit, isSame)
    })
  }
  store.onMount = () => {
    if (present.isOpen && known === undefined && interrupt === undefined) identify(present)
    return undefined
  }

  /** The sign-in that somebody asks for here, and what another tab has signed in with meanwhile. */
  let pendingSignIn: { credentialsElsewhere?: C } | undefined
  const take = (credentials: C): Promise<Outcome<Identity, SessionError<LE>>> => {
    cancel()
    return new Promise((resolve) =>
      identify(new Client(Layer.suspend(() => layerFor(credentials))), (exit, isSame) => {
        if (Exit.isSuccess(exit)) changeUser(isSame)
        resolve(outcomeOf(Exit.map(exit, ({ identity }) => identity)))
      })
    )
  }
  const signIn = async (credentials: C): Promise<Outcome<Identity, SessionError<LE>>> => {
    const attempt: { credentialsElsewhere?: C } = {}
    pendingSignIn = attempt
    const outcome = await take(credentials)
    if (pendingSignIn !== attempt) return outcome
    pendingSignIn = undefined
    // What was refused here may be signed in elsewhere.
    if (outcome.status !== "success" && attempt.credentialsElsewhere !== undefined)
      void take(attempt.credentialsElsewhere)
    return outcome
  }
  const leave = (status: "signed-out" | "signing-in"): void => {
    present.close()
    known = undefined
    refusal = undefined
    store.set({ status, error: undefined })
    changeUser(false)
  }
  const signOut = (): Promise<void> => {
    pendingSignIn = undefined
    cancel()
    shared?.forget()
    return new Promise((resolve) =>
      // Without a client this fails, and there is nothing to forget.
      present.fork(forget, () => {
        leave("signed-out")
        resolve()
      })
    )
  }
  const stop = shared?.subscribe((credentials, isSame) => {
    // A client takes up by itself what was renewed.
    if (isSame && known !== undefined && refusal === undefined) return
    // Whoever signs in here is told how that ends, whatever others do meanwhile.
    if (pendingSignIn !== undefined && credentials !== undefined) {
      pendingSignIn.credentialsElsewhere = credentials
      return
    }
    pendingSignIn = undefined
    cancel()
    if (!isSame) leave(credentials === undefined ? "signed-out" : "signing-in")
    if (credentials !== undefined) void take(credentials)
  })
  const can = (...args: PermissionArgs): boolean => known !== undefined && permits(known, calls, args)
  const close = (): void => {
    stop?.()
    cancel()
  }
  return { store, close, signIn, signOut, can }
}

export const makeSession = <C, E>(
  states: Rx.Rx<{
    readonly session: SessionActions<C, E> & { readonly store: Store<SessionState<E>> }
  }>
): Session<C, E> => {
  const find = (registry: Registry) => registry.get(states).session
  const session = fromStore<SessionState<E>, never>(
    (registry) => find(registry).store,
    () => undefined
  )
  return Object.assign(session, {
    actions: (registry: Registry): SessionActions<C, E> => ({
      signIn: (credentials) => find(registry).signIn(credentials),
      signOut: () => find(registry).signOut(),
      can: (...args) => find(registry).can(...args)
    })
  })
}
