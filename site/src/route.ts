/** The sidebar of a call's page has the calls of its family beside it; that of a module's page, the modules. */
import { defineRouteMiddleware } from "@astrojs/starlight/route-data"
import { at, calls, families } from "./calls.ts"

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

export const onRequest = defineRouteMiddleware(({ locals }) => {
  const route = locals.starlightRoute
  const current = calls.find(({ id }) => id === route.id)
  if (current === undefined) return
  const groups = families.map((family): Entries[number] => {
    const own = calls.filter((call) => call.family === family)
    if (family !== current.family) return link(family, `calls/#${family.toLowerCase()}`, false)
    const entries = own.map((call) =>
      link(`${call.name.slice(family.length + 1)} (${clients[call.client]})`, `${call.id}/`, call === current)
    )
    return { type: "group", label: family, entries, collapsed: false, badge: undefined }
  })
  route.sidebar = route.sidebar.map((entry) =>
    entry.label === "Reference" && entry.type === "group"
      ? {
          ...entry,
          entries: [
            ...entry.entries,
            { type: "group", label: "Calls", entries: groups, collapsed: false, badge: undefined }
          ]
        }
      : entry
  )
})
