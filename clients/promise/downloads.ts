/** Downloads: their bytes as they arrive, or all at once. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Args, Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { bytes as opened, textOf, whole } from "../../core/kernel/dispatch/pulls.js"
import type { Download } from "../../core/kernel/dispatch/streaming.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Bytes } from "../../core/kernel/operation/answer.js"
import type { Operation } from "../../core/kernel/operation/operation.js"
import { type Caller, known, type Options, operationOf, type Parts, partsOf, perform } from "./caller.js"
import { iterate } from "./iterate.js"
import { orThrow, split } from "./options.js"

/** The bytes as they arrive. */
export const piecesOf = <I>(
  { client, runner }: Parts<never, Bindable>,
  operation: Operation<I, Bytes, never>,
  input: I,
  options: Options | undefined
): AsyncIterable<Uint8Array> =>
  Either.match(split(operation.name, options, known), {
    onLeft: (refused) => iterate(runner, operation.name, Effect.fail(refused), undefined),
    onRight: ({ own, signal }) =>
      iterate(runner, operation.name, opened(client.dispatcher, operation, input, own), signal)
  })

const wholeOf =
  <A>(read: (all: Uint8Array, name: string) => Either.Either<A, CallError>) =>
  <I>(
    parts: Parts<never, Bindable>,
    operation: Operation<I, Bytes, never>,
    input: I,
    options: Options | undefined
  ): Promise<A> => {
    const { name } = operation
    return perform(parts, name, options, (own) =>
      parts.runner.starts(
        Effect.flatMap(whole(parts.client.dispatcher, operation, input, own), (bytes) => read(bytes, name))
      )
    )
  }

/** All bytes at once. */
export const bytesOf = /*#__PURE__*/ wholeOf<Uint8Array>(Either.right)

/** All bytes as text in UTF-8. */
export const textOfBody = /*#__PURE__*/ wholeOf(textOf)

/** Finds the operation of a download. Args allows no input only where I accepts an empty one, as which the encoder takes it. */
const resolve = <Id, I>(
  name: string,
  caller: Caller<Id>,
  call: Download<I, never, Id>,
  input: I | undefined
) => {
  const parts = partsOf(name, caller)
  return [parts, orThrow(operationOf(name, parts, call, true)), input as I] as const
}

/**
 * The bytes of a download as they arrive, requested again by each loop, one chunk in memory at a time. Leaving the
 * loop releases the connection. A method of a client with all calls is such a loop itself.
 *
 * @example
 * ```ts
 * let size = 0
 * for await (const chunk of admin.files.download({ id: "f1" })) size += chunk.byteLength
 * ```
 * @throws an InputError: it is given no download of this client. The loop throws a CallError, or the reason of its
 * signal.
 * @category combinators
 */
export const download = <Id, I>(
  caller: Caller<Id>,
  call: Download<I, never, NoInfer<Id>>,
  ...[input, options]: Args<NoInfer<I>, Options>
): AsyncIterable<Uint8Array> => piecesOf(...resolve("download", caller, call, input), options)

/**
 * All bytes of a download at once, in memory. Methods of a client with all calls have it as their own:
 * `admin.files.download.bytes({ id })`.
 *
 * @example
 * ```ts
 * const bytes = await admin.files.download.bytes({ id: "f1" })
 * ```
 * @throws a CallError, such as AnswerError `TooLarge` for more than the policy's `maxBytes`, or the reason of its
 * signal.
 * @category combinators
 */
export const bytes = async <Id, I>(
  caller: Caller<Id>,
  call: Download<I, never, NoInfer<Id>>,
  ...[input, options]: Args<NoInfer<I>, Options>
): Promise<Uint8Array> => bytesOf(...resolve("bytes", caller, call, input), options)

/**
 * All bytes of a download as text in UTF-8, in memory. Methods of a client with all calls have it as their own.
 *
 * @example
 * ```ts
 * const csv = await admin.payments.csv.text({ statusIn: ["succeeded"] })
 * ```
 * @throws as `bytes` does, and an AnswerError for what is not UTF-8.
 * @category combinators
 */
export const text = async <Id, I>(
  caller: Caller<Id>,
  call: Download<I, never, NoInfer<Id>>,
  ...[input, options]: Args<NoInfer<I>, Options>
): Promise<string> => textOfBody(...resolve("text", caller, call, input), options)
