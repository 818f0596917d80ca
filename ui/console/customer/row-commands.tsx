/** What can be done with the customers that rows belong to: to open the page of one, and to notify one or those of ticked rows. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactNode, useEffect } from "react"
import { useCell } from "../app/cells.js"
import { Later } from "../app/later.js"
import { admin } from "../app/query-clients.js"
import { Router } from "../app/routes.js"
import { Dialog } from "../design/dialog.js"
import type { RowCommand } from "../frame/list-pane.js"
import { receivers } from "./receivers.js"

/** The form is loaded when it is first opened. */
const form = () => import("./notify-them.js")

/** The commands, and where the form of one of them appears. */
export const useCustomerCommands = <A,>(
  userIdOf: (row: A) => string | null | undefined
): { readonly commands: ReadonlyArray<RowCommand<A>>; readonly dialog: ReactNode } => {
  const session = useSession(admin.session)
  const [ids, setReceivers] = useCell(receivers)
  const close = (): void => setReceivers(undefined)
  // Another list is not asked about the rows of this one.
  useEffect(() => close, [])
  const idsOf = (rows: ReadonlyArray<A>): ReadonlyArray<string> => [
    ...new Set(rows.flatMap((row) => userIdOf(row) || []))
  ]
  const isFor = (rows: ReadonlyArray<A>): boolean => idsOf(rows).length > 0
  const notify: RowCommand<A> = {
    label: "Notify",
    icon: "send",
    keys: "m",
    isBulk: true,
    isFor,
    run: (rows) => setReceivers(idsOf(rows))
  }
  return {
    commands: [
      ...(session.can(Admin.notifications.send) ? [notify] : []),
      {
        label: "Open the customer",
        icon: "user",
        keys: "o",
        isFor,
        run: (rows) => {
          const [id] = idsOf(rows)
          if (id !== undefined) pushUnsafe(Router.Customer({ id }))
        }
      }
    ],
    dialog: ids && (
      <Later
        part={form}
        failed={(failure) => (
          <Dialog open title="Notify" onClose={close}>
            {failure}
          </Dialog>
        )}
      />
    )
  }
}
