/** Changes the status of orders. They have no version, so each is looked at before it is changed, and again before that is undone. */
import { useMutation } from "@quartet/react"
import { Router } from "../../app/routes.js"
import type { OrderRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { countedStatus, Status } from "../../app/status.js"
import { addToast, warn } from "../../app/toasts.js"
import { between } from "../../data/versions.js"
import { ask, type Question } from "../../design/dialog.js"
import { words } from "../../design/show.js"
import { nameOf, reading, statusChoices, updating } from "./data.js"

const labelOf = (status: string | null | undefined): string => words(status ?? "no status")

/** What is asked before one order is paid or cancelled; nothing before another status. */
const questionOf = (order: OrderRow, status: string): Question | undefined => {
  const name = order.number || "this order"
  const sum = money(order.total, order.currency)
  if (status === "paid")
    return {
      title: `Mark ${name} as paid?`,
      description: `It will count as paid: ${sum}. No money is moved.`,
      action: "Mark as paid"
    }
  if (status === "cancelled")
    return {
      title: `Cancel ${name}?`,
      description: `The customer will see this. Its payments are not refunded.`,
      action: "Cancel order",
      decline: "Keep the order",
      danger: true
    }
  return undefined
}

/** An order before and after its change. */
type Changed = readonly [before: OrderRow, after: OrderRow]

export const useStatusChange = () => {
  const update = useMutation(updating)
  const read = useMutation(reading)

  const present = async (id: string): Promise<OrderRow | undefined> => {
    const outcome = await read.mutate({ id })
    if (outcome.status === "error") warn(outcome.error)
    return outcome.status === "success" ? outcome.data : undefined
  }

  const send = async (order: OrderRow, status: string): Promise<Changed | undefined> => {
    const outcome = await update.mutate({ payload: { _id: order._id, status } })
    if (outcome.status === "error")
      warn(outcome.error, {
        what: `Set ${nameOf(order)} to ${labelOf(status)}`,
        to: Router.Order({ id: order._id })
      })
    return outcome.status === "success" ? [order, { ...outcome.data, status }] : undefined
  }

  /** Sets the status of an order, unless somebody has changed it since it was read and theirs is kept. */
  const change = async (from: OrderRow, status: string): Promise<Changed | undefined> => {
    const order = await present(from._id)
    if (order === undefined || order.status === from.status) return order && send(order, status)
    const isAgreed = await ask(
      between([["Status", <Status key="" of={order.status} />, <Status key="" of={status} />]], {
        decline: `Keep ${labelOf(order.status)}`,
        action: `Set ${labelOf(status)}`
      })
    )
    return isAgreed ? send(order, status) : undefined
  }

  /** Sets what was before, of those that are still as they were left. */
  const undo = async (changes: ReadonlyArray<Changed>): Promise<void> => {
    for (const [before, after] of changes) {
      const order = await present(before._id)
      if (order === undefined) return
      if (order.status !== after.status) {
        const theirs = `It is ${labelOf(order.status)} now; you had set ${labelOf(after.status)}.`
        addToast("Could not undo", `${nameOf(before)} was changed in the meantime. ${theirs}`)
        return
      }
      if ((await send(order, before.status ?? "new")) === undefined) return
    }
    addToast("Undone", changes.map(([{ status }]) => labelOf(status)).at(0))
  }

  /** Sets the status of some orders, of which it was asked before; tells whether all have it. */
  const setAll = async (rows: ReadonlyArray<OrderRow>, status: string): Promise<boolean> => {
    const changes: Array<Changed> = []
    for (const row of rows) {
      const changed = await change(row, status)
      if (changed !== undefined) changes.push(changed)
    }
    if (changes.length === 0) return false
    const label = statusChoices.find(({ value }) => value === status)?.label ?? labelOf(status)
    addToast(countedStatus(label, changes.length, rows.length), undefined, {
      label: "Undo",
      keys: "u",
      run: () => void undo(changes)
    })
    return changes.length === rows.length
  }

  /** Sets the status of one, and asks where it has to; `onBegin` runs once it is agreed. */
  const set = async (order: OrderRow, status: string, onBegin?: () => void): Promise<void> => {
    const question = questionOf(order, status)
    if (question !== undefined && !(await ask(question))) return
    onBegin?.()
    await setAll([order], status)
  }

  return { set, setAll, busy: update.status === "pending" || read.status === "pending" }
}
