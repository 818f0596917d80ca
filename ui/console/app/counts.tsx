/** Reads what the menu says: the project's name, and how many requests are open. Shows nothing. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { queues } from "@quartet/sdk/extend/models/requests"
import { useEffect } from "react"
import { registry } from "./cells.js"
import { projectId } from "./config.js"
import { admin } from "./query-clients.js"
import { projectName, setWaiting } from "./summary.js"

const project = admin.query(Admin.projects.get, { id: projectId })
const open = admin.query(Admin.requests.list, { statusIn: queues.open, limit: 1 })

const Counts = (): null => {
  const session = useSession(admin.session)
  const isIn = session.status === "signed-in"
  const { data: name } = useQuery(isIn && session.can(Admin.projects.get) ? project : undefined)
  const { data: requests } = useQuery(isIn && session.can(Admin.requests.list) ? open : undefined)
  useEffect(() => registry.set(projectName, name?.name ?? undefined), [name])
  useEffect(() => setWaiting("Requests", requests?.paging.total), [requests])
  return null
}

export default Counts
