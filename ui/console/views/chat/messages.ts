/** What the screen shows of a conversation's messages, wherever they came from. */

import { idOf, type Message, nameOf, oldestFirst, timeOf, timesOf } from "@quartet/sdk/extend"
import type { MessageRow } from "../../app/rows.js"
import { asText } from "../../app/settled.js"

export interface Author {
  readonly id: string | undefined
  readonly name: string
  /** Whether it was written on the project's side: by an administrator, or by a server. */
  readonly isOurs: boolean
}

/** Who wrote a message, if it says so: of what is no author, a text is the name. */
export const authorOf = ({ sender }: { readonly sender?: unknown }): Author | undefined => {
  const { _id: id, kind, name = typeof sender === "string" ? sender : undefined } = Object(sender)
  if (name === undefined || name === null) return undefined
  return {
    id: id === undefined || id === null ? undefined : asText(id),
    name: asText(name),
    isOurs: kind === "admin" || kind === "system"
  }
}

/** The text of a message: a value that is not text is shown as received. */
export const shown = (text: unknown): string =>
  typeof text === "string" ? text : text === null || text === undefined ? "" : JSON.stringify(text)

const begun = Date.now()

/** Whether a customer wrote it and nobody here has seen it. Where the platform does not say that, what came since the page was opened is new. */
export const isUnread = (message: Message | MessageRow, seenHere: ReadonlySet<string>): boolean => {
  const author = authorOf(message)
  if (author === undefined || author.isOurs || seenHere.has(idOf(message) ?? "")) return false
  const { seen }: { readonly seen?: unknown } = message
  return typeof seen === "boolean" ? !seen : Number(timeOf(message) ?? 0) > begun
}

/** Milliseconds within which messages of one author stand together. */
const together = 10 * 60_000

/**
 * Messages that were read and those received since, each once, in order of time. A repeated message has its
 * newest content; one without a time stands with the one before it. The key of each is unique among them. The first of
 * a day says which day it begins; one that goes on with what its author has just written says so, too.
 */
export const merge = (read: ReadonlyArray<MessageRow>, received: ReadonlyArray<Message>) => {
  const all = new Map<string, Message>()
  for (const message of [...read, ...received]) all.set(nameOf(message) ?? `unnamed ${all.size}`, message)
  const keys = new Map([...all].map(([key, message]) => [message, key]))
  const sorted = oldestFirst([...all.values()])
  const times = timesOf(sorted)
  const authors = sorted.map(authorOf)
  return sorted.map((message, index) => {
    const [author, before] = [authors[index], authors[index - 1]]
    const begins =
      times[index]?.toDateString() === times[index - 1]?.toDateString() ? undefined : times[index]
    const isSame = index > 0 && author?.name === before?.name && author?.id === before?.id
    return {
      key: keys.get(message) ?? "",
      of: message,
      text: shown(message.text),
      author,
      createdAt: timeOf(message),
      begins,
      goesOn:
        isSame && begins === undefined && Number(times[index] ?? 0) - Number(times[index - 1] ?? 0) < together
    }
  })
}

export type Shown = ReturnType<typeof merge>[number]
