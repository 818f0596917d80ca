/**
 * The execution of one call: attempts, deadline, renewal of refused credentials, retries. A success takes one
 * `Effect.async`.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { check } from "../../permissions/grants.js"
import type { Abandon, AnyRequest, Outcome, Request, Service as Transport } from "../../ports/transport.js"
import type * as Drift from "../codec/drift.js"
import type { Mismatch } from "../codec/state.js"
import {
  type CallError,
  DeadlineExceeded,
  InputError,
  OutcomeUnknown,
  PermissionDenied
} from "../errors/errors.js"
import { mask } from "../redaction/mask.js"
import { sentSecrets, withSent } from "../redaction/sent-secrets.js"
import type { Credentials, CredentialsProvider } from "./credentials.js"
import type { EncodedCall, Endpoint } from "./endpoint.js"
import { type Lifetime, now } from "./lifetime.js"
import type { Subject } from "./response.js"
import * as Retry from "./retry.js"
import type { Settings } from "./settings.js"

/** What all executions of one client share. */
export interface ExecutionContext {
  readonly transport: Transport
  readonly credentialsProvider: CredentialsProvider
  readonly budget: Retry.RetryBudget
  readonly authorize: Authorize
  readonly drift: Drift.Reporter
  /** When it closes, nothing more is sent and all callers are released. */
  readonly lifetime: Lifetime
}

/** Refuses calls that the credentials do not grant. */
type Authorize = (endpoint: Endpoint, credentials: Credentials) => PermissionDenied | undefined

/** Refuses calls that an admin's grants do not allow. Allowed calls are cached per credentials. */
export const makeAuthorize = (settings: Settings): Authorize => {
  if (settings.audience !== "admin" || settings.permissions === "off") return () => undefined
  const allowed = new WeakMap<Credentials, Set<Endpoint>>()
  return (endpoint, credentials) => {
    const { requires } = endpoint
    if (requires === undefined) return undefined
    const known = allowed.get(credentials) ?? new Set()
    if (known.has(endpoint)) return undefined
    const { action, level, resource } = requires
    const verdict = check(credentials.grants, resource, action, level, settings.permissions)
    if (verdict.allowed) {
      allowed.set(credentials, known.add(endpoint))
      return undefined
    }
    return new PermissionDenied({
      operation: endpoint.name,
      reason: "Grant",
      resource,
      action,
      required: level,
      ...(verdict.grant === undefined ? {} : { grant: verdict.grant, level: verdict.level ?? 0 })
    })
  }
}

const none: ReadonlyArray<never> = []

/** Empty credentials, for the calls that obtain credentials. */
const anonymous: Credentials = { headers: {}, grants: undefined }

/** Whether a request holds no stream, so any transport can send it, repeatedly. */
const isWhole = (request: Pick<AnyRequest, "body">): request is Pick<Request, "body"> =>
  request.body?._tag !== "Form" || !request.body.parts.some((item) => "stream" in item)

/** All headers of a request. */
const headers = (
  credentials: Readonly<Record<string, string>>,
  accept: string,
  body: AnyRequest["body"],
  idempotencyKey: string | undefined
): Record<string, string> => {
  const all: Record<string, string> = { ...credentials, accept }
  // The adapter chooses the boundary of a form, and so its content type.
  if (body?._tag === "Json") all["content-type"] = "application/json"
  if (idempotencyKey !== undefined) all["idempotency-key"] = idempotencyKey
  return all
}

/** Mutable, because it is made for one run of one call and never shared. */
export class Execution<A> {
  private attempt = 0
  private isRenewed = false
  /** Why an earlier attempt of a write may have been performed: unless the call succeeds, its outcome is unknown. */
  private doubt: "Network" | "Server" | undefined
  private readonly expiry: number
  /** The answer's drift that is new to this client. */
  private drifts: ReadonlyArray<Drift.Drift> = none
  /** The secrets among them, collected once. */
  private secrets: ReadonlyArray<string> | undefined
  /** Records a mismatch of the answer; undefined if none is tolerated. */
  private readonly onMismatch: ((mismatch: Mismatch) => void) | undefined

  constructor(
    private readonly context: ExecutionContext,
    private encoded: EncodedCall<A>,
    private readonly clock: Clock.Clock
  ) {
    this.expiry = now(clock) + encoded.policy.deadline
    this.onMismatch = encoded.isTolerant ? (mismatch) => this.drifted(mismatch) : undefined
  }

  /** Runs the call, obtaining credentials first if needed. */
  start(): Effect.Effect<A, CallError> {
    const credentials = this.first()
    return credentials === undefined
      ? Effect.flatMap(this.inTime(this.context.credentialsProvider.getCredentials(this.clock)), (obtained) =>
          this.send(obtained)
        )
      : this.send(credentials)
  }

  /** The credentials that are available when the call begins. */
  private first(): Credentials | undefined {
    const { endpoint, policy } = this.encoded
    return endpoint.isAuthorised ? this.present(this.expiry - policy.deadline) : anonymous
  }

  private present(time: number): Credentials | undefined {
    return this.context.credentialsProvider.current(time, this.clock)
  }

  private left(): number {
    return this.expiry - now(this.clock)
  }

  /**
   * Runs the call without a fiber as long as nothing fails and credentials are available; only the rest runs as an
   * Effect. Calls `settle` once, unless the returned function cancels the call before.
   */
  launch(settle: (exit: Exit.Exit<A, CallError>) => void): () => void {
    const { endpoint } = this.encoded
    const { lifetime } = this.context
    const credentials = this.first()
    if (credentials === undefined || !this.isSendable()) return lifetime.run(this.start(), settle)
    const refusal = this.context.authorize(endpoint, credentials)
    if (refusal !== undefined) return lifetime.run(Effect.fail(refusal), settle)
    // A transport may settle before it returns.
    let cancelRest: (() => void) | undefined
    const cancel = this.exchange(credentials, (exit) => {
      if (this.isPlain(exit)) settle(exit)
      else cancelRest = lifetime.run(this.afterExit(exit, credentials), settle)
    })
    return () => {
      cancel()
      cancelRest?.()
    }
  }

  /** One attempt with the given credentials. */
  private send(credentials: Credentials): Effect.Effect<A, CallError> {
    const refusal = this.context.authorize(this.encoded.endpoint, credentials)
    if (refusal !== undefined) return Effect.fail(this.told(refusal))
    if (!this.isSendable()) return Effect.flatMap(this.collect(), () => this.send(credentials))
    const { lifetime } = this.context
    // Not `Effect.async` with a canceler: that has every success run four frames more.
    return Effect.uninterruptibleMask((restore) => {
      let cancel: (() => void) | undefined
      const answer = Effect.async<A, CallError>((resume) => {
        if (lifetime.isOver) return resume(Effect.interrupt)
        // A transport may settle before it returns.
        let abandon: (() => void) | undefined
        const leave = lifetime.enter(() => {
          abandon?.()
          resume(Effect.interrupt)
          return Effect.void
        })
        abandon = this.exchange(credentials, (exit) => {
          leave()
          resume(this.isPlain(exit) ? exit : this.afterExit(exit, credentials))
        })
        cancel = () => {
          leave()
          abandon?.()
        }
      })
      return Effect.catchAllCause(restore(answer), (cause) => {
        if (Cause.isInterruptedOnly(cause)) cancel?.()
        return Effect.failCause(cause)
      })
    })
  }

  /** Whether the transport can send the request. */
  private isSendable(): boolean {
    return this.context.transport.stream !== undefined || isWhole(this.encoded)
  }

  /** Reads streams into memory, for a transport that cannot send them; the call can then be retried like any other. */
  private collect(): Effect.Effect<void, CallError> {
    const { encoded } = this
    const { form } = encoded.endpoint
    if (form === undefined || encoded.body?._tag !== "Form") return Effect.void
    const collected = Effect.mapError(
      form.collect(encoded.body),
      (refusal) => new InputError({ operation: encoded.endpoint.name, ...refusal })
    )
    const inTime = this.inTime(Effect.raceFirst(collected, this.context.lifetime.over))
    return Effect.map(inTime, (body) => {
      this.encoded = { ...encoded, body }
    })
  }

  /** Starts one exchange and reports how it ends, unless the returned function ends it before. */
  private exchange(credentials: Credentials, done: (exit: Exit.Exit<A, CallError>) => void): () => void {
    const { context, encoded } = this
    const { policy, endpoint } = encoded
    this.attempt += 1
    const request: AnyRequest = {
      ...endpoint.request,
      path: encoded.path,
      headers: headers(credentials.headers, endpoint.accept, encoded.body, encoded.idempotencyKey),
      body: encoded.body,
      answer: encoded.answer,
      maxBytes: policy.maxBytes,
      attempt: this.attempt,
      onUpload: encoded.onUpload && this.progress(encoded.onUpload)
    }
    let abandon: Abandon | undefined
    let opened: ReadableStream<Uint8Array> | undefined
    const forget = context.lifetime.deadlines.after(this.clock, this.left(), () => {
      // An adapter may throw; the call must still end.
      const wasSent = Either.getOrUndefined(Either.try(() => abandon?.())) !== false
      done(Exit.fail(this.late(wasSent)))
    })
    const settled = (outcome: Outcome): void => {
      forget()
      if (outcome._tag === "Streaming") opened = outcome.body
      // An adapter's answer may throw; the call must still end.
      const exit = Either.getOrElse(
        Either.try(() => encoded.read(outcome, policy.maxBytes, () => this.subject(), this.onMismatch)),
        Exit.die
      )
      if ("status" in outcome && isLetIn(outcome.status))
        context.credentialsProvider.accepted(credentials, endpoint.name)
      if (exit._tag === "Success" && this.attempt === 1 && context.budget.left < context.budget.full)
        context.budget.earn()
      done(exit)
    }
    const started = Either.try(() =>
      isWhole(request)
        ? context.transport.start(request, settled)
        : context.transport.stream?.(request, settled)
    )
    if (Either.isRight(started)) abandon = started.right
    else {
      forget()
      done(started.left instanceof InputError ? Exit.fail(started.left) : Exit.die(started.left))
    }
    return () => {
      forget()
      abandon?.()
      // A caller that left just as the bytes began to arrive never reads them.
      opened?.cancel().catch(() => undefined)
    }
  }

  /** A callback that throws does not end its call: that is logged, and it is not called again. */
  private progress(onUpload: NonNullable<AnyRequest["onUpload"]>): NonNullable<AnyRequest["onUpload"]> {
    let isOver = false
    return (sent, total) => {
      if (isOver) return
      const told = Either.try(() => onUpload(sent, total))
      if (Either.isRight(told)) return
      isOver = true
      this.context.lifetime.run(Effect.logError("onUpload failed", Cause.die(told.left)), () => undefined)
    }
  }

  private drifted(mismatch: Mismatch): void {
    const drift = this.context.drift.note(this.encoded.endpoint.name, mismatch)
    if (drift === undefined) return
    // A path may hold the server's own keys.
    this.secrets ??= this.subject().secrets()
    const path = mask(drift.path, this.secrets)
    this.drifts = [...this.drifts, { ...drift, path }]
  }

  /** Whether the call is done: a value without drift to report. */
  private isPlain(exit: Exit.Exit<A, CallError>): boolean {
    return exit._tag === "Success" && this.drifts === none
  }

  private afterExit(exit: Exit.Exit<A, CallError>, credentials: Credentials): Effect.Effect<A, CallError> {
    const told =
      exit._tag === "Success" ? exit : Effect.catchAll(exit, (error) => this.afterFailure(error, credentials))
    const { drifts } = this
    this.drifts = none
    return drifts === none ? told : Effect.zipRight(this.reported(drifts), told)
  }

  /** Reports drift until the client closes, even if the caller leaves, but waits no longer than the call's deadline. */
  private reported(drifts: ReadonlyArray<Drift.Drift>): Effect.Effect<void> {
    return Effect.flatMap(this.context.lifetime.fork(this.context.drift.report(drifts)), (fiber) =>
      Effect.catchAll(this.inTime(Effect.asVoid(Fiber.await(fiber))), () => Effect.void)
    )
  }

  private subject(): Subject {
    const { endpoint } = this.encoded
    return {
      operation: endpoint.name,
      required: endpoint.requires?.level ?? 0,
      isWrite: endpoint.isWrite,
      form: endpoint.form,
      attempt: this.attempt,
      wallClock: this.clock.unsafeCurrentTimeMillis(),
      secrets: withSent(this.context.credentialsProvider.secrets, () =>
        sentSecrets(this.encoded.path, this.encoded.body, endpoint.template)
      )
    }
  }

  /** Renews refused credentials once, retries if allowed, or fails. */
  private afterFailure(error: CallError, credentials: Credentials): Effect.Effect<A, CallError> {
    const { credentialsProvider, budget } = this.context
    const { idempotencyKey, policy, endpoint } = this.encoded
    // The failed attempt has read the stream: another one would send an empty file.
    if (!isWhole(this.encoded)) return Effect.fail(error)
    if (
      error._tag === "Unauthenticated" &&
      credentialsProvider.renew !== undefined &&
      !this.isRenewed &&
      endpoint.isAuthorised
    ) {
      this.isRenewed = true
      const renewed = Effect.mapError(
        this.inTime(credentialsProvider.renew(credentials, endpoint.name)),
        (failure) => this.told(failure)
      )
      return Effect.flatMap(renewed, (fresh) =>
        fresh === undefined ? Effect.fail(this.told(error)) : this.send(fresh)
      )
    }
    const told = this.told(error)
    this.doubt ??= endpoint.isWrite ? doubtOf(error) : undefined
    const isLost = error._tag === "OutcomeUnknown" && error.reason === "Network"
    const mayRepeat = (!endpoint.isWrite || idempotencyKey !== undefined) && this.attempt < policy.attempts
    if (!mayRepeat || !(isLost || Retry.mayHelp(error))) return Effect.fail(told)
    const asked = error.retryAfter
    if (asked !== undefined && asked > policy.longestRetryAfter) return Effect.fail(told)
    return Effect.flatMap(Random.next, (chance) => {
      const pause = asked ?? chance * Retry.pauseBound(policy, this.attempt + 1)
      const cost = Retry.isTimeout(error) ? policy.timeoutCost : policy.retryCost
      if (pause >= this.left() || !budget.take(cost)) return Effect.fail(told)
      const again = Effect.suspend(() => this.send(this.present(now(this.clock)) ?? credentials))
      const slept = Effect.raceFirst(Effect.sleep(pause), this.context.lifetime.over)
      return Effect.zipRight(slept, again)
    })
  }

  /** The caller's error: an unknown outcome if an attempt may have been performed and was not answered. */
  private told(error: CallError): CallError {
    const { doubt } = this
    if (doubt === undefined || error._tag === "OutcomeUnknown") return error
    // An unusable answer is still an answer, and a ServerError already says that the write may have been done.
    if (error._tag === "AnswerError" && error.isDone === true) return error
    if (doubt === "Server" && doubtOf(error) === "Server") return error
    return new OutcomeUnknown({
      operation: this.encoded.endpoint.name,
      reason: doubt,
      attempts: this.attempt,
      cause: error
    })
  }

  private late(wasSent: boolean): CallError {
    const { endpoint } = this.encoded
    return endpoint.isWrite && wasSent
      ? new OutcomeUnknown({ operation: endpoint.name, attempts: this.attempt, reason: "Deadline" })
      : this.exceeded()
  }

  private exceeded(): DeadlineExceeded {
    const { policy, endpoint } = this.encoded
    return new DeadlineExceeded({
      operation: endpoint.name,
      attempts: this.attempt,
      deadline: policy.deadline
    })
  }

  /** Applies the call's deadline to work that is shared with other calls. */
  private inTime<B>(shared: Effect.Effect<B, CallError>): Effect.Effect<B, CallError> {
    // `Effect.timeoutFail` does the same, and weighs 200 bytes more in every app.
    const late = Effect.flatMap(Effect.sleep(this.left()), () => Effect.fail(this.exceeded()))
    return Effect.raceFirst(shared, late)
  }
}

/**
 * Whether an answer proves that the platform accepted the credentials: it has processed the request, with any result.
 * Answers that may precede that prove nothing: redirects, proxies, limits, time-outs, faults.
 */
const isLetIn = (status: number): boolean =>
  [2, 4].includes(Math.trunc(status / 100)) && ![401, 407, 408, 429].includes(status)

/** Why a write with this failure may still have been performed. */
const doubtOf = (error: CallError): "Network" | "Server" | undefined => {
  if (error._tag === "OutcomeUnknown") return "Network"
  return error._tag === "ServerFault" && error.status !== 501 ? "Server" : undefined
}
