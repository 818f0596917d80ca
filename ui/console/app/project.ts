/** The project, as it is kept by the platform: its name, and the languages of its content. */
import { projectId } from "./config.js"
import { admin } from "./query-clients.js"
import { projects } from "./rows.js"

export const project = admin.query(projects.get, { id: projectId })
