/** Queries and mutations of the requests, and their statuses and types as the specification names them. */

import { change } from "@quartet/react"
import { categoriesOf } from "@quartet/sdk/extend"
import {
  generalTypes,
  homeAppTypes,
  type Queue,
  queueOf,
  queues,
  statuses
} from "@quartet/sdk/extend/models/requests"
import { projectId, tenants } from "../../app/config.js"
import { admin } from "../../app/query-clients.js"
import { type RequestRow, requests } from "../../app/rows.js"
import { statusLabel, toneOf } from "../../app/status.js"
import { type Asked, pageSize, wordOf } from "../../data/list-state.js"
import { words } from "../../design/show.js"
import type { StatusChoice } from "../../frame/status-menu.js"

/** The tabs of the list: the queues, and all where the platform has statuses of its own, which no queue asks for. */
export const tabs = ["open", "waiting", "closed", "all"] as const
export type Tab = Queue | "all"

export const tabLabels: Readonly<Record<Tab, string>> = {
  open: "Open",
  waiting: "Waiting for them",
  closed: "Closed",
  all: "All"
}

export const tabOf = ({ read }: Pick<Asked, "read">): Tab => tabs.find((tab) => tab === read("tab")) ?? "open"

/** The requests of a tab and of some types, those that changed last first. */
export const list = ({ query, read }: Asked) => {
  const tab = tabOf({ read })
  const typeIn = (read("type")?.split(",") ?? []).map((word) =>
    wordOf([...generalTypes, ...homeAppTypes], word)
  )
  const statusIn = tab === "all" ? [] : queues[tab]
  return admin.infiniteQuery(
    requests.list,
    { query: { sort: "-updatedAt", ...query }, statusIn, typeIn },
    { limit: pageSize }
  )
}

/** How many requests a tab has. */
export const countOf = (tab: Tab) =>
  admin.query(requests.list, { statusIn: tab === "all" ? [] : queues[tab], limit: 1 })

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

type Known = (typeof statuses)[number]

const verbs: Readonly<Record<Known, readonly [verb: string, letter: string]>> = {
  pending: ["Reopen", "p"],
  reviewed: ["Mark as reviewed", "v"],
  confirmed: ["Confirm", "c"],
  rejected: ["Reject", "r"],
  user_accepted: ["Mark as accepted by the customer", "a"],
  user_rejected: ["Mark as declined by the customer", "d"],
  archived: ["Archive", "z"]
}

/** The statuses that a request can be given, each with the letter that sets it. */
/** The key of what is done most often. */
export const confirmKey = "c"

export const statusChoices: ReadonlyArray<StatusChoice> = statuses.map((value) => {
  const [verb, letter] = verbs[value]
  const keys = value === "confirmed" && { keys: confirmKey }
  return { value, label: statusLabel(value), verb, letter, ...keys, tone: toneOf(value) }
})

/** The statuses that follow most often, by the queue of the present one. */
export const nextStatuses = (status: string | null | undefined): ReadonlyArray<Known> =>
  (({ open: ["confirmed", "rejected"], waiting: ["archived"], closed: ["pending", "archived"] }) as const)[
    queueOf(status)
  ]

const categories = categoriesOf(tenants, projectId)
const categorised = new Set(categories.flatMap(({ types }) => types))
const choice = (value: string) => ({ value, label: words(value) })

/** Types under the categories of this project, and those without a category. */
export const typeGroups = [
  ...categories,
  { label: "General", types: [...generalTypes, ...homeAppTypes].filter((type) => !categorised.has(type)) }
].map(({ label, types }) => ({ label, choices: types.map(choice) }))

/** Whether no administrator has seen its present version. */
export const isNew = ({ seenByAdmin, version }: RequestRow): boolean => (seenByAdmin ?? 0) < (version ?? 0)

/** Whether the customer has not seen its present version. */
export const isUnseenByThem = ({ seenByUser, version }: RequestRow): boolean =>
  version !== undefined && version !== null && (seenByUser ?? 0) < version
