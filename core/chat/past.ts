/** The histories that the server sent since a gap was opened: each message once, however often it came. */
import { keyOf } from "./identity.js"
import type { Known } from "./known.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"

export class Past {
  private readonly came = new Map<string, Message>()
  /** Those that were told since. */
  private readonly told = new Map<string, Message>()

  add(messages: ReadonlyArray<Message>): void {
    for (const message of messages) this.came.set(keyOf(message), message)
  }

  /** A message came in live since: it is newer than what a history said of it. */
  renew(message: Message): void {
    if (this.came.has(keyOf(message))) this.came.set(keyOf(message), message)
  }

  /** Notes that a message was told, whether it is here or not. */
  tell(message: Message): void {
    if (this.came.has(keyOf(message))) this.told.set(keyOf(message), message)
  }

  messages(): Iterable<Message> {
    return this.came.values()
  }

  /** Hands over all of them, the oldest first. What was told meanwhile is known from then on, though it is long ago. */
  take(known: Known): ReadonlyArray<Message> {
    const all = oldestFirst([...this.came.values()])
    for (const message of this.told.values()) known.remember(message)
    this.clear()
    return all
  }

  clear(): void {
    this.came.clear()
    this.told.clear()
  }
}
