/** Answers that say all by their status: they have no body, or none that could be read. */
import type { HeaderReader, Outcome, Request } from "../../core/ports/transport.js"

/** Whether an answer of this status, or one to HEAD, has no body, whatever its headers say. */
export const hasNoBody = (status: number, method?: Request["method"]): boolean =>
  status === 204 || status === 205 || status === 304 || method === "HEAD"

/** An answer without a body. */
export const withoutBody = (status: number, header: HeaderReader): Outcome => ({
  _tag: "Answered",
  status,
  header,
  body: new Uint8Array()
})

/** What an answer comes to whose body could not be read: unless the call succeeded, its status counts. */
export const unread = (status: number, header: HeaderReader, failure: Outcome): Outcome =>
  status > 299 ? withoutBody(status, header) : failure
