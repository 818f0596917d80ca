/** What was said in a chat: each message once, with its newest content, and no more of them than are to be held. */
import { nameOf } from "../../core/chat/identity.js"
import type { ChatEvent, Message } from "../../core/chat/model.js"

/** Puts a message in the place of the one that it names; false where there is none. */
const replace = (held: Array<Message>, places: ReadonlyMap<string, number>, message: Message): boolean => {
  const place = places.get(nameOf(message) ?? "")
  if (place !== undefined) held[place] = message
  return place !== undefined
}

const placesOf = (held: ReadonlyArray<Message>): Map<string, number> => {
  const places = new Map<string, number>()
  held.forEach((message, place) => {
    const name = nameOf(message)
    if (name !== undefined) places.set(name, place)
  })
  return places
}

export class Transcript {
  private held: ReadonlyArray<Message> = []

  constructor(private readonly keep: number) {}

  get messages(): ReadonlyArray<Message> {
    return this.held
  }

  private hold(messages: ReadonlyArray<Message>): void {
    this.held = messages.slice(Math.max(0, messages.length - this.keep))
  }

  /** Takes what was just told. What changes a message that is held no more is left out. */
  take(events: ReadonlyArray<ChatEvent>): void {
    const held = [...this.held]
    const places = placesOf(held)
    for (const { _tag, message } of events) {
      if (replace(held, places, message) || _tag === "Update") continue
      const name = nameOf(message)
      if (name !== undefined) places.set(name, held.length)
      held.push(message)
    }
    this.hold(held)
  }

  /** Takes the platform's answer to a message, unless it was told before. */
  acknowledge(message: Message): void {
    if (!placesOf(this.held).has(nameOf(message) ?? "")) this.hold([...this.held, message])
  }

  /** Takes what was told before. */
  prepend(messages: ReadonlyArray<Message>): void {
    const held = [...this.held]
    const places = placesOf(held)
    const news = messages.filter((message) => !replace(held, places, message))
    this.hold([...news, ...held])
  }

  clear(): void {
    this.held = []
  }
}
