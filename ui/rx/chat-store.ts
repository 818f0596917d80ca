/** A chat as a component sees it: its connection, its messages, and what is on its way out or failed to be sent. */
import type * as Rx from "@effect-rx/rx/Rx"
import {
  type Chat,
  ChatError,
  type ChatEvent,
  type CredentialsError,
  type Draft,
  fieldsOf,
  InputError,
  identified,
  idOf,
  type Message,
  makeIds,
  nameOf,
  type Sendable,
  type SendError,
  type State
} from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ClientState } from "./client.js"
import { inspections } from "./inspection.js"
import { fromStore, type Registry, Store, service } from "./registry.js"

/** What a chat store needs of a chat. @category models */
export type ChatSource = Pick<Chat, "events" | "history" | "state" | "send">

/** A message on its way out. @category models */
export interface OutgoingMessage<out E> {
  readonly clientId: string
  /** The fields of what was written. A message that goes through `Input.raw` may lack some. */
  readonly draft: Partial<Draft>
  /** When it was written. */
  readonly at: Date
  /** `sent`: acknowledged, and not received as a message yet. `failed`: see `error`; it can be sent again. */
  readonly status: "pending" | "sent" | "failed"
  readonly error: E | undefined
}

/** The state of the connection; `failed` if it ended with an error or could not be opened. @category models */
export type Connection<E> =
  | Exclude<State, { readonly status: "failed" }>
  | { readonly status: "failed"; readonly error: E }

/** The state of a chat. @category models */
export interface ChatState<out E> {
  readonly connection: Connection<E>
  /** Each message once, with its newest content: first the history, then in the order in which they were received. */
  readonly messages: ReadonlyArray<Message>
  readonly outgoing: ReadonlyArray<OutgoingMessage<E>>
}

/** The options of a chat store. @category models */
export interface ChatStoreOptions {
  /** Most messages that are kept; the oldest go first. 1,000 where it is left out. */
  readonly keep?: number
}

/** Ways to act in a chat. @category models */
export interface ChatActions {
  /** Sends a draft: it is shown as pending at once, and its id is answered. Throws InputError where it is no object. */
  readonly send: (draft: Sendable) => string
  /** Sends a message that failed again, under the same id. */
  readonly retry: (clientId: string) => void
  /** Forgets a message that failed. */
  readonly discard: (clientId: string) => void
  /** Opens a chat again that was closed or has failed. */
  readonly reopen: () => void
}

/** Hears what a chat store shows. */
export interface ChatListener {
  /** Connected, for the first time or again. */
  readonly onConnect: () => void
  readonly onEvents: (events: ReadonlyArray<ChatEvent>) => void
}

export const ListenersId: unique symbol = Symbol.for("@quartet/react/Listeners")

/** A chat, open while it is observed: `registry.set(chat, draft)` sends a draft. @category models */
export interface ChatStore<out E> extends Rx.Writable<ChatState<E>, Sendable> {
  readonly [ListenersId]: (registry: Registry) => Set<ChatListener>
  readonly actions: (registry: Registry) => ChatActions
}

/** Everything that a chat store can show as an error. @category errors */
export type ChatStoreError<E> = E | ChatError | SendError | CredentialsError

/** A message without a name is the same as no other. */
const keyOf = (message: Message): unknown => nameOf(message) ?? message

/** Each message once, where it first stood, with the content that it has last. */
const byKey = (messages: ReadonlyArray<Message>): Map<unknown, Message> =>
  new Map(messages.map((message) => [keyOf(message), message]))

/** Adds new messages at the end. An update of a message that is not there any more is left out. */
const receive = (messages: ReadonlyArray<Message>, events: ReadonlyArray<ChatEvent>) => {
  const all = byKey(messages)
  for (const { _tag, message } of events)
    if (_tag === "Message" || all.has(keyOf(message))) all.set(keyOf(message), message)
  return [...all.values()]
}

/** Adds older messages in front. */
const recall = (messages: ReadonlyArray<Message>, history: ReadonlyArray<Message>) => {
  const known = byKey(messages)
  const older = history.filter((message) => !known.has(keyOf(message)))
  return [...byKey([...older, ...messages, ...history]).values()]
}

const closed = (clientId: string): ChatError =>
  new ChatError({ operation: "chat.send", reason: "Closed", clientId, detail: "the chat is not open" })

const errorOf = <E>(cause: Cause.Cause<E>): E | ChatError =>
  Option.getOrElse(Cause.failureOption(cause), () => {
    const detail = "an unexpected fault ended the chat"
    return new ChatError({ operation: "chat.open", reason: "Closed", detail, cause: Cause.squash(cause) })
  })

/** The chat in one registry. */
const makeStore = <R, E>(
  { client, onUserChange, reconnect }: ClientState<R, E>,
  opening: Effect.Effect<ChatSource, E, R | Scope.Scope>,
  keep: number
) => {
  /** With what is sent, as the caller passed it. */
  type Outgoing = OutgoingMessage<ChatStoreError<E>> & { readonly message: Sendable }
  type State = Omit<ChatState<ChatStoreError<E>>, "outgoing"> & { readonly outgoing: ReadonlyArray<Outgoing> }
  const store = new Store<State>({ connection: { status: "connecting" }, messages: [], outgoing: [] })
  const { getState } = store
  const listeners = new Set<ChatListener>()
  /** Closes the chat, while it is open or being opened. */
  let close: (() => void) | undefined
  /** The chat once it is open, or why it could not be opened: what was written before waits for it. */
  let opened = Deferred.unsafeMake<ChatSource, ChatStoreError<E>>(FiberId.none)

  const update = (change: Partial<State>): void => store.set({ ...getState(), ...change })
  const show = (messages: ReadonlyArray<Message>, outgoing = getState().outgoing): void =>
    update({ messages: messages.slice(Math.max(0, messages.length - keep)), outgoing })

  const tell = (events: ReadonlyArray<ChatEvent>): void => {
    for (const { onEvents } of [...listeners]) onEvents(events)
  }

  /** Shows everything that happens in the chat, until it ends. */
  const listen = (source: ChatSource): Effect.Effect<void, ChatError> => {
    Deferred.unsafeDone(opened, Effect.succeed(source))
    const state = Stream.runForEach(source.state.changes, (connection) =>
      Effect.sync(() => {
        update({ connection })
        if (connection.status === "connected") for (const { onConnect } of [...listeners]) onConnect()
      })
    )
    const history = Stream.runForEach(source.history, (messages) =>
      Effect.sync(() => show(recall(getState().messages, messages)))
    )
    const events = Stream.runForEachChunk(source.events, (chunk) =>
      Effect.sync(() => {
        const { messages, outgoing } = getState()
        const news = [...chunk]
        const received = new Set(news.map(({ message }) => message.clientId))
        const left = outgoing.filter(({ clientId }) => !received.has(clientId))
        show(receive(messages, news), left)
        tell(news)
      })
    )
    return Effect.all([state, history, events], { concurrency: 3, discard: true })
  }

  const stop = (): void => {
    const end = close
    close = undefined
    end?.()
  }
  const open = (): void => {
    stop()
    if (Effect.runSync(Deferred.isDone(opened))) opened = Deferred.unsafeMake(FiberId.none)
    update({ connection: { status: "connecting" } })
    const end = client.fork(Effect.scoped(Effect.flatMap(opening, listen)), (exit) => {
      if (close !== end) return
      close = undefined
      if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
        const error = errorOf(exit.cause)
        Deferred.unsafeDone(opened, Effect.fail(error))
        update({ connection: { status: "failed", error } })
      } else if (getState().connection.status !== "failed") update({ connection: { status: "closed" } })
    })
    close = end
  }
  const reopen = (): void => {
    const { status } = getState().connection
    if (store.isMounted && (status === "failed" || status === "closed")) open()
  }
  /** Nothing that was received or written is the next user's. */
  const changeUser = (isSame: boolean): void => {
    if (!isSame) update({ messages: [], outgoing: [] })
    open()
  }
  store.onMount = () => {
    const ignore = reconnect(() => getState().connection.status === "failed" && reopen())
    onUserChange.add(changeUser)
    open()
    return () => {
      ignore()
      onUserChange.delete(changeUser)
      stop()
      update({ connection: { status: "connecting" }, messages: [] })
    }
  }

  const replace = (clientId: string, ...by: ReadonlyArray<Outgoing>): void =>
    update({
      outgoing: getState().outgoing.flatMap((message) => (message.clientId === clientId ? by : [message]))
    })
  const post = (sending: Outgoing): void => {
    const { clientId, message } = sending
    const source = Effect.suspend(() => (close === undefined ? closed(clientId) : Deferred.await(opened)))
    const sent = Effect.flatMap(source, (chat) => chat.send(identified(message, clientId)))
    client.fork(sent, (exit) => {
      if (Exit.isFailure(exit)) {
        const error = Cause.isInterruptedOnly(exit.cause) ? closed(clientId) : errorOf(exit.cause)
        return replace(clientId, { ...sending, status: "failed", error })
      }
      const { message } = exit.value
      // Without an id, the message could not be recognised in its echo.
      if (message === undefined || idOf(message) === undefined)
        return replace(clientId, { ...sending, status: "sent" })
      replace(clientId)
      const { messages } = getState()
      // What was received since is newer than the answer.
      if (byKey(messages).has(keyOf(message))) return
      show([...messages, message])
      tell([{ _tag: "Message", message }])
    })
  }
  const makeId = Effect.runSync(makeIds)
  const send = (message: Sendable): string => {
    // An untyped program may pass nothing.
    if (Object(message) !== message)
      throw new InputError({ operation: "chat.send", field: "message", rule: "must be an object" })
    const at = new Date()
    // Of a message that goes through `Input.raw`, whoever wrote it knows what its fields hold.
    const draft = fieldsOf(message) as Partial<Draft>
    const clientId = draft.clientId ?? makeId(at.getTime())
    const sending = { clientId, draft, message, at, status: "pending", error: undefined } as const
    const others = getState().outgoing.filter((message) => message.clientId !== clientId)
    update({ outgoing: [...others, sending] })
    post(sending)
    return clientId
  }
  const failed = (clientId: string): Outgoing | undefined =>
    getState().outgoing.find((message) => message.clientId === clientId && message.status === "failed")
  const retry = (clientId: string): void => {
    const message = failed(clientId)
    if (message === undefined) return
    const sending = { ...message, status: "pending", error: undefined } as const
    replace(clientId, sending)
    post(sending)
  }
  const discard = (clientId: string): void => {
    if (failed(clientId) !== undefined) replace(clientId)
  }
  return { store, listeners, send, retry, discard, reopen }
}

export const makeChatStore = <R, E>(
  states: Rx.Rx<ClientState<R, E>>,
  open: Effect.Effect<ChatSource, E, R | Scope.Scope>,
  { keep = 1_000 }: ChatStoreOptions = {}
): ChatStore<ChatStoreError<E>> => {
  const stores = service((registry) => {
    const created = makeStore(registry.get(states), open, keep)
    const inspection = registry.get(inspections)
    inspection.chats.add(created)
    created.store.onChange = () => inspection.onChat?.(created)
    return created
  })
  const store = fromStore<ChatState<ChatStoreError<E>>, Sendable>(
    (registry) => registry.get(stores).store,
    (registry, draft) => registry.get(stores).send(draft)
  )
  return Object.assign(store, {
    [ListenersId]: (registry: Registry) => registry.get(stores).listeners,
    actions: (registry: Registry): ChatActions => ({
      send: (draft) => registry.get(stores).send(draft),
      retry: (clientId) => registry.get(stores).retry(clientId),
      discard: (clientId) => registry.get(stores).discard(clientId),
      reopen: () => registry.get(stores).reopen()
    })
  })
}
