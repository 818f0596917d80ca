/** Calls for callers without a fiber, such as those of the Promise clients: an app without any does not carry this. */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { CallError } from "../errors/errors.js"
import type { Operation } from "../operation/operation.js"
import type { CallOptions } from "./call-options.js"
import type { Dispatcher } from "./dispatcher.js"
import type { EncodedCall } from "./endpoint.js"
import { Execution } from "./execution.js"

export const systemClock = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Clock.Clock)

/** Checks and encodes a call, without sending anything. */
export const prepare = <I, A>(
  { context, find }: Dispatcher,
  operation: Operation<I, A, never>,
  input: I,
  options: CallOptions | undefined
): Either.Either<Execution<A>, CallError> =>
  Either.flatMap(find(operation), (endpoint) =>
    Either.map(
      endpoint.call(input, options),
      // The decoder was compiled from this operation's schema.
      (encoded) => new Execution(context, encoded as EncodedCall<A>, systemClock)
    )
  )

/**
 * Runs a call on the system's clock, without a fiber as long as nothing fails, credentials are available and nothing
 * stands in between; only the rest runs as an Effect. Calls `settle` once, unless the returned function cancels the call
 * before, which is the caller's to do when the client ends.
 */
export const launch = <I, A>(
  dispatcher: Dispatcher,
  operation: Operation<I, A, never>,
  input: I,
  options: CallOptions | undefined,
  settle: (exit: Exit.Exit<A, CallError>) => void
): (() => void) => {
  const { call, isDirect, lifetime } = dispatcher
  if (!isDirect) return lifetime.run(call(operation, input, options), settle)
  const prepared = prepare(dispatcher, operation, input, options)
  if (Either.isLeft(prepared)) {
    settle(Exit.fail(prepared.left))
    return () => undefined
  }
  const execution = prepared.right
  const credentials = execution.first()
  if (
    credentials === undefined ||
    !execution.isSendable() ||
    execution.context.authorization?.authorize(execution.encoded.endpoint, credentials) !== undefined
  )
    return lifetime.run(execution.start(), settle)
  // A transport may settle before it returns.
  let cancelRest: (() => void) | undefined
  const cancel = execution.exchange(credentials, (exit) => {
    if (execution.isPlain(exit)) settle(exit)
    else cancelRest = lifetime.run(execution.afterExit(exit, credentials), settle)
  })
  return () => {
    cancel()
    cancelRest?.()
  }
}
