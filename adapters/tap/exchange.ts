/** What a tap reports: one exchange, with secrets masked. */

/** How an exchange ended. @category models */
export type Ending =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The answer's `content-type`. */
      readonly type: string | undefined
      readonly bytes: number
      readonly body: string
    }
  /** The answer is a stream, which the caller reads. */
  | { readonly _tag: "Streaming"; readonly status: number; readonly type: string | undefined }
  | { readonly _tag: "TooLarge"; readonly status: number }
  /** No answer came. `sent: false` says that the request provably never left. */
  | { readonly _tag: "Failed"; readonly reason: string; readonly sent: boolean }
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
  readonly method: string
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
  readonly ending: Ending | undefined
}
