/** Reads what the menu says: the project's name, how many requests are open and in how many chats something is unread. Shows nothing. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { queues } from "@quartet/sdk/extend/models/requests"
import { type ReactNode, useEffect } from "react"
import { useUnread } from "../views/chat/news.js"
import { project } from "./project.js"
import { admin } from "./query-clients.js"
import { nameProject, setWaiting } from "./summary.js"

const open = admin.query(Admin.requests.list, { statusIn: queues.open, limit: 1 })

/** Keeps the chat open on every page, so that what customers write is seen wherever one is. */
const Unread = (): null => {
  const unread = useUnread()
  useEffect(() => setWaiting("Chat", unread), [unread])
  return null
}

const Counts = (): ReactNode => {
  const session = useSession(admin.session)
  const isIn = session.status === "signed-in"
  const { data: name } = useQuery(isIn && session.can(Admin.projects.get) ? project : undefined)
  const { data: requests } = useQuery(isIn && session.can(Admin.requests.list) ? open : undefined)
  useEffect(() => {
    if (name?.name) nameProject(name.name)
  }, [name])
  useEffect(() => setWaiting("Requests", requests?.paging.total), [requests])
  return isIn && session.can(Admin.conversations.list) ? <Unread /> : null
}

export default Counts
