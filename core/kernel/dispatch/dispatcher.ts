/**
 * The only path from an operation to the platform: guard, encode, authorise, send, decode. What all calls of an
 * operation share is prepared once, in `endpoint`.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Service as Transport } from "../../ports/transport.js"
import { type CallError, CredentialsError } from "../errors/errors.js"
import type { As, Bytes, Typed } from "../operation/answer.js"
import type { Audience, Operation } from "../operation/operation.js"
import type { CredentialsProvider } from "./credentials.js"
import type { CallOptions, EncodedCall } from "./endpoint.js"
import * as Endpoint from "./endpoint.js"
import { Execution, type ExecutionContext, makeAuthorize } from "./execution.js"
import { closed, type Lifetime } from "./lifetime.js"
import * as Retry from "./retry.js"
import type { Settings } from "./settings.js"
import * as Tracing from "./tracing.js"

/** Runs operations for one client. */
export interface Dispatcher {
  readonly settings: Settings
  /** When it closes, calls in flight are interrupted and later ones fail with InputError. */
  readonly lifetime: Lifetime
  /** Runs a call whose answer is read whole. */
  readonly call: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options?: CallOptions
  ) => Effect.Effect<A, CallError>
  /**
   * `call` for callers without a fiber, on the system's clock: reports once how the call ends, unless the returned
   * function cancels it, which is the caller's to do when the client ends.
   */
  readonly launch: <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options: CallOptions | undefined,
    settle: (exit: Exit.Exit<A, CallError>) => void
  ) => () => void
  /** Checks an input and options like the three above, without sending anything. */
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

/** Calls that belong together, such as the pages of a list: each client's count of sign-outs at its first call. */
type Work = WeakMap<CredentialsProvider, number | undefined>

const currentWork: FiberRef.FiberRef<Work | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<Work | undefined>(
  undefined
)

/** Groups calls: after a sign-out the remaining ones fail with CredentialsError instead of signing in. */
export const asOneWork = (): (<A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const work: Work = new WeakMap()
  return (call) => Effect.locally(call, currentWork, work)
}

/** Why a call of a group is not made, if so. */
const leftBySignOut = (
  work: Work | undefined,
  credentialsProvider: CredentialsProvider,
  operation: string
) => {
  if (work === undefined) return undefined
  const signOuts = credentialsProvider.signOuts?.()
  if (signOuts === undefined) return undefined
  const before = work.get(credentialsProvider) ?? signOuts
  work.set(credentialsProvider, before)
  if (before === signOuts) return undefined
  const advice = "the client was signed out after this had begun: start it again to sign in"
  return new CredentialsError({ operation, reason: "Missing", advice })
}

export const systemClock = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Clock.Clock)

export const make = (settings: Settings, transport: Transport, lifetime: Lifetime): Dispatcher => {
  const context: ExecutionContext = {
    transport,
    credentialsProvider: settings.credentialsProvider,
    budget: new Retry.RetryBudget(settings.retryBudget),
    authorize: makeAuthorize(settings),
    drift: settings.drift,
    lifetime
  }
  const endpointOf = Endpoint.cache(settings)

  /** Checks and encodes a call, and says how its answer is read. */
  const encode = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    options: CallOptions | undefined,
    answer: EncodedCall<A>["answer"]
  ): Either.Either<EncodedCall<A>, CallError> => {
    if (lifetime.isOver) return Either.left(closed(operation.name))
    const found = endpointOf(operation)
    // The decoder was compiled from this operation's schema.
    return Either.isLeft(found)
      ? Either.left(found.left)
      : (found.right.call(input, options, answer) as Either.Either<EncodedCall<A>, CallError>)
  }

  const run = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    options: CallOptions | undefined,
    answer: EncodedCall<A>["answer"]
  ): Effect.Effect<A, CallError> =>
    Effect.withFiberRuntime((fiber) => {
      const encoded = encode<A>(operation, input, options, answer)
      if (Either.isLeft(encoded)) return Effect.fail(encoded.left)
      const left = leftBySignOut(fiber.getFiberRef(currentWork), settings.credentialsProvider, operation.name)
      if (left !== undefined) return Effect.fail(left)
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const { currentTracer } = fiber
      const call = new Execution(context, encoded.right, clock).start()
      return currentTracer === Tracing.silent ? call : Tracing.traced(operation.name, settings.audience, call)
    })

  return {
    settings,
    lifetime,
    call: (operation, input, options) => run(operation, input, options, "bytes"),
    launch: <I, A>(
      operation: Operation<I, A, never>,
      input: I,
      options: CallOptions | undefined,
      settle: (exit: Exit.Exit<A, CallError>) => void
    ) => {
      const encoded = encode<A>(operation, input, options, "bytes")
      if (Either.isRight(encoded)) return new Execution(context, encoded.right, systemClock).launch(settle)
      settle(Exit.fail(encoded.left))
      return () => undefined
    },
    check: (operation, input, options) =>
      Either.map(encode(operation, input, options, "bytes"), () => undefined),
    open: (operation, input, options) => run(operation, input, options, "stream")
  }
}

/** A client's part in a binding. */
export interface Bindable {
  readonly dispatcher: Dispatcher
}

/** The arguments of a call: its input, which may be omitted if it has no required field, and options. */
export type Args<I, O = CallOptions> =
  Record<never, never> extends I ? readonly [input?: I, options?: O] : readonly [input: I, options?: O]

/** A call bound to a client. */
export interface Call<I, A, Aud extends Audience, R> {
  (...args: Args<I>): Effect.Effect<A, CallError, R>
  readonly operation: Operation<I, A, Aud>
  /** The key of the client's tag: distinguishes the clients that offer one operation. */
  readonly client: string
  /**
   * The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it.
   * Undeclared fields are kept: `parseOptions` that are stricter are refused. Date-times in them and under
   * `Schema.Unknown` are Dates before filters and transformations run.
   */
  readonly as: <B>(schema: Typed<B>) => Call<I, As<A, B>, Aud, R>
}

/** A client as a layer: the client's work in flight ends with the layer. */
export const layer = <Id, S extends Bindable, E, R>(
  tag: Context.Tag<Id, S>,
  make: Effect.Effect<S, E, R>
): Layer.Layer<Id, E, Exclude<R, Scope.Scope>> =>
  Layer.scoped(
    tag,
    Effect.tap(make, ({ dispatcher }) => Effect.addFinalizer(() => dispatcher.lifetime.close))
  )

/** Makes the `bind` of one client: it accepts only operations that serve the client's audience. */
export const binder =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I, A>(operation: Operation<I, A, Aud>): Call<I, A, Aud, Id> => {
    const call = (...[input, options]: Args<I>): Effect.Effect<A, CallError, Id> =>
      // Args allows no input only where I accepts an empty one, as which the encoder takes it.
      Effect.withFiberRuntime((fiber) =>
        Context.unsafeGet(fiber.currentContext, tag).dispatcher.call<I, A>(operation, input as I, options)
      )
    return Object.assign(call, {
      operation,
      client: tag.key,
      as: <B>(schema: Typed<B>) => binder<Aud>()(tag)(operation.as(schema))
    })
  }
