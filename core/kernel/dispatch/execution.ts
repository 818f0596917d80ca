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
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { check, type Reading } from "../../permissions/grants.js"
import { own } from "../../permissions/own.js"
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
import { doneOf, isProcessed } from "../errors/outcomes.js"
import { callOf, sliceOf } from "../operation/operation.js"
import { mask } from "../redaction/mask.js"
import { sentSecrets, withSent } from "../redaction/sent-secrets.js"
import type { Authorization, Credentials, Requirement } from "./credentials.js"
import type { EncodedCall } from "./endpoint.js"
import { now } from "./lifetime/deadlines.js"
import type { Lifetime } from "./lifetime/lifetime.js"
import type { Progress } from "./middleware.js"
import type { Subject } from "./response.js"
import * as Retry from "./retry.js"
import type { Settings } from "./settings.js"
import type { AnswerProgress, Watch } from "./watch.js"

/** What all executions of one client share. */
export interface ExecutionContext extends Pick<Settings, "authorization" | "credentialsProvider" | "drift"> {
  readonly transport: Transport
  readonly budget: Retry.RetryBudget
  /** When it closes, nothing more is sent and all callers are released. */
  readonly lifetime: Lifetime
}

/** The client's own check of an admin's grants; `names` maps our names of resources or calls to the token's. */
export const makeAuthorization = (
  reading: Reading,
  names: Readonly<Record<string, string>>,
  nameOf?: (resource: string, action: string) => string
): Authorization => {
  const requirementOf = (slice: string, call: string): Requirement => {
    const whole =
      own(names, `${slice}.${call}`) ??
      (own(names, slice) === undefined
        ? Either.getOrUndefined(Either.try(() => nameOf?.(slice, call)))
        : undefined)
    return whole === undefined
      ? { resource: String(own(names, slice) ?? slice), action: call }
      : { resource: sliceOf(String(whole)), action: callOf(String(whole)) }
  }
  const requirement: Authorization["requirement"] = (name) => requirementOf(sliceOf(name), callOf(name))
  const decide: Authorization["decide"] = (slice, call, required, grants, by = reading) => {
    const needed = requirementOf(slice, call)
    return { ...needed, required, ...check(grants, needed.resource, needed.action, required, by) }
  }
  const verdict: Authorization["verdict"] = (name, level, grants) =>
    decide(sliceOf(name), callOf(name), level, grants)
  // Allowed calls are remembered for each credentials.
  const remembered = new WeakMap<Credentials, Set<string>>()
  return {
    requirement,
    verdict,
    decide,
    authorize: ({ name, requires }, credentials) => {
      if (requires === undefined) return undefined
      const known = remembered.get(credentials) ?? new Set()
      if (known.has(name)) return undefined
      const { allowed, grant, level = 0, word } = verdict(name, requires, credentials.grants)
      if (allowed) {
        remembered.set(credentials, known.add(name))
        return undefined
      }
      return new PermissionDenied({
        operation: name,
        reason: "Grant",
        ...requirement(name),
        required: requires,
        ...(grant === undefined ? {} : { grant, level, ...(word && { word }) }),
        ...(credentials.who === undefined ? {} : { who: credentials.who })
      })
    }
  }
}

const none: ReadonlyArray<never> = []

/** Empty credentials, for the calls that obtain credentials. */
const anonymous: Credentials = { headers: {}, grants: undefined }

/** Whether a request holds no stream, so any transport can send it, repeatedly. */
const isWhole = (request: Pick<AnyRequest, "body">): request is Pick<Request, "body"> =>
  request.body?._tag !== "Form" || !request.body.parts.some((item) => "stream" in item)

/** The progress of the calls that nobody watches. */
const unread: Progress = { attempts: 0, status: undefined, retries: [] }

/** Mutable, because it is made for one run of one call and never shared. */
export class Execution<A> {
  private attempt = 0
  /** Two are the most; a session that is only found somewhere leaves room for another one. */
  private renewals = 0
  /** Why an earlier attempt of a write may have been performed: unless the call succeeds, its outcome is unknown. */
  private doubt: "Network" | "Server" | undefined
  private readonly expiry: number
  /** The answer's drift that is new to this client. */
  private drifts: ReadonlyArray<Drift.Drift> = none
  /** The secrets among them, collected once. */
  private secrets: ReadonlyArray<string> | undefined
  constructor(
    readonly context: ExecutionContext,
    public encoded: EncodedCall<A>,
    private readonly clock: Clock.Clock,
    private readonly progress: Progress | AnswerProgress = unread,
    private readonly watch?: Watch
  ) {
    this.expiry = now(clock) + encoded.policy.deadline
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
  first(): Credentials | undefined {
    const { endpoint, policy } = this.encoded
    return endpoint.isAuthorised ? this.present(this.expiry - policy.deadline) : anonymous
  }

  private present(time: number): Credentials | undefined {
    return this.context.credentialsProvider.current(time, this.clock)
  }

  private left(): number {
    return this.expiry - now(this.clock)
  }

  /** One attempt with the given credentials. */
  private send(credentials: Credentials): Effect.Effect<A, CallError> {
    const refusal = this.context.authorization?.authorize(this.encoded.endpoint, credentials)
    if (refusal !== undefined) return Effect.fail(this.callerError(refusal))
    const { endpoint, headers } = this.encoded
    const duplicate = Object.keys(credentials.headers).find((name) => name in headers)
    if (duplicate !== undefined) {
      const rule = "must not be the name of another header that is sent"
      return Effect.fail(
        this.callerError(new InputError({ operation: endpoint.name, field: `headers.${duplicate}`, rule }))
      )
    }
    if (!this.isSendable()) return Effect.flatMap(this.collect(), () => this.send(credentials))
    const before = this.watch?.before
    return before === undefined
      ? this.attemptWith(credentials)
      : Effect.zipRight(
          before,
          Effect.suspend(() => this.attemptWith(credentials))
        )
  }

  private attemptWith(credentials: Credentials): Effect.Effect<A, CallError> {
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
  isSendable(): boolean {
    return this.context.transport.stream !== undefined || isWhole(this.encoded)
  }

  /** Reads streams into memory, for a transport that cannot send them; the call can then be retried like any other. */
  private collect(): Effect.Effect<void, CallError> {
    const { encoded } = this
    const { body, endpoint } = encoded
    if (endpoint.form === undefined || body === undefined) return Effect.void
    const collected = Effect.mapError(
      endpoint.form.collect(body),
      (refusal) => new InputError({ operation: endpoint.name, ...refusal })
    )
    const inTime = this.inTime(Effect.raceFirst(collected, this.context.lifetime.over))
    return Effect.map(inTime, (body) => {
      this.encoded = { ...encoded, body }
    })
  }

  /** Starts one exchange and reports how it ends, unless the returned function ends it before. */
  exchange(credentials: Credentials, done: (exit: Exit.Exit<A, CallError>) => void): () => void {
    const { context, encoded, watch } = this
    const { onUpload, policy, endpoint } = encoded
    this.attempt += 1
    if (watch !== undefined) watch.sent += 1
    /** Nothing was performed: nobody who leaves from now on has to fear it. */
    const notDone = (): void => {
      if (watch !== undefined) watch.sent -= 1
    }
    this.progress.attempts += 1
    const { platform } = encoded
    const request: AnyRequest = {
      ...endpoint.request,
      path: platform?.path ?? encoded.path,
      headers: { ...encoded.headers, ...platform?.headers, ...credentials.headers },
      body: platform?.body ?? encoded.body,
      answer: encoded.answer,
      maxBytes: policy.maxBytes,
      attempt: this.attempt,
      // What is a secret by our names may have another one there.
      secrets:
        platform === undefined
          ? context.credentialsProvider.secrets
          : withSent(context.credentialsProvider.secrets, () => sentSecrets(encoded, endpoint.template)),
      onUpload: onUpload && endpoint.form?.guarded(onUpload, context.lifetime.start)
    }
    let abandon: Abandon | undefined
    let opened: ReadableStream<Uint8Array> | undefined
    let isOver = false
    const forget = context.lifetime.deadlines.after(this.clock, this.left(), () => {
      // An adapter may throw; the call must still end.
      const wasSent = Either.getOrUndefined(Either.try(() => abandon?.())) !== false
      done(Exit.fail(this.late(wasSent)))
    })
    const settled = (outcome: Outcome): void => {
      forget()
      isOver = true
      if (watch !== undefined) watch.leave = undefined
      if (outcome._tag === "Streaming") opened = outcome.body
      // An adapter's answer may throw; the call must still end.
      const exit = Either.getOrElse(
        Either.try(() =>
          encoded.read(
            outcome,
            policy.maxBytes,
            () => this.subject(credentials),
            (mismatch) => this.drifted(mismatch),
            encoded.isTolerant
          )
        ),
        Exit.die
      )
      if ("status" in outcome) {
        if (exit._tag === "Success" || isProcessed(outcome.status))
          context.credentialsProvider.accepted(credentials, endpoint.name)
        this.progress.status = outcome.status
        if ("answer" in this.progress) {
          const { secrets } = this.subject()
          this.progress.answer = { header: outcome.header, credentials: credentials.headers, secrets }
        }
      }
      if (isHarmless(exit)) notDone()
      if (exit._tag === "Success" && this.attempt === 1 && context.budget.left < context.budget.full)
        context.budget.earn()
      done(exit)
    }
    const transport = platform?.over(context.transport) ?? context.transport
    const started = Either.try(() =>
      isWhole(request) ? transport.start(request, settled) : transport.stream?.(request, settled)
    )
    if (Either.isRight(started)) abandon = started.right
    else {
      forget()
      notDone()
      done(started.left instanceof InputError ? Exit.fail(started.left) : Exit.die(started.left))
    }
    let isLeft = false
    const leave = (): void => {
      if (isLeft) return
      isLeft = true
      forget()
      if (abandon?.() === false) notDone()
      // A caller that left just as the bytes began to arrive never reads them.
      opened?.cancel().catch(() => undefined)
    }
    if (watch !== undefined && !isOver) watch.leave = leave
    return leave
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
  isPlain(exit: Exit.Exit<A, CallError>): boolean {
    return exit._tag === "Success" && this.drifts === none
  }

  afterExit(exit: Exit.Exit<A, CallError>, credentials: Credentials): Effect.Effect<A, CallError> {
    const outcome =
      exit._tag === "Success" ? exit : Effect.catchAll(exit, (error) => this.afterFailure(error, credentials))
    const { drifts } = this
    this.drifts = none
    return drifts === none ? outcome : Effect.zipRight(this.reported(drifts), outcome)
  }

  /** Reports drift until the client closes, even if the caller leaves, but waits no longer than the call's deadline. */
  private reported(drifts: ReadonlyArray<Drift.Drift>): Effect.Effect<void> {
    return Effect.flatMap(this.context.lifetime.fork(this.context.drift.report(drifts)), (fiber) =>
      Effect.catchAll(this.inTime(Effect.asVoid(Fiber.await(fiber))), () => Effect.void)
    )
  }

  private subject(credentials?: Credentials): Subject {
    const { endpoint } = this.encoded
    return {
      operation: endpoint.name,
      origin: endpoint.request.origin,
      who: credentials?.who,
      required: endpoint.requires ?? 0,
      isWrite: endpoint.isWrite,
      form: endpoint.form,
      attempt: this.attempt,
      wallClock: this.clock.unsafeCurrentTimeMillis(),
      secrets: withSent(this.context.credentialsProvider.secrets, () =>
        this.encoded.platform === undefined
          ? sentSecrets(this.encoded, endpoint.template)
          : [...sentSecrets(this.encoded, endpoint.template), ...this.encoded.platform.secrets()]
      )
    }
  }

  /** Renews refused credentials, retries if allowed, or fails. */
  private afterFailure(error: CallError, credentials: Credentials): Effect.Effect<A, CallError> {
    const { credentialsProvider, budget } = this.context
    const { isRepeatable, policy, endpoint } = this.encoded
    // The failed attempt has read the stream: another one would send an empty file.
    if (!isWhole(this.encoded)) return Effect.fail(error)
    if (
      error._tag === "Unauthenticated" &&
      credentialsProvider.renew !== undefined &&
      this.renewals < 2 &&
      endpoint.isAuthorised
    ) {
      const renewed = Effect.mapError(
        this.inTime(credentialsProvider.renew(credentials, endpoint.name)),
        (failure) => this.callerError(failure)
      )
      return Effect.flatMap(renewed, (fresh) => {
        if (fresh === undefined) return Effect.fail(this.callerError(error))
        this.renewals += fresh.isKept === true ? 1 : 2
        return this.resend(error, fresh)
      })
    }
    const callerError = this.callerError(error)
    this.doubt ??= endpoint.isWrite ? doubtOf(error) : undefined
    const mayRepeat = isRepeatable && this.attempt < policy.attempts
    if (!mayRepeat || !Retry.mayHelp(error)) return Effect.fail(callerError)
    const retryAfter = error.retryAfter
    if (retryAfter !== undefined && retryAfter > policy.longestRetryAfter) return Effect.fail(callerError)
    return Effect.flatMap(Random.next, (chance) => {
      const pause = retryAfter ?? chance * Retry.pauseBound(policy, this.attempt + 1)
      const cost = Retry.isTimeout(error) ? policy.timeoutCost : policy.retryCost
      if (pause >= this.left() || !budget.take(cost)) return Effect.fail(callerError)
      const again = Effect.suspend(() => this.resend(error, this.present(now(this.clock)) ?? credentials))
      const slept = Effect.raceFirst(Effect.sleep(pause), this.context.lifetime.over)
      return Effect.zipRight(slept, again)
    })
  }

  /** Another attempt. */
  private resend({ _tag: error }: CallError, credentials: Credentials): Effect.Effect<A, CallError> {
    const { progress } = this
    if (progress !== unread)
      progress.retries = [...progress.retries, { error, time: this.clock.unsafeCurrentTimeNanos() }]
    return this.send(credentials)
  }

  /** The caller's error: an unknown outcome if an attempt may have been performed and was not answered. */
  private callerError(error: CallError): CallError {
    const { doubt } = this
    if (doubt === undefined || error._tag === "OutcomeUnknown") return error
    // An unusable answer is still an answer.
    if (doneOf(error) === "yes") return error
    const { requestId, retryAfter, serverCode, serverMessage, status } = error
    return new OutcomeUnknown({
      operation: this.encoded.endpoint.name,
      reason: doubt,
      attempts: this.attempt,
      // Of the last answer, if there was one.
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(serverMessage === undefined ? {} : { serverMessage }),
      ...(serverCode === undefined ? {} : { serverCode }),
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

/** Whether an exchange proves that its write was not performed. */
const isHarmless = (exit: Exit.Exit<unknown, CallError>): boolean => {
  const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
  return error !== undefined && doneOf(error) === "no"
}

/** Why a write with this failure may still have been performed. */
const doubtOf = (error: CallError): "Network" | "Server" | undefined => {
  if (doneOf(error) !== "perhaps") return undefined
  return error._tag === "OutcomeUnknown" ? "Network" : "Server"
}
