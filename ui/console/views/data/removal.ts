/** Deletes rows together after asking, leaves those that are gone, and tells which it could not delete, and why. */

import { useInvalidate, useSession } from "@quartet/react"
import { type AnyRow, deletion, isOwnAccount, once, shownBy } from "../../app/catalogue.js"
import { explain } from "../../app/explain.js"
import { addToast } from "../../app/toasts.js"
import { labelOf, nameOf, singular } from "../../app/values.js"
import { ask } from "../../design/dialog.js"
import type { Facts } from "../../design/show.js"
import { naming, type Place } from "./actions.js"

/** Undefined where nothing deletes rows of the slice, or the role may not. */
export const useRemoval = (
  { resource, scoped }: Place,
  leave: (gone: ReadonlyArray<AnyRow>) => void,
  onFailed: (failed: Facts) => void
) => {
  const { client, name, remove } = resource
  const invalidate = useInvalidate(client)
  const session = useSession(client.session)
  if (remove === undefined || !session.can(remove.call)) return undefined
  return async (rows: ReadonlyArray<AnyRow>): Promise<void> => {
    const [first] = rows
    const what =
      first !== undefined && rows.length === 1
        ? nameOf(name, first)
        : `${rows.length} ${(rows.length === 1 ? singular(name) : labelOf(name)).toLowerCase()}`
    const isOneself = rows.some((row) => isOwnAccount(remove, session, row))
    const verb = `Delete ${what}`
    if (!(await ask(deletion(verb, verb, isOneself)))) return
    const failed: Array<Facts[number]> = []
    const gone: Array<AnyRow> = []
    for (const row of rows) {
      const outcome = await once(client, remove.name, remove.call(naming({ resource, scoped }, row)))
      if (outcome.status !== "error" || Object(outcome.error)._tag === "NotFound") gone.push(row)
      if (outcome.status === "error") failed.push([nameOf(name, row), explain(outcome.error).title])
    }
    leave(gone)
    invalidate(...shownBy(remove))
    addToast(failed.length === 0 ? `${what} deleted` : `${rows.length - failed.length} of ${what} deleted`)
    if (failed.length > 0) onFailed(failed)
  }
}
