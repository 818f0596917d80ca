/** From an operation to a method that returns a Promise, or an AsyncIterable where the answer is a stream. */
import type * as Stream from "effect/Stream"
import type { As, Bytes, Page, Typed } from "../../core/kernel/answer.js"
import type { Args, Call } from "../../core/kernel/binding.js"
import type { CallError } from "../../core/kernel/errors.js"
import type { CallOptions, Gateway } from "../../core/kernel/gateway.js"
import type { Audience, Operation } from "../../core/kernel/operation.js"
import { isPaged, type Paged, type Walk } from "../../core/kernel/pagination.js"
import { bytes, collect, type Download, pages, text } from "../../core/kernel/streaming.js"
import type { Cancellable, Runner } from "./run.js"

/** Options of one call. */
export type Options = CallOptions & Cancellable

/** A call that returns a Promise. It rejects with a CallError, or with the reason of its signal. */
export interface PromiseCall<I, A> {
  (...args: Args<I, Options>): Promise<A>
  /** The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it. */
  readonly as: <B>(schema: Typed<B>) => PromiseCall<I, As<A, B>> & Listed<I, As<A, B>>
}

/** What a list whose input takes `page` offers besides: all its items, page after page, one page in memory at a time. */
export type Listed<I, A> =
  A extends Page<infer Item>
    ? [Paged<I>] extends [never]
      ? unknown
      : { readonly pages: (...args: Args<I, Options & Walk>) => AsyncIterable<Item> }
    : unknown

/** A download: a stream of bytes that is asked for when it is read, or the whole of it at once. */
export interface PromiseDownload<I> {
  /** The bytes as they come, asked for anew by each loop; leaving the loop gives the connection back. */
  (...args: Args<I, Options>): AsyncIterable<Uint8Array>
  /** All bytes at once. */
  readonly bytes: (...args: Args<I, Options>) => Promise<Uint8Array>
  /** All bytes as text in UTF-8. */
  readonly text: (...args: Args<I, Options>) => Promise<string>
}

/** What a call that an Effect client offers becomes; never for anything else. */
export type Promised<Bound> =
  Bound extends Download<infer I, infer _Aud, infer _R>
    ? PromiseDownload<I>
    : Bound extends Call<infer I, infer A, infer _Aud, infer _R>
      ? PromiseCall<I, A> & Listed<I, A>
      : never

/** Makes the methods of one client. */
export interface Methods {
  /** The method of a call whose answer is held whole. */
  readonly call: <I, A>(operation: Operation<I, A, never>) => PromiseCall<I, A> & Listed<I, A>
  /** The method of any operation, by its declaration. */
  readonly method: (operation: Operation<never, unknown, never>) => unknown
}

/** The signal, and the options that are the call's own. */
const split = <O extends Options>(
  options: O | undefined
): { readonly signal: AbortSignal | undefined; readonly rest: Omit<O, "signal"> | undefined } => {
  if (options === undefined) return { signal: undefined, rest: undefined }
  const { signal, ...rest } = options
  return { signal, rest }
}

type Any = Operation<unknown, unknown, Audience>

export const makeMethods = (gateway: Gateway, runner: Runner): Methods => {
  const call = (operation: Any): object => {
    const method = (input: unknown = {}, options?: Options): Promise<unknown> => {
      const { rest, signal } = split(options)
      return runner.run(operation.name, (settle) => gateway.launch(operation, input, rest, settle), signal)
    }
    const as = (schema: Typed<unknown>): object => call(operation.as(schema))
    return Object.assign(method, { as }, isPaged(operation) ? list(operation) : {})
  }

  const list = (operation: Any): object => {
    // The walk reads the operation and the answers, which are pages where the declaration says so.
    const call = Object.assign(
      (input: unknown, options?: CallOptions) => gateway.call(operation, input, options),
      { operation }
    ) as unknown as Call<unknown, Page<unknown>, Audience, never>
    return {
      pages: (input: unknown = {}, options?: Options & Walk): AsyncIterable<unknown> => {
        const { rest, signal } = split(options)
        // Its input takes the number of a page: others have no `pages`.
        return runner.iterate(operation.name, pages(call, input as never, rest), signal)
      }
    }
  }

  const download = (operation: Operation<unknown, Bytes, Audience>): object => {
    const body = (input: unknown, options: CallOptions | undefined): Stream.Stream<Uint8Array, CallError> =>
      bytes(gateway, operation, input, options)
    const whole = (input: unknown = {}, options?: Options): Promise<Uint8Array> => {
      const { rest, signal } = split(options)
      return runner.runEffect(operation.name, collect(body(input, rest)), signal)
    }
    const pieces = (input: unknown = {}, options?: Options): AsyncIterable<Uint8Array> => {
      const { rest, signal } = split(options)
      return runner.iterate(operation.name, body(input, rest), signal)
    }
    return Object.assign(pieces, {
      bytes: whole,
      text: (input: unknown = {}, options?: Options): Promise<string> => {
        const { rest, signal } = split(options)
        return runner.runEffect(operation.name, text(body(input, rest), operation.name), signal)
      }
    })
  }

  // A declaration decides at run time what the types above say of its operation.
  return {
    call: call as unknown as Methods["call"],
    method: (operation) =>
      "bytes" in operation.declaration().success
        ? download(operation as Operation<unknown, Bytes, Audience>)
        : call(operation as Any)
  }
}
