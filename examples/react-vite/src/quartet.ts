/** The query client of this app, and what it asks and does. */

import { change, makeQueryClient } from "@quartet/react"
import { makeOutbox, reaches } from "@quartet/react/outbox"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Admin from "@quartet/sdk/admin"
import { pipe } from "effect/Function"
import * as Layer from "effect/Layer"

const {
  VITE_QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  VITE_QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001"
} = import.meta.env

/** Made of what somebody types in the form: until then there is no client. */
const client = makeQueryClient((credentials: Admin.AdminCredentials) =>
  pipe(Admin.layer({ baseUrl, projectId, ...credentials }), Layer.provide(FetchTransport.layer))
)

export const session = client.session

/** The requests that wait, page by page. */
export const pending = client.infiniteQuery(Admin.requests.list, { statusIn: ["pending"] }, { limit: 10 })

export const request = (id: string) => client.query(Admin.requests.get, { id })

/** Keeps what somebody does until the platform has done it: without a network, and over reloads. */
export const outbox = makeOutbox({ name: "requests", probe: reaches(baseUrl) })

/** Shows a request as seen at once; where the platform refuses, the change is undone. Each request waits for itself alone. */
export const markSeen = client.mutation(Admin.requests.markSeen, {
  outbox,
  scope: ({ id }) => id,
  optimistic: ({ id, version }) => [change(request(id), (before) => ({ ...before, seenByAdmin: version }))]
})
