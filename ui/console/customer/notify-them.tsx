/** Notifies customers of whom only the ids are known. */
import { useQuery } from "@quartet/react"
import type { ReactElement } from "react"
import { useCell } from "../app/cells.js"
import { everyone, useWhole } from "../app/names.js"
import { Failed } from "../data/loaded.js"
import { Dialog } from "../design/dialog.js"
import { SkeletonRows } from "../design/state.js"
import { customer } from "./data.js"
import { NotifyDialog } from "./notify.js"
import { receivers } from "./receivers.js"

const NotifyThem = (): ReactElement => {
  const [ids = [], setReceivers] = useCell(receivers)
  const [first = ""] = ids
  const { items } = useWhole(everyone)
  const one = useQuery(ids.length === 1 ? customer(first) : undefined)
  const known = items.filter(({ _id }) => ids.includes(_id))
  const to = one.data === undefined ? known : [one.data]
  const close = (): void => setReceivers(undefined)
  if (to.length > 0) return <NotifyDialog to={to} onClose={close} />
  return (
    <Dialog open title="Notify" onClose={close}>
      {one.error === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <Failed error={one.error} what="The customer" onRetry={one.refetch} />
      )}
    </Dialog>
  )
}

export default NotifyThem
