/** A chat as a component sees it: its connection, its messages, and what is on its way out or failed to be sent. */
import type { Rx } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chat } from "../../core/chat/chat.js"
import { ChatError, type SendError } from "../../core/chat/errors.js"
import { idOf, makeId, nameOf } from "../../core/chat/identity.js"
import type { ChatEvent, Draft, Message } from "../../core/chat/model.js"
import type { State } from "../../core/chat/state.js"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import type { ClientState } from "./client.js"
import type { Signal } from "./query-cache.js"
import { fromStore, type Registry, Store, service } from "./registry.js"

/** What a chat store needs of a chat. @category models */
export type ChatSource = Pick<Chat, "events" | "history" | "state" | "send">

/** A message on its way out. @category models */
export interface OutgoingMessage<out E> {
  readonly clientId: string
  readonly draft: Draft
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
  /** Sends a draft: it is shown as pending at once, and its id is answered. */
  readonly send: (draft: Draft) => string
  /** Sends a message that failed again, under the same id. */
  readonly retry: (clientId: string) => void
  /** Forgets a message that failed. */
  readonly discard: (clientId: string) => void
  /** Opens a chat again that was closed or has failed. */
  readonly reopen: () => void
}

/** A chat, open while it is observed: `registry.set(chat, draft)` sends a draft. @category models */
export interface ChatStore<out E> extends Rx.Writable<ChatState<E>, Draft> {
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

/** One chat in one registry. */
class ChatService<R, E> extends Store<ChatState<ChatStoreError<E>>> implements ChatActions {
  /** Closes the chat, while it is open or being opened. */
  private close: (() => void) | undefined
  /** The chat once it is open, or why it could not be opened: what was written before waits for it. */
  private source = Deferred.unsafeMake<ChatSource, ChatStoreError<E>>(FiberId.none)

  constructor(
    private readonly clientState: ClientState<R, E>,
    private readonly reconnect: Signal,
    private readonly opening: Effect.Effect<ChatSource, E, R | Scope.Scope>,
    private readonly keep: number
  ) {
    super({ connection: { status: "connecting" }, messages: [], outgoing: [] })
  }

  private update(change: Partial<ChatState<ChatStoreError<E>>>): void {
    this.set({ ...this.state, ...change })
  }

  private show(messages: ReadonlyArray<Message>, outgoing = this.state.outgoing): void {
    this.update({ messages: messages.slice(Math.max(0, messages.length - this.keep)), outgoing })
  }

  override onMount(): () => void {
    const ignore = this.reconnect(() => this.state.connection.status === "failed" && this.reopen())
    this.clientState.onUserChange.add(this.onUserChange)
    this.open()
    return () => {
      ignore()
      this.clientState.onUserChange.delete(this.onUserChange)
      this.stop()
      this.update({ connection: { status: "connecting" }, messages: [] })
    }
  }

  /** Nothing that was received or written is the next user's. */
  private readonly onUserChange = (): void => {
    this.update({ messages: [], outgoing: [] })
    this.open()
  }

  readonly reopen = (): void => {
    const { status } = this.state.connection
    if (this.isMounted && (status === "failed" || status === "closed")) this.open()
  }

  private stop(): void {
    const { close } = this
    this.close = undefined
    close?.()
  }

  private open(): void {
    this.stop()
    if (Effect.runSync(Deferred.isDone(this.source))) this.source = Deferred.unsafeMake(FiberId.none)
    this.update({ connection: { status: "connecting" } })
    const listening = Effect.scoped(Effect.flatMap(this.opening, (source) => this.listen(source)))
    const close = this.clientState.client.fork(listening, (exit) => {
      if (this.close === close) this.onEnd(exit)
    })
    this.close = close
  }

  /** Shows everything that happens in the chat, until it ends. */
  private listen(source: ChatSource): Effect.Effect<void, ChatError> {
    Deferred.unsafeDone(this.source, Effect.succeed(source))
    const state = Stream.runForEach(source.state.changes, (connection) =>
      Effect.sync(() => this.update({ connection }))
    )
    const history = Stream.runForEach(source.history, (messages) =>
      Effect.sync(() => this.show(recall(this.state.messages, messages)))
    )
    const events = Stream.runForEachChunk(source.events, (chunk) =>
      Effect.sync(() => this.receive([...chunk]))
    )
    return Effect.all([state, history, events], { concurrency: 3, discard: true })
  }

  private receive(events: ReadonlyArray<ChatEvent>): void {
    const received = new Set(events.map(({ message }) => message.clientId))
    const { messages, outgoing } = this.state
    this.show(
      receive(messages, events),
      outgoing.filter(({ clientId }) => !received.has(clientId))
    )
  }

  private onEnd(exit: Exit.Exit<void, ChatStoreError<E>>): void {
    this.close = undefined
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      const error = errorOf(exit.cause)
      Deferred.unsafeDone(this.source, Effect.fail(error))
      this.update({ connection: { status: "failed", error } })
    } else if (this.state.connection.status !== "failed") this.update({ connection: { status: "closed" } })
  }

  readonly send = (draft: Draft): string => {
    const clientId = draft.clientId ?? Effect.runSync(makeId)
    const sending = { clientId, draft, at: new Date(), status: "pending", error: undefined } as const
    const others = this.state.outgoing.filter((other) => other.clientId !== clientId)
    this.update({ outgoing: [...others, sending] })
    this.post(sending)
    return clientId
  }

  readonly retry = (clientId: string): void => {
    for (const failed of this.failed(clientId)) {
      const sending = { ...failed, status: "pending", error: undefined } as const
      this.replace(clientId, sending)
      this.post(sending)
    }
  }

  readonly discard = (clientId: string): void => {
    if (this.failed(clientId).length > 0) this.replace(clientId)
  }

  private failed(clientId: string): ReadonlyArray<OutgoingMessage<ChatStoreError<E>>> {
    return this.state.outgoing.filter((other) => other.clientId === clientId && other.status === "failed")
  }

  private replace(clientId: string, ...by: ReadonlyArray<OutgoingMessage<ChatStoreError<E>>>): void {
    const { outgoing } = this.state
    this.update({ outgoing: outgoing.flatMap((other) => (other.clientId === clientId ? by : [other])) })
  }

  private post(sending: OutgoingMessage<ChatStoreError<E>>): void {
    const { clientId, draft } = sending
    const opened = Effect.suspend(() =>
      this.close === undefined ? closed(clientId) : Deferred.await(this.source)
    )
    const sent = Effect.flatMap(opened, (source) => source.send({ ...draft, clientId }))
    this.clientState.client.fork(sent, (exit) => {
      if (Exit.isFailure(exit)) {
        const error = Cause.isInterruptedOnly(exit.cause) ? closed(clientId) : errorOf(exit.cause)
        return this.replace(clientId, { ...sending, status: "failed", error })
      }
      const { message } = exit.value
      // Without an id, the message could not be recognised in its echo.
      if (message === undefined || idOf(message) === undefined)
        return this.replace(clientId, { ...sending, status: "sent" })
      this.replace(clientId)
      const { messages } = this.state
      // What was received since is newer than the answer.
      if (!byKey(messages).has(keyOf(message))) this.show([...messages, message])
    })
  }
}

export const makeChatStore = <R, E>(
  states: Rx.Rx<ClientState<R, E>>,
  reconnect: Signal,
  open: Effect.Effect<ChatSource, E, R | Scope.Scope>,
  { keep = 1_000 }: ChatStoreOptions = {}
): ChatStore<ChatStoreError<E>> => {
  const services = service((registry) => new ChatService(registry.get(states), reconnect, open, keep))
  const store = fromStore<ChatState<ChatStoreError<E>>, Draft>(
    (registry) => registry.get(services),
    (registry, draft) => registry.get(services).send(draft)
  )
  return Object.assign(store, {
    actions: (registry: Registry): ChatActions => ({
      send: (draft) => registry.get(services).send(draft),
      retry: (clientId) => registry.get(services).retry(clientId),
      discard: (clientId) => registry.get(services).discard(clientId),
      reopen: () => registry.get(services).reopen()
    })
  })
}
