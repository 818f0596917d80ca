/** From an operation to a method that returns a Promise, or an AsyncIterable if the answer is a stream. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { Args, Call, Dispatcher } from "../../core/kernel/dispatch/dispatcher.js"
import type { CallOptions } from "../../core/kernel/dispatch/endpoint.js"
import { callOptions } from "../../core/kernel/dispatch/endpoint.js"
import { isPaged, type Paged, type PageRange } from "../../core/kernel/dispatch/pagination.js"
import {
  bytes,
  drained,
  joined,
  type PagesOptions,
  type Pull,
  pageOptions,
  pages,
  textOf
} from "../../core/kernel/dispatch/pulls.js"
import { type CallError, InputError } from "../../core/kernel/errors/errors.js"
import {
  type As,
  type Bytes,
  isSchema,
  mustBeSchema,
  type Page,
  type Typed
} from "../../core/kernel/operation/answer.js"
import type { Audience, Operation } from "../../core/kernel/operation/operation.js"
import type { Known } from "../../core/kernel/operation/options.js"
import { type Cancellable, cancellable, orThrow, split } from "./options.js"
import type { Runner } from "./run.js"

/** Options of one call. @category models */
export type Options = CallOptions & Cancellable

/** A call that returns a Promise. It rejects with a CallError, or with the reason of its signal. @category models */
export interface PromiseCall<I, A> {
  (...args: Args<I, Options>): Promise<A>
  /** The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it. */
  readonly as: <B>(schema: Typed<B>) => PromiseCall<I, As<A, B>> & Listed<I, As<A, B>>
}

/**
 * The extra method of a list whose input takes `page`: all its items, page after page, one page in memory at a time.
 * @category models
 */
export type Listed<I, A> =
  A extends Page<infer Item>
    ? [Paged<I>] extends [never]
      ? unknown
      : { readonly pages: (...args: Args<I, PagesOptions & Cancellable>) => AsyncIterable<Item> }
    : unknown

/** A download: a stream of bytes, requested when it is read, or all bytes at once. @category models */
export interface PromiseDownload<I> {
  /** The bytes as they arrive, requested again by each loop; leaving the loop releases the connection. */
  (...args: Args<I, Options>): AsyncIterable<Uint8Array>
  /** All bytes at once. */
  readonly bytes: (...args: Args<I, Options>) => Promise<Uint8Array>
  /** All bytes as text in UTF-8. */
  readonly text: (...args: Args<I, Options>) => Promise<string>
}

/** The method of an operation. */
export type Method<Declared> =
  Declared extends Operation<infer I, infer A, infer _Aud>
    ? [A] extends [Bytes]
      ? PromiseDownload<I>
      : PromiseCall<I, A> & Listed<I, A>
    : never

/** Makes the methods of one client. */
export interface Methods {
  /** The method of a call whose answer is read whole. */
  readonly call: <I, A>(operation: Operation<I, A, never>) => PromiseCall<I, A> & Listed<I, A>
  /** The method of any operation, by its declaration. */
  readonly method: (operation: Operation<never, unknown, never>) => unknown
}

const known = { ...callOptions, ...cancellable } satisfies Known<Options>
const knownOfPages = { ...pageOptions, ...cancellable } satisfies Known<Options & PageRange>

/** Checks the schema argument, which an untyped program may omit. */
const checkSchema = (operation: string, schema: unknown): Either.Either<void, InputError> =>
  isSchema(schema)
    ? Either.void
    : Either.left(new InputError({ operation, field: "schema", rule: mustBeSchema }))

type Any = Operation<unknown, unknown, Audience>

export const makeMethods = (dispatcher: Dispatcher, runner: Runner): Methods => {
  const call = (operation: Any): object => {
    const method = (input: unknown = {}, options?: Options): Promise<unknown> => {
      const read = split(operation.name, options, known)
      if (Either.isLeft(read)) return Promise.reject(read.left)
      const { own, signal } = read.right
      return runner.run(operation.name, (settle) => dispatcher.launch(operation, input, own, settle), signal)
    }
    const as = (schema: Typed<unknown>): object => {
      orThrow(checkSchema(`${operation.name}.as`, schema))
      return call(operation.as(schema))
    }
    return Object.assign(method, { as }, isPaged(operation) ? list(operation) : {})
  }

  const list = (operation: Any): object => {
    // Pagination reads the operation and the answers, which are pages if declared so.
    const call = Object.assign(
      (input: unknown, options?: CallOptions) => dispatcher.call(operation, input, options),
      { operation }
    ) as unknown as Call<unknown, Page<unknown>, Audience, never>
    return {
      pages: (input: unknown = {}, options?: Options & PageRange): AsyncIterable<unknown> => {
        const read = split(operation.name, options, knownOfPages)
        return Either.isLeft(read)
          ? runner.iterate(operation.name, Effect.fail(read.left), undefined)
          : // Its input takes a page number: others have no `pages`.
            runner.iterate(operation.name, pages(call, input as never, read.right.own), read.right.signal)
      }
    }
  }

  const download = (operation: Operation<unknown, Bytes, Audience>): object => {
    const { name } = operation
    interface Body {
      readonly opened: Effect.Effect<Pull<Uint8Array, CallError>, CallError, Scope.Scope>
      readonly signal: AbortSignal | undefined
    }
    /** The body, requested when it is read, and the signal that ends it. */
    const body = (input: unknown = {}, options?: Options): Body =>
      Either.match(split(name, options, known), {
        onLeft: (refused): Body => ({ opened: Effect.fail(refused), signal: undefined }),
        onRight: ({ own, signal }) => ({ opened: bytes(dispatcher, operation, input, own), signal })
      })
    const whole = <A>(
      read: (all: Uint8Array) => Either.Either<A, CallError>,
      input: unknown,
      options: Options | undefined
    ): Promise<A> => {
      const { opened, signal } = body(input, options)
      return runner.runEffect(
        name,
        Effect.flatMap(drained(opened), (pieces) => read(joined(pieces))),
        signal
      )
    }
    const pieces = (input?: unknown, options?: Options): AsyncIterable<Uint8Array> => {
      const { opened, signal } = body(input, options)
      return runner.iterate(name, opened, signal)
    }
    return Object.assign(pieces, {
      bytes: (input?: unknown, options?: Options) => whole<Uint8Array>(Either.right, input, options),
      text: (input?: unknown, options?: Options) => whole((all) => textOf(all, name), input, options)
    })
  }

  // The declaration decides at run time what the types above state.
  return {
    call: call as unknown as Methods["call"],
    method: (operation) =>
      "bytes" in operation.declaration().success
        ? download(operation as Operation<unknown, Bytes, Audience>)
        : call(operation as Any)
  }
}
