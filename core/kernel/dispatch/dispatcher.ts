/**
 * The one way from an operation to the platform: guard, encode, authorise, send, decode. What is the same for every
 * call of a client is endpoint once an operation.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import { check } from "../../permissions/grants.js"
import type { Service as Transport } from "../../ports/transport.js"
import * as Form from "../codec/form.js"
import { type CallError, CredentialsError, InputError, PermissionDenied } from "../errors/errors.js"
import type { Bytes } from "../operation/answer.js"
import type { Operation } from "../operation/operation.js"
import type { Credentials, CredentialsProvider } from "./credentials.js"
import type { CallOptions } from "./endpoint.js"
import * as Endpoint from "./endpoint.js"
import { type EncodedCall, Execution, type ExecutionContext } from "./execution.js"
import { closed, Lifetime } from "./lifetime.js"
import * as Response from "./response.js"
import * as Retry from "./retry.js"
import type { Settings } from "./settings.js"
import * as Tracing from "./tracing.js"

/** Runs operations for one client. */
export interface Dispatcher {
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
type Work = WeakMap<CredentialsProvider, number | undefined>

const currentWork: FiberRef.FiberRef<Work | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<Work | undefined>(
  undefined
)

/** Makes calls one piece of work: after a sign-out those that are left fail with CredentialsError, and nobody signs in. */
export const asOneWork = (): (<A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const work: Work = new WeakMap()
  return (call) => Effect.locally(call, currentWork, work)
}

/** Why a call of a piece of work is not made, where that is so. */
const leftBySignOut = (
  work: Work | undefined,
  credentialsProvider: CredentialsProvider,
  operation: string
) => {
  const signOuts = credentialsProvider.signOuts?.()
  if (work === undefined || signOuts === undefined) return undefined
  const before = work.get(credentialsProvider) ?? signOuts
  work.set(credentialsProvider, before)
  if (before === signOuts) return undefined
  const advice = "the client was signed out after this had begun: begin it again to sign in anew"
  return new CredentialsError({ operation, reason: "Missing", advice })
}

const systemClock = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Clock.Clock)

/** Refuses what an admin's grants do not allow. What was allowed once to the same credentials is not looked up again. */
const makeGuard = (settings: Settings): ExecutionContext["guard"] => {
  if (settings.audience !== "admin" || settings.permissions === "off") return () => undefined
  const allowed = new WeakMap<Credentials, Set<Endpoint.Endpoint>>()
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

export const make = (settings: Settings, transport: Transport, lifetime = new Lifetime()): Dispatcher => {
  const context: ExecutionContext = {
    transport,
    credentialsProvider: settings.credentialsProvider,
    budget: Retry.makeBudget(settings.retryBudget),
    guard: makeGuard(settings),
    drift: settings.drift,
    lifetime
  }
  const prepare = Endpoint.cache(settings)

  /** Checks and encodes a call, and says how its answer is read. */
  const encoded = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    given: CallOptions | undefined,
    answer: EncodedCall<A>["answer"],
    reading: (endpoint: Endpoint.Endpoint) => EncodedCall<A>["read"]
  ): Either.Either<EncodedCall<A>, CallError> => {
    if (lifetime.isOver) return Either.left(closed(operation.name))
    const found = prepare(operation)
    if (Either.isLeft(found)) return Either.left(found.left)
    const endpoint = found.right
    // What a caller's own getter or toJSON throws may hold anything: it is not passed on.
    const unreadable = () => ({
      field: "input",
      rule: "could not be read: a getter, a toJSON or a proxy threw"
    })
    const encoded = Either.flatMap(
      Either.try({ try: () => endpoint.encode(input), catch: unreadable }),
      (encoding) => encoding
    )
    if (Either.isLeft(encoded)) {
      return Either.left(new InputError({ operation: operation.name, ...encoded.left }))
    }
    const read = Endpoint.options(operation.name, given)
    if (Either.isLeft(read)) return Either.left(read.left)
    const options = read.right
    const policy = Retry.read(operation.name, settings.policy, options?.policy)
    if (Either.isLeft(policy)) return Either.left(policy.left)
    const answers = options?.answers ?? settings.answers
    Form.take(encoded.right.body)
    return Either.right({
      endpoint,
      isTolerant: answers === "tolerant" && !endpoint.isNarrowed,
      path: encoded.right.path,
      body: encoded.right.body,
      answer,
      policy: policy.right,
      idempotencyKey: options?.idempotencyKey,
      onUpload: options?.onUpload,
      read: reading(endpoint)
    })
  }

  const fly = <A>(
    name: string,
    planned: () => Either.Either<EncodedCall<A>, CallError>
  ): Effect.Effect<A, CallError> =>
    Effect.withFiberRuntime((fiber) => {
      const made = planned()
      if (Either.isLeft(made)) return Effect.fail(made.left)
      const left = leftBySignOut(fiber.getFiberRef(currentWork), settings.credentialsProvider, name)
      if (left !== undefined) return Effect.fail(left)
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      return Tracing.traced(
        name,
        settings.audience,
        fiber.currentTracer,
        new Execution(context, made.right, clock).start()
      )
    })

  const wholly = <I, A>(operation: Operation<I, A, never>, input: I, options: CallOptions | undefined) =>
    // The decoder was compiled from the schema of this very operation.
    encoded(operation, input, options, "bytes", (endpoint) => endpoint.read) as Either.Either<
      EncodedCall<A>,
      CallError
    >

  return {
    settings,
    lifetime,
    call: (operation, input, options) => fly(operation.name, () => wholly(operation, input, options)),
    launch: (operation, input, options, settle) => {
      const made = wholly(operation, input, options)
      if (Either.isRight(made)) return new Execution(context, made.right, systemClock).launch(settle)
      settle(Exit.fail(made.left))
      return () => undefined
    },
    check: (operation, input, options) => Either.map(wholly(operation, input, options), () => undefined),
    open: (operation, input, options) =>
      fly(operation.name, () => encoded(operation, input, options, "stream", () => Response.streaming))
  }
}
