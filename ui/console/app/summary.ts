/** What the menu says of the project: its name, and how much waits in each place. The views that know it set it. */
import { cell, registry } from "./cells.js"
import type { RouteName } from "./routes.js"

/** The name of the project; undefined until it is known. */
export const projectName = cell<string | undefined>(undefined)

/** How much waits, by place. */
export const waiting = cell<Partial<Record<RouteName, number>>>({})

export const setWaiting = (place: RouteName, count: number | undefined): void =>
  registry.update(waiting, (all) => ({ ...all, [place]: count ?? 0 }))
