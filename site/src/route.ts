/** The sidebar of a call's page has the calls of its family beside it; that of a module's page, the modules. */
import { defineRouteMiddleware } from "@astrojs/starlight/route-data"
import { at, calls, families, modules } from "./calls.ts"

type Entries = Parameters<
  Parameters<typeof defineRouteMiddleware>[0]
>[0]["locals"]["starlightRoute"]["sidebar"]

const link = (label: string, path: string, isCurrent: boolean): Entries[number] => ({
  type: "link",
  label,
  href: at(path),
  isCurrent,
  badge: undefined,
  attrs: {}
})

const clients = { admin: "admin", public: "public", private: "private", endUser: "end user" }

const group = (label: string, entries: Entries, collapsed = false): Entries[number] => ({
  type: "group",
  label,
  entries,
  collapsed,
  badge: undefined
})

/** The families of calls, and the calls of the one that the page is about. */
const callsBeside = (current: (typeof calls)[number]): Entries[number] =>
  group(
    "Calls",
    families.map((family) => {
      if (family !== current.family) return link(family, `calls/#${family.toLowerCase()}`, false)
      const own = calls.filter((call) => call.family === family)
      const entries = own.map((call) =>
        link(
          `${call.name.slice(family.length + 1)} (${clients[call.client]})`,
          `${call.id}/`,
          call === current
        )
      )
      return group(family, entries)
    })
  )

/** The modules of the packages, those of one package together. */
const modulesBeside = (id: string): Entries[number] => {
  const nameOf = ({ title }: (typeof modules)[number]): string => title.replace(/^@[^/]+\//, "")
  const folderOf = (module: (typeof modules)[number]): string => nameOf(module).split("/")[0] ?? ""
  const folders = [...new Set(modules.map(folderOf))]
  return group(
    "Modules",
    folders.map((folder) => {
      const own = modules.filter((module) => folderOf(module) === folder)
      const links = own.map((module) =>
        link(nameOf(module) || module.title, `${module.id}/`, module.id === id)
      )
      const [only] = links
      return links.length === 1 && only !== undefined
        ? only
        : group(folder, links, !own.some((module) => module.id === id))
    })
  )
}

export const onRequest = defineRouteMiddleware(({ locals }) => {
  const route = locals.starlightRoute
  const current = calls.find(({ id }) => id === route.id)
  if (current === undefined && !route.id.startsWith("api")) return
  const beside = current === undefined ? modulesBeside(route.id) : callsBeside(current)
  route.sidebar = route.sidebar.map((entry) =>
    entry.label === "Reference" && entry.type === "group"
      ? { ...entry, entries: [...entry.entries, beside] }
      : entry
  )
})
