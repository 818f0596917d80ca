/** The queries of the chat's screens, and the chat itself: one connection for the whole view. */
import * as Admin from "@quartet/sdk/admin"
import { topicsOf } from "@quartet/sdk/extend"
import { registry } from "../../app/cells.js"
import { projectId, tenants } from "../../app/config.js"
import * as Drafts from "../../app/drafts.js"
import { admin } from "../../app/query-clients.js"
import { conversations } from "../../app/rows.js"

export const conversationList = admin.infiniteQuery(conversations.list, {}, { limit: 500 })

/** The messages so far, newest last. */
export const history = (id: string) => admin.infiniteQuery(conversations.messages, { id }, { limit: 500 })

export const live = admin.chat(Admin.chat.open())

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
