/** Ways to act on entries, for whoever is signed in. */

import { InputError, isCallError } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type { Admission } from "./admission.js"
import type { Connection, Definition } from "./connection.js"
import type { EntryEvent, Kept } from "./entry.js"
import { outboxErrorOf } from "./error.js"
import type { ActionOutcome, OutboxActions } from "./model.js"
import type { Changed, Ports } from "./store.js"

/** What the actions need of the page's part of an outbox. */
export interface Acting {
  readonly name: string
  readonly ports: Ports
  readonly admission: Admission
  /** The newest of what is kept. */
  readonly read: () => Promise<ReadonlyArray<Kept>>
  readonly isOwn: (entry: Kept) => boolean
  readonly handlerOf: (
    entry: Kept
  ) => { readonly definition: Definition; readonly connection: Connection } | undefined
  readonly change: (id: string, event: EntryEvent, mayChange?: (entry: Kept) => boolean) => Promise<Changed>
  /** Forgets that entries were removed by something else. */
  readonly forgive: () => void
  readonly send: () => void
}

/** Throws an InputError for what names no entry: a database refuses it, or another one would be meant. */
const checkId = (name: keyof OutboxActions, id: unknown): void => {
  if (typeof id !== "string" || id === "")
    throw new InputError({ operation: `outbox.${name}`, field: "id", rule: "must be text that is not empty" })
}

export const makeActions = (of: Acting): OutboxActions => {
  const { admission, name, ports } = of
  const outcome = async (action: () => Promise<ActionOutcome>): Promise<ActionOutcome> => {
    try {
      return await action()
    } catch (cause) {
      return { status: "error", error: isCallError(cause) ? cause : outboxErrorOf(name, cause) }
    }
  }
  const act = (action: keyof OutboxActions, id: string, event: EntryEvent): Promise<ActionOutcome> =>
    outcome(async () => {
      checkId(action, id)
      const { after, before } = await of.change(id, event, of.isOwn)
      of.send()
      return { status: before === after ? "refused" : "success" }
    })
  return {
    retry: (id) => act("retry", id, { _tag: "Retried", idempotencyKey: ports.makeId() }),
    discard: (id) => act("discard", id, { _tag: "Discarded" }),
    edit: (id, input) =>
      outcome(async () => {
        checkId("edit", id)
        // Nobody may have read it yet.
        const entry = (await of.read()).find((candidate) => candidate.id === id)
        const handler = entry && of.handlerOf(entry)
        if (handler === undefined) return { status: "refused" }
        const checked = await admission.check(handler.definition, handler.connection, input)
        if (Exit.isFailure(checked)) throw Cause.squash(checked.cause)
        const { files, value } = checked.value
        await admission.readFiles(files)
        return act("edit", id, { _tag: "Edited", idempotencyKey: ports.makeId(), input: value })
      }),
    clear: () =>
      outcome(async () => {
        of.forgive()
        // What is about to be kept is dropped too.
        await admission.settled()
        for (const { id } of await ports.store.all()) await of.change(id, { _tag: "Discarded" })
        await of.read()
        of.send()
        return { status: "success" }
      })
  }
}
