/** Changes the status of requests: with Undo, and with both versions where somebody was faster. */
import { useMutation } from "@quartet/react"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Status, statusLabel } from "../../app/status.js"
import { warn } from "../../app/toasts.js"
import { requestName } from "../../customer/data.js"
import { between } from "../../data/versions.js"
import { ask } from "../../design/dialog.js"
import { type Changed, changedSince, failureOf, useStatusChanges } from "../../frame/status-change.js"
import { read, setStatus, statusChoices } from "./data.js"

/** What sets a status, such as "Confirm". */
const verbOf = (status: string): string =>
  statusChoices.find(({ value }) => value === status)?.verb ?? "Change"

/** The versions that changes made here: a list may show the one before for a moment. */
const made = new Map<string, number>()

/** The version that a change is about: at least the one that was made here. */
const versionOf = ({ _id: id, version }: RequestRow): number | undefined =>
  typeof version === "number" ? Math.max(version, made.get(id) ?? 0) : undefined

const keepVersion = ({ _id: id, version }: RequestRow): void => {
  if (typeof version === "number") made.set(id, version)
}

export const useStatusChange = () => {
  const status = useMutation(setStatus)
  const reading = useMutation(read)

  /** Sends a status with the version that it is about; asks where that is not the present one any more. */
  const send = async (from: RequestRow, next: string): Promise<Changed<RequestRow>> => {
    const { _id: id } = from
    const outcome = await status.mutate({ id, payload: { status: next, version: versionOf(from) } })
    if (outcome.status === "success") {
      keepVersion(outcome.data)
      return [from, outcome.data]
    }
    if (outcome.status !== "error") return undefined
    if (outcome.error._tag !== "Conflict") {
      warn(outcome.error, { what: `${verbOf(next)} “${requestName(from)}”`, to: Router.Request({ id }) })
      return undefined
    }
    made.delete(id)
    const present = await reading.mutate({ id })
    if (present.status !== "success") {
      if (present.status === "error") warn(present.error)
      return undefined
    }
    const { comments, status: theirs } = present.data
    const isSaid = comments?.length !== from.comments?.length
    const isAgreed = await ask(
      between(
        [
          ["Status", <Status key="" of={theirs} />, <Status key="" of={next} />],
          ...(isSaid ? [["Comments", comments?.length ?? 0, from.comments?.length ?? 0] as const] : [])
        ],
        { decline: `Keep ${statusLabel(theirs ?? "")}`, action: `Set ${statusLabel(next)}` }
      )
    )
    return isAgreed ? send(present.data, next) : undefined
  }

  /** Sets what was before, at the version that the last change made here got. */
  const takeBack = async (before: RequestRow, after: RequestRow): Promise<string | undefined> => {
    const { _id: id } = after
    const payload = { status: before.status ?? "pending", version: versionOf(after) }
    const outcome = await status.mutate({ id, payload })
    if (outcome.status === "success") keepVersion(outcome.data)
    if (outcome.status !== "error" || outcome.error._tag !== "Conflict") return failureOf(outcome)
    made.delete(id)
    const present = await reading.mutate({ id })
    return changedSince(present.status === "success" ? present.data.status : undefined, after.status)
  }

  const { busy, setAll } = useStatusChanges<RequestRow>({
    nameOf: requestName,
    doneOf: statusLabel,
    send,
    takingBack: () => takeBack
  })

  /** Sets the status of requests; asks first where there are several. */
  const set = async (rows: ReadonlyArray<RequestRow>, next: string): Promise<boolean> => {
    const action = `${verbOf(next)} ${rows.length} requests`
    const isAgreed =
      rows.length === 1 ||
      (await ask({ title: `${action}?`, description: "Their customers will see this.", action }))
    return isAgreed && setAll(rows, next)
  }
  return { set, setAll, busy }
}
