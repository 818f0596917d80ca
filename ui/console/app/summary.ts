/** What the menu says of the project: its name, and how much waits in each place. The views that know it set it. */
import { cell, registry } from "./cells.js"
import { baseUrl, projectName as known, projectId } from "./config.js"
import type { RouteName } from "./routes.js"

const stored = `quartet.project ${projectId} ${baseUrl}`

/** The name of the project; undefined until it is known: in this browser, from the first sign-in on. */
export const projectName = cell(localStorage.getItem(stored) ?? known)

export const nameProject = (name: string): void => {
  localStorage.setItem(stored, name)
  registry.set(projectName, name)
}

/** How much waits, by place. */
export const waiting = cell<Partial<Record<RouteName, number>>>({})

export const setWaiting = (place: RouteName, count: number | undefined): void =>
  registry.update(waiting, (all) => ({ ...all, [place]: count ?? 0 }))
