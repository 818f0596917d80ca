/** What the chat tells of each conversation: its last message, and how many of the customer's nobody has seen. */
import { type ChatState, useChat } from "@quartet/react"
import { type Message, timeOf } from "@quartet/sdk/extend"
import { useMemo } from "react"
import { useCellValue } from "../../app/cells.js"
import { live, seenHere } from "./data.js"
import { type Author, authorOf, isUnread, shown } from "./messages.js"

export interface News {
  /** The text of the last message. */
  readonly text: string
  readonly isOurs: boolean
  readonly at: Date | undefined
  readonly unread: number
  /** Who wrote on the other side, as their messages say. */
  readonly customer: Author | undefined
  /** Whether a message of ours was not sent. */
  readonly hasFailed: boolean
}

export const nothing: News = {
  text: "",
  isOurs: false,
  at: undefined,
  unread: 0,
  customer: undefined,
  hasFailed: false
}

/** The news by the conversations' ids. */
const newsOf = (
  messages: ReadonlyArray<Message>,
  outgoing: ChatState<unknown>["outgoing"],
  seen: ReadonlySet<string>
): ReadonlyMap<string, News> => {
  const all = new Map<string, News>()
  for (const message of messages) {
    if (message.conversationId === undefined || message.conversationId === null) continue
    const id = String(message.conversationId)
    const before = all.get(id) ?? nothing
    const at = timeOf(message) ?? before.at
    const author = authorOf(message)
    const customer = author?.isOurs === false ? author : before.customer
    const unread = before.unread + (isUnread(message, seen) ? 1 : 0)
    const last =
      Number(at ?? 0) < Number(before.at ?? 0)
        ? before
        : { text: shown(message.text), isOurs: author?.isOurs === true, at }
    all.set(id, { ...before, ...last, unread, customer })
  }
  for (const { at, draft, status } of outgoing) {
    const id = String(draft.conversationId)
    const before = all.get(id) ?? nothing
    const hasFailed = before.hasFailed || status === "failed"
    all.set(id, { ...before, text: draft.text ?? "", isOurs: true, at, hasFailed })
  }
  return all
}

export const useNews = (): ReadonlyMap<string, News> => {
  const { messages, outgoing } = useChat(live)
  const seen = useCellValue(seenHere)
  return useMemo(() => newsOf(messages, outgoing, seen), [messages, outgoing, seen])
}

/** In how many conversations something is unread. */
export const useUnread = (): number => {
  const news = useNews()
  return [...news.values()].filter(({ unread }) => unread > 0).length
}
