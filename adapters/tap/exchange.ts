/** What a tap reports: one exchange, with secrets masked. */

/** How an exchange ended. @category models */
export type Ending =
  | {
      readonly _tag: "Answered"
      /** The HTTP status. */
      readonly status: number
      /** The answer's `content-type`. */
      readonly type: string | undefined
      /** Size of the body. */
      readonly bytes: number
      /** The body as text, masked; cut where it is long. */
      readonly body: string
    }
  /** The answer is a stream, which the caller reads. */
  | {
      readonly _tag: "Streaming"
      /** The HTTP status. */
      readonly status: number
      /** Its media type; undefined if the answer does not say. */
      readonly type: string | undefined
    }
  | {
      readonly _tag: "TooLarge"
      /** The HTTP status. */
      readonly status: number
    }
  /** No answer came. `sent: false` says that the request provably never left. */
  | {
      readonly _tag: "Failed"
      /** Why no answer came. */
      readonly reason: string
      /** False if the request provably never left. */
      readonly sent: boolean
    }
  /** A file of the request could not be read: the request was cut off before its end. */
  | { readonly _tag: "Unreadable" }
  /** The caller cancelled before an answer came. */
  | { readonly _tag: "Abandoned" }

/** One exchange: reported when it begins, and again, with its ending, when it is over. @category models */
export interface Exchange {
  /** Counts the exchanges of one tap, from 1. */
  readonly id: number
  /** Name of the operation, such as `requests.markSeen`. */
  readonly operation: string
  /** The HTTP method. */
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Path with query, secrets masked. */
  readonly path: string
  /** 1 for the first attempt of a call. */
  readonly attempt: number
  /** Names in lower case; credentials masked. */
  readonly headers: Readonly<Record<string, string>>
  /** The request's body as text, secrets masked; empty if there is none. */
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds until the ending; undefined while it is in flight. */
  readonly duration: number | undefined
  /** How it ended; undefined while it is under way. */
  readonly ending: Ending | undefined
}
