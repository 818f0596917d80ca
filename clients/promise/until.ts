/** Waits for a state with Promises: makes a reading call again and again, until its answer is as wanted. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { kept, plan, polling, type UntilOptions, untilOptions } from "../../core/kernel/dispatch/until.js"
import { type CallResponse, withResponse } from "../../core/kernel/dispatch/with-response.js"
import { Operation } from "../../core/kernel/operation/operation.js"
import * as Options from "../../core/kernel/operation/options.js"
import { type Caller, type ImportedCall, operationOf, partsOf } from "./caller.js"
import type { PromiseCall } from "./methods.js"
import { type Cancellable, cancellable, split } from "./options.js"
import { rejection } from "./rejection.js"
import { makeRunner, type Runner } from "./run.js"

const known = { ...untilOptions, ...cancellable } satisfies Options.Known<UntilOptions & Cancellable>

/** Whether an answer is as wanted. @category models */
export type Predicate<A> = (value: A) => boolean

/** The predicate decides at run time what the overloads state of the answer: hence never. */
const waitFor = <A>(
  runner: Runner,
  operation: Operation<never, unknown, never>,
  poll: (options: object) => Effect.Effect<CallResponse<A>, unknown>,
  predicate: Predicate<A>,
  options: (UntilOptions & Cancellable) | undefined
): Promise<never> => {
  const read = Either.flatMap(split(operation.name, options, known), ({ own = {}, signal }) =>
    Either.map(plan(operation, predicate, own), (planned) => ({ planned, signal }))
  )
  if (Either.isLeft(read)) return rejection(read.left)
  const { planned, signal } = read.right
  const answer = runner.runEffect(
    operation.name,
    polling(operation.name, planned, poll(planned.ofCalls), predicate),
    signal
  )
  return answer as Promise<never>
}

/**
 * Makes a reading call again and again, until its answer is as wanted, and resolves with that answer. It takes a
 * client in the form of one function; `until` of `@quartet/sdk/promise` takes a method of a client with all calls.
 * `every` is the pause between two calls and `deadline` the time for all of them; a number is milliseconds.
 *
 * A failure that may be otherwise in a moment (`retryable`) does not end it, and a longer `Retry-After` is honoured.
 * Calls that change something do not compile, and are an InputError.
 *
 * @example
 * ```ts
 * import { get } from "@quartet/sdk/admin/payments"
 * import { createAdmin, until } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({ baseUrl: "https://api.example.com", projectId: "p1", sessionId: "s1", accessToken: "…" })
 * const payment = await until(call, get, { id: "p1" }, ({ status }) => status === "succeeded", { every: "2 seconds" })
 * ```
 * @throws an {@link InputError}: an option breaks a rule, or the call is none that reads.
 * @throws any failure of the call that is not `retryable`, what the predicate throws, and the reason of the signal.
 * @throws a DeadlineExceeded: the deadline has passed; its `last` is the last answer.
 * @category combinators
 */
export const until: {
  <Id, I, A, B extends A>(
    caller: Caller<Id>,
    call: ImportedCall<I, A, NoInfer<Id>, "read">,
    input: NoInfer<I>,
    predicate: (value: NoInfer<A>) => value is B,
    options?: UntilOptions & Cancellable
  ): Promise<B>
  <Id, I, A>(
    caller: Caller<Id>,
    call: ImportedCall<I, A, NoInfer<Id>, "read">,
    input: NoInfer<I>,
    predicate: Predicate<NoInfer<A>>,
    options?: UntilOptions & Cancellable
  ): Promise<A>
} = async <Id, I, A>(
  caller: Caller<Id>,
  call: ImportedCall<I, A, NoInfer<Id>, "read">,
  input: I,
  predicate: Predicate<A>,
  options?: UntilOptions & Cancellable
): Promise<never> => {
  const { client, runner, ...parts } = partsOf("until", caller)
  const asked = kept(input)
  const operation = operationOf("until", parts, call, false)
  return Either.isLeft(operation)
    ? rejection(operation.left)
    : waitFor(
        runner,
        operation.right,
        (ofCalls) => withResponse(client.dispatcher.call(operation.right, asked, ofCalls)),
        predicate,
        options
      )
}

/**
 * Makes a method of a client that reads again and again, until its answer is as wanted, and resolves with that
 * answer: for what has a state, such as a payment that settles or a request that is answered. `every` is the pause
 * between two calls and `deadline` the time for all of them; a number is milliseconds. A failure that may be
 * otherwise in a moment (`retryable`) does not end it, and a longer `Retry-After` is honoured. It ends with its
 * client too, at the next call.
 *
 * @example
 * ```ts
 * import { until } from "@quartet/sdk/promise"
 *
 * const payment = await until(admin.payments.get, { id: "p1" }, ({ status }) => status === "succeeded", {
 *   every: "2 seconds",
 *   deadline: "1 minute"
 * })
 * ```
 * @throws an InputError: an option breaks a rule, or the method changes something.
 * @throws any failure of the call that is not `retryable`, what the predicate throws, and the reason of the signal.
 * @throws a DeadlineExceeded: the deadline has passed; its `last` is the last answer.
 * @category combinators
 */
export const untilMethod: {
  <I, A, B extends A>(
    call: PromiseCall<I, A, "read">,
    input: NoInfer<I>,
    predicate: (value: NoInfer<A>) => value is B,
    options?: UntilOptions & Cancellable
  ): Promise<B>
  <I, A>(
    call: PromiseCall<I, A, "read">,
    input: NoInfer<I>,
    predicate: Predicate<NoInfer<A>>,
    options?: UntilOptions & Cancellable
  ): Promise<A>
} = <I, A>(
  call: PromiseCall<I, A, "read">,
  input: I,
  predicate: Predicate<A>,
  options?: UntilOptions & Cancellable
): Promise<never> => {
  const operation: unknown = Object(call).operation
  if (!Operation.isOperation(operation)) {
    const refuse = Options.refuser("until")
    return rejection(
      Either.flip(refuse("call", "must be a method of a client, such as admin.payments.get")).pipe(
        Either.getOrThrow
      )
    )
  }
  const asked = kept(input)
  // Args takes an input and options of any call; the tuple's type is deferred while I is not known.
  const make = call.withResponse as (input: I, options: Cancellable) => Promise<CallResponse<A>>
  return waitFor(
    makeRunner(),
    operation,
    (ofCalls) =>
      Effect.tryPromise({ try: (signal) => make(asked, { ...ofCalls, signal }), catch: (error) => error }),
    predicate,
    options
  )
}
