/** What `node.ts` is elsewhere: a `fetch` that sends a request once, and says nothing about why one failed. */
import type { Outcome } from "../../core/ports/transport.js"

export const once = (send: typeof fetch): typeof fetch => send

export const makeController = (_: typeof fetch): AbortController => new AbortController()

export const lengthOf = (_: typeof fetch, _response: Response): number | undefined => undefined

export const watch = (): void => undefined

/** Why no answer came, as far as a page knows. A worker of a server does not know whether it is online. */
export const reasonHere = (): "Offline" | "Unknown" =>
  globalThis.navigator?.onLine === false ? "Offline" : "Unknown"

export const failed = (cause: unknown): Outcome => ({
  _tag: "Failed",
  reason: reasonHere(),
  sent: true,
  cause
})

export const unanswered = (cause: unknown): Outcome => failed(cause)
