/**
 * What an answer, or an error, says of the request: the one place where a status is read. The client, the outbox, the
 * fleet and docs/errors.md all take it from here.
 */

/** Whether a write was done. A read changes nothing: of it this says whether the platform has answered it. @category models */
export type Done = "no" | "perhaps" | "yes"

/**
 * Statuses that say by their meaning that the request was not performed: a redirect that asks for the same request
 * elsewhere (of the others, 303 means that it was done, and 302 is used for that), and a server or a network that does
 * not take such a request at all.
 */
const declining: ReadonlyArray<number> = [301, 307, 308, 501, 505, 511]

/**
 * Whether a request that was answered with this status was done. A gateway answers 408 and most 5xx (503 too) before,
 * while and after the platform works, so they prove nothing.
 */
export const doneBy = (status: number): Done => {
  if (status >= 200 && status <= 299) return "yes"
  const isRefusal = status >= 400 && status <= 499 && status !== 408
  return isRefusal || declining.includes(status) ? "no" : "perhaps"
}

const isFault = (status: number): boolean => status >= 400 && doneBy(status) === "perhaps"

/** Whether the same request may be answered otherwise in a moment: 408, 429, and 5xx but 501, 505 and 511. */
export const isTransient = (status: number): boolean => status === 429 || isFault(status)

/**
 * Whether an answer with this status comes from the platform, which then has accepted the credentials and read the
 * request. 401 refuses them; redirects, time-outs, limits, faults and what proxies say may come from before it.
 */
export const isProcessed = (status: number): boolean =>
  doneBy(status) === "yes" ||
  (status >= 400 && status <= 499 && ![401, 407, 408, 421, 425, 429].includes(status))

/** What is read of an error: a `CallError`, or a plain copy of one. */
interface Judged {
  /** The tag of the error, such as `OutcomeUnknown`. */
  readonly _tag: string
  /** The HTTP status, if an answer came. */
  readonly status?: number
  /** Whether the same call may succeed when it is repeated. */
  readonly retryable?: boolean
  /** Whether a write was done although its answer cannot be read. */
  readonly isDone?: boolean
  /** Whether a write may have been done. */
  readonly isInDoubt?: boolean
}

/**
 * Whether the call that failed with this error was done: `perhaps` of a write that was sent and may have been done, `yes`
 * of one whose answer cannot be read. Of a read, which changes nothing, it is `no`.
 * @category getters
 */
export const doneOf = (error: Judged): Done => {
  if (error._tag === "OutcomeUnknown" || error.isInDoubt === true) return "perhaps"
  if (error.isDone === true) return "yes"
  const status = error.status ?? (error._tag === "ServerFault" ? 500 : 0)
  // A read may be repeated after these; a write that may have been done never.
  return isFault(status) && error.retryable !== true ? "perhaps" : "no"
}
