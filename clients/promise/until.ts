/** Waits for a state with Promises: makes a reading call again and again, until its answer is as wanted. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { plan, polling, type UntilOptions, untilOptions } from "../../core/kernel/dispatch/until.js"
import { Operation } from "../../core/kernel/operation/operation.js"
import * as Options from "../../core/kernel/operation/options.js"
import { type Bound, type Caller, operationOf, partsOf } from "./caller.js"
import type { PromiseCall } from "./methods.js"
import { type Cancellable, cancellable, split } from "./options.js"
import { rejection } from "./rejection.js"
import { makeRunner, type Runner } from "./run.js"

const known = { ...untilOptions, ...cancellable } satisfies Options.Known<UntilOptions & Cancellable>

/** Whether an answer is as wanted. @category models */
export type Predicate<A> = (value: A) => boolean

const waitFor = <A>(
  runner: Runner,
  operation: Operation<never, unknown, never>,
  poll: (options: object) => Effect.Effect<A, unknown>,
  predicate: Predicate<A>,
  options: (UntilOptions & Cancellable) | undefined
): Promise<A> => {
  const read = Either.flatMap(split(operation.name, options, known), ({ own = {}, signal }) =>
    Either.map(plan(operation, predicate, own), (planned) => ({ planned, signal }))
  )
  if (Either.isLeft(read)) return rejection(read.left)
  const { planned, signal } = read.right
  return runner.runEffect(
    operation.name,
    polling(operation.name, planned, poll(planned.ofCalls), predicate),
    signal
  )
}

/**
 * Makes a reading call again and again, until its answer is as wanted: `until(call, payments.get, { id }, ({ status }) =>
 * status === "settled", { every: "2 seconds", deadline: "1 minute" })`. Resolves with the answer for which the predicate
 * holds.
 *
 * A failure that may be otherwise in a moment (`retryable`) does not end it, and a longer `Retry-After` is honoured; it rejects
 * with any other, with what the predicate throws, and with the reason of its signal. Once the deadline has passed it rejects
 * with DeadlineExceeded, whose `last` is the last answer. Calls that change something do not compile, and are an InputError.
 * @category combinators
 */
export const until = async <Id, I, A>(
  caller: Caller<Id>,
  call: Bound<I, A, NoInfer<Id>, "read">,
  input: NoInfer<I>,
  predicate: Predicate<NoInfer<A>>,
  options?: UntilOptions & Cancellable
): Promise<A> => {
  const { client, runner, ...parts } = partsOf("until", caller)
  const operation = operationOf("until", parts, call, false)
  return Either.isLeft(operation)
    ? rejection(operation.left)
    : waitFor(
        runner,
        operation.right,
        (ofCalls) => client.dispatcher.call(operation.right, input, ofCalls),
        predicate,
        options
      )
}

/**
 * The same for a method of a client: `until(admin.payments.get, { id }, ({ status }) => status === "settled")`. Ends with its
 * client too, at the next call.
 * @category combinators
 */
export const untilMethod = <I, A>(
  call: PromiseCall<I, A, "read">,
  input: NoInfer<I>,
  predicate: Predicate<NoInfer<A>>,
  options?: UntilOptions & Cancellable
): Promise<A> => {
  const operation: unknown = Object(call).operation
  if (!Operation.isOperation(operation)) {
    const refuse = Options.refuser("until")
    return rejection(
      Either.flip(refuse("call", "must be a method of a client, such as admin.payments.get")).pipe(
        Either.getOrThrow
      )
    )
  }
  // Args takes an input and options of any call; the tuple's type is deferred while I is not known.
  const make = call as (input: I, options: Cancellable) => Promise<A>
  return waitFor(
    makeRunner(),
    operation,
    (ofCalls) =>
      Effect.tryPromise({ try: (signal) => make(input, { ...ofCalls, signal }), catch: (error) => error }),
    predicate,
    options
  )
}
