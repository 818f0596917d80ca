/** The histories that the server sent since a gap was opened: each message once, however often it came. */
import { keyOf } from "./identity.js"
import { type Known, missedOf } from "./known.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"

export class Past {
  private readonly came = new Map<string, Message>()
  /** Those that were told since. */
  private readonly told = new Map<string, Message>()
  /** Keys of those that the platform's pages hold too. */
  private readonly read = new Set<string>()

  add(messages: ReadonlyArray<Message>): void {
    for (const message of messages) this.came.set(keyOf(message), message)
  }

  /** The platform's pages hold these: what they say of a message is newer than what a history said before. */
  cover(messages: ReadonlyArray<Message>): void {
    for (const message of messages) if (this.came.has(keyOf(message))) this.read.add(keyOf(message))
  }

  /** A message came in live since: it is newer than what a history said of it. */
  renew(message: Message): void {
    if (this.came.has(keyOf(message))) this.came.set(keyOf(message), message)
  }

  /** Notes that a message was told, whether it is here or not. */
  tell(message: Message): void {
    if (this.came.has(keyOf(message))) this.told.set(keyOf(message), message)
  }

  get isEmpty(): boolean {
    return this.came.size === 0
  }

  messages(): Iterable<Message> {
    return this.came.values()
  }

  /** Hands over those that were missed, the oldest first. What was told meanwhile is known from then on, though it is long ago. */
  take(known: Known, opened: Date): ReadonlyArray<Message> {
    for (const message of this.told.values()) known.remember(message)
    const missed = missedOf(oldestFirst([...this.came.values()]), known, opened)
    const isStale = (message: Message) =>
      this.read.has(keyOf(message)) && known.compare(message) === "changed"
    const news = missed.filter((message) => !isStale(message))
    this.clear()
    return news
  }

  clear(): void {
    this.came.clear()
    this.told.clear()
    this.read.clear()
  }
}
