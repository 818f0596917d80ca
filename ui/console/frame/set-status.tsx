/** Sets the status of several things: which one, and with their number on the button before anything is sent. */
import { type ReactElement, type ReactNode, useState } from "react"
import { Button } from "../design/button.js"
import { Actions, Dialog } from "../design/dialog.js"
import { Select } from "../design/field.js"

interface StatusQuestion {
  /** What they are, such as "order". */
  readonly noun: string
  readonly choices: ReadonlyArray<{ readonly value: string; readonly label: string }>
  /** What follows from it. */
  readonly description: string
}

const SetStatus = (
  props: StatusQuestion & { readonly count: number; readonly onEnd: (status?: string) => void }
): ReactElement => {
  const { choices, description, noun, onEnd } = props
  const [status, setStatus] = useState("")
  const count = `${props.count} ${noun}${props.count === 1 ? "" : "s"}`
  const label = choices.find(({ value }) => value === status)?.label
  return (
    <Dialog open onClose={() => onEnd()} title={`Set the status of ${count}`} description={description}>
      <Select label="Status" value={status} choices={choices} onChange={setStatus} />
      <Actions>
        <Button onClick={() => onEnd()}>Cancel</Button>
        <Button kind="primary" disabled={status === ""} onClick={() => onEnd(status)}>
          {label === undefined ? "Set status" : `Set ${count} to ${label}`}
        </Button>
      </Actions>
    </Dialog>
  )
}

/** Asks which status so many things are to get: nothing where it is given up. */
export const useStatusQuestion = (
  of: StatusQuestion
): { readonly askStatus: (count: number) => Promise<string | undefined>; readonly dialog: ReactNode } => {
  const [asked, setAsked] = useState<{
    readonly count: number
    readonly end: (status?: string) => void
  }>()
  const askStatus = (count: number): Promise<string | undefined> =>
    new Promise((resolve) => {
      const end = (status?: string): void => {
        setAsked(undefined)
        resolve(status)
      }
      setAsked({ count, end })
    })
  return { askStatus, dialog: asked && <SetStatus {...of} count={asked.count} onEnd={asked.end} /> }
}
