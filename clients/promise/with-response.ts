/** Calls that answer their value together with the HTTP answer that it stood in. */
import type { Args, Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { whole } from "../../core/kernel/dispatch/pulls.js"
import type { Download } from "../../core/kernel/dispatch/streaming.js"
import { type CallResponse, withResponse as responded } from "../../core/kernel/dispatch/with-response.js"
import type { Bytes } from "../../core/kernel/operation/answer.js"
import { Operation } from "../../core/kernel/operation/operation.js"
import {
  type HasParts,
  type ImportedCall,
  type Options,
  operationOf,
  type Parts,
  partsOf,
  perform
} from "./caller.js"
import { orThrow } from "./options.js"

/** Makes a call for its value and its answer. */
export const respond = <I, A>(
  parts: Parts<never, Bindable>,
  operation: Operation<I, A, never>,
  input: I,
  options: Options | undefined
): Promise<CallResponse<A>> =>
  perform(parts, operation.name, options, (own) =>
    parts.runner.starts(responded(parts.client.dispatcher.call(operation, input, own)))
  )

/** The same of a download, which is read whole. */
export const respondWhole = <I>(
  parts: Parts<never, Bindable>,
  operation: Operation<I, Bytes, never>,
  input: I,
  options: Options | undefined
): Promise<CallResponse<Uint8Array>> =>
  perform(parts, operation.name, options, (own) =>
    parts.runner.starts(responded(whole(parts.client.dispatcher, operation, input, own)))
  )

const respondTo = async (
  client: HasParts<never>,
  call: ImportedCall<unknown, Bytes, unknown>,
  input: unknown = {},
  options?: Options
): Promise<CallResponse<unknown>> => {
  const parts = partsOf("withResponse", client)
  const isDownload = isOfBytes(call)
  const operation = orThrow(operationOf("withResponse", parts, call, isDownload))
  return isDownload
    ? respondWhole(parts, operation, input, options)
    : respond(parts, operation, input, options)
}

/** Whether it is a download. A program without types may pass anything. */
const isOfBytes = (call: unknown): boolean => {
  const operation: unknown = Object(call).operation
  return Operation.isOperation(operation) && "bytes" in operation.declaration().success
}

/**
 * Makes a call, and resolves to its value together with status, headers, request id and the number of attempts. It
 * takes a client in the form of one function, or one with all calls, and a call as the Effect client has it. The
 * methods of a client with all calls have it as their own. A download is read whole. It rejects as the call does; an
 * error has the status and the request id of its own answer.
 *
 * @example
 * ```ts
 * const { attempts, headers, requestId, status, value } = await admin.orders.get.withResponse({ id: "o1" })
 * ```
 * @throws as the call does, or the reason of its signal.
 * @category combinators
 */
export const withResponse: {
  <Id, I>(
    client: HasParts<Id>,
    call: Download<I, never, NoInfer<Id>>,
    ...args: Args<NoInfer<I>, Options>
  ): Promise<CallResponse<Uint8Array>>
  // The last, because a compiler tells of the last one alone.
  <Id, I, A>(
    client: HasParts<Id>,
    call: ImportedCall<I, A, NoInfer<Id>>,
    ...args: Args<NoInfer<I>, Options>
  ): Promise<CallResponse<A>>
} =
  // The overloads state what operations decide at run time.
  respondTo as never
