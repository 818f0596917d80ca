/** What waits while a gap is open, until what was missed has been told. */
import { conversationOf, keyOf, nameOf } from "./identity.js"
import { type Known, missedOf } from "./known.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"

export class Gap {
  /** Live messages, in the order in which they came; what is told from the platform's pages meanwhile leaves. */
  private readonly held = new Map<string, Message>()
  /** Updates that came behind a message that was deferred: no page brings them back, so they wait for the next reading. */
  private readonly updates = new Map<string, Message>()
  /** Keys of updates that were given up: lost, unless their messages are told again before the gap is closed. */
  private readonly forgone = new Set<string>()
  /** The histories that the server sent since the gap was opened: each message once, with its newest content. */
  private readonly sent = new Map<string, Message>()
  /** Those of the histories that were told since. */
  private readonly told = new Map<string, Message>()
  /** Keys of those of the histories that the platform's pages hold too. */
  private readonly covered = new Set<string>()
  /** Makes keys for messages that nothing names and that say the same. */
  private repetitions = 0

  /** How many messages wait. */
  get size(): number {
    return this.held.size + this.updates.size
  }

  get hasHistories(): boolean {
    return this.sent.size > 0
  }

  /** A live message came: it is newer than what a history said, and takes the place of one that waits; false where none does. */
  supersede(message: Message): boolean {
    if (this.size + this.sent.size === 0) return false
    const key = keyOf(message)
    if (this.sent.has(key)) this.sent.set(key, message)
    const waiting = this.held.has(key) ? this.held : this.updates
    if (nameOf(message) === undefined || !waiting.has(key)) return false
    waiting.set(key, message)
    return true
  }

  hold(message: Message): void {
    this.keep(this.held, message)
  }

  holdUpdate(message: Message): void {
    this.keep(this.updates, message)
  }

  forgo(message: Message): void {
    this.forgone.add(keyOf(message))
  }

  private keep(place: Map<string, Message>, message: Message): void {
    const key = keyOf(message)
    place.set(place.has(key) ? `${key} ${this.repetitions++}` : key, message)
  }

  /** The pages are read anew: they tell what was deferred, and then the updates that came behind it. */
  beginReading(): void {
    for (const [key, message] of this.updates) this.held.set(key, message)
    this.updates.clear()
  }

  /** The key and the message of what waits first. */
  get oldest(): readonly [string, Message] | undefined {
    return this.held.entries().next().value
  }

  remove(key: string): void {
    this.held.delete(key)
  }

  /** What came in live is at least as new as what was read: it takes its place, and waits no longer. */
  newestOf(message: Message): Message {
    const key = keyOf(message)
    const newest = this.held.get(key) ?? message
    this.held.delete(key)
    return newest
  }

  /** The conversations that were heard of since the gap was opened. */
  conversations(): ReadonlyArray<string> {
    return [...this.sent.values(), ...this.held.values()].flatMap((message) => conversationOf(message) ?? [])
  }

  addHistory(messages: ReadonlyArray<Message>): void {
    for (const message of messages) this.sent.set(keyOf(message), message)
  }

  /** The platform's pages hold these: what they say of a message is newer than what a history said before. */
  cover(messages: ReadonlyArray<Message>): void {
    for (const message of messages) if (this.sent.has(keyOf(message))) this.covered.add(keyOf(message))
  }

  /** An update of this message is told: none of it is lost. */
  regain(message: Message): void {
    if (this.forgone.size > 0) this.forgone.delete(keyOf(message))
  }

  /** Notes that a message was told by now, whether it waited or not, and however long it is remembered. */
  note(message: Message): void {
    if (this.sent.size > 0 && this.sent.has(keyOf(message))) this.told.set(keyOf(message), message)
  }

  /** Hands over what was missed of the histories, the oldest first. What was told meanwhile is known from then on, though it is long ago. */
  takeHistories(known: Known, opened: Date): ReadonlyArray<Message> {
    for (const message of this.told.values()) known.remember(message)
    const missed = missedOf(oldestFirst([...this.sent.values()]), known, opened)
    const isStale = (message: Message) =>
      this.covered.has(keyOf(message)) && known.compare(message) === "changed"
    const news = missed.filter((message) => !isStale(message))
    this.forgetHistories()
    return news
  }

  private forgetHistories(): void {
    this.sent.clear()
    this.told.clear()
    this.covered.clear()
  }

  /** Ends the gap, and says how many updates are lost. */
  close(): number {
    const lost = this.forgone.size
    this.forgone.clear()
    this.held.clear()
    this.updates.clear()
    this.forgetHistories()
    return lost
  }
}
