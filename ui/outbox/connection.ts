/** One query client in one page: who is signed in, and which answers there are. */

import { type Bindable, categoryOf, isCallError } from "@quartet/sdk/extend"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ClientState } from "../rx/client.js"
import type { CacheEntry } from "../rx/query-cache.js"
import type { QueueSource } from "../rx/queue.js"
import type { Registry } from "../rx/registry.js"
import { personIn, type SessionState } from "../rx/session.js"
import { longestPause } from "./entry.js"
import type { Ports } from "./store.js"

/** A mutation with an outbox, of any types: its inputs come from the store. */
export type Definition = QueueSource<never, unknown, never, unknown> & { readonly name: string }

/**
 * Who is signed in, as the store names them: entries belong to one of these. Undefined where that is not known: one
 * unknown person's entries must not be sent as another's.
 */
export const nameOf = (session: SessionState<unknown>): string | undefined => {
  if (session.status !== "signed-in" || session.identity.audience === "none") return undefined
  const { audience } = session.identity
  const person = personIn(session.identity)
  const isPerson = audience === "admin" || audience === "endUser"
  return isPerson && person === undefined ? undefined : JSON.stringify([audience, person])
}

/** The address and the project of a client. */
export const platformOf = ({ dispatcher: { settings } }: Bindable): string =>
  JSON.stringify([settings.api, settings.projectId])

/** A client by the key of its tag, which a call names. */
export const clientOf = (key: string): Effect.Effect<Bindable, never, never> =>
  // The layer of the query client that made the call holds it.
  Context.GenericTag<never, Bindable>(key)

/** Whether it is not known who is signed in, because the platform did not answer. */
const isUnidentified = (session: SessionState<unknown>): boolean =>
  session.status === "signed-out" &&
  isCallError(session.error) &&
  ["transient", "throttled"].includes(categoryOf(session.error))

/** What a keeper does when something about a query client has changed. */
export interface Listener {
  readonly onSession: () => void
  /** Somebody has signed in or out, and the answers are without their changes. */
  readonly onUserChange: (isSame: boolean) => void
  readonly onEntry: (entry: CacheEntry) => void
}

export class Connection {
  /** Who is signed in; while somebody signs in, who was before. */
  person: string | undefined
  readonly state: ClientState<never, unknown>
  private readonly closers: ReadonlyArray<() => void>
  private forget: () => void = () => undefined

  constructor(
    private readonly registry: Registry,
    private readonly definition: Definition,
    ports: Pick<Ports, "after" | "onOnline">,
    { onEntry, onSession, onUserChange }: Listener
  ) {
    this.state = registry.get(definition.states)
    const { cache, onUserChange: users } = this.state
    const listener = (session: SessionState<unknown>): void => {
      if (session.status !== "signing-in") this.person = nameOf(session)
      this.forget()
      if (isUnidentified(session)) this.forget = ports.after(longestPause, () => this.identify())
      onSession()
    }
    users.add(onUserChange)
    cache.onEntry.add(onEntry)
    this.closers = [
      registry.subscribe(definition.session, listener, { immediate: true }),
      ports.onOnline(() => this.identify()),
      () => users.delete(onUserChange),
      () => cache.onEntry.delete(onEntry),
      () => this.forget()
    ]
  }

  get session(): SessionState<unknown> {
    return this.registry.get(this.definition.session)
  }

  /** Asks again who is signed in, where that is not known: a page may have been loaded without a network. */
  private identify(): void {
    if (isUnidentified(this.session)) this.registry.refresh(this.definition.session)
  }

  close(): void {
    for (const close of this.closers) close()
  }
}
