/** The conversations as the list shows them: the newest message first, whoever wrote it. */

import { useEffect, useMemo } from "react"
import { useNames, useWhole } from "../../app/names.js"
import type { ConversationRow } from "../../app/rows.js"
import type { ListState } from "../../data/list-state.js"
import { inline } from "../../design/format.js"
import { conversationList, topics } from "./data.js"
import type { Author } from "./messages.js"
import { type News, nothing, useNews } from "./news.js"

/** A conversation, and what the chat tells of it. */
export interface Talk extends Omit<News, "at"> {
  readonly _id: string
  readonly row: ConversationRow
  readonly at: Date | null | undefined
}

/** The tabs of the list. */
export const tabs = ["open", "unread", "closed"] as const
export type Tab = (typeof tabs)[number]

export const tabOf = ({ read }: Pick<ListState, "read">): Tab =>
  tabs.find((tab) => tab === read("tab")) ?? "open"

/** A status that nobody knows is no reason to pass a customer over. */
export const isClosed = ({ status }: Pick<ConversationRow, "status">): boolean => status === "closed"

export const isIn: Readonly<Record<Tab, (talk: Talk) => boolean>> = {
  open: ({ row }) => !isClosed(row),
  unread: ({ unread }) => unread > 0,
  closed: ({ row }) => isClosed(row)
}

const talkOf = (row: ConversationRow, news: News | undefined): Talk => {
  const { lastMessage, updatedAt } = row
  const { at = updatedAt, ...known } = news ?? { ...nothing, text: lastMessage ?? "" }
  return { ...known, _id: row._id, row, at }
}

/** All conversations, those that were written in last first; and the way to read them again. */
export const useTalks = () => {
  const answer = useWhole(conversationList)
  const news = useNews()
  const names = useNames()
  const { data, hasNextPage, items, refetch } = answer
  const talks = useMemo(
    () =>
      items
        .map((row) => talkOf(row, news.get(row._id)))
        .sort((a, b) => Number(b.at ?? 0) - Number(a.at ?? 0)),
    [items, news]
  )
  // What is written in a conversation that the list does not have is of a new one.
  const known = useMemo(() => new Set(items.map(({ _id }) => _id)), [items])
  const unknown = [...news.keys()].filter((id) => !known.has(id)).join()
  const isWhole = data !== undefined && !hasNextPage
  useEffect(() => {
    if (isWhole && unknown !== "") refetch()
  }, [isWhole, unknown, refetch])
  return {
    answer,
    talks,
    /** What the row says, or the platform of its customer, or the customer's own messages. */
    nameOf: ({ topic, userId, userName }: ConversationRow, customer?: Author): string =>
      inline(userName || names(userId) || customer?.name || topic || "Conversation"),
    topics: useMemo(
      () => [...new Set([...topics, ...items.flatMap(({ topic }) => (topic ? [topic] : []))])],
      [items]
    )
  }
}
