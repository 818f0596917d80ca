/** What each status, and each end without one, says of a write: written out, so that a change of the kernel's table is a change here. */
import type { Errors, Outcome } from "@quartet/sdk/extend"
import { failed, text } from "./fake-transport.js"

export const statuses: ReadonlyArray<number> = Array.from({ length: 300 }, (_, at) => 300 + at)

/** Whether a write that was answered so was done. */
export const done = (status: number): Errors.Done => {
  if (status < 400) return [301, 307, 308].includes(status) ? "no" : "perhaps"
  if (status < 500) return status === 408 ? "perhaps" : "no"
  return [501, 505, 511].includes(status) ? "no" : "perhaps"
}

/** Whether what may be sent again is, after such an answer. */
export const isRetried = (status: number): boolean =>
  [408, 429].includes(status) || (status >= 500 && ![501, 505, 511].includes(status))

/** Statuses after which a write with a key is sent again, and that leave it in doubt; and what the later attempt may be answered. */
export const inDoubt: ReadonlyArray<number> = statuses.filter(
  (status) => isRetried(status) && done(status) === "perhaps"
)
export const later: ReadonlyArray<number> = [400, 404, 409, 429, 501, 503]

/** Ends of a write without a status that says it all, and whether it was done. */
export const ends: ReadonlyArray<readonly [name: string, Outcome, Errors.Done]> = [
  ["whose connection was lost", failed("Reset", true), "perhaps"],
  ["that never left", failed("Refused", false), "no"],
  ["answered with a web page", text(200, "<html>"), "perhaps"],
  ["answered with what cannot be read", text(200, '{"_id":'), "yes"],
  ["whose file could not be read to its end", { _tag: "Unreadable", part: "file", cause: undefined }, "no"]
]

/** Calls of `things` by what they are: their names, and what they are given. */
export const kinds = {
  read: ["get", {}],
  write: ["create", {}],
  "write with a key": ["create", { options: { idempotencyKey: "order-7" } }]
} as const

/** A call that is sent once, whatever comes. */
export const once = { policy: { attempts: 1 } }
