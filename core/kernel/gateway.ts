/**
 * The one way from an operation to the platform: guard, encode, authorise, send, decode. What is the same for every
 * call of a client is prepared once an operation.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import { check } from "../permissions/grants.js"
import type { Service as Transport } from "../ports/transport.js"
import type { Bytes } from "./answer.js"
import type { Authority, Credentials } from "./credentials.js"
import { type CallError, CredentialsError, InputError, PermissionDenied } from "./errors.js"
import * as Exchange from "./exchange.js"
import { type Fleet, Flight, type Plan } from "./flight.js"
import * as Form from "./form.js"
import { closed, Lifetime } from "./lifetime.js"
import type { Operation } from "./operation.js"
import * as Prepared from "./prepared.js"
import * as Resilience from "./resilience.js"
import type { Answers, Settings } from "./settings.js"
import * as Tracing from "./tracing.js"

/** What a single call may say besides its input. */
export interface CallOptions {
  /** Rules for this call, over those of the client. */
  readonly policy?: Partial<Resilience.Policy>
  /** What becomes of an answer that is not what the operation declares; the client's own setting by default. */
  readonly answers?: Answers
  /**
   * Sent as `idempotency-key`, the same over all attempts: promises that the platform performs calls with one key
   * once, and so allows a write to be repeated.
   */
  readonly idempotencyKey?: string
  /**
   * Told of bytes sent and of the total while a form is sent, where the transport can know. The total is 0 where a file
   * of the form is a stream that is sent as it comes.
   */
  readonly onUpload?: (sent: number, total: number) => void
}

/** Runs operations for one client. */
export interface Gateway {
  readonly settings: Settings
  /** With its end calls under way are interrupted, and later ones fail with InputError. */
  readonly lifetime: Lifetime
  /** Runs a call whose answer is held whole. */
  readonly call: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options?: CallOptions
  ) => Effect.Effect<A, CallError>
  /**
   * The same as `call` for callers that have no fiber, on the system's clock: tells once how the call ends, unless the
   * function that it returns cancels it, which is the caller's to do when the client ends.
   */
  readonly launch: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options: CallOptions | undefined,
    settle: (exit: Exit.Exit<A, CallError>) => void
  ) => () => void
  /** Refuses what all three refuse of an input and of options, and sends nothing. */
  readonly check: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options?: CallOptions
  ) => Either.Either<void, CallError>
  /** Runs a call whose answer is a body of bytes. The caller reads or cancels the body. */
  readonly open: <I>(
    operation: Operation<I, Bytes, never>,
    input: I,
    options?: CallOptions
  ) => Effect.Effect<ReadableStream<Uint8Array>, CallError>
}

/** Calls that are one piece of work, such as the pages of a list: the sign-outs of each client before its first call. */
type Work = WeakMap<Authority, number | undefined>

const currentWork: FiberRef.FiberRef<Work | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<Work | undefined>(
  undefined
)

/** Makes calls one piece of work: after a sign-out those that are left fail with CredentialsError, and nobody signs in. */
export const asOneWork = (): (<A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const work: Work = new WeakMap()
  return (call) => Effect.locally(call, currentWork, work)
}

/** Why a call of a piece of work is not made, where that is so. */
const leftBySignOut = (work: Work | undefined, authority: Authority, operation: string) => {
  const signOuts = authority.signOuts?.()
  if (work === undefined || signOuts === undefined) return undefined
  const before = work.get(authority) ?? signOuts
  work.set(authority, before)
  if (before === signOuts) return undefined
  const advice = "the client was signed out after this had begun: begin it again to sign in anew"
  return new CredentialsError({ operation, reason: "Missing", advice })
}

const systemClock = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Clock.Clock)

/** Refuses what an admin's grants do not allow. What was allowed once to the same credentials is not looked up again. */
const makeGuard = (settings: Settings): Fleet["guard"] => {
  if (settings.audience !== "admin" || settings.permissions === "off") return () => undefined
  const allowed = new WeakMap<Credentials, Set<Prepared.Prepared>>()
  return (prepared, credentials) => {
    const { requires } = prepared
    if (requires === undefined) return undefined
    const known = allowed.get(credentials) ?? new Set()
    if (known.has(prepared)) return undefined
    const { action, level, resource } = requires
    const verdict = check(credentials.grants, resource, action, level, settings.permissions)
    if (verdict.allowed) {
      allowed.set(credentials, known.add(prepared))
      return undefined
    }
    return new PermissionDenied({
      operation: prepared.name,
      reason: "Grant",
      resource,
      action,
      required: level,
      ...(verdict.grant === undefined ? {} : { grant: verdict.grant, level: verdict.level ?? 0 })
    })
  }
}

export const make = (settings: Settings, transport: Transport, lifetime = new Lifetime()): Gateway => {
  const fleet: Fleet = {
    transport,
    authority: settings.authority,
    budget: Resilience.makeBudget(settings.retryBudget),
    guard: makeGuard(settings),
    drift: settings.drift,
    lifetime
  }
  const prepare = Prepared.cache(settings)

  /** Checks and encodes a call, and says how its answer is read. */
  const plan = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    given: CallOptions | undefined,
    answer: Plan<A>["answer"],
    reading: (prepared: Prepared.Prepared) => Plan<A>["read"]
  ): Either.Either<Plan<A>, CallError> => {
    if (lifetime.isOver) return Either.left(closed(operation.name))
    const found = prepare(operation)
    if (Either.isLeft(found)) return Either.left(found.left)
    const prepared = found.right
    // What a caller's own getter or toJSON throws may hold anything: it is not passed on.
    const unreadable = () => ({
      field: "input",
      rule: "could not be read: a getter, a toJSON or a proxy threw"
    })
    const encoded = Either.flatMap(
      Either.try({ try: () => prepared.encode(input), catch: unreadable }),
      (encoding) => encoding
    )
    if (Either.isLeft(encoded)) {
      return Either.left(new InputError({ operation: operation.name, ...encoded.left }))
    }
    const read = Prepared.options(operation.name, given)
    if (Either.isLeft(read)) return Either.left(read.left)
    const options = read.right
    const policy = Resilience.read(operation.name, settings.policy, options?.policy)
    if (Either.isLeft(policy)) return Either.left(policy.left)
    const answers = options?.answers ?? settings.answers
    Form.take(encoded.right.body)
    return Either.right({
      prepared,
      isTolerant: answers === "tolerant" && !prepared.isNarrowed,
      path: encoded.right.path,
      body: encoded.right.body,
      answer,
      policy: policy.right,
      idempotencyKey: options?.idempotencyKey,
      onUpload: options?.onUpload,
      read: reading(prepared)
    })
  }

  const fly = <A>(
    name: string,
    planned: () => Either.Either<Plan<A>, CallError>
  ): Effect.Effect<A, CallError> =>
    Effect.withFiberRuntime((fiber) => {
      const made = planned()
      if (Either.isLeft(made)) return Effect.fail(made.left)
      const left = leftBySignOut(fiber.getFiberRef(currentWork), settings.authority, name)
      if (left !== undefined) return Effect.fail(left)
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      return Tracing.traced(
        name,
        settings.audience,
        fiber.currentTracer,
        new Flight(fleet, made.right, clock).start()
      )
    })

  const wholly = <I, A>(operation: Operation<I, A, never>, input: I, options: CallOptions | undefined) =>
    // The decoder was compiled from the schema of this very operation.
    plan(operation, input, options, "bytes", (prepared) => prepared.read) as Either.Either<Plan<A>, CallError>

  return {
    settings,
    lifetime,
    call: (operation, input, options) => fly(operation.name, () => wholly(operation, input, options)),
    launch: (operation, input, options, settle) => {
      const made = wholly(operation, input, options)
      if (Either.isRight(made)) return new Flight(fleet, made.right, systemClock).launch(settle)
      settle(Exit.fail(made.left))
      return () => undefined
    },
    check: (operation, input, options) => Either.map(wholly(operation, input, options), () => undefined),
    open: (operation, input, options) =>
      fly(operation.name, () => plan(operation, input, options, "stream", () => Exchange.streaming))
  }
}
