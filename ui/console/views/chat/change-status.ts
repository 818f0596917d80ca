/** Closes and opens conversations, with Undo. They have no version: before something is undone, it is looked at. */
import { useMutation } from "@quartet/react"
import { Router } from "../../app/routes.js"
import type { ConversationRow } from "../../app/rows.js"
import { toneOf } from "../../app/status.js"
import { addToast, warn } from "../../app/toasts.js"
import { ask } from "../../design/dialog.js"
import type { StatusChoice } from "../../frame/status-menu.js"
import { readNewest, setStatus } from "./data.js"

/** The statuses that a conversation can be given. */
export const statusChoices: ReadonlyArray<StatusChoice & { readonly done: string }> = [
  { value: "open", label: "Open", verb: "Reopen", letter: "o", tone: toneOf("open"), done: "Reopened" },
  { value: "closed", label: "Closed", verb: "Close", letter: "c", tone: toneOf("closed"), done: "Closed" }
]

/** Conversations in words: "3 conversations". */
const counted = (count: number): string => (count === 1 ? "conversation" : `${count} conversations`)

export const useStatusChange = () => {
  const status = useMutation(setStatus)
  const reading = useMutation(readNewest)
  const send = (id: string, next: string) => status.mutate({ id, payload: { status: next } })

  const undo = async (rows: ReadonlyArray<ConversationRow>, from: string): Promise<void> => {
    const present = await reading.mutate({ limit: 500 })
    if (present.status === "error") warn(present.error)
    if (present.status !== "success") return
    for (const { _id: id, status: before } of rows) {
      const now = present.data.items.find(({ _id }) => _id === id)
      if (now !== undefined && now.status !== from)
        return addToast("Could not undo", "Someone else has changed it since.")
      const outcome = await send(id, before ?? "open")
      if (outcome.status === "error") warn(outcome.error)
      if (outcome.status !== "success") return
    }
    addToast("Undone")
  }

  const set = async (rows: ReadonlyArray<ConversationRow>, next: string): Promise<void> => {
    const { done, verb } = statusChoices.find(({ value }) => value === next) ?? { done: next, verb: next }
    const many = counted(rows.length)
    if (
      rows.length > 1 &&
      !(await ask({ title: `${verb} ${many}?`, description: "You can undo it.", action: `${verb} ${many}` }))
    )
      return
    const changed: Array<ConversationRow> = []
    for (const row of rows) {
      const outcome = await send(row._id, next)
      if (outcome.status === "success") changed.push(row)
      else if (outcome.status === "error")
        warn(outcome.error, { what: `${verb} a conversation`, to: Router.Conversation({ id: row._id }) })
    }
    if (changed.length === 0) return
    const title = rows.length === 1 ? done : `${done} ${changed.length} of ${rows.length}`
    addToast(title, undefined, { label: "Undo", keys: "u", run: () => void undo(changed, next) })
  }
  return { set, busy: status.status === "pending" }
}
