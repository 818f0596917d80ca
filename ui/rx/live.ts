/** A chat as a screen sees it: its connection, what was said, and what is on its way out or failed to get there. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Chat } from "../../core/chat/chat.js"
import type { ChatError, SendError } from "../../core/chat/errors.js"
import type { Draft, Message } from "../../core/chat/model.js"
import type { State } from "../../core/chat/state.js"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import { eachRegistry, posted } from "./board.js"
import type { Registry, Rx, Writable } from "./engine.js"
import { Room } from "./room.js"
import type { Signal } from "./signals.js"
import type { Store } from "./store.js"

/** What a screen needs of a chat. */
export type ChatSource = Pick<Chat, "events" | "history" | "state" | "send">

/** A message on its way out. */
export interface OutgoingMessage<out E> {
  readonly clientId: string
  readonly draft: Draft
  /** When it was written. */
  readonly at: Date
  /** `sent`: the platform said yes, and has not told the message yet. `failed`: see `error`; it can be sent again. */
  readonly status: "pending" | "sent" | "failed"
  readonly error: E | undefined
}

/** Whether there is a connection; `failed` with the reason where it was given up or could not be opened. */
export type Connection<E> =
  | Exclude<State, { readonly status: "failed" }>
  | { readonly status: "failed"; readonly error: E }

export interface ChatState<out E> {
  readonly connection: Connection<E>
  /**
   * Each message once, with its newest content, in the order in which they were told, what the platform sent as history
   * first.
   */
  readonly messages: ReadonlyArray<Message>
  readonly outgoing: ReadonlyArray<OutgoingMessage<E>>
}

export interface ChatStoreOptions {
  /** Most messages that are held; the oldest go first. 1,000 where it is left out. */
  readonly keep?: number
}

export const ChatStoreId: unique symbol = Symbol.for("@quartet/sdk/rx/ChatStore")

/** What can be done in a chat. */
export interface ChatStoreActions {
  /** Sends a draft: it is shown as pending at once, and its id is answered. */
  readonly send: (registry: Registry, draft: Draft) => string
  /** Sends a message that failed again, under the same id. */
  readonly retry: (registry: Registry, clientId: string) => void
  /** Forgets a message that failed. */
  readonly discard: (registry: Registry, clientId: string) => void
  /** Opens a chat anew that was closed or has failed. */
  readonly reopen: (registry: Registry) => void
}

/**
 * A chat as a value, open while it is observed: a message to it (`registry.set(live, draft)`) sends a draft.
 */
export interface ChatStore<out E> extends Writable<ChatState<E>, Draft> {
  readonly [ChatStoreId]: ChatStoreActions
}

/** Everything that a chat's screen can show as an error. */
export type ChatStoreError<E> = E | ChatError | SendError | CredentialsError

/** The value of a chat that `open` opens. */
export const makeChatStore = <R, E, LE>(
  stores: Rx<Store<R, LE>>,
  reconnect: Signal,
  open: Effect.Effect<ChatSource, E, R | Scope.Scope>,
  { keep = 1_000 }: ChatStoreOptions
): ChatStore<ChatStoreError<E | LE>> => {
  const roomIn = eachRegistry((registry) => new Room(() => registry.get(stores), reconnect, open, keep))
  const actions: ChatStoreActions = {
    send: (registry, draft) => roomIn(registry).send(draft),
    retry: (registry, clientId) => roomIn(registry).retry(clientId),
    discard: (registry, clientId) => roomIn(registry).discard(clientId),
    reopen: (registry) => roomIn(registry).reopen()
  }
  const value = posted<ChatState<ChatStoreError<E | LE>>, Draft>(
    (registry) => roomIn(registry).board,
    (registry, draft) => {
      actions.send(registry, draft)
    }
  )
  return Object.assign(value, { [ChatStoreId]: actions })
}
