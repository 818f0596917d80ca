/** Waits for a state: makes a reading call again and again, until its answer is as wanted. An app that does not wait carries none of it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { readHttpDate } from "../codec/http-date.js"
import { type CallError, DeadlineExceeded, type InputError } from "../errors/errors.js"
import type { ReadError } from "../operation/failures.js"
import { type Audience, isWrite, Operation } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import { type CallOptions, callOptions } from "./call-options.js"
import { copied } from "./copied.js"
import type { Call } from "./dispatcher.js"
import { defaults, isTime, readRetryAfter } from "./retry.js"
import { type CallResponse, withResponse } from "./with-response.js"

/** How often and how long is waited, in milliseconds. */
interface Waiting {
  /** The pause between an answer and the next call; 2,000 milliseconds. A `Retry-After` of the platform that is longer goes before, be it of an answer or of a failure. */
  readonly every: number
  /** The longest wait, over all calls and pauses; 60,000 milliseconds. */
  readonly deadline: number
}

type Time = keyof Waiting
const times = ["every", "deadline"] as const satisfies ReadonlyArray<Time>

/** The options of each call; a key for writes and the progress of an upload are none of a read. */
type OfCalls = Omit<CallOptions, "idempotencyKey" | "onUpload">

/** The options of `until`: how often and how long it waits, and those of each call. @category models */
export type UntilOptions = Options.Timed<Waiting, Time> & OfCalls

const { idempotencyKey: _key, onUpload: _onUpload, ...ofCalls } = callOptions

/** The names of the options. */
export const untilOptions = {
  every: "any",
  deadline: "any",
  ...ofCalls
} as const satisfies Options.Known<UntilOptions>

/** The answer was not as wanted within the deadline. `last` is the last answer, if any came. @category models */
export type Unmet<A> = DeadlineExceeded & {
  /** The last answer; undefined if none came. */
  readonly last?: A
}

/** What is waited for, checked. */
export interface Plan extends Waiting {
  readonly ofCalls: OfCalls
}

/** Checks what `until` is given, for programs without types too: nothing is sent where it breaks a rule. */
export const plan = (
  operation: Operation<never, unknown, never>,
  predicate: unknown,
  options: UntilOptions
): Either.Either<Plan, InputError> => {
  const { name } = operation
  const refuse = Options.refuser(name)
  if (isWrite(operation.declaration()))
    return refuse(
      "call",
      "changes something on the platform, so it is not made again and again: wait with a call that reads"
    )
  if ("bytes" in operation.declaration().success)
    return refuse("call", "is a download: wait with a call that answers a value")
  if (typeof predicate !== "function") return refuse("predicate", "must be a function of the answer")
  return Either.flatMap(
    Options.read(name, "options", options, untilOptions, defaults),
    ({ every = 2_000, deadline = 60_000, ...ofCalls }) => {
      const read = Options.inMillis<Waiting, Time>({ every, deadline }, times) as Waiting
      const wrong = times.find((time) => !isTime(read[time]))
      return wrong === undefined
        ? Either.right({ ...read, ofCalls })
        : refuse(wrong, "must be a duration of more than 0 and at most 2,147,483,647 milliseconds (24 days)")
    }
  )
}

/**
 * The input of all calls, read once. One that cannot be read or holds hidden fields stays as it is: each call refuses it
 * by name.
 */
export const kept = <I>(input: I): I =>
  // A copy is like what it was made of.
  Either.getOrElse(
    Either.try(() => copied(input) as I),
    () => input
  )

/** Polls, until the predicate holds. What may be otherwise in a moment is asked again; any other failure ends it. */
export const polling = <A, E, R>(
  operation: string,
  { deadline, every }: Waiting,
  poll: Effect.Effect<Pick<CallResponse<A>, "headers" | "value">, E, R>,
  predicate: (value: A) => boolean
): Effect.Effect<A, E | InputError | Unmet<A>, R> =>
  Effect.suspend(() => {
    let attempts = 0
    let last: { readonly value?: A } = {}
    let cause: unknown
    const again = (pause: number): Effect.Effect<A, E | InputError, R> =>
      Effect.zipRight(Effect.sleep(pause), asked)
    const asked: Effect.Effect<A, E | InputError, R> = Effect.suspend(() => {
      attempts += 1
      return Effect.matchEffect(poll, {
        onFailure: (error): Effect.Effect<A, E | InputError, R> => {
          const { retryAfter = 0, retryable }: Partial<CallError> = Object(error)
          if (retryable !== true) return Effect.fail(error)
          cause = error
          return again(Math.max(every, retryAfter))
        },
        onSuccess: ({ headers, value }): Effect.Effect<A, E | InputError, R> => {
          last = { value }
          cause = undefined
          const wanted: unknown = predicate(value)
          if (Predicate.isObject(wanted)) {
            // Nobody waits for it, so its failure is nobody's.
            if (Predicate.isPromiseLike(wanted)) wanted.then(undefined, () => {})
            // Any object would count as true: an Effect, a generator or a Promise that is yet to say no.
            return Options.refuser(operation)(
              "predicate",
              "must answer true or false at once, and no object such as an Effect or a Promise"
            )
          }
          if (wanted) return Effect.succeed(value)
          const { date, "retry-after": retryAfter } = headers
          return Effect.flatMap(Clock.currentTimeMillis, (now) =>
            // An HTTP date refers to the server's clock.
            again(Math.max(every, readRetryAfter(retryAfter, readHttpDate(date, now) ?? now) ?? 0))
          )
        }
      })
    })
    const unmet = Effect.suspend(() => {
      const error = new DeadlineExceeded({
        operation,
        deadline,
        attempts,
        isUnmet: true,
        ...(cause === undefined ? {} : { cause })
      })
      // An answer may hold what no log should: it is there for the program, and not in the error's JSON.
      if ("value" in last) Object.defineProperty(error, "last", { value: last.value, enumerable: false })
      // Its `last`, if there is one, is an answer.
      return Effect.fail(error as Unmet<A>)
    })
    return Effect.raceFirst(asked, Effect.zipRight(Effect.sleep(deadline), unmet))
  })

/** What waiting for an audience's call can fail with. @category models */
export type UntilError<A, Aud extends Audience> = Exclude<ReadError<Aud>, DeadlineExceeded> | Unmet<A>

/**
 * Makes a reading call again and again, until its answer is as wanted, and gives that answer. `every` is the pause
 * between two calls and `deadline` the time for all of them; a number is milliseconds.
 *
 * A failure that may be otherwise in a moment (`retryable`) does not end it; any other failure does. A longer
 * `Retry-After` is honoured, of an answer too. Fails with DeadlineExceeded once the deadline has passed: its `last` is the last answer,
 * and its `cause` what the last call failed with. An interruption gives up the call under way. A predicate that
 * throws is a defect. Calls that change something do not compile, and are an InputError.
 *
 * @example
 * ```ts
 * import { until } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 *
 * const settled = until(Admin.payments.get, { id: "p1" }, ({ status }) => status === "succeeded", {
 *   every: "2 seconds",
 *   deadline: "1 minute"
 * })
 * ```
 * @category combinators
 */
export const until: {
  <I, A, Aud extends Audience, R, B extends A>(
    call: Call<I, A, Aud, R, "read">,
    input: NoInfer<I>,
    predicate: (value: NoInfer<A>) => value is B,
    options?: UntilOptions
  ): Effect.Effect<B, UntilError<A, Aud>, R>
  <I, A, Aud extends Audience, R>(
    call: Call<I, A, Aud, R, "read">,
    input: NoInfer<I>,
    predicate: (value: NoInfer<A>) => boolean,
    options?: UntilOptions
  ): Effect.Effect<A, UntilError<A, Aud>, R>
} = <I, A, Aud extends Audience, R>(
  call: Call<I, A, Aud, R, "read">,
  input: I,
  predicate: (value: A) => boolean,
  options: UntilOptions = {}
): Effect.Effect<never, CallError, R> => {
  const operation: unknown = Object(call).operation
  if (!Operation.isOperation(operation))
    return Options.refuser("until")("call", "must be a call of a client, such as Admin.payments.get")
  const asked = kept(input)
  return Effect.flatMap(plan(operation, predicate, options), ({ ofCalls, ...waiting }) => {
    // Args takes an input and options of any call; the tuple's type is deferred while I is not known.
    const make = call as (input: I, options: CallOptions) => Effect.Effect<A, ReadError<Aud>, R>
    return polling(operation.name, waiting, withResponse(make(asked, ofCalls)), predicate)
    // No failure of a call is left that may be otherwise in a moment, as a deadline of its own is.
  }) as Effect.Effect<never, UntilError<A, Aud>, R>
}
