/** A chat as a component sees it: its connection, what was said, and what is on its way out or failed to get there. */
import type { Rx } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chat } from "../../core/chat/chat.js"
import { ChatError, type SendError } from "../../core/chat/errors.js"
import { idOf, nameOf } from "../../core/chat/identity.js"
import type { ChatEvent, Draft, Message } from "../../core/chat/model.js"
import type { State } from "../../core/chat/state.js"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import type { ClientState } from "./client.js"
import type { Signal } from "./query-cache.js"
import { type Registry, Subject, service, showing } from "./registry.js"

/** What a chat store needs of a chat. @category models */
export type ChatSource = Pick<Chat, "events" | "history" | "state" | "send">

/** A message on its way out. @category models */
export interface OutgoingMessage<out E> {
  readonly clientId: string
  readonly draft: Draft
  /** When it was written. */
  readonly at: Date
  /** `sent`: the platform said yes, and has not told the message yet. `failed`: see `error`; it can be sent again. */
  readonly status: "pending" | "sent" | "failed"
  readonly error: E | undefined
}

/**
 * Whether there is a connection; `failed` with the reason where it was given up or could not be opened.
 * @category models
 */
export type Connection<E> =
  | Exclude<State, { readonly status: "failed" }>
  | { readonly status: "failed"; readonly error: E }

/** The state of a chat. @category models */
export interface ChatState<out E> {
  readonly connection: Connection<E>
  /**
   * Each message once, with its newest content, in the order in which they were told, what the platform sent as history
   * first.
   */
  readonly messages: ReadonlyArray<Message>
  readonly outgoing: ReadonlyArray<OutgoingMessage<E>>
}

/** The options of a chat store. @category models */
export interface ChatStoreOptions {
  /** Most messages that are held; the oldest go first. 1,000 where it is left out. */
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
  /** Opens a chat anew that was closed or has failed. */
  readonly reopen: () => void
}

/**
 * A chat as a value, open while it is observed: a message to it (`registry.set(chat, draft)`) sends a draft.
 * @category models
 */
export interface ChatStore<out E> extends Rx.Writable<ChatState<E>, Draft> {
  readonly actions: (registry: Registry) => ChatActions
}

/** Everything that a chat store can show as an error. @category errors */
export type ChatStoreError<E> = E | ChatError | SendError | CredentialsError

/** Where each message is that has a name. */
const placesOf = (held: ReadonlyArray<Message>): Map<string | undefined, number> => {
  const places = new Map(held.map((message, place) => [nameOf(message), place]))
  places.delete(undefined)
  return places
}

/** What was just told, after what is held. An update of a message that is held no more is left out. */
const receive = (
  before: ReadonlyArray<Message>,
  events: ReadonlyArray<ChatEvent>
): ReadonlyArray<Message> => {
  const held = [...before]
  const places = placesOf(held)
  for (const { _tag, message } of events) {
    const name = nameOf(message)
    const place = places.get(name)
    if (place !== undefined) held[place] = message
    else if (_tag === "Message") {
      held.push(message)
      if (name !== undefined) places.set(name, held.length - 1)
    }
  }
  return held
}

/** What was told before, in front of what is held. */
const recall = (before: ReadonlyArray<Message>, history: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const held = [...before]
  const places = placesOf(held)
  const older = history.filter((message) => {
    const place = places.get(nameOf(message))
    if (place !== undefined) held[place] = message
    return place === undefined
  })
  return [...older, ...held]
}

const closed = (clientId: string): ChatError =>
  new ChatError({ operation: "chat.send", reason: "Closed", clientId, detail: "the chat is not open" })

const errorOf = <E>(cause: Cause.Cause<E>): E | ChatError =>
  Option.getOrElse(
    Cause.failureOption(cause),
    () =>
      new ChatError({
        operation: "chat.open",
        reason: "Closed",
        detail: "an unexpected fault ended the chat",
        cause: Cause.squash(cause)
      })
  )

const word = /*#__PURE__*/ Random.nextIntBetween(0, 2 ** 32)
const newId = (time: number): string => {
  const words = Effect.runSync(Effect.all([word, word, word]))
  return `${time.toString(36)}-${words.map((bits) => bits.toString(16).padStart(8, "0")).join("")}`
}

/** One chat in one registry. */
class ChatService<R, E, LE> extends Subject<ChatState<ChatStoreError<E | LE>>> {
  /** The listening under way. */
  private listening: { stop: () => void } | undefined
  private silence: (() => void) | undefined
  /** The chat once it is open, or why it could not be opened: what was written before waits for it. */
  private source = Deferred.unsafeMake<ChatSource, ChatStoreError<E | LE>>(FiberId.none)

  constructor(
    private readonly clientState: ClientState<R, LE>,
    private readonly reconnect: Signal,
    private readonly opening: Effect.Effect<ChatSource, E, R | Scope.Scope>,
    private readonly keep: number
  ) {
    super({ connection: { status: "connecting" }, messages: [], outgoing: [] })
  }

  private update(change: Partial<ChatState<ChatStoreError<E | LE>>>): void {
    this.set({ ...this.state(), ...change })
  }

  private hold(messages: ReadonlyArray<Message>, outgoing = this.state().outgoing): void {
    this.update({ messages: messages.slice(Math.max(0, messages.length - this.keep)), outgoing })
  }

  protected onObserve(): void {
    this.silence = this.reconnect(() => {
      if (this.state().connection.status === "failed") this.reopen()
    })
    this.clientState.onUserChange.add(this.onUserChange)
    this.open()
  }

  protected override onRelease(): void {
    this.silence?.()
    this.clientState.onUserChange.delete(this.onUserChange)
    this.hangUp()
    this.update({ connection: { status: "connecting" }, messages: [] })
  }

  /** Nothing of what was said or written is the next user's. */
  private readonly onUserChange = (): void => {
    this.update({ messages: [], outgoing: [] })
    this.open()
  }

  reopen(): void {
    const { status } = this.state().connection
    if (this.isObserved && (status === "failed" || status === "closed")) this.open()
  }

  private hangUp(): void {
    const { listening } = this
    this.listening = undefined
    listening?.stop()
  }

  private open(): void {
    this.hangUp()
    if (Effect.runSync(Deferred.isDone(this.source))) this.source = Deferred.unsafeMake(FiberId.none)
    const listening = { stop: (): void => undefined }
    this.listening = listening
    this.update({ connection: { status: "connecting" } })
    listening.stop = this.clientState.client.fork(this.listen(), (exit) => {
      if (this.listening === listening) this.onEnd(exit)
    })
  }

  /** Opens the chat and hears everything in it, until it ends. */
  private listen(): Effect.Effect<void, E | ChatError, R> {
    const hear = Effect.flatMap(this.opening, (source) => {
      Deferred.unsafeDone(this.source, Effect.succeed(source))
      const state = Stream.runForEach(source.state.changes, (connection) =>
        Effect.sync(() => this.update({ connection }))
      )
      const history = Stream.runForEach(source.history, (messages) =>
        Effect.sync(() => this.hold(recall(this.state().messages, messages)))
      )
      const events = Stream.runForEachChunk(source.events, (heard) =>
        Effect.sync(() => this.hear([...heard]))
      )
      return Effect.all([state, history, events], { concurrency: 3, discard: true })
    })
    return Effect.scoped(hear)
  }

  private hear(events: ReadonlyArray<ChatEvent>): void {
    const told = new Set(events.map(({ message }) => message.clientId))
    const { messages, outgoing } = this.state()
    const left = outgoing.filter(({ clientId }) => !told.has(clientId))
    this.hold(receive(messages, events), left)
  }

  private onEnd(exit: Exit.Exit<void, ChatStoreError<E | LE>>): void {
    this.listening = undefined
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      const error = errorOf(exit.cause)
      Deferred.unsafeDone(this.source, Effect.fail(error))
      this.update({ connection: { status: "failed", error } })
    } else if (this.state().connection.status !== "failed") this.update({ connection: { status: "closed" } })
  }

  send(draft: Draft): string {
    const time = this.clientState.client.now()
    const clientId = draft.clientId ?? newId(time)
    const sending = { clientId, draft, at: new Date(time), status: "pending", error: undefined } as const
    const others = this.state().outgoing.filter((other) => other.clientId !== clientId)
    this.update({ outgoing: [...others, sending] })
    this.post(sending)
    return clientId
  }

  retry(clientId: string): void {
    const failed = this.failed(clientId)
    if (failed === undefined) return
    const again = { ...failed, status: "pending", error: undefined } as const
    this.replace(clientId, again)
    this.post(again)
  }

  discard(clientId: string): void {
    if (this.failed(clientId) !== undefined) this.replace(clientId)
  }

  private failed(clientId: string): OutgoingMessage<ChatStoreError<E | LE>> | undefined {
    return this.state().outgoing.find((other) => other.clientId === clientId && other.status === "failed")
  }

  private replace(clientId: string, ...by: ReadonlyArray<OutgoingMessage<ChatStoreError<E | LE>>>): void {
    const { outgoing } = this.state()
    this.update({ outgoing: outgoing.flatMap((other) => (other.clientId === clientId ? by : [other])) })
  }

  private post(sending: OutgoingMessage<ChatStoreError<E | LE>>): void {
    const { clientId, draft } = sending
    const opened = Effect.suspend(() =>
      this.listening === undefined ? closed(clientId) : Deferred.await(this.source)
    )
    const sent = Effect.flatMap(opened, (source) => source.send({ ...draft, clientId }))
    this.clientState.client.fork(sent, (exit) => {
      if (Exit.isFailure(exit)) {
        const error = Cause.isInterruptedOnly(exit.cause) ? closed(clientId) : errorOf(exit.cause)
        return this.replace(clientId, { ...sending, status: "failed", error })
      }
      const { message } = exit.value
      // Without an id, the message could not be told from its echo.
      if (message === undefined || idOf(message) === undefined)
        return this.replace(clientId, { ...sending, status: "sent" })
      this.replace(clientId)
      const { messages } = this.state()
      // What was told since is newer than the answer.
      if (!placesOf(messages).has(nameOf(message))) this.hold([...messages, message])
    })
  }
}

export const makeChatStore = <R, E, LE>(
  states: Rx.Rx<ClientState<R, LE>>,
  reconnect: Signal,
  open: Effect.Effect<ChatSource, E, R | Scope.Scope>,
  { keep = 1_000 }: ChatStoreOptions
): ChatStore<ChatStoreError<E | LE>> => {
  const services = service((registry) => new ChatService(registry.get(states), reconnect, open, keep))
  const store = showing<ChatState<ChatStoreError<E | LE>>, Draft>(
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
