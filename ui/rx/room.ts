/** One chat in one registry: opened while it is looked at, and the account of what goes in and out. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ChatError } from "../../core/chat/errors.js"
import { idOf } from "../../core/chat/identity.js"
import type { ChatEvent, Draft } from "../../core/chat/model.js"
import { Board } from "./board.js"
import type { ChatSource, ChatState, ChatStoreError, Connection, OutgoingMessage } from "./live.js"
import type { Signal } from "./signals.js"
import type { Store } from "./store.js"
import { Transcript } from "./transcript.js"

const closed = (clientId: string): ChatError =>
  new ChatError({ operation: "chat.send", reason: "Closed", clientId, detail: "the chat is not open" })

const word = /*#__PURE__*/ Random.nextIntBetween(0, 2 ** 32)
const newId = (time: number): string => {
  const words = Effect.runSync(Effect.all([word, word, word]))
  return `${time.toString(36)}-${words.map((bits) => bits.toString(16).padStart(8, "0")).join("")}`
}

export class Room<R, E, LE> {
  readonly board: Board<ChatState<ChatStoreError<E | LE>>>
  private readonly transcript: Transcript
  private connection: Connection<ChatStoreError<E | LE>> = { status: "connecting" }
  private outgoing: ReadonlyArray<OutgoingMessage<ChatStoreError<E | LE>>> = []
  private line: ChatSource | undefined
  /** The listening under way. */
  private call: { stop: () => void } | undefined
  private deaf: (() => void) | undefined
  /** Waits for the line, in the order of sending. */
  private waiting: Array<(line: Effect.Effect<ChatSource, ChatStoreError<E | LE>>) => void> = []

  /** The registry's store at the time: a registry that was reset has another one. */
  private store: Store<R, LE>

  constructor(
    private readonly storeOf: () => Store<R, LE>,
    private readonly reconnect: Signal,
    private readonly opening: Effect.Effect<ChatSource, E, R | Scope.Scope>,
    keep: number
  ) {
    this.store = storeOf()
    this.transcript = new Transcript(keep)
    this.board = new Board(
      this.state(),
      () => this.enter(),
      () => this.leave()
    )
  }

  private state(): ChatState<ChatStoreError<E | LE>> {
    const { connection, outgoing, transcript } = this
    return { connection, messages: transcript.messages, outgoing }
  }

  private publish(): void {
    this.board.set(this.state())
  }

  private enter(): void {
    this.store = this.storeOf()
    this.deaf = this.reconnect(() => {
      if (this.connection.status === "failed") this.reopen()
    })
    this.store.onChange.add(this.change)
    this.open()
  }

  private leave(): void {
    this.deaf?.()
    this.store.onChange.delete(this.change)
    this.hangUp()
    this.connection = { status: "connecting" }
    this.transcript.clear()
    this.publish()
  }

  /** Somebody else is signed in: nothing of what was said or written is theirs. */
  private readonly change = (): void => {
    this.transcript.clear()
    this.outgoing = []
    this.open()
  }

  /** Opens a chat anew that was closed or has failed; what was said stays. */
  reopen(): void {
    const { status } = this.connection
    if (this.board.isObserved && (status === "failed" || status === "closed")) this.open()
  }

  private hangUp(): void {
    const { call } = this
    this.call = undefined
    this.line = undefined
    call?.stop()
  }

  private open(): void {
    this.hangUp()
    const call = { stop: (): void => undefined }
    this.call = call
    this.connection = { status: "connecting" }
    this.publish()
    call.stop = this.store.client.fork(this.listen(), (exit) => {
      if (this.call === call) this.ended(exit)
    })
  }

  /** Opens the line and hears everything on it, until it ends. */
  private listen(): Effect.Effect<void, E | ChatError, R> {
    const hear = Effect.flatMap(this.opening, (line) => {
      this.line = line
      for (const resume of this.waiting.splice(0)) resume(Effect.succeed(line))
      const tell =
        <A>(take: (heard: A) => void) =>
        (heard: A) =>
          Effect.sync(() => {
            take(heard)
            this.publish()
          })
      const state = Stream.runForEach(
        line.state.changes,
        tell((next) => {
          this.connection = next
        })
      )
      const history = Stream.runForEach(
        line.history,
        tell((messages) => this.transcript.prepend(messages))
      )
      const events = Stream.runForEachChunk(
        line.events,
        tell((heard) => this.hear([...heard]))
      )
      return Effect.all([state, history, events], { concurrency: 3, discard: true })
    })
    return Effect.scoped(hear)
  }

  private hear(events: ReadonlyArray<ChatEvent>): void {
    this.transcript.take(events)
    const told = new Set(events.map(({ message }) => message.clientId))
    if (this.outgoing.some(({ clientId }) => told.has(clientId)))
      this.outgoing = this.outgoing.filter(({ clientId }) => !told.has(clientId))
  }

  private ended(exit: Exit.Exit<void, ChatStoreError<E | LE>>): void {
    this.call = undefined
    this.line = undefined
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      const error = errorOf(exit.cause)
      this.connection = { status: "failed", error }
      for (const resume of this.waiting.splice(0)) resume(Effect.fail(error))
    } else if (this.connection.status !== "failed") this.connection = { status: "closed" }
    this.publish()
  }

  /** Sends a draft, and answers the id under which it is shown. */
  send(draft: Draft): string {
    const time = this.store.client.now()
    const clientId = draft.clientId ?? newId(time)
    const outgoing = { clientId, draft, at: new Date(time), status: "pending", error: undefined } as const
    this.outgoing = [...this.outgoing.filter((other) => other.clientId !== clientId), outgoing]
    this.publish()
    this.post(outgoing)
    return clientId
  }

  /** Sends a message that failed again. */
  retry(clientId: string): void {
    const failed = this.outgoing.find((other) => other.clientId === clientId && other.status === "failed")
    if (failed === undefined) return
    this.mark(clientId, { status: "pending", error: undefined })
    this.post(failed)
  }

  /** Forgets a message that failed. */
  discard(clientId: string): void {
    this.outgoing = this.outgoing.filter((other) => other.clientId !== clientId || other.status !== "failed")
    this.publish()
  }

  private mark(
    clientId: string,
    change: Pick<OutgoingMessage<ChatStoreError<E | LE>>, "status" | "error">
  ): void {
    this.outgoing = this.outgoing.map((other) =>
      other.clientId === clientId ? { ...other, ...change } : other
    )
    this.publish()
  }

  /** The line, once it is open. */
  private ready(clientId: string): Effect.Effect<ChatSource, ChatStoreError<E | LE>> {
    return Effect.async((resume) => {
      if (this.line !== undefined) return resume(Effect.succeed(this.line))
      if (this.call === undefined) return resume(Effect.fail(closed(clientId)))
      this.waiting.push(resume)
      return Effect.sync(() => {
        this.waiting = this.waiting.filter((other) => other !== resume)
      })
    })
  }

  private post({ clientId, draft }: OutgoingMessage<unknown>): void {
    const sending = Effect.flatMap(this.ready(clientId), (line) => line.send({ ...draft, clientId }))
    this.store.client.fork(sending, (exit) => {
      if (Exit.isFailure(exit)) {
        const isOver = Cause.isInterruptedOnly(exit.cause)
        this.mark(clientId, { status: "failed", error: isOver ? closed(clientId) : errorOf(exit.cause) })
        return
      }
      const { message } = exit.value
      // Without an id, the message could not be told from its echo.
      if (message === undefined || idOf(message) === undefined)
        this.mark(clientId, { status: "sent", error: undefined })
      else {
        this.transcript.acknowledge(message)
        this.outgoing = this.outgoing.filter((other) => other.clientId !== clientId)
        this.publish()
      }
    })
  }
}

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
