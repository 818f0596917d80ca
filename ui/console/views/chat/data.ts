/** The queries of the chat's screens, and the chat itself: one connection for the whole view. */
import * as Admin from "../../../../clients/admin/index.js"
import { topicsOf } from "../../../../core/tenants/topics.js"
import { projectId, tenants } from "../../app/config.js"
import { admin } from "../../app/query-clients.js"
import { conversations } from "../../app/rows.js"

export const conversationList = admin.query(conversations.list, { limit: 100 })

/** The messages so far, newest last. */
export const history = (id: string) => admin.query(conversations.messages, { id, limit: 500 })

export const live = admin.chat(Admin.chat.open())

/** The topics of this project; other projects have none. */
export const topics: ReadonlyArray<string> = topicsOf(tenants, projectId)
