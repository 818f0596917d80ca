/**
 * Takes what the socket says: decodes it, knows what was told before, and tells the rest to callbacks and streams: what
 * is new as a message, what was told with other content as an update. While a gap is open, what comes in live is held
 * back, so that what was missed is told first; of a message that comes again meanwhile, the newest content is told.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import type { Failure } from "../kernel/codec/decoder.js"
import type { Reader } from "./decoding.js"
import type { ChatError } from "./errors.js"
import type { Figures, Problem } from "./figures.js"
import { conversationOf, keyOf, nameOf } from "./identity.js"
import { Known, missedOf, type News } from "./known.js"
import type { Listeners } from "./listeners.js"
import type { ChatEvent, Message } from "./model.js"
import { oldestFirst, timeOf } from "./order.js"
import { Past } from "./past.js"
import type { Policy } from "./policy.js"
import { Relay } from "./relay.js"

/** Most messages that are told in one go. */
const slice = 256

/** Most histories that wait for a reader of the stream. */
const histories = 100

/** Longest name of a place in a problem, in characters: what is nested a thousand times deep has a path as long. */
const longestField = 200

/** Each message once, where it stood first, with the content that stood last. What nothing names stays as often as it is. */
const newestOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => [
  ...new Map(messages.map((message) => [nameOf(message) ?? message, message])).values()
]

/** `live`: told at once. `held`: kept until the gap is closed. `behind`: a reader is full, and nothing is kept. */
type Mode = "live" | "held" | "behind"

export class Inbox {
  readonly known: Known
  readonly events: Relay<ChatEvent, ChatError>
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
  /** Updates that came behind a message that was let go: no history brings them back, so they wait for the next look. */
  private readonly late = new Map<string, Message>()
  /** Keys of updates that were let go: lost, unless their messages are told again before the gap is closed. */
  private readonly forgone = new Set<string>()
  /** Makes keys for messages that nothing names and that say the same. */
  private repetitions = 0
  private readonly past = new Past()
  private hadGap = false
  /** Something was let go since the gap was opened: it must be looked at once more. */
  private isIncomplete = false

  constructor(
    private readonly policy: Policy,
    private readonly listeners: Listeners,
    private readonly figures: Figures,
    private readonly reader: Reader,
    /** When the chat was opened. */
    private readonly opened: Date,
    private readonly onSent: (message: Message) => void
  ) {
    this.known = new Known(Math.max(20_000, policy.buffer * 2))
    const { onHistory, onMessage, onUpdate } = listeners
    this.events = new Relay<ChatEvent, ChatError>({
      bound: policy.buffer,
      // A callback never waits for a stream that nobody may ever read.
      early: onMessage !== undefined ? "pass" : onUpdate !== undefined ? "keep" : "wait",
      kindOf: ({ _tag }) => _tag,
      onLost: (count) => {
        figures.dropped += count
      }
    })
    this.history = new Relay({ bound: histories, early: onHistory === undefined ? "keep" : "pass" })
  }

  /** One event of the socket. */
  receive(event: "chat" | "history", payload: unknown): void {
    if (event === "history") {
      const read = this.reader.history(payload)
      if (Either.isLeft(read)) return this.refuse(event, read.left)
      const { failures, messages } = read.right
      for (const failure of failures) this.refuse(event, failure)
      for (const message of messages) this.onSent(message)
      this.hasHistory = true
      const newest = newestOf(oldestFirst(messages))
      this.figures.duplicates += messages.length - newest.length
      this.takeHistory(newest)
    } else {
      const read = this.reader.message(payload)
      if (Either.isLeft(read)) return this.refuse(event, read.left)
      this.onSent(read.right)
      this.figures.received += 1
      this.take(read.right)
    }
  }

  /** Notes what cannot be read: nothing but that is left out. */
  refuse(event: "chat" | "history", { field, rule }: Pick<Failure, "field" | "rule">): void {
    this.figures.malformed += 1
    const place = field.length > longestField ? `${field.slice(0, longestField - 1)}…` : field
    this.report({ _tag: "Malformed", event, field: place, rule })
  }

  private take(message: Message): void {
    const isNamed = nameOf(message) !== undefined
    this.past.renew(message)
    if (isNamed && this.supersede(message)) return
    // What nothing names cannot be told from its repetition: it is told rather than lost.
    const news = isNamed ? this.known.compare(message) : "new"
    if (news === "told") this.figures.duplicates += 1
    else if (this.mode === "held") this.hold(message, news)
    else if (this.mode === "live" && this.hasRoom()) this.tell(message)
    else this.letGo(message, news)
  }

  /** Puts the newest content in the place of one that waits; false where none does. */
  private supersede(message: Message): boolean {
    const key = keyOf(message)
    const place = [this.held, this.late].find((waiting) => waiting.has(key))
    if (place === undefined) return false
    place.set(key, message)
    this.figures.duplicates += 1
    return true
  }

  /** The history of the first connection is told as such; in a gap, and later on, only what was missed counts. */
  private takeHistory(messages: ReadonlyArray<Message>): void {
    if (this.mode === "held") {
      this.past.add(messages)
      this.historyCame.unsafeOpen()
    } else if (this.hadGap) {
      for (const message of missedOf(messages, this.known, this.opened)) this.take(message)
    } else {
      const changed = messages.filter((message) => this.known.compare(message) === "changed")
      const unknown = messages.filter((message) => this.known.compare(message) === "new")
      for (const message of unknown) this.known.add(message)
      this.figures.duplicates += messages.length - unknown.length - changed.length
      this.figures.history += unknown.length
      this.call(this.listeners.onHistory, unknown)
      this.history.tell(unknown)
      for (const message of changed) this.take(message)
    }
  }

  private hasRoom(): boolean {
    if (this.policy.overflow === "drop-oldest" || this.events.takes()) return true
    this.mode = "behind"
    this.isIncomplete = true
    this.fellBehind.unsafeOpen()
    return false
  }

  private get isFull(): boolean {
    return this.held.size + this.late.size >= this.policy.buffer
  }

  private keep(place: Map<string, Message>, message: Message): void {
    const key = keyOf(message)
    place.set(place.has(key) ? `${key} ${this.repetitions++}` : key, message)
    this.figures.peakHeld = Math.max(this.figures.peakHeld, this.held.size + this.late.size)
  }

  private hold(message: Message, news: News): void {
    // Behind one that was let go, none is held: the next look tells both in their order.
    if (!this.isFull && !this.isIncomplete) this.keep(this.held, message)
    else if (this.policy.overflow === "backpressure") {
      this.isIncomplete = true
      this.letGo(message, news)
    } else {
      const oldest = this.held.keys().next().value
      if (oldest !== undefined) this.held.delete(oldest)
      this.keep(this.held, message)
      this.figures.dropped += 1
    }
  }

  /** A message that is not taken now: the platform's history has it, where its conversation is known. An update waits. */
  private letGo(message: Message, news: News): void {
    const conversation = conversationOf(message)
    if (news === "changed" && !this.isFull) this.keep(this.late, message)
    else if (news === "new" && conversation !== undefined) {
      this.figures.deferred += 1
      this.known.note(conversation, timeOf(message))
    } else if (news === "changed") this.forgone.add(keyOf(message))
    else this.figures.dropped += 1
  }

  /** What was let go and not told again is lost. */
  private countForgone(): void {
    this.figures.dropped += this.forgone.size
    this.forgone.clear()
  }

  /** Tells a message to everyone, and says what it was. */
  private tell(message: Message): News {
    // Told by now, however long it is remembered.
    this.past.tell(message)
    if (this.forgone.size > 0) this.forgone.delete(keyOf(message))
    const isChanged = this.known.add(message) === "changed"
    this.figures[isChanged ? "updates" : "delivered"] += 1
    this.call(isChanged ? this.listeners.onUpdate : this.listeners.onMessage, message)
    this.events.tell({ _tag: isChanged ? "Update" : "Message", message })
    this.figures.peak = this.events.highest
    return isChanged ? "changed" : "new"
  }

  /** Tells a message that waited or was missed, unless it was told meanwhile. */
  private tellOnce(message: Message, isLive: boolean): News {
    const isRepeatable = isLive && nameOf(message) === undefined
    if (isRepeatable || this.known.compare(message) !== "told") return this.tell(message)
    this.past.tell(message)
    this.figures.duplicates += 1
    return "told"
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
    for (const [key, message] of this.late) this.held.set(key, message)
    this.late.clear()
  }

  /** The conversations that may have a gap: those that are known, and those that were heard of since it was opened. */
  conversations(): ReadonlySet<string> {
    const heard = [...this.past.messages(), ...this.held.values()].flatMap(
      (message) => conversationOf(message) ?? []
    )
    return new Set([...this.known.conversations(), ...heard])
  }

  /** Notes what a page of the platform holds, and which of its items are no messages. */
  readonly turnPage = (messages: ReadonlyArray<Message>, unreadable: ReadonlyArray<number>): void => {
    this.past.cover(messages)
    for (const index of unreadable)
      this.refuse("history", { field: `items.${index}`, rule: "must be an object" })
  }

  /** The messages of the histories that came since the gap was opened which were missed. */
  takePast(): ReadonlyArray<Message> {
    return this.past.take(this.known, this.opened)
  }

  /** Tells messages that were missed, as fast as the readers allow. */
  tellAll(messages: ReadonlyArray<Message>): Effect.Effect<void> {
    let next = 0
    for (const message of messages) this.onSent(message)
    return this.pour(
      () => messages[next],
      (message) => {
        next += 1
        // What came in live since is at least as new as what was read: it takes this place.
        const key = keyOf(message)
        const newest = this.held.get(key) ?? message
        this.held.delete(key)
        if (this.tellOnce(newest, false) === "new") this.figures.recovered += 1
      },
      () => undefined
    )
  }

  /** Tells what was held, and closes the gap; false where it must be looked at once more. */
  readonly closeGap: Effect.Effect<boolean> = Effect.suspend(() =>
    this.pour(
      () => this.held.entries().next().value,
      ([key, message]) => {
        this.held.delete(key)
        this.tellOnce(message, true)
      },
      () => {
        const isClosed = !this.isIncomplete && this.past.isEmpty
        if (isClosed) {
          this.mode = "live"
          this.countForgone()
        }
        return isClosed
      }
    )
  )

  /** Tells one after another, a slice at a time, and waits for the readers between them. */
  private pour<A, B>(next: () => A | undefined, tell: (item: A) => void, finish: () => B): Effect.Effect<B> {
    return Effect.suspend(() => {
      for (let told = 0; told < slice; told++) {
        const item = next()
        // In one go with the look at what is left, so that nothing comes in between.
        if (item === undefined) return Effect.succeed(finish())
        if (this.policy.overflow === "backpressure" && !this.events.takes())
          return Effect.zipRight(this.events.hasRoom, this.pour(next, tell, finish))
        tell(item)
      }
      return Effect.zipRight(Effect.yieldNow(), this.pour(next, tell, finish))
    })
  }

  /** Ends all streams. */
  close(end: Exit.Exit<void, ChatError>): void {
    this.events.close(end)
    this.history.close(end)
    this.countForgone()
    this.held.clear()
    this.late.clear()
    this.past.clear()
  }
}
