/** What the screen shows of a conversation's messages, wherever they came from. */

import { type Message, nameOf, oldestFirst, timeOf, timesOf } from "@quartet/sdk/extend"
import type { MessageRow } from "../../app/rows.js"
import { asText } from "../../app/settled.js"

/** Who wrote a message, if it says so: of what is no author, a text is the name. */
export const authorOf = ({ sender }: { readonly sender?: unknown }) => {
  const { kind, name = typeof sender === "string" ? sender : undefined } = Object(sender)
  return name === undefined || name === null ? undefined : { isAdmin: kind === "admin", name: asText(name) }
}

/** The text of a message: a value that is not text is shown as received. */
export const shown = (text: unknown): string =>
  typeof text === "string" ? text : text === null || text === undefined ? "" : JSON.stringify(text)

/**
 * Messages that were read and those received since, each once, in order of time. A repeated message has its
 * newest content; one without a time stands with the one before it. The key of each is unique among them. The first of
 * a day says which day it begins.
 */
export const merge = (read: ReadonlyArray<MessageRow>, received: ReadonlyArray<Message>) => {
  const all = new Map<string, Message>()
  for (const message of [...read, ...received]) all.set(nameOf(message) ?? `unnamed ${all.size}`, message)
  const keys = new Map([...all].map(([key, message]) => [message, key]))
  const sorted = oldestFirst([...all.values()])
  const times = timesOf(sorted)
  return sorted.map((message, index) => ({
    key: keys.get(message) ?? "",
    text: shown(message.text),
    author: authorOf(message),
    createdAt: timeOf(message),
    begins: times[index]?.toDateString() === times[index - 1]?.toDateString() ? undefined : times[index]
  }))
}
