/** Messages that wait while a gap is open, until the missed ones are delivered. */
import { conversationOf, digest, keyOf, nameOf } from "./identity.js"
import { type Known, type Memory, missedOf, newsOf } from "./known.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"

export class Gap {
  /** Live messages in order of arrival; those delivered from the platform's pages meanwhile are removed. */
  private readonly live = new Map<string, Message>()
  /** Updates after a deferred message: no page holds them, so they wait for the next reading. */
  private readonly updates = new Map<string, Message>()
  /** Keys of dropped updates: lost, unless their messages are delivered again before the gap is closed. */
  private readonly droppedUpdates = new Set<string>()
  /** The histories that the server sent since the gap was opened: each message once, with its newest content. */
  private readonly sent = new Map<string, Message>()
  /** Keys of those that were delivered since. */
  private readonly delivered = new Map<string, Message>()
  /** Keys of those that the platform's pages hold too. */
  private readonly covered = new Set<string>()
  /** Makes keys for messages without an id and with equal content. */
  private repetitions = 0

  /** How many messages wait. */
  get size(): number {
    return this.live.size + this.updates.size
  }

  get hasHistories(): boolean {
    return this.sent.size > 0
  }

  /** Adds a live message: it is newer than one from a history, and replaces a waiting one; false if none waits. */
  supersede(message: Message): boolean {
    if (this.size + this.sent.size === 0) return false
    const key = keyOf(message)
    if (this.sent.has(key)) this.sent.set(key, message)
    const waiting = this.live.has(key) ? this.live : this.updates
    if (nameOf(message) === undefined || !waiting.has(key)) return false
    waiting.set(key, message)
    return true
  }

  hold(message: Message): void {
    this.keep(this.live, message)
  }

  holdUpdate(message: Message): void {
    this.keep(this.updates, message)
  }

  dropUpdate(message: Message): void {
    this.droppedUpdates.add(keyOf(message))
  }

  private keep(place: Map<string, Message>, message: Message): void {
    const key = keyOf(message)
    place.set(place.has(key) ? `${key} ${this.repetitions++}` : key, message)
  }

  /** The pages are read again: deferred messages come from them, then the updates after those. */
  beginReading(): void {
    for (const [key, message] of this.updates) this.live.set(key, message)
    this.updates.clear()
  }

  /** The key and the message of the first waiting one. */
  get oldest(): readonly [string, Message] | undefined {
    return this.live.entries().next().value
  }

  remove(key: string): void {
    this.live.delete(key)
  }

  /** A live message is at least as new as the one read: it replaces that and no longer waits. */
  newestOf(message: Message): Message {
    const key = keyOf(message)
    const newest = this.live.get(key) ?? message
    this.live.delete(key)
    return newest
  }

  /** The conversations with messages since the gap was opened. */
  conversations(): ReadonlyArray<string> {
    return [...this.sent.values(), ...this.live.values()].flatMap((message) => conversationOf(message) ?? [])
  }

  addHistory(messages: ReadonlyArray<Message>): void {
    for (const message of messages) this.sent.set(keyOf(message), message)
  }

  /** The platform's pages hold these: their content is newer than that of an earlier history. */
  cover(messages: ReadonlyArray<Message>): void {
    for (const message of messages) if (this.sent.has(keyOf(message))) this.covered.add(keyOf(message))
  }

  /** An update of this message is delivered, so none is lost. */
  regain(message: Message): void {
    if (this.droppedUpdates.size > 0) this.droppedUpdates.delete(keyOf(message))
  }

  /** Records that a message was delivered, even if it did not wait or is forgotten later. */
  note(message: Message): void {
    if (this.sent.size > 0 && this.sent.has(keyOf(message))) this.delivered.set(keyOf(message), message)
  }

  /** Returns the missed messages of the histories, oldest first, without those delivered meanwhile. */
  takeHistories(known: Known, opened: Date): ReadonlyArray<Message> {
    const memory: Memory = {
      anchor: (conversationId, since) => known.anchor(conversationId, since),
      remembers: (key) => this.delivered.has(key) || known.remembers(key),
      compare: (message) => {
        const previous = this.delivered.get(keyOf(message))
        return previous === undefined ? known.compare(message) : newsOf(digest(previous), message)
      }
    }
    const missed = missedOf(oldestFirst([...this.sent.values()]), memory, opened)
    const isStale = (message: Message) =>
      this.covered.has(keyOf(message)) && memory.compare(message) === "changed"
    const news = missed.filter((message) => !isStale(message))
    this.forgetHistories()
    return news
  }

  private forgetHistories(): void {
    this.sent.clear()
    this.delivered.clear()
    this.covered.clear()
  }

  /** Ends the gap, and returns the number of lost updates. */
  close(): number {
    const lost = this.droppedUpdates.size
    this.droppedUpdates.clear()
    this.live.clear()
    this.updates.clear()
    this.forgetHistories()
    return lost
  }
}
