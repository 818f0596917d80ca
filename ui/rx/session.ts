/** Signing in and out, who is signed in, and what they may do. */
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { Operation } from "../../core/kernel/operation/operation.js"
import { type Level, Write } from "../../core/permissions/level.js"
import { type Account, account, forget, type Identity } from "./account.js"
import { Board, posted } from "./board.js"
import { Client } from "./client.js"
import { type Registry, type Rx, singleton } from "./engine.js"
import { type Outcome, outcomeOf } from "./mutation.js"
import type { AnyCall } from "./source.js"
import { renew, type Store } from "./store.js"

/** Who is signed in. */
export type SessionState<E> =
  | {
      readonly status: "signed-out"
      /** Why the last sign-in failed, where it did. */
      readonly error: E | undefined
    }
  | { readonly status: "signing-in" }
  | { readonly status: "signed-in"; readonly identity: Identity }

/** What is asked to be permitted: a call, or a slice and an action at a level (Write where it is left out). */
export type PermissionArgs =
  | readonly [call: AnyCall<never, unknown, unknown>]
  | readonly [slice: string, action: string, level?: Level]

/** The session of a client, as a value and as what can be done about it. `C` is what signing in takes. */
export interface Session<in C, out E> extends Rx<SessionState<E>> {
  /** Builds the client for these credentials and lets it prove them. All answers are then asked for anew. */
  readonly signIn: (registry: Registry, credentials: C) => Promise<Outcome<Identity, E>>
  /** Forgets the session and every answer. Calls fail with CredentialsError until somebody signs in. */
  readonly signOut: (registry: Registry) => Promise<void>
  /** Whether the one who is signed in may do something. Early feedback only: the platform stays the judge. */
  readonly can: (registry: Registry, ...wish: PermissionArgs) => boolean
}

/** What signing in can fail with. */
export type SessionError<LE> = CallError | LE

class Keeper<R, LE, C> {
  readonly board: Board<SessionState<SessionError<LE>>>
  account: Account | undefined
  private attempt: (() => void) | undefined

  constructor(
    private readonly store: Store<R, LE>,
    private readonly layerFor: (credentials: C) => Layer.Layer<R, LE>
  ) {
    const first: SessionState<SessionError<LE>> = store.client.isOpen
      ? { status: "signing-in" }
      : { status: "signed-out", error: undefined }
    this.board = new Board<SessionState<SessionError<LE>>>(first, () => this.identify())
  }

  /** Learns who is signed in, where a client is there and it is not known yet. */
  private identify(): void {
    const { client } = this.store
    if (!client.isOpen || this.account !== undefined || this.attempt !== undefined) return
    this.board.set({ status: "signing-in" })
    this.try(client, (exit) => this.tell(exit))
  }

  private try(client: Client<R, LE>, onExit: (exit: Exit.Exit<Account, SessionError<LE>>) => void): void {
    let isOver = false
    const attempt = client.fork(account, (exit) => {
      isOver = true
      this.attempt = undefined
      onExit(exit)
    })
    if (!isOver) this.attempt = attempt
  }

  private tell(exit: Exit.Exit<Account, SessionError<LE>>): void {
    if (Exit.isSuccess(exit)) this.account = exit.value
    if (this.account !== undefined) {
      this.board.set({ status: "signed-in", identity: this.account.identity })
      return
    }
    const outcome = outcomeOf(exit)
    this.board.set({ status: "signed-out", error: outcome.status === "error" ? outcome.error : undefined })
  }

  signIn(credentials: C): Promise<Outcome<Identity, SessionError<LE>>> {
    this.attempt?.()
    this.board.set({ status: "signing-in" })
    return new Promise((resolve) => {
      const trial = new Client(this.layerFor(credentials))
      this.try(trial, (exit) => {
        if (Exit.isSuccess(exit)) this.store.client.adopt(trial)
        else trial.close()
        this.tell(exit)
        if (Exit.isSuccess(exit)) renew(this.store)
        resolve(outcomeOf(Exit.map(exit, ({ identity }) => identity)))
      })
    })
  }

  signOut(): Promise<void> {
    this.attempt?.()
    const { client } = this.store
    return new Promise((resolve) => {
      const end = (): void => {
        client.close()
        this.account = undefined
        this.board.set({ status: "signed-out", error: undefined })
        renew(this.store)
        resolve()
      }
      if (client.isOpen) client.fork(forget, end)
      else end()
    })
  }

  dispose(): void {
    this.attempt?.()
  }
}

/** The calls of a client by slice and name, as its module exports them. */
export type Calls = Readonly<Record<string, unknown>>

const isCall = (value: unknown): value is AnyCall<never, unknown, unknown> =>
  typeof value === "function" && "operation" in value && Operation.isOperation(value.operation)

const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

/** The session of a client. */
export const makeSession = <R, LE, C>(
  stores: Rx<Store<R, LE>>,
  layerFor: (credentials: C) => Layer.Layer<R, LE>,
  calls: Calls
): Session<C, SessionError<LE>> => {
  const keepers = singleton(
    (registry) => new Keeper(registry.get(stores), layerFor),
    (keeper) => keeper.dispose()
  )
  const can = (registry: Registry, ...[asked, action, level]: PermissionArgs): boolean => {
    const { account: who } = registry.get(keepers)
    if (who === undefined) return false
    const call = typeof asked === "string" ? own(own(calls, asked), action ?? "") : asked
    if (!isCall(call)) return who.may(`${asked}.${action}`, level ?? Write)
    const { requires } = call.operation.declaration()
    return requires === undefined || who.may(call.operation.name, level ?? requires)
  }
  const value = posted<SessionState<SessionError<LE>>, never>(
    (registry) => registry.get(keepers).board,
    () => undefined
  )
  return Object.assign(value, {
    signIn: (registry: Registry, credentials: C) => registry.get(keepers).signIn(credentials),
    signOut: (registry: Registry) => registry.get(keepers).signOut(),
    can
  })
}
