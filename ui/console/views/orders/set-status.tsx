/** Sets the status of several orders: which one, and with its number on the button before anything is sent. */
import { type ReactElement, useState } from "react"
import type { OrderRow } from "../../app/rows.js"
import { Button } from "../../design/button.js"
import { Actions, Dialog } from "../../design/dialog.js"
import { Select } from "../../design/field.js"
import { statusChoices } from "./data.js"

export const SetStatus = (props: {
  readonly rows: ReadonlyArray<OrderRow>
  readonly onClose: () => void
  readonly onSet: (status: string) => void
}): ReactElement => {
  const { onClose, onSet, rows } = props
  const [status, setStatus] = useState("")
  const count = `${rows.length} ${rows.length === 1 ? "order" : "orders"}`
  const label = statusChoices.find(({ value }) => value === status)?.label
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Set the status of ${count}`}
      description="Their customers see it. No money is moved."
    >
      <Select label="Status" value={status} choices={statusChoices} onChange={setStatus} />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={status === ""}
          onClick={() => {
            onClose()
            onSet(status)
          }}
        >
          {label === undefined ? "Set the status" : `Set ${count} to ${label}`}
        </Button>
      </Actions>
    </Dialog>
  )
}
