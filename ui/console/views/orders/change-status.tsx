/** Changes the status of orders. They have no version, so each is looked at before it is changed, and again before that is undone. */
import { useMutation } from "@quartet/react"
import { Router } from "../../app/routes.js"
import type { OrderRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { Status } from "../../app/status.js"
import { warn } from "../../app/toasts.js"
import { between } from "../../data/versions.js"
import { ask, type Question } from "../../design/dialog.js"
import { words } from "../../design/show.js"
import { type Changed, changedSince, failureOf, useStatusChanges } from "../../frame/status-change.js"
import { nameOf, reading, statusChoices, updating } from "./data.js"

const labelOf = (status: string | null | undefined): string => words(status ?? "no status")

/** What is asked before one order is paid or cancelled; nothing before another status. */
const questionOf = (order: OrderRow, status: string): Question | undefined => {
  const name = order.number || "this order"
  const sum = money(order.total, order.currency)
  if (status === "paid")
    return {
      title: `Mark ${name} as paid?`,
      description: `It will count as paid${sum && `: ${sum}`}. No money is moved.`,
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

export const useStatusChange = () => {
  const update = useMutation(updating)
  const read = useMutation(reading)

  const present = async (id: string): Promise<OrderRow | undefined> => {
    const outcome = await read.mutate({ id })
    if (outcome.status === "error") warn(outcome.error)
    return outcome.status === "success" ? outcome.data : undefined
  }

  const send = async (order: OrderRow, status: string): Promise<Changed<OrderRow>> => {
    const outcome = await update.mutate({ payload: { _id: order._id, status } })
    if (outcome.status === "error")
      warn(outcome.error, {
        what: `Set ${nameOf(order)} to ${labelOf(status)}`,
        to: Router.Order({ id: order._id })
      })
    return outcome.status === "success" ? [order, { ...outcome.data, status }] : undefined
  }

  /** Sets the status of an order, unless somebody has changed it since it was read and theirs is kept. */
  const change = async (from: OrderRow, status: string): Promise<Changed<OrderRow>> => {
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

  /** Sets what was before, if it is still as it was left. */
  const takeBack = async (before: OrderRow, after: OrderRow): Promise<string | undefined> => {
    const { _id, status } = before
    const present = await read.mutate({ id: _id })
    if (present.status !== "success") return failureOf(present)
    if (present.data.status !== after.status) return changedSince(present.data.status, after.status)
    const outcome = await update.mutate({ payload: { _id, status: status ?? "new" } })
    return failureOf(outcome)
  }

  const { busy, setAll } = useStatusChanges<OrderRow>({
    nameOf,
    doneOf: (status) => statusChoices.find(({ value }) => value === status)?.label ?? labelOf(status),
    send: change,
    takingBack: () => takeBack
  })

  /** Sets the status of one, and asks where it has to; `onBegin` runs once it is agreed. */
  const set = async (order: OrderRow, status: string, onBegin?: () => void): Promise<void> => {
    const question = questionOf(order, status)
    if (question !== undefined && !(await ask(question))) return
    onBegin?.()
    await setAll([order], status)
  }

  return { set, setAll, busy }
}
