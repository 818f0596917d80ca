/// <reference lib="esnext.disposable" preserve="true" />
/** A chat for programs that do not use Effect: callbacks or loops over messages, and Promises for sent ones. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chat } from "../../core/chat/chat.js"
import type { ChatEvent, Message, Sendable, Sent } from "../../core/chat/model.js"
import type { Figures, State } from "../../core/chat/state.js"
import type { Pull } from "../../core/kernel/dispatch/pulls.js"
import { ChatSocket, type Service as Socket } from "../../core/ports/chat-socket.js"
import { type Options, open } from "../admin/chat.js"
import type { AdminCaller } from "./admin.js"
import { runAtOnce } from "./at-once.js"
import type { parts } from "./caller.js"
import { iterate } from "./iterate.js"
import { type Cancellable, signalOf } from "./options.js"
import { rejection } from "./rejection.js"
import { makeRunner, type Runner } from "./run.js"

/** An open chat. @category models */
export interface PromiseChat extends AsyncDisposable {
  /**
   * Every message, once, in the order of its conversation, also those that this client sends: a program that answers
   * messages leaves out its own (`sender.kind` is `"admin"`), or it answers itself. Each loop has its own buffer from its start on; messages
   * from before the first loop are buffered for it, unless there is an `onMessage`; with an `onUpdate`, the newest of
   * them. Ends when the chat is closed, by itself, by a sign-out or with its client, and rejects with ChatError when it
   * fails.
   */
  readonly messages: AsyncIterable<Message>
  /**
   * Messages that were delivered before, by `messages` or `history`, and have changed since: an edit, a seen flag. Each
   * is the whole current message. A loop gets the updates from its start on. At least the last 20,000 messages are
   * remembered, or twice the buffer; a change of an older one arrives as a message.
   */
  readonly updates: AsyncIterable<Message>
  /** Messages and updates in one loop, in order of delivery. It begins like `messages`. */
  readonly events: AsyncIterable<ChatEvent>
  /** The platform's history on the first connection, oldest first. */
  readonly history: AsyncIterable<ReadonlyArray<Message>>
  /** Whether the chat is connected. */
  readonly state: State
  /** The present state, then every change until the chat is over. */
  readonly states: AsyncIterable<State>
  /** The counts so far. */
  readonly figures: Readonly<Figures>
  /**
   * Sends a message, and resolves once the platform has accepted it. Without a connection, it is sent with the next
   * one. Rejects with InputError, ChatError or OutcomeUnknown, or with the reason of its signal. A message with other
   * fields goes through `Input.raw`: `chat.send(Input.raw({ conversationId, text, replyTo }))`.
   */
  readonly send: (draft: Sendable, options?: Cancellable) => Promise<Sent>
  /** Closes the chat; its loops end. */
  readonly close: () => Promise<void>
}

/** The chat of a client. @category models */
export interface Chats {
  /**
   * Opens the chat with the client's session and API key, and waits until it is connected. Admins alone have a chat here: what end users
   * write comes in by it. Rejects with
   * CredentialsError if the client has no API key, with ChatError `Timeout` or `Refused`, and with InputError if an
   * option breaks a rule. The signal cancels the opening and, later, closes the chat.
   */
  readonly open: (options?: Options, cancellable?: Cancellable) => Promise<PromiseChat>
}

/** socket.io's client, unless the program has a socket of its own. */
const standard: Effect.Effect<Socket> = /*#__PURE__*/ Effect.promise(() =>
  import("../../adapters/socket/index.js").then(({ make }) => make())
)

const pulled = <A, E>(stream: Stream.Stream<A, E>): Effect.Effect<Pull<A, E>, never, Scope.Scope> =>
  Effect.map(Stream.toPull(stream), Effect.map(Chunk.toReadonlyArray))

/** An open chat as Promises. It closes with its client too, and with the signal. */
const toPromises = (
  chat: Chat,
  runner: Runner,
  signal: AbortSignal | undefined,
  release: () => Promise<void>
): PromiseChat => {
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    if (closed === undefined) {
      leave()
      closed = release()
    }
    return closed
  }
  const leave = runner.enter("chat.open", signal, close)
  // Loops end with the chat, which closes with its client: earlier messages still reach them.
  const loops = makeRunner()
  return {
    messages: iterate(loops, "chat.messages", pulled(chat.messages), undefined),
    updates: iterate(loops, "chat.updates", pulled(chat.updates), undefined),
    events: iterate(loops, "chat.events", pulled(chat.events), undefined),
    history: iterate(loops, "chat.history", pulled(chat.history), undefined),
    get state() {
      return runAtOnce(chat.state.get)
    },
    states: iterate(loops, "chat.states", pulled(chat.state.changes), undefined),
    get figures() {
      return runAtOnce(chat.figures)
    },
    send: (draft, options) => {
      const signal = signalOf("chat.send", options)
      return Either.isLeft(signal)
        ? rejection(signal.left)
        : runner.run("chat.send", (settle) => chat.launch(draft, settle), signal.right)
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

/** Opens the chat of a client; it closes by itself where it cannot be opened. */
export const opening = (
  { client, provide, runner }: AdminCaller[typeof parts],
  options: Options | undefined,
  signal: AbortSignal | undefined
): Effect.Effect<PromiseChat, unknown> => {
  const scope = runAtOnce(Scope.make())
  const release = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
  const { chatSocket } = client
  return Effect.flatMap(chatSocket === undefined ? standard : Effect.succeed(chatSocket), (port) =>
    provide(Scope.extend(Effect.provideService(open(options), ChatSocket, port), scope)).pipe(
      Effect.map((chat) => toPromises(chat, runner, signal, release)),
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
    )
  )
}
