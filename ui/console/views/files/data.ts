/** What is done with files, and what uses them. */
import { source, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { collect } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { admin } from "../../app/query-clients.js"
import { type FileRow, files, items, requests } from "../../app/rows.js"
import { saveFile } from "../../app/save.js"
import { type Mentions, mostLookedThrough, useMentions } from "../../data/mentions.js"
import { nameOf } from "../../files/data.js"

// What is gone is not read once more.
export const remove = admin.mutation(Admin.files.delete, { invalidates: [files.list] })

/** At most so many bytes are held in memory to be saved. */
const most = 1_000_000_000

const saving = source("files.save", (file: FileRow) =>
  Effect.map(collect(Admin.files.download({ id: file._id }), { maxBytes: most }), (bytes) =>
    // Of no type that a browser would show.
    saveFile(new Uint8Array(bytes), nameOf(file), "application/octet-stream")
  )
)

/** Reads a file and hands it to the user. */
export const save = admin.mutation(saving, { invalidates: [] })

const newest = { limit: mostLookedThrough, query: { sort: "-createdAt" } }
const entries = admin.query(Admin.content.paginated, { limit: mostLookedThrough })
const allItems = admin.query(items.search, newest)
const allRequests = admin.query(requests.list, newest)

/** The rows that use a file, as far as the role may read them. */
export const useUses = (id: string) => {
  const session = useSession(admin.session)
  return {
    entries: useMentions(id, session.can(Admin.content.paginated) ? entries : undefined),
    items: useMentions(id, session.can(Admin.items.search) ? allItems : undefined),
    requests: useMentions(id, session.can(Admin.requests.list) ? allRequests : undefined)
  }
}

export type Uses = ReturnType<typeof useUses>

/** Whether all that could use a file is known, and nothing does. */
export const isUnused = (uses: Uses): boolean =>
  Object.values(uses).every(
    ({ among, data, items }: Mentions<unknown>) =>
      data !== undefined && among === undefined && items.length === 0
  )

const counted = (count: number, one: string, many: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** What uses a file, in words: "2 entries and 1 item"; empty where nothing is known to. */
export const usesText = ({ entries, items, requests }: Uses): string =>
  [
    ...counted(entries.items.length, "entry", "entries"),
    ...counted(items.items.length, "item", "items"),
    ...counted(requests.items.length, "request", "requests")
  ].join(", ")
