/** What observers see of the entries that are kept. */
import type { EntryEnd, EntryError } from "../rx/queue.js"
import { headOf, heads, type Kept } from "./entry.js"
import type { OutboxError } from "./error.js"
import type { Entry, OutboxState } from "./model.js"

const unrecognised: EntryError = {
  _tag: "Unrecognised",
  message: "this version of the page has no such mutation: load the page that has it, or discard the entry"
}

/** How an entry stands, for whoever follows it. */
export type Standing = EntryEnd<unknown> | { readonly status: "queued" }

export const standingOf = ({ error = unrecognised, state }: Kept): Standing =>
  state === "failed" || state === "unknown" ? { status: state, error } : { status: "queued" }

/** What is known of an outbox. */
export interface Known {
  readonly open: ReadonlyArray<Kept>
  /** Everybody who is signed in. */
  readonly people: ReadonlySet<string | undefined>
  readonly isKnown: (entry: Kept) => boolean
  readonly status: OutboxState["status"]
  readonly error: OutboxError | undefined
  /** Why nothing is sent, and whether another tab stands in the way: of interest while something waits. */
  readonly waiting: { readonly error: OutboxError | undefined; readonly isBlocked: boolean }
}

/** The state of an outbox for those who are signed in. */
export const stateOf = ({ error, isKnown, open, people, status, waiting }: Known): OutboxState => {
  const ownEntries = open.filter(({ person }) => people.has(person))
  const first = heads(ownEntries)
  const entries = ownEntries.map((entry): Entry => {
    const { at, attempts, id, idempotencyKey, input, operation, scope } = entry
    const isHandled = isKnown(entry) || entry.state !== "queued"
    return {
      id,
      operation,
      input,
      scope,
      at: new Date(at),
      state: isHandled ? entry.state : "failed",
      error: isHandled ? entry.error : unrecognised,
      attempts,
      behind: headOf(first, entry)?.id,
      idempotencyKey
    }
  })
  const waits = ownEntries.some(({ state }) => state === "queued")
  return {
    status,
    error: error ?? (waits ? waiting.error : undefined),
    isBlocked: waits && waiting.isBlocked,
    entries,
    others: open.length - ownEntries.length
  }
}
