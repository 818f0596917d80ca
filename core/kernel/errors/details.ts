/** What all failures of a call have in common. */

/** What every failure of a call says: which operation failed and, where a server answered, what it said. */
export interface Details {
  /** The operation's name, such as `requests.markSeen`. */
  readonly operation: string
  /** The HTTP status, where an answer came. */
  readonly status?: number
  /** The server's own id of the request (`x-request-id`), for its support. */
  readonly requestId?: string
  /** Milliseconds that the server asked to wait, from `Retry-After`. */
  readonly retryAfter?: number
  /** The server's own message, masked and cut to 500 characters. */
  readonly serverMessage?: string
  readonly cause?: unknown
}

/** What the server said of it, as the end of a message. */
export const said = (error: Details): string =>
  (error.status === undefined ? "" : ` (HTTP ${error.status})`) +
  (error.serverMessage === undefined ? "" : `: ${error.serverMessage}`) +
  (error.requestId === undefined ? "" : ` [request ${error.requestId}]`)
