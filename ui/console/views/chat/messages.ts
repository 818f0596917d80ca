/** What the screen shows of a conversation's messages, wherever they came from. */

import { type Message, nameOf, oldestFirst, timeOf, timesOf } from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"
import { Author, type MessageRow } from "../../app/rows.js"

/** Whether a message names who wrote it. */
export const isAuthor = Schema.is(Author)

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
    sender: isAuthor(message.sender) ? message.sender : undefined,
    createdAt: timeOf(message),
    begins: times[index]?.toDateString() === times[index - 1]?.toDateString() ? undefined : times[index]
  }))
}
