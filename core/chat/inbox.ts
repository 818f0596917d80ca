/**
 * Takes what the socket says: decodes it, knows what was told before, and tells the rest to callbacks and streams.
 * While a gap is open, live messages are held back, so that what was missed is told first.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Decoding from "./decoding.js"
import type { ChatError } from "./errors.js"
import type { Figures, Problem } from "./figures.js"
import { Known, missedOf } from "./known.js"
import type { Listeners } from "./listeners.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"
import { Past } from "./past.js"
import type { Policy } from "./policy.js"
import { Relay } from "./relay.js"

/** Most messages that are told in one go. */
const slice = 256

/** Most histories that wait for a reader of the stream. */
const histories = 100

/** `live`: told at once. `held`: kept until the gap is closed. `behind`: a reader is full, and nothing is kept. */
type Mode = "live" | "held" | "behind"

export class Inbox {
  readonly known: Known
  readonly messages: Relay<Message, ChatError>
  readonly history: Relay<ReadonlyArray<Message>, ChatError>
  /** Open once a reader is full: the chat is then behind, and the gap has to be recovered. */
  readonly fellBehind = Effect.unsafeMakeLatch(false)
  /** Open once a history came since the gap was opened. */
  readonly historyCame = Effect.unsafeMakeLatch(false)
  /** Whether the server sends a history when a connection begins. */
  hasHistory = false
  private mode: Mode = "live"
  /** In the order in which they came; what is told from the platform's history meanwhile leaves. */
  private readonly held = new Map<string, Message>()
  private readonly past = new Past()
  private hadGap = false
  /** Something was let go since the gap was opened: it must be looked at once more. */
  private isIncomplete = false

  constructor(
    private readonly policy: Policy,
    private readonly listeners: Listeners,
    private readonly figures: Figures,
    /** When the chat was opened. */
    private readonly opened: Date,
    private readonly onSent: (message: Message) => void
  ) {
    this.known = new Known(Math.max(20_000, policy.buffer * 2))
    this.messages = new Relay(policy.buffer, listeners.onMessage === undefined)
    this.history = new Relay(histories, listeners.onHistory === undefined)
  }

  /** One event of the socket. */
  receive(event: "chat" | "history", payload: unknown): void {
    const decoded =
      event === "chat" ? Either.map(Decoding.message(payload), Arr.of) : Decoding.messages(payload)
    if (Either.isLeft(decoded)) {
      this.figures.malformed += 1
      const { field, rule } = decoded.left
      this.report({ _tag: "Malformed", event, field, rule })
      return
    }
    for (const message of decoded.right) this.onSent(message)
    if (event === "history") {
      this.hasHistory = true
      this.takeHistory(oldestFirst(decoded.right))
    } else
      for (const message of decoded.right) {
        this.figures.received += 1
        this.take(message)
      }
  }

  private take(message: Message): void {
    if (this.known.has(message._id) || this.held.has(message._id)) {
      this.figures.duplicates += 1
      return
    }
    if (this.mode === "held") this.hold(message)
    else if (this.mode === "live" && this.hasRoom()) this.tell(message)
    else this.letGo(message)
  }

  /** The history of the first connection is told as such; in a gap, and later on, only what was missed counts. */
  private takeHistory(messages: ReadonlyArray<Message>): void {
    if (this.mode === "held") {
      this.past.add(messages)
      this.historyCame.unsafeOpen()
    } else if (this.hadGap) {
      for (const message of missedOf(messages, this.known, this.opened)) this.take(message)
    } else {
      const unknown = messages.filter((message) => this.known.add(message))
      this.figures.duplicates += messages.length - unknown.length
      this.figures.history += unknown.length
      this.call(this.listeners.onHistory, unknown)
      this.history.tell(unknown)
    }
  }

  private hasRoom(): boolean {
    if (this.policy.overflow === "drop-oldest" || this.messages.takes()) return true
    this.mode = "behind"
    this.isIncomplete = true
    this.fellBehind.unsafeOpen()
    return false
  }

  private hold(message: Message): void {
    // Behind one that was let go, none is held: the next look tells both in their order.
    if (this.held.size < this.policy.buffer && !this.isIncomplete) {
      this.held.set(message._id, message)
      if (this.held.size > this.figures.peakHeld) this.figures.peakHeld = this.held.size
    } else if (this.policy.overflow === "backpressure") {
      this.isIncomplete = true
      this.letGo(message)
    } else {
      const oldest = this.held.keys().next().value
      if (oldest !== undefined) this.held.delete(oldest)
      this.held.set(message._id, message)
      this.figures.dropped += 1
    }
  }

  /** A message that is not taken now: the platform's history has it, where its conversation is known. */
  private letGo(message: Message): void {
    if (message.conversationId) {
      this.figures.deferred += 1
      this.known.note(message.conversationId, message.createdAt ?? undefined)
    } else this.figures.dropped += 1
  }

  /** Tells one message to everyone, unless it was told before. */
  private tell(message: Message): boolean {
    // Told by now, however long it is remembered.
    this.held.delete(message._id)
    this.past.tell(message._id)
    if (!this.known.add(message)) {
      this.figures.duplicates += 1
      return false
    }
    this.figures.delivered += 1
    this.call(this.listeners.onMessage, message)
    this.figures.dropped += this.messages.tell(message)
    this.figures.peak = this.messages.highest
    return true
  }

  private call<A>(callback: ((value: A) => void) | undefined, value: A): void {
    if (callback === undefined) return
    const called = Either.try(() => callback(value))
    if (Either.isLeft(called)) this.report({ _tag: "CallbackFailed", cause: called.left })
  }

  report(problem: Problem): void {
    this.figures.problems += 1
    const { onProblem } = this.listeners
    // Nobody is left to tell where this callback throws too.
    if (onProblem !== undefined) Either.try(() => onProblem(problem))
  }

  /** Opens a gap: from now on live messages are held. */
  openGap(): void {
    this.mode = "held"
    this.hadGap = true
    this.known.openGap()
    this.fellBehind.unsafeClose()
    this.historyCame.unsafeClose()
  }

  /** Begins a look at the gap: what is let go from here on calls for another one. */
  beginLook(): void {
    this.isIncomplete = false
  }

  /** The conversations that may have a gap: those that are known, and those that were heard of since it was opened. */
  conversations(): ReadonlySet<string> {
    const heard = [...this.past.messages(), ...this.held.values()].flatMap(
      ({ conversationId }) => conversationId ?? []
    )
    return new Set([...this.known.conversations(), ...heard])
  }

  /** The messages of the histories that came since the gap was opened which were missed. */
  takePast(): ReadonlyArray<Message> {
    return missedOf(this.past.take(this.known), this.known, this.opened)
  }

  /** Tells messages that were missed, as fast as the readers allow. */
  tellAll(messages: ReadonlyArray<Message>): Effect.Effect<void> {
    let next = 0
    for (const message of messages) this.onSent(message)
    return this.pour(
      () => messages[next],
      (wasNew) => {
        next += 1
        if (wasNew) this.figures.recovered += 1
      },
      () => undefined
    )
  }

  /** Tells what was held, and closes the gap; false where it must be looked at once more. */
  readonly closeGap: Effect.Effect<boolean> = Effect.suspend(() =>
    this.pour(
      () => this.held.values().next().value,
      () => undefined,
      () => {
        if (!this.isIncomplete) this.mode = "live"
        return !this.isIncomplete
      }
    )
  )

  /** Tells message after message, a slice at a time, and waits for the readers between them. */
  private pour<A>(
    next: () => Message | undefined,
    done: (wasNew: boolean) => void,
    finish: () => A
  ): Effect.Effect<A> {
    return Effect.suspend(() => {
      for (let told = 0; told < slice; told++) {
        const message = next()
        // In one go with the look at what is left, so that nothing comes in between.
        if (message === undefined) return Effect.succeed(finish())
        if (this.policy.overflow === "backpressure" && !this.messages.takes())
          return Effect.zipRight(this.messages.hasRoom, this.pour(next, done, finish))
        done(this.tell(message))
      }
      return Effect.zipRight(Effect.yieldNow(), this.pour(next, done, finish))
    })
  }

  /** Ends all streams. */
  close(end: Exit.Exit<void, ChatError>): void {
    this.messages.close(end)
    this.history.close(end)
    this.held.clear()
    this.past.clear()
  }
}
