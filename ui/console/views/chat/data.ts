/** The queries and mutations of conversations, and the chat itself: one connection for the whole console. */
import * as Admin from "@quartet/sdk/admin"
import { topicsOf } from "@quartet/sdk/extend"
import { cell, registry } from "../../app/cells.js"
import { projectId, tenants } from "../../app/config.js"
import * as Drafts from "../../app/drafts.js"
import { admin } from "../../app/query-clients.js"
import { conversations } from "../../app/rows.js"

export const conversationList = admin.infiniteQuery(conversations.list, {}, { limit: 500 })

/** The messages so far, newest last. */
export const history = (id: string) => admin.infiniteQuery(conversations.messages, { id }, { limit: 500 })

export const live = admin.chat(Admin.chat.open())

/** Opens or closes a conversation. */
export const setStatus = admin.mutation(conversations.update, { invalidates: [conversations.list] })

/** Reads the newest conversations once more, now: none is read alone. */
export const readNewest = admin.mutation(conversations.list, { invalidates: [] })

/** Marks a message as seen. The chat tells it on; where it does not, `seenHere` knows. */
export const see = admin.mutation(Admin.conversations.markSeen, { invalidates: [] })

/** The messages that were marked as seen in this page, by their ids. */
export const seenHere = cell<ReadonlySet<string>>(new Set())

export const setSeenHere = (id: string): void =>
  registry.update(seenHere, (before) => new Set([...before, id]))

/** The name of the draft of a conversation's next message. */
export const draftOf = (id: string): string => `chat/${id}`

// What is not sent when the page is left begins the drafts of the next one.
window.addEventListener("pagehide", () => {
  for (const { draft, status } of [...registry.get(live).outgoing].reverse()) {
    const name = draftOf(String(draft.conversationId))
    const typed = Drafts.load(name, { text: "" })?.texts.text ?? ""
    if (status !== "sent") Drafts.keep(name, { text: `${draft.text ?? ""} ${typed}`.trim() }, { text: "" })
  }
})

/** The topics of this project; other projects have none. */
export const topics: ReadonlyArray<string> = topicsOf(tenants, projectId)
