/** What was said in a chat: each message once, and no more of them than are to be held. */
import type { Message } from "../../core/chat/model.js"

export class Transcript {
  private readonly ids = new Set<string>()
  private held: ReadonlyArray<Message> = []

  constructor(private readonly keep: number) {}

  get messages(): ReadonlyArray<Message> {
    return this.held
  }

  /** Those that are not there yet. */
  private news(messages: ReadonlyArray<Message>): ReadonlyArray<Message> {
    return messages.filter(({ _id }) => {
      if (this.ids.has(_id)) return false
      this.ids.add(_id)
      return true
    })
  }

  private hold(messages: ReadonlyArray<Message>): void {
    const tooMany = messages.length - this.keep
    if (tooMany > 0) for (const { _id } of messages.slice(0, tooMany)) this.ids.delete(_id)
    this.held = tooMany > 0 ? messages.slice(tooMany) : messages
  }

  /** Takes what was just told. */
  add(messages: ReadonlyArray<Message>): void {
    const news = this.news(messages)
    if (news.length > 0) this.hold([...this.held, ...news])
  }

  /** Takes what was told before. */
  prepend(messages: ReadonlyArray<Message>): void {
    const news = this.news(messages)
    if (news.length > 0) this.hold([...news, ...this.held])
  }

  clear(): void {
    this.ids.clear()
    this.held = []
  }
}
