/**
 * An entry of an outbox: one call that somebody has made and that the platform may not have done yet. What it is, how it
 * goes from one state to the next, and which of several is sent next. All of it is pure.
 *
 * ```
 * queued ── claimed ──▶ sending ── done ──▶ (gone)
 *   ▲  ▲                 │  │  └─ refused ──▶ failed ── retried, edited ──▶ queued
 *   │  └─ nothing done ──┘  └─ its answer or its tab was lost ──▶ unknown ── retried ──▶ queued
 *   └──── discarded (queued, failed, unknown) ──▶ (gone)
 * ```
 */

import { type CallError, doneOf, isCallError } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { EntryError } from "../rx/queue.js"
import type { EntryState } from "./model.js"

/** An entry as the store keeps it. */
export interface Kept {
  /** Its place, which the store gives: entries are sent in this order. */
  readonly seq: number
  readonly id: string
  /** The mutation that sends it. */
  readonly mutation: string
  readonly operation: string
  readonly input: unknown
  readonly idempotencyKey: string
  /** Who wrote it: it is never sent under another session. */
  readonly person: string
  /** The platform that it was written for: it is never sent to another one. */
  readonly platform: string
  readonly scope: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
  readonly state: EntryState
  /** How often it was sent. */
  readonly attempts: number
  /** Whether an attempt may have been done. A later refusal does not prove that it was not. */
  readonly isInDoubt: boolean
  /** Not sent again before this time, in milliseconds since 1970. */
  readonly notBefore: number
  readonly error: EntryError | undefined
}

export type EntryEvent =
  /** A tab is about to send it. */
  | { readonly _tag: "Claimed" }
  /** The tab that had claimed it did not send it after all. */
  | { readonly _tag: "Released"; readonly attempt: number }
  /** The tab that was sending it is no longer there, or stands still. */
  | { readonly _tag: "Orphaned" }
  | {
      readonly _tag: "Ended"
      readonly attempt: number
      readonly verdict: Verdict
      readonly notBefore: number
    }
  | { readonly _tag: "Retried"; readonly idempotencyKey: string }
  | { readonly _tag: "Edited"; readonly idempotencyKey: string; readonly input: unknown }
  | { readonly _tag: "Discarded" }

/** What an exit says of the entry. `waits`: provably nothing was done, and later it may be. */
export type Verdict =
  | { readonly _tag: "Done"; readonly data: unknown }
  | { readonly _tag: "Waits"; readonly error: EntryError; readonly retryAfter: number | undefined }
  | { readonly _tag: "Failed" | "Unknown"; readonly error: EntryError }

const interrupted: EntryError = {
  _tag: "Interrupted",
  message:
    "the page was closed or reloaded, stood still, or its person signed out, while this was sent: it may have been done"
}

/**
 * The entry after an event: undefined where it is gone, and the same where the event comes too late or is not allowed. An
 * entry is only sent after it was `Claimed`, and only what is `queued` can be: so nothing is sent twice at once, and what may
 * have been done is sent again only after somebody has `Retried` it.
 */
export const reduce = (entry: Kept, event: EntryEvent): Kept | undefined => {
  const { attempts, state } = entry
  switch (event._tag) {
    case "Claimed":
      return state === "queued"
        ? { ...entry, state: "sending", attempts: attempts + 1, error: undefined }
        : entry
    case "Released":
      return state === "sending" && attempts === event.attempt
        ? { ...entry, state: "queued", attempts: attempts - 1 }
        : entry
    case "Orphaned":
      return state === "sending" ? doubtful(entry, interrupted) : entry
    case "Ended":
      // A tab that was believed dead may still tell how its own attempt ended.
      return (state === "sending" || state === "unknown") && attempts === event.attempt
        ? ended(entry, event.verdict, event.notBefore)
        : entry
    case "Retried":
      // What may have been done keeps its key, by which the platform can tell; what was refused is a new call.
      if (state === "unknown") return { ...entry, ...fresh }
      return state === "failed" ? { ...entry, ...fresh, idempotencyKey: event.idempotencyKey } : entry
    case "Edited":
      return !entry.isInDoubt && (state === "failed" || state === "queued")
        ? { ...entry, ...fresh, input: event.input, idempotencyKey: event.idempotencyKey }
        : entry
    case "Discarded":
      return state === "sending" ? entry : undefined
  }
}

const doubtful = (entry: Kept, error: EntryError): Kept => ({
  ...entry,
  state: "unknown",
  isInDoubt: true,
  error
})

const fresh = { state: "queued", notBefore: 0, error: undefined } as const

const ended = (entry: Kept, verdict: Verdict, notBefore: number): Kept | undefined => {
  switch (verdict._tag) {
    case "Done":
      return undefined
    case "Waits":
      return { ...entry, state: "queued", error: verdict.error, notBefore }
    case "Failed":
      return entry.isInDoubt
        ? doubtful(entry, verdict.error)
        : { ...entry, state: "failed", error: verdict.error }
    case "Unknown":
      return doubtful(entry, verdict.error)
  }
}

/** The fields of a call's error that are kept: all are masked, and none holds what was sent. */
const kept = [
  "status",
  "requestId",
  "retryAfter",
  "serverMessage",
  "serverCode",
  "field",
  "rule",
  "reason"
] as const

const errorOf = (error: CallError): EntryError => ({
  _tag: error._tag,
  message: error.message,
  ...Object.fromEntries(
    kept.flatMap((name) => {
      const value: unknown = Reflect.get(error, name)
      return value === undefined ? [] : [[name, value]]
    })
  )
})

const verdictOfError = (error: CallError): Verdict => {
  switch (doneOf(error)) {
    case "yes":
      return { _tag: "Done", data: undefined }
    case "perhaps":
      return { _tag: "Unknown", error: errorOf(error) }
    case "no": {
      // With other credentials it may succeed.
      const mayPass = error.retryable || error._tag === "CredentialsError" || error._tag === "Unauthenticated"
      return mayPass
        ? { _tag: "Waits", error: errorOf(error), retryAfter: error.retryAfter }
        : { _tag: "Failed", error: errorOf(error) }
    }
  }
}

/** What the exit of a write says of its entry. Where it does not prove that nothing was done, the outcome is unknown. */
export const verdictOf = (exit: Exit.Exit<unknown, unknown>): Verdict => {
  if (Exit.isSuccess(exit)) return { _tag: "Done", data: exit.value }
  const error = Cause.failureOption(exit.cause)
  if (Option.isNone(error)) {
    return Cause.isInterruptedOnly(exit.cause)
      ? { _tag: "Unknown", error: interrupted }
      : {
          _tag: "Unknown",
          error: { _tag: "Fault", message: "a fault in the program ended this while it was sent" }
        }
  }
  if (isCallError(error.value)) return verdictOfError(error.value)
  // The client could not be built, so nothing was sent.
  const message = "the client could not be made"
  return { _tag: "Waits", error: { _tag: "CredentialsError", message }, retryAfter: undefined }
}

/** The longest time that an entry waits after a transient failure, in milliseconds. */
export const longestPause = 60_000

/** The longest `retry-after` that is waited for: a clock that was set back must not hold an entry for ever. */
const longestWait = 3_600_000

/** Milliseconds to wait after an attempt that did nothing; `chance` is from 0 to 1. */
export const pauseAfter = (attempts: number, retryAfter: number | undefined, chance: number): number =>
  retryAfter === undefined
    ? Math.min(longestPause, 1_000 * 2 ** Math.min(attempts, 10)) * (0.5 + chance / 2)
    : Math.min(longestWait, retryAfter)

/** What to do next. */
export type Plan =
  | { readonly _tag: "Send"; readonly entry: Kept }
  /** Nothing before some milliseconds have passed. */
  | { readonly _tag: "Pause"; readonly milliseconds: number }
  | { readonly _tag: "Idle" }

/** What entries are in line in: of one line, one is sent after another. */
export const lineOf = ({ person, scope }: Pick<Kept, "person" | "scope">): string =>
  JSON.stringify([person, scope])

/** The first entry of each scope: all others wait behind it. In the order of the store. */
export const heads = (entries: ReadonlyArray<Kept>): ReadonlyMap<string, Kept> => {
  const first = new Map<string, Kept>()
  for (const entry of entries) if (!first.has(lineOf(entry))) first.set(lineOf(entry), entry)
  return first
}

/** The first entry of an entry's scope, if that is another one. */
export const headOf = (first: ReadonlyMap<string, Kept>, entry: Kept): Kept | undefined => {
  const head = first.get(lineOf(entry))
  return head?.id === entry.id ? undefined : head
}

/**
 * The entry that is sent next: of those that are queued and first in their scope, the one that was tried least, then the
 * oldest. After a transient failure all of them wait, because it is the network's or the platform's.
 */
export const plan = (
  entries: ReadonlyArray<Kept>,
  now: number,
  isSendable: (entry: Kept) => boolean
): Plan => {
  const ready = [...heads(entries).values()].filter((entry) => entry.state === "queued" && isSendable(entry))
  const [entry] = ready.sort((left, right) => left.attempts - right.attempts)
  if (entry === undefined) return { _tag: "Idle" }
  // A clock that was set back must not hold an entry for ever.
  const waits = ready
    .map(({ notBefore }) => notBefore - now)
    .filter((wait) => wait > 0 && wait <= longestWait)
  return waits.length > 0 ? { _tag: "Pause", milliseconds: Math.max(...waits) } : { _tag: "Send", entry }
}
