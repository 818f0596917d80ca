/** What the chat's screens ask, and the chat itself: one connection for the whole view. */
import * as Admin from "../../../../clients/admin/index.js"
import { topicsOf } from "../../../../core/tenants/topics.js"
import { projectId, tenants } from "../../app/config.js"
import { admin } from "../../app/kits.js"
import { conversations, type MessageRow } from "../../app/rows.js"

export const talks = admin.query(conversations.list, { limit: 100 })

/** What was said before, newest last. */
export const history = (id: string) => admin.query(conversations.messages, { id, limit: 500 })

export const live = admin.live(Admin.chat.open())

/** The topics of this project; other projects have none. */
export const topics: ReadonlyArray<string> = topicsOf(tenants, projectId)

/** A message as the screen shows it. */
export interface Said extends Pick<MessageRow, "_id" | "text" | "sender" | "createdAt"> {}

const isAuthor = (value: unknown): value is NonNullable<MessageRow["sender"]> =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  "name" in value &&
  "_id" in value &&
  typeof value.name === "string"

interface Told {
  readonly _id: string
  readonly text?: string | null | undefined
  readonly sender?: unknown
  readonly createdAt?: Date | null | undefined
}

/** What was read and what came in since, each message once, in the order of time. */
export const merge = (read: ReadonlyArray<MessageRow>, told: ReadonlyArray<Told>): ReadonlyArray<Said> => {
  const all = new Map<string, Said>(read.map((message) => [message._id, message]))
  for (const { _id, createdAt, sender, text } of told)
    all.set(_id, { _id, text, createdAt, sender: isAuthor(sender) ? sender : undefined })
  return [...all.values()].sort((a, b) => (a.createdAt?.getTime() ?? 0) - (b.createdAt?.getTime() ?? 0))
}
