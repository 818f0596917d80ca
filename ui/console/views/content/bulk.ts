/** What is done with one entry or with several from the list: publish, delete, move. */
import { useInvalidate, useMutation } from "@quartet/react"
import * as Public from "@quartet/sdk/public"
import { visitor } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { addToast, type Doing, report, warn } from "../../app/toasts.js"
import { ask } from "../../design/dialog.js"
import { number } from "../../design/format.js"
import { type Entry, remove, reorder, update } from "./data.js"
import { useEntryChange } from "./entry-form.js"
import { isPublished, type Publishing } from "./publishing.js"

/** What several are called: "3 entries". */
const entriesIn = (rows: ReadonlyArray<Entry>): string =>
  rows.length === 1 ? "1 entry" : `${number(rows.length)} entries`

export const useEntries = (titleOf: (entry: Entry) => string) => {
  const change = useEntryChange()
  const updating = useMutation(update)
  const removing = useMutation(remove)
  const ordering = useMutation(reorder)
  const invalidate = useInvalidate(visitor)
  const refresh = (): void => invalidate("content")
  const doing = (verb: string, entry: Entry): Doing => ({
    what: `${verb} “${titleOf(entry)}”`,
    to: Router.Entry({ id: entry._id })
  })

  /** Publishes the entries, or makes them drafts; returns once all are sent. */
  const publish = async (rows: ReadonlyArray<Entry>, of: Publishing, isOn: boolean): Promise<void> => {
    const concerned = rows.filter((entry) => isPublished(of, entry) !== isOn)
    const [only] = concerned
    if (only === undefined) return
    const verb = of.verbs[isOn ? 0 : 1]
    const payload = { [of.field]: isOn ? of.on : of.off }
    if (concerned.length === 1) {
      const outcome = await change(only, payload, { title: of.done[isOn ? 0 : 1], text: titleOf(only) })
      if (outcome.status === "error") warn(outcome.error, doing(verb, only))
      return
    }
    const isAgreed = await ask({
      title: `${verb} ${entriesIn(concerned)}?`,
      description: isOn ? "The apps will show them." : "The apps will no longer show them.",
      action: `${verb} ${entriesIn(concerned)}`
    })
    if (!isAgreed) return
    let done = 0
    for (const entry of concerned) {
      const { _id: id } = entry
      const outcome = await updating.mutate({ id, payload })
      if (outcome.status === "success") done += 1
      else if (outcome.status === "error") warn(outcome.error, doing(verb, entry))
    }
    refresh()
    addToast(`${of.done[isOn ? 0 : 1]} ${number(done)} of ${number(concerned.length)}`)
  }

  /** Deletes the entries after asking; answers which are gone. */
  const drop = async (rows: ReadonlyArray<Entry>): Promise<ReadonlyArray<Entry>> => {
    const [only] = rows
    if (only === undefined) return []
    const isAgreed = await ask({
      title: rows.length === 1 ? `Delete “${titleOf(only)}”?` : `Delete ${entriesIn(rows)}?`,
      description: `${rows.length === 1 ? "It disappears" : "They disappear"} from the apps, in all languages. This cannot be undone.`,
      action: rows.length === 1 ? "Delete" : `Delete ${entriesIn(rows)}`,
      danger: true
    })
    if (!isAgreed) return []
    const gone: Array<Entry> = []
    for (const entry of rows) {
      const outcome = await removing.mutate({ id: entry._id })
      if (outcome.status === "success") gone.push(entry)
      else if (outcome.status === "error") warn(outcome.error, doing("Delete", entry))
    }
    if (gone.length === 0) return []
    invalidate(Public.content.list, "content.counts")
    addToast(rows.length === 1 ? "Deleted" : `Deleted: ${number(gone.length)} of ${number(rows.length)}`)
    return gone
  }

  /** Puts an entry one place up or down among those of its list. */
  const move = async (rows: ReadonlyArray<Entry>, { _id }: Entry, step: 1 | -1): Promise<void> => {
    const ids = rows.map((row) => row._id)
    const place = ids.indexOf(_id)
    const other = ids[place + step]
    if (place < 0 || other === undefined) return
    const moved = ids.map((id) => (id === _id ? other : id === other ? _id : id))
    const outcome = await ordering.mutate({ payload: { ids: moved } })
    refresh()
    report(outcome, step < 0 ? "Moved up" : "Moved down")
  }

  return { publish, drop, move }
}
