/** Queries and mutations of the requests' screens, and their statuses and types as the specification names them. */

import { change } from "@quartet/react"
import { categoriesOf } from "@quartet/sdk/extend"
import { generalTypes, homeAppTypes, statuses } from "@quartet/sdk/extend/models/requests"
import { projectId, tenants } from "../../app/config.js"
import { admin } from "../../app/query-clients.js"
import { type RequestRow, requests } from "../../app/rows.js"
import { type ListState, pageSize, wordOf } from "../../data/list-state.js"
import { words } from "../../design/show.js"

/** The requests with a status and of a type, page by page. */
export const list = ({ query, read }: ListState) => {
  const chosen = (name: string): ReadonlyArray<string> => [read(name) ?? []].flat()
  const statusIn = chosen("status").map((word) => wordOf(statuses, word))
  const typeIn = chosen("type").map((word) => wordOf([...generalTypes, ...homeAppTypes], word))
  const input = { query, statusIn, typeIn }
  return admin.infiniteQuery(requests.list, input, { limit: pageSize })
}

export const byId = (id: string) => admin.query(requests.get, { id })

/** Reads a request once more, now, and refreshes what shows it. */
export const read = admin.mutation(requests.get)

/** Changes the status of a version: shown at once, and undone if the platform refuses it. */
export const setStatus = admin.mutation(requests.update, {
  optimistic: ({ id, payload }) => [
    change(byId(id), (request) => ({
      ...request,
      ...(payload as Pick<RequestRow, "status">),
      // The version that the change makes: the next change is of that one.
      version: (request.version ?? 0) + 1
    }))
  ]
})

export const comment = admin.mutation(requests.addComment)

/** Marks a request as seen at the version that is on the screen. */
export const see = admin.mutation(requests.markSeen, {
  optimistic: ({ id, version }) => [change(byId(id), (request) => ({ ...request, seenByAdmin: version }))]
})

const choice = (value: string) => ({ value, label: words(value) })

export const statusChoices = statuses.map(choice)

const categories = categoriesOf(tenants, projectId)
const categorised = new Set(categories.flatMap(({ types }) => types))

/** Types under the categories of this project, and those without a category. */
export const typeGroups = [
  ...categories,
  { label: "General", types: [...generalTypes, ...homeAppTypes].filter((type) => !categorised.has(type)) }
].map(({ label, types }) => ({ label, choices: types.map(choice) }))
