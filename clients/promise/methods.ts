/** The calls of a client as methods: each returns a Promise, or an AsyncIterable if its answer is a stream. */
import * as Either from "effect/Either"
import type { Args, Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { isPaged, type Paged, type PageRange } from "../../core/kernel/dispatch/page-source.js"
import type { PagesOptions } from "../../core/kernel/dispatch/pulls.js"
import type { CallResponse } from "../../core/kernel/dispatch/with-response.js"
import { InputError } from "../../core/kernel/errors/errors.js"
import {
  type As,
  type Bytes,
  isSchema,
  mustBeSchema,
  type Page,
  type Typed
} from "../../core/kernel/operation/answer.js"
import type { Audience, Kind, Operation } from "../../core/kernel/operation/operation.js"
import type { Answered } from "../../core/kernel/operation/recorded.js"
import { invoke, type Options, type Parts } from "./caller.js"
import { bytesOf, piecesOf, textOfBody } from "./downloads.js"
import { type Cancellable, orThrow } from "./options.js"
import { itemsOf } from "./pages.js"
import { respond, respondWhole } from "./with-response.js"

/** A call that returns a Promise. It rejects with a CallError, or with the reason of its signal. @category models */
export interface PromiseCall<I, A, K extends Kind = Kind> {
  (...args: Args<I, Options>): Promise<A>
  /** The call as a value, such as `session.can` takes it. */
  readonly operation: Operation<never, unknown, never, K>
  /**
   * The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it.
   * Undeclared fields are kept: `parseOptions` that are stricter are refused. Date-times in them and under `Schema.Unknown`
   * are Dates before filters and transformations run.
   */
  readonly as: <B>(schema: Typed<B>) => PromiseCall<I, As<A, B>, K> & Listed<I, As<A, B>>
  /**
   * The same call, which resolves to its value together with status, headers, request id and the number of attempts:
   * `const { value, headers } = await admin.orders.get.withResponse({ id })`.
   */
  readonly withResponse: (...args: Args<I, Options>) => Promise<CallResponse<A>>
}

/**
 * The extra method of a list whose input takes `page`: all its items, page after page, one page in memory at a time.
 * @category models
 */
export type Listed<I, A> =
  A extends Page<infer Item>
    ? [Paged<I>] extends [never]
      ? unknown
      : {
          /**
           * All items of the list, page after page, of which one at a time is in memory: `for await (const order of admin.orders.search.pages())`.
           * Each loop begins anew, and asks for no further page once it is left. `page` and `limit` of the input set the first page and the size of each.
           */
          readonly pages: (...args: Args<I, PagesOptions & Cancellable>) => AsyncIterable<Item>
        }
    : unknown

/** A download: a stream of bytes, requested when it is read, or all bytes at once. @category models */
export interface PromiseDownload<I> {
  /** The bytes as they arrive, requested again by each loop; leaving the loop releases the connection. */
  (...args: Args<I, Options>): AsyncIterable<Uint8Array>
  /** The call as a value, such as `session.can` takes it. */
  readonly operation: Operation<never, unknown, never>
  /** All bytes at once. */
  readonly bytes: (...args: Args<I, Options>) => Promise<Uint8Array>
  /** All bytes as text in UTF-8. */
  readonly text: (...args: Args<I, Options>) => Promise<string>
  /** All bytes at once, together with status, headers, request id and the number of attempts. */
  readonly withResponse: (...args: Args<I, Options>) => Promise<CallResponse<Uint8Array>>
}

/** The method of an operation; `Name` is that of the call with the client's before it, `admin.items.list`. */
export type Method<Name extends string, Declared> =
  Declared extends Operation<infer I, infer A, infer _Aud, infer K>
    ? [A] extends [Bytes]
      ? PromiseDownload<I>
      : PromiseCall<I, Answered<Name, A>, K> & Listed<I, Answered<Name, A>>
    : never

/** Makes the methods of one client. */
export interface Methods {
  /** The method of a call whose answer is read whole. */
  readonly call: <I, A>(operation: Operation<I, A, never>) => PromiseCall<I, A> & Listed<I, A>
  /** The method of any operation, by its declaration. */
  readonly method: (operation: Operation<never, unknown, never>) => unknown
}

/** Checks the schema argument, which an untyped program may omit. */
const checkSchema = (operation: string, schema: unknown): Either.Either<void, InputError> =>
  isSchema(schema)
    ? Either.void
    : Either.left(new InputError({ operation, field: "schema", rule: mustBeSchema }))

type Any = Operation<unknown, unknown, Audience>

export const makeMethods = (parts: Parts<never, Bindable>): Methods => {
  const call = (operation: Any): object => {
    const method = (input: unknown = {}, options?: Options): Promise<unknown> =>
      invoke(parts, operation, input, options)
    const as = (schema: Typed<unknown>): object => {
      orThrow(checkSchema(`${operation.name}.as`, schema))
      return call(operation.as(schema))
    }
    const pages = (input?: unknown, options?: Options & PageRange): AsyncIterable<unknown> =>
      itemsOf(parts, operation, input, options)
    const withResponse = (input: unknown = {}, options?: Options) => respond(parts, operation, input, options)
    return Object.assign(method, { as, operation, withResponse }, isPaged(operation) ? { pages } : {})
  }

  const download = (operation: Operation<unknown, Bytes, Audience>): object => {
    const pieces = (input: unknown = {}, options?: Options) => piecesOf(parts, operation, input, options)
    return Object.assign(pieces, {
      operation,
      bytes: (input: unknown = {}, options?: Options) => bytesOf(parts, operation, input, options),
      text: (input: unknown = {}, options?: Options) => textOfBody(parts, operation, input, options),
      withResponse: (input: unknown = {}, options?: Options) => respondWhole(parts, operation, input, options)
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
