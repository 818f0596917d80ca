/**
 * Takes what the socket says: decodes it, knows what was told before, and tells the rest to callbacks and streams.
 * While a gap is open, live messages are held back, so that what was missed is told first.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import type { Failure } from "../kernel/decoder.js"
import type { ChatError } from "./errors.js"
import type { Figures, Problem } from "./figures.js"
import * as Decoding from "./decoding.js"
import { Known } from "./known.js"
import type { Message } from "./model.js"
import type { Policy } from "./policy.js"
import { Relay } from "./relay.js"

/** Who is told, besides the streams. A callback that throws is reported and does not disturb the others. */
export interface Listeners {
  /** Every message, once, in the order of its conversation. */
  readonly onMessage?: (message: Message) => void
  /** What the platform sends as history on the first connection, oldest first. */
  readonly onHistory?: (messages: ReadonlyArray<Message>) => void
  /** What went wrong without ending the chat. */
  readonly onProblem?: (problem: Problem) => void
}

/** Most histories that wait for a reader of the stream. */
const histories = 100

/** The messages oldest first, where their times say so. Messages of one time keep their order. */
export const oldestFirst = (run: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const first = run[0]?.createdAt
  const last = run.at(-1)?.createdAt
  if (!(first instanceof Date && last instanceof Date)) return run
  const ascending = first > last ? [...run].reverse() : [...run]
  return ascending.sort((a, b) =>
    a.createdAt instanceof Date && b.createdAt instanceof Date
      ? a.createdAt.getTime() - b.createdAt.getTime()
      : 0
  )
}

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
  private held: Array<Message> = []
  private past: ReadonlyArray<Message> = []
  /** Something was let go since the gap was opened: it must be looked at once more. */
  private isIncomplete = false

  constructor(
    private readonly policy: Policy,
    private readonly listeners: Listeners,
    private readonly figures: Figures,
    private readonly onSent: (message: Message) => void
  ) {
    this.known = new Known(Math.max(20_000, policy.buffer * 2))
    this.messages = new Relay(policy.buffer, listeners.onMessage === undefined)
    this.history = new Relay(histories, listeners.onHistory === undefined)
  }

  /** One event of the socket. */
  receive(event: "chat" | "history", payload: unknown): void {
    if (event === "chat") {
      const decoded = Decoding.message(payload)
      if (Either.isLeft(decoded)) return this.malformed(event, decoded.left)
      this.figures.received += 1
      this.onSent(decoded.right)
      this.take(decoded.right)
    } else {
      const decoded = Decoding.messages(payload)
      if (Either.isLeft(decoded)) return this.malformed(event, decoded.left)
      this.hasHistory = true
      for (const message of decoded.right) this.onSent(message)
      this.takeHistory(oldestFirst(decoded.right))
    }
  }

  private malformed(event: "chat" | "history", failure: Failure): void {
    this.figures.malformed += 1
    this.report({ _tag: "Malformed", event, field: failure.field, rule: failure.rule })
  }

  private take(message: Message): void {
    if (this.known.has(message._id)) {
      this.figures.duplicates += 1
      return
    }
    if (this.mode === "held") this.hold(message)
    else if (this.mode === "live" && this.hasRoom()) this.tell(message)
    else this.letGo(message)
  }

  /** The first history is told as such; in a gap it helps to close it, and later on only what is new counts. */
  private takeHistory(messages: ReadonlyArray<Message>): void {
    if (this.mode === "held") {
      this.past = [...this.past, ...messages]
      this.historyCame.unsafeOpen()
      return
    }
    const unknown = messages.filter((message) => this.known.add(message))
    this.figures.duplicates += messages.length - unknown.length
    if (unknown.length === 0 && messages.length > 0) return
    this.figures.history += unknown.length
    this.call(this.listeners.onHistory, unknown)
    this.history.tell(unknown)
  }

  private hasRoom(): boolean {
    if (this.policy.overflow === "drop-oldest" || this.messages.takes()) return true
    this.mode = "behind"
    this.isIncomplete = true
    this.fellBehind.unsafeOpen()
    return false
  }

  private hold(message: Message): void {
    if (this.held.length < this.policy.buffer) {
      this.held.push(message)
      if (this.held.length > this.figures.peakHeld) this.figures.peakHeld = this.held.length
    } else if (this.policy.overflow === "backpressure") {
      this.isIncomplete = true
      this.letGo(message)
    } else {
      this.held.shift()
      this.held.push(message)
      this.figures.dropped += 1
    }
  }

  /** A message that is not taken now: the platform's history has it. */
  private letGo(message: Message): void {
    this.figures.deferred += 1
    if (message.conversationId) this.known.note(message.conversationId, message.createdAt ?? undefined)
  }

  /** Tells one message to everyone, unless it was told before. */
  tell(message: Message): void {
    if (!this.known.add(message)) {
      this.figures.duplicates += 1
      return
    }
    this.figures.delivered += 1
    this.call(this.listeners.onMessage, message)
    this.figures.dropped += this.messages.tell(message)
    this.figures.peak = this.messages.highest
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
    this.fellBehind.unsafeClose()
    this.historyCame.unsafeClose()
  }

  /** Takes the histories that came since the gap was opened. */
  takePast(): ReadonlyArray<Message> {
    const { past } = this
    this.past = []
    return oldestFirst(past)
  }

  /** Begins a look at the gap: what is let go from here on calls for another one. */
  beginLook(): void {
    this.isIncomplete = false
  }

  /** Waits for room, and tells one message. */
  readonly tellInTime = (message: Message): Effect.Effect<void> =>
    this.policy.overflow === "drop-oldest" || this.messages.takes()
      ? Effect.sync(() => this.tell(message))
      : Effect.zipRight(this.messages.hasRoom, Effect.suspend(() => this.tellInTime(message)))

  /** Tells what was held, and closes the gap; false where it must be looked at once more. */
  readonly closeGap: Effect.Effect<boolean> = Effect.suspend(() => {
    const next = this.held[0]
    if (next === undefined) {
      if (this.isIncomplete) return Effect.succeed(false)
      this.mode = "live"
      return Effect.succeed(true)
    }
    return Effect.zipRight(
      Effect.zipRight(this.tellInTime(next), Effect.sync(() => this.held.shift())),
      this.closeGap
    )
  })

  /** Ends all streams. */
  close(end: Exit.Exit<void, ChatError>): void {
    this.messages.close(end)
    this.history.close(end)
    this.held = []
    this.past = []
  }
}
