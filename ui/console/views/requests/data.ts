/** Queries and mutations of the requests' screens. */
import { change } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { type RequestRow, requests } from "../../app/rows.js"

export interface Filter {
  readonly status: string | undefined
  readonly type: string | undefined
}

/** The requests that match a filter, newest first, page by page. */
export const list = ({ status, type }: Filter) =>
  admin.infiniteQuery(
    requests.list,
    {
      ...(status === undefined ? {} : { statusIn: [status] }),
      ...(type === undefined ? {} : { typeIn: [type] })
    },
    { limit: 20 }
  )

export const one = (id: string) => admin.query(requests.get, { id })

const changing = (id: string, update: (request: RequestRow) => RequestRow) => [change(one(id), update)]

/** Reads a request once more, now, and refreshes what shows it. */
export const read = admin.mutation(requests.get)

/** Changes the status of a version: shown at once, and undone if the platform refuses it. */
export const setStatus = admin.mutation(requests.update, {
  optimistic: ({ id, payload }) =>
    changing(id, (request) => ({ ...request, ...(payload as Pick<RequestRow, "status">) }))
})

export const comment = admin.mutation(requests.addComment)

/** Marks a request as seen at the version that is on the screen. */
export const see = admin.mutation(requests.markSeen, {
  optimistic: ({ id, version }) => changing(id, (request) => ({ ...request, seenByAdmin: version }))
})
