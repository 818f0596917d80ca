/** A call's value together with the answer that it stood in; apart from the dispatcher, so that only who asks for it carries it. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { mask } from "../redaction/mask.js"
import { isSecret } from "../redaction/sent-secrets.js"
import { requestIdOf } from "./response.js"
import { type AnswerHeaders, type AnswerProgress, currentProgress } from "./watch.js"

/** The value of a call, and the HTTP answer that it stood in. @category models */
export interface CallResponse<out A> {
  /** What the call answers without `withResponse`. */
  readonly value: A
  /**
   * The HTTP status, such as 200 or 201. Undefined if no answer came over HTTP, because middleware or a stub of a test gave the
   * value.
   */
  readonly status: number | undefined
  /**
   * The headers by their names in lower case: `headers["x-ratelimit-remaining"]`. Several of one name are joined by `, `.
   * The values of `set-cookie` and of headers that are named like a credential are `•••`, and so is every secret of the client in another
   * value. In a page of another origin a browser shows those alone that the server allows by CORS. A transport of your own that does
   * not list its headers gives none.
   */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The server's own id of the request (`x-request-id`, `request-id` or `x-correlation-id`), for its support. */
  readonly requestId: string | undefined
  /** The requests that were sent: more than 1 after a retry or a renewal of credentials, 0 if none was. */
  readonly attempts: number
}

const alone: AnswerProgress["alone"] = (call) => Effect.locally(call, currentProgress, undefined)

/** What stands in place of a credential. */
const hidden = "•••"

const headersOf = ({ credentials, header, secrets }: AnswerHeaders): CallResponse<unknown>["headers"] => {
  // Without a prototype, so that a header `__proto__` is one like any other.
  const headers: Record<string, string> = Object.create(null)
  for (const [given, value] of header.all?.() ?? []) {
    const name = given.toLowerCase()
    headers[name] =
      name === "set-cookie" || Object.hasOwn(credentials, name) || isSecret(name)
        ? hidden
        : mask(value, secrets())
  }
  return headers
}

/**
 * The same call, which answers its value together with status, headers, request id and the number of attempts.
 *
 * It fails as the call does; an error has the status and the request id of its own answer. A download is read whole:
 * `withResponse(collect(Admin.files.download({ id })))`. Of an Effect that makes several calls, the answer is that of
 * the last one, and all attempts count; of a list, ask page by page.
 *
 * @example
 * ```ts
 * import { withResponse } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.map(withResponse(Admin.orders.get({ id: "o1" })), ({ headers, value }) => ({
 *   total: value.total,
 *   limit: headers["x-ratelimit-remaining"]
 * }))
 * ```
 * @category combinators
 */
export const withResponse = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<CallResponse<A>, E, R> =>
  Effect.flatMap(FiberRef.get(currentProgress), (outer) => {
    const progress: AnswerProgress = { attempts: 0, status: undefined, retries: [], answer: undefined, alone }
    return Effect.map(Effect.locally(call, currentProgress, progress), (value) => {
      // One within another, as in `until`, is seen by both.
      if (outer !== undefined)
        Object.assign(outer, {
          ...progress,
          attempts: outer.attempts + progress.attempts,
          retries: [...outer.retries, ...progress.retries]
        })
      const { answer, attempts, status } = progress
      const requestId = answer && requestIdOf(answer.header)
      return {
        value,
        status,
        headers: answer ? headersOf(answer) : {},
        requestId: requestId && mask(requestId, answer?.secrets() ?? []),
        attempts
      }
    })
  })
