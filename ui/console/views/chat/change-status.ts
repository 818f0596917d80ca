/** Closes and opens conversations, with Undo. They have no version: before something is undone, it is looked at. */
import { useMutation } from "@quartet/react"
import { Router } from "../../app/routes.js"
import type { ConversationRow } from "../../app/rows.js"
import { toneOf } from "../../app/status.js"
import { warn } from "../../app/toasts.js"
import { ask } from "../../design/dialog.js"
import { type Changed, changedSince, failureOf, useStatusChanges } from "../../frame/status-change.js"
import type { StatusChoice } from "../../frame/status-menu.js"
import { readNewest, setStatus } from "./data.js"

/** The statuses that a conversation can be given. */
export const statusChoices: ReadonlyArray<StatusChoice & { readonly done: string }> = [
  { value: "open", label: "Open", verb: "Reopen", letter: "o", tone: toneOf("open"), done: "Reopened" },
  { value: "closed", label: "Closed", verb: "Close", letter: "c", tone: toneOf("closed"), done: "Closed" }
]

const choiceOf = (status: string): Pick<StatusChoice, "verb"> & { readonly done: string } =>
  statusChoices.find(({ value }) => value === status) ?? { done: status, verb: status }

export const useStatusChange = (nameOf: (row: ConversationRow) => string) => {
  const status = useMutation(setStatus)
  const reading = useMutation(readNewest)

  const send = async (row: ConversationRow, next: string): Promise<Changed<ConversationRow>> => {
    const { _id: id } = row
    const outcome = await status.mutate({ id, payload: { status: next } })
    const doing = { what: `${choiceOf(next).verb} ${nameOf(row)}`, to: Router.Conversation({ id }) }
    if (outcome.status === "error") warn(outcome.error, doing)
    return outcome.status === "success" ? [row, { ...row, status: next }] : undefined
  }

  /** Sets what was before, of those that are still as they were left. */
  const takingBack = () => {
    const newest = reading.mutate({ limit: 500 })
    return async (before: ConversationRow, after: ConversationRow): Promise<string | undefined> => {
      const { _id: id } = before
      const present = await newest
      if (present.status !== "success") return failureOf(present)
      const now = present.data.items.find(({ _id }) => _id === id)
      if (now !== undefined && now.status !== after.status) return changedSince(now.status, after.status)
      const outcome = await status.mutate({ id, payload: { status: before.status ?? "open" } })
      return failureOf(outcome)
    }
  }

  const { busy, setAll } = useStatusChanges({
    nameOf,
    doneOf: (status) => choiceOf(status).done,
    send,
    takingBack
  })

  /** Sets the status of conversations; asks first where there are several. */
  const set = async (rows: ReadonlyArray<ConversationRow>, next: string): Promise<boolean> => {
    const action = `${choiceOf(next).verb} ${rows.length} conversations`
    const isAgreed =
      rows.length === 1 || (await ask({ title: `${action}?`, description: "You can undo it.", action }))
    return isAgreed && setAll(rows, next)
  }
  return { set, busy }
}
