/** Calls that answer streams: downloads, and all pages of a list. Apart from `binding`, so that Stream is shipped only where it is used. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Bytes, Page } from "./answer.js"
import type { Args, Bindable, Call } from "./binding.js"
import { type CallError, NetworkError } from "./errors.js"
import type { CallOptions } from "./gateway.js"
import type { Audience, Operation } from "./operation.js"
import { type Walk, stream as walk } from "./page.js"

/** A call bound to a client whose answer is a stream of bytes. The request is sent when the stream is run. */
export interface Download<I, Aud extends Audience, R> {
  (...args: Args<I>): Stream.Stream<Uint8Array, CallError, R>
  readonly operation: Operation<I, Bytes, Aud>
}

/** Makes the `download` of one client. The connection is given back when the stream ends or is interrupted. */
export const downloader =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I>(operation: Operation<I, Bytes, Aud>): Download<I, Aud, Id> => {
    const lost = (cause: unknown): CallError =>
      new NetworkError({ operation: operation.name, reason: "Reset", cause: new Error(causeName(cause)) })
    const call = (...[input, options]: Args<I>): Stream.Stream<Uint8Array, CallError, Id> =>
      Stream.unwrap(
        Effect.map(
          // Args allows no input only where I accepts an empty one.
          Effect.flatMap(tag, ({ gateway }) => gateway.open<I>(operation, (input ?? {}) as I, options)),
          (body) => Stream.fromReadableStream({ evaluate: () => body, onError: lost })
        )
      )
    return Object.assign(call, { operation })
  }

const causeName = (cause: unknown): string => (cause instanceof Error ? cause.name : "the connection ended")

/**
 * All items of a list, page after page, holding one page at a time: `pages(Admin.requests.list, { statusIn: ["pending"] })`.
 * Sends `page`, and `limit` where it is given, beside the input.
 */
export const pages = <I, A, Aud extends Audience, R>(
  call: Call<I, Page<A>, Aud, R>,
  input: I,
  options: Walk & CallOptions = {}
): Stream.Stream<A, CallError, R> => {
  const { first, limit, ...rest } = options
  return walk(
    call.operation.name,
    (paging) => {
      // A list's input takes further query fields, and so page and limit.
      const asked = { ...input, ...paging }
      return (call as (input: I, options: CallOptions) => Effect.Effect<Page<A>, CallError, R>)(asked, rest)
    },
    { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
  )
}
