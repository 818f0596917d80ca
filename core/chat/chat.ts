/**
 * The chat: opens the socket, waits until it is connected, relays incoming messages and sends outgoing ones
 * (specification, points 4 and 7), and does so across lost connections.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Subscribable from "effect/Subscribable"
import type * as Drift from "../kernel/codec/drift.js"
import type { Credentials, CredentialsProvider } from "../kernel/dispatch/credentials.js"
import type { ChatDialect } from "../kernel/dispatch/dialect.js"
import { Deadlines, type StartFiber } from "../kernel/dispatch/lifetime/deadlines.js"
import { ObservableValue } from "../kernel/dispatch/observable-value.js"
import { streamed } from "../kernel/dispatch/streaming.js"
import type { InputError } from "../kernel/errors/errors.js"
import { mask } from "../kernel/redaction/mask.js"
import { type Address, ChatSocket, type Handshake, type Trouble } from "../ports/chat-socket.js"
import * as Connection from "./connection.js"
import * as Decoding from "./decoding.js"
import { ChatError } from "./errors.js"
import { makeIds } from "./identity.js"
import { Inbox } from "./inbox.js"
import type { ChatEvent, Message } from "./model.js"
import { type Launch, Outbox, type Send } from "./outbox.js"
import * as Policy from "./policy.js"
import * as Recovery from "./recovery.js"
import { type Figures, isOver, type Listeners, type State, zero } from "./state.js"

/** What a chat needs. */
export interface Options extends Listeners {
  readonly address: Address
  /** The source of credentials; used before every attempt to connect. */
  readonly credentialsProvider: Pick<CredentialsProvider, "getCredentials" | "renew" | "accepted" | "secrets">
  /** Registers the closing of the chat with its session; returns a function that removes it. */
  readonly onEnd?: (close: () => Effect.Effect<void>) => () => void
  /** Starts a fiber from code without one, like the client. */
  readonly start: StartFiber
  /** The handshake of an attempt to connect. */
  readonly handshake: (credentials: Credentials) => Handshake
  /** How the platform's messages are read and written, where that is not as the SDK does. */
  readonly dialect?: Pick<ChatDialect, "read" | "write" | "historyIn" | "refusalIn"> | undefined
  /** The source of missed messages. Without it, a gap is closed only from the server's own history. */
  readonly history?: Recovery.History
  /** Conversations whose gaps are closed even before the chat has received anything of them. */
  readonly conversations?: ReadonlyArray<string>
  /** Reports mismatches with the declaration that are tolerated, as `chat.message` and `chat.history`; these are delivered as received. */
  readonly drift?: Drift.Reporter
  /**
   * Whether all mismatches are tolerated; with `drift` by default. Otherwise those of assumed fields alone are: messages with others are
   * omitted and reported as `Malformed`.
   */
  readonly isTolerant?: boolean
  readonly policy?: Policy.PolicyInput
}

/** An open chat. It closes with the scope that it was opened in. */
export interface Chat {
  /**
   * Every message, once, in the order of its conversation, also those that this client sends: a program that answers
   * messages leaves out its own (`sender.kind` is `"admin"`), or it answers itself. Each run of the stream has its own buffer from its start on;
   * messages from before the first run are buffered for it, unless there is an `onMessage`; with an `onUpdate`, the
   * newest of them. Ends when the chat is closed, and fails with ChatError when it fails.
   */
  readonly messages: Stream.Stream<Message, ChatError>
  /**
   * Messages that were delivered before, by `messages` or `history`, and have changed since: an edit, a seen flag. Each
   * is the whole current message. A run of the stream gets the updates from its start on. At least the last 20,000
   * messages are remembered, or twice the buffer; a change of an older one arrives as a message.
   */
  readonly updates: Stream.Stream<Message, ChatError>
  /** Messages and updates in one stream, in order of delivery. It begins like `messages`. */
  readonly events: Stream.Stream<ChatEvent, ChatError>
  /** The platform's history on the first connection, oldest first. */
  readonly history: Stream.Stream<ReadonlyArray<Message>, ChatError>
  /** The present state, and its changes as a stream that begins with it and ends with the chat. */
  readonly state: Subscribable.Subscribable<State>
  /**
   * Sends a message, and succeeds once the platform has acknowledged it, echoed it, or holds it in its history. Without
   * a connection, it is sent with the next one. Fails with InputError, with ChatError `Overflow` (nothing was sent),
   * `Timeout` (nothing was sent), `Rejected` (the platform refused it) or `Closed`, and with OutcomeUnknown if the
   * message was on the wire and no answer came. Interrupted, it is not sent (again). `Input.raw` passes a message with
   * other fields.
   */
  readonly send: Send
  /** `send` for callers without a fiber, on the clock that the chat was opened on. */
  readonly launch: Launch
  /** The counts so far. */
  readonly figures: Effect.Effect<Readonly<Figures>>
  /** Closes the chat before its scope does. */
  readonly close: Effect.Effect<void>
}

/** Reports drift from code without a fiber. */
const reporting =
  (
    drift: Drift.Reporter,
    credentialsProvider: Pick<CredentialsProvider, "secrets">,
    start: (report: Effect.Effect<void>) => void
  ): Decoding.OnMismatch =>
  (operation, mismatch) => {
    // A path may hold the server's own keys.
    const path = mask(mismatch.path, credentialsProvider.secrets())
    const newDrift = drift.note(operation, { ...mismatch, path })
    if (newDrift !== undefined) start(drift.report([newDrift]))
  }

const closed = (): ChatError =>
  new ChatError({ operation: "chat.open", reason: "Closed", detail: "the chat was closed" })

/** Starts the chat's parts in the present scope, and waits for the first connection. */
const start = (
  options: Options,
  close: Effect.Effect<void>
): Effect.Effect<Chat, ChatError | InputError, ChatSocket | Scope.Scope> =>
  Effect.gen(function* () {
    const socket = yield* ChatSocket
    const policy = yield* Policy.read(options.policy, options.history !== undefined)
    const clock = yield* Effect.clock
    const opened = new Date(clock.unsafeCurrentTimeMillis())
    const { address, credentialsProvider, conversations = [], dialect, drift, handshake, history } = options
    const { isTolerant = drift !== undefined } = options
    const figures = zero()
    const deadlines = new Deadlines(options.start)
    const settings = yield* Effect.getFiberRefs
    const running = new Set<Fiber.RuntimeFiber<void>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))
    /** Under the settings of the present fiber, until the scope ends. */
    const startScoped = (effect: Effect.Effect<void>) => {
      const fiber = options.start(Effect.zipRight(Effect.setFiberRefs(settings), effect))
      running.add(fiber)
      fiber.addObserver(() => running.delete(fiber))
    }
    const reader = Decoding.make(
      drift === undefined ? () => undefined : reporting(drift, credentialsProvider, startScoped),
      isTolerant,
      dialect
    )
    const inbox: Inbox = new Inbox(
      policy,
      options,
      figures,
      reader,
      opened,
      (message) => outbox.settle(message),
      startScoped
    )
    const outbox = new Outbox(
      policy,
      figures,
      credentialsProvider,
      reader,
      deadlines,
      yield* makeIds,
      (conversationId, time) => inbox.known.note(conversationId, time),
      dialect?.write
    )
    const recover = Recovery.make({ policy, inbox, figures, history, conversations, opened })
    const state = new ObservableValue<State>({ status: "connecting" })
    const ready = yield* Deferred.make<void, ChatError>()
    let trouble: Trouble | undefined

    const publish = (next: State): Effect.Effect<void> =>
      Effect.sync(() => {
        state.set(next)
        if (next.status === "connected") Deferred.unsafeDone(ready, Effect.void)
      })
    const finish = (error: ChatError, last: State, exit: Exit.Exit<void, ChatError>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (outbox.isClosed) return Effect.void
        outbox.close(error)
        inbox.close(exit)
        deadlines.rest()
        return Effect.zipRight(publish(last), Deferred.fail(ready, error))
      })
    const fail = (error: ChatError) => finish(error, { status: "failed", error }, Exit.fail(error))

    yield* Effect.addFinalizer(() => finish(closed(), { status: "closed" }, Exit.void))
    const parts = {
      socket,
      address,
      credentialsProvider,
      handshake,
      policy,
      inbox,
      outbox,
      figures,
      recover,
      publish,
      onTrouble: (latest: Trouble) => {
        trouble = latest
      }
    }
    // Interruptible and with a deadline even if the caller is not, such as a layer.
    const connecting = Effect.catchAllCause(Connection.run(parts), (cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.void : fail(failureOf(cause))
    )
    yield* Effect.forkScoped(Effect.interruptible(connecting))
    const forget = deadlines.after(clock, policy.deadline, () =>
      Deferred.unsafeDone(ready, Effect.fail(late(policy.deadline, trouble)))
    )
    yield* Effect.ensuring(Deferred.await(ready), Effect.sync(forget))
    const only = (tag: ChatEvent["_tag"], isLate: boolean): Stream.Stream<Message, ChatError> =>
      Stream.map(streamed(inbox.events.open(tag, isLate)), ({ message }) => message)
    return {
      messages: only("Message", false),
      // Updates from before the first reader go only to readers of all events.
      updates: only("Update", true),
      events: streamed(inbox.events.open()),
      history: streamed(inbox.history.open()),
      state: Subscribable.make({
        get: state.get,
        changes: Stream.takeUntil(streamed(state.changes), isOver)
      }),
      send: outbox.send,
      launch: (draft, settle) => outbox.launch(clock, draft, settle),
      figures: Effect.sync(() => ({ ...figures })),
      close
    }
  })

const failureOf = (cause: Cause.Cause<ChatError>): ChatError => {
  const failure = Cause.failureOption(cause)
  return failure._tag === "Some"
    ? failure.value
    : new ChatError({
        operation: "chat.open",
        reason: "Closed",
        detail: "an unexpected fault ended the chat",
        cause: Cause.squash(cause)
      })
}

const late = (deadline: number, trouble: Trouble | undefined): ChatError => {
  const why = trouble === undefined ? "" : `: ${trouble.message}`
  return new ChatError({
    operation: "chat.open",
    reason: "Timeout",
    detail: `there was no connection within ${deadline} ms${why}`
  })
}

/**
 * Opens a chat: polls every 100 ms until the connection is open. Fails with ChatError `Timeout` if there is none within
 * the deadline, `Refused` if the server does not accept the credentials and a renewal did not help, or if there are
 * none, and with InputError if the policy breaks a rule. After a failure nothing is left behind.
 */
export const open = (
  options: Options
): Effect.Effect<Chat, ChatError | InputError, ChatSocket | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const close = Effect.uninterruptible(Scope.close(scope, Exit.void))
    if (options.onEnd !== undefined) yield* Scope.addFinalizer(scope, Effect.sync(options.onEnd(() => close)))
    return yield* Scope.extend(start(options, close), scope).pipe(
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : close))
    )
  })
