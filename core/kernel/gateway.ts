/**
 * The one way from an operation to the platform: guard, encode, authorise, send, decode. What is the same for every
 * call of a client is prepared once an operation; the path of a success is one `Effect.async`.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import { check } from "../permissions/grants.js"
import type { Request, Service as TransportService } from "../ports/transport.js"
import type { Bytes } from "./answer.js"
import type { Credentials } from "./credentials.js"
import * as Deadline from "./deadline.js"
import { type CallError, DeadlineExceeded, InputError, OutcomeUnknown, PermissionDenied } from "./errors.js"
import * as Exchange from "./exchange.js"
import type { Subject } from "./failure.js"
import type { Audience, Operation } from "./operation.js"
import * as Prepared from "./prepared.js"
import * as Resilience from "./resilience.js"
import type { Settings } from "./settings.js"
import * as Tracing from "./tracing.js"

/** What a single call may say besides its input. */
export interface CallOptions {
  /** Rules for this call, over those of the client. */
  readonly policy?: Partial<Resilience.Policy>
  /**
   * Sent as `idempotency-key`, the same over all attempts: promises that the platform performs calls with one key
   * once, and so allows a write to be repeated.
   */
  readonly idempotencyKey?: string
  /** Told of bytes sent and of the total while a form is sent, where the transport can know. */
  readonly onUpload?: (sent: number, total: number) => void
}

/** Runs operations for one client. */
export interface Gateway {
  readonly settings: Settings
  /** Runs a call whose answer is held whole. */
  readonly call: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options?: CallOptions
  ) => Effect.Effect<A, CallError>
  /** Runs a call whose answer is a body of bytes. The caller reads or cancels the body. */
  readonly open: <I>(
    operation: Operation<I, Bytes, never>,
    input: I,
    options?: CallOptions
  ) => Effect.Effect<ReadableStream<Uint8Array>, CallError>
}

/** One call on its way. */
interface Flight<A> {
  readonly prepared: Prepared.Prepared
  readonly request: Omit<Request, "headers" | "attempt">
  readonly policy: Resilience.Policy
  readonly idempotencyKey: string | undefined
  readonly clock: Clock.Clock
  readonly expiry: number
  readonly send: (request: Request, subject: Subject, time: Exchange.Time) => Effect.Effect<A, CallError>
}

export const make = (settings: Settings, transport: TransportService): Gateway => {
  const { authority } = settings
  const budget = Resilience.makeBudget()
  const prepare = Prepared.cache(settings)

  const denied = (prepared: Prepared.Prepared, credentials: Credentials): PermissionDenied | undefined => {
    const { requires } = prepared
    if (requires === undefined || settings.audience !== "admin" || settings.permissions === "off")
      return undefined
    const verdict = check(
      credentials.grants,
      requires.resource,
      requires.action,
      requires.level,
      settings.permissions
    )
    if (verdict.allowed) return undefined
    return new PermissionDenied({
      operation: prepared.name,
      reason: "Grant",
      resource: requires.resource,
      action: requires.action,
      required: requires.level,
      ...(verdict.grant === undefined ? {} : { grant: verdict.grant, level: verdict.level ?? 0 })
    })
  }

  const left = (flight: Flight<unknown>): number => flight.expiry - Deadline.now(flight.clock)

  /** One attempt with the given credentials. */
  const attempt = <A>(
    flight: Flight<A>,
    credentials: Credentials,
    number: number,
    renewed: boolean
  ): Effect.Effect<A, CallError> => {
    const { prepared } = flight
    const refusal = prepared.requires === undefined ? undefined : denied(prepared, credentials)
    if (refusal !== undefined) return Effect.fail(refusal)
    const subject: Subject = {
      operation: prepared.name,
      required: prepared.requires?.level ?? 0,
      isWrite: prepared.isWrite,
      attempt: number,
      wallClock: flight.clock.unsafeCurrentTimeMillis(),
      secrets: authority.secrets
    }
    const headers = Prepared.headers(credentials.headers, flight.request.body, flight.idempotencyKey)
    const time = { clock: flight.clock, deadline: flight.policy.deadline, left: left(flight) }
    const sent = flight.send({ ...flight.request, headers, attempt: number }, subject, time)
    return Effect.matchEffect(sent, {
      onFailure: (error) => afterFailure(flight, credentials, number, renewed, error),
      onSuccess: (value) => {
        if (number === 1) budget.earn()
        return Effect.succeed(value)
      }
    })
  }

  /** Renews refused credentials once, repeats what may be repeated, or fails. */
  const afterFailure = <A>(
    flight: Flight<A>,
    credentials: Credentials,
    number: number,
    renewed: boolean,
    error: CallError
  ): Effect.Effect<A, CallError> => {
    if (
      error._tag === "Unauthenticated" &&
      authority.renew !== undefined &&
      !renewed &&
      flight.prepared.isAuthorised
    ) {
      const fresh = inTime(flight, number, authority.renew(credentials))
      return Effect.flatMap(fresh, (next) => attempt(flight, next, number, true))
    }
    const mayRepeat = !flight.prepared.isWrite || flight.idempotencyKey !== undefined
    const isLost = error._tag === "OutcomeUnknown" && error.reason === "Network"
    if (!mayRepeat || number >= flight.policy.attempts || !(isRepeatable(error) || isLost))
      return Effect.fail(error)
    const asked = error.retryAfter
    if (asked !== undefined && asked > flight.policy.longestRetryAfter) return Effect.fail(error)
    return Effect.flatMap(Random.next, (chance) => {
      const pause = asked ?? chance * Resilience.pauseBound(flight.policy, number + 1)
      if (pause >= left(flight) || !budget.take(isTimeout(error))) return Effect.fail(error)
      const again = Effect.suspend(() =>
        attempt(flight, authority.current() ?? credentials, number + 1, renewed)
      )
      // A lost answer stays lost: whatever the repetition ends in, short of success, the outcome is unknown.
      const repeated = isLost ? Effect.mapError(again, (last) => stillUnknown(last, error)) : again
      return Effect.zipRight(Effect.sleep(Duration.millis(pause)), repeated)
    })
  }

  /** Keeps the deadline of the call over work that is shared with others. */
  const inTime = <A>(
    flight: Flight<unknown>,
    attempts: number,
    shared: Effect.Effect<A, CallError>
  ): Effect.Effect<A, CallError> =>
    Effect.timeoutFail(shared, {
      duration: Duration.millis(Math.max(0, left(flight))),
      onTimeout: () =>
        new DeadlineExceeded({ operation: flight.prepared.name, deadline: flight.policy.deadline, attempts })
    })

  const fly = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    options: CallOptions | undefined,
    answer: Request["answer"],
    send: (prepared: Prepared.Prepared) => Flight<A>["send"]
  ): Effect.Effect<A, CallError> =>
    Tracing.traced(
      operation.name,
      settings.audience,
      Effect.clockWith((clock) => {
        const found = prepare(operation)
        if (Either.isLeft(found)) return Effect.fail(found.left)
        const prepared = found.right
        const encoded = prepared.encode(input)
        if (Either.isLeft(encoded))
          return Effect.fail(new InputError({ operation: operation.name, ...encoded.left }))
        const chosen = Prepared.options(prepared, settings.policy, options)
        if (Either.isLeft(chosen)) return Effect.fail(chosen.left)
        const policy = chosen.right
        const flight: Flight<A> = {
          prepared,
          request: {
            operation: prepared.name,
            method: prepared.method,
            origin: prepared.origin,
            path: encoded.right.path,
            body: encoded.right.body,
            answer,
            maxBytes: policy.maxBytes,
            ...(options?.onUpload === undefined ? {} : { onUpload: options.onUpload })
          },
          policy,
          idempotencyKey: options?.idempotencyKey,
          clock,
          expiry: Deadline.now(clock) + policy.deadline,
          send: send(prepared)
        }
        if (!prepared.isAuthorised) return attempt(flight, Prepared.anonymous, 1, true)
        const credentials = authority.current()
        return credentials === undefined
          ? Effect.flatMap(inTime(flight, 0, authority.obtain), (obtained) =>
              attempt(flight, obtained, 1, false)
            )
          : attempt(flight, credentials, 1, false)
      })
    )

  return {
    settings,
    call: <I, A>(operation: Operation<I, A, never>, input: I, options?: CallOptions) =>
      fly<A>(
        operation,
        input,
        options,
        "bytes",
        (prepared) => (request, subject, time) =>
          // The decoder was compiled from the schema of this very operation.
          Exchange.value(transport, request, prepared.decode, subject, time) as Effect.Effect<A, CallError>
      ),
    open: (operation, input, options) =>
      fly(
        operation,
        input,
        options,
        "stream",
        () => (request, subject, time) => Exchange.stream(transport, request, subject, time)
      )
  }
}

const isTimeout = (error: CallError): boolean =>
  (error._tag === "NetworkError" && (error.reason === "Timeout" || error.reason === "ConnectTimeout")) ||
  error.status === 408 ||
  error.status === 504

const isRepeatable = (error: CallError): boolean =>
  (error.retryable && error._tag !== "DeadlineExceeded" && error.status !== 501) || error.status === 408

const stillUnknown = (last: CallError, lost: CallError): CallError =>
  last._tag === "OutcomeUnknown" || lost._tag !== "OutcomeUnknown"
    ? last
    : new OutcomeUnknown({
        operation: last.operation,
        reason: lost.reason,
        attempts: lost.attempts + 1,
        cause: last
      })

export type { Audience }
