/** Answers that say all by their status: they have no body, or none that could be read. */
import type { Outcome } from "../../core/ports/transport.js"

/** Whether an answer of this status has no body, whatever its headers say. */
export const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304

type Header = (name: string) => string | undefined

/** An answer without a body. */
export const withoutBody = (status: number, header: Header): Outcome => ({
  _tag: "Answered",
  status,
  header,
  body: new Uint8Array()
})

/** What an answer comes to whose body could not be read: unless the call succeeded, its status counts. */
export const unread = (status: number, header: Header, failure: Outcome): Outcome =>
  status > 299 ? withoutBody(status, header) : failure
