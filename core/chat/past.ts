/** The histories that the server sent since a gap was opened: each message once, however often it came. */
import type { Known } from "./known.js"
import type { Message } from "./model.js"
import { oldestFirst } from "./order.js"

export class Past {
  private readonly came = new Map<string, Message>()
  /** The ids of those that were told since. */
  private readonly told = new Set<string>()

  add(messages: ReadonlyArray<Message>): void {
    for (const message of messages) this.came.set(message._id, message)
  }

  /** Notes that a message was told, whether it is here or not. */
  tell(id: string): void {
    if (this.came.has(id)) this.told.add(id)
  }

  messages(): Iterable<Message> {
    return this.came.values()
  }

  /** Hands over all of them, the oldest first. What was told meanwhile is known from then on, though it is long ago. */
  take(known: Known): ReadonlyArray<Message> {
    const all = oldestFirst([...this.came.values()])
    for (const id of this.told) known.remember(id)
    this.clear()
    return all
  }

  clear(): void {
    this.came.clear()
    this.told.clear()
  }
}
