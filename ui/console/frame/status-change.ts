/** Sets the status of things one after the other, says what came of it, and offers to take it back. */
import { useState } from "react"
import { explain } from "../app/explain.js"
import { statusLabel } from "../app/status.js"
import { addToast, warnThat } from "../app/toasts.js"
import type { Row } from "./selection.js"

/** A thing before and after its change; nothing where it was not changed, which was said or asked. */
export type Changed<A> = readonly [before: A, after: A] | undefined

export interface StatusChange<A extends Row> {
  /** What a thing is called. */
  readonly nameOf: (row: A) => string
  /** What is said of a status that was set, such as "Confirmed". */
  readonly doneOf: (status: string) => string
  readonly send: (row: A, status: string) => Promise<Changed<A>>
  /** Begins to set what was before: in a sentence why that could not be done for a thing; nothing where it was done. */
  readonly takingBack: () => (before: A, after: A) => Promise<string | undefined>
}

/** Why nothing is taken back that somebody else has changed since. */
export const changedSince = (theirs: string | null | undefined, ours: string | null | undefined): string => {
  const both = theirs ? ` It is now ${statusLabel(theirs)}; you had set ${statusLabel(ours ?? "")}.` : ""
  return `Someone else has changed it since.${both}`
}

/** Why a change was not made, in a sentence; nothing where it was. */
export const failureOf = (outcome: {
  readonly status: string
  readonly error?: unknown
}): string | undefined => {
  if (outcome.status === "success") return undefined
  return outcome.status === "error" ? `${explain(outcome.error).title}.` : "It was not sent."
}

/** The ids of things that are being changed: what is pressed meanwhile does nothing. */
const underWay = new Set<string>()

/** "Confirmed" of one, "Confirmed 3" or "Confirmed 2 of 3" of several. */
const countedOf = (done: string, changed: number, all: number): string => {
  if (all === 1) return done
  return changed === all ? `${done} ${changed}` : `${done} ${changed} of ${all}`
}

export const useStatusChanges = <A extends Row>(of: StatusChange<A>) => {
  const [busy, setBusy] = useState(false)

  const undo = async (changes: ReadonlyArray<NonNullable<Changed<A>>>): Promise<void> => {
    const takeBack = of.takingBack()
    const failures: Array<string> = []
    for (const [before, after] of changes) {
      const reason = await takeBack(before, after)
      if (reason !== undefined) failures.push(`${of.nameOf(before)}: ${reason}`)
    }
    const undone = changes.length - failures.length
    if (failures.length === 0) addToast("Undone", onlyName(changes))
    else
      warnThat(undone === 0 ? "Could not undo" : `Undone ${undone} of ${changes.length}`, failures.join("\n"))
  }

  /** Says of one thing what it is called: several changes may be undone one by one. */
  const onlyName = ([first, ...others]: ReadonlyArray<NonNullable<Changed<A>>>): string | undefined =>
    first === undefined || others.length > 0 ? undefined : of.nameOf(first[0])

  /** Sets the status of things, of which it was asked before; tells whether all have it. */
  const setAll = async (rows: ReadonlyArray<A>, status: string): Promise<boolean> => {
    const free = rows.filter(({ _id }) => !underWay.has(_id))
    for (const { _id } of free) underWay.add(_id)
    setBusy(true)
    const changes: Array<NonNullable<Changed<A>>> = []
    for (const row of free) {
      const changed = await of.send(row, status)
      underWay.delete(row._id)
      if (changed !== undefined) changes.push(changed)
    }
    setBusy(false)
    if (changes.length > 0)
      addToast(countedOf(of.doneOf(status), changes.length, free.length), onlyName(changes), {
        label: "Undo",
        keys: "u",
        run: () => void undo(changes)
      })
    return changes.length === free.length
  }

  return { setAll, busy }
}
