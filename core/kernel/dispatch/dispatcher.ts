/**
 * The only path from an operation to the platform: guard, encode, authorise, send, decode. What all calls of an
 * operation share is prepared once, in `endpoint`.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { RuntimeFiber } from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Service as Transport } from "../../ports/transport.js"
import { type CallError, CredentialsError, InputError } from "../errors/errors.js"
import type { As, Bytes, Typed } from "../operation/answer.js"
import type { FailureOf } from "../operation/failures.js"
import type { Audience, Kind, Operation } from "../operation/operation.js"
import type { CallOptions } from "./call-options.js"
import type { CredentialsProvider } from "./credentials.js"
import type { EncodedCall } from "./endpoint.js"
import * as Endpoint from "./endpoint.js"
import { Execution, type ExecutionContext } from "./execution.js"
import { closed, type Lifetime } from "./lifetime/lifetime.js"
import { type Handler, type MiddlewareCall, type Progress, perform } from "./middleware.js"
import type { Read } from "./response.js"
import * as Retry from "./retry.js"
import type { Settings } from "./settings.js"
import { type AnswerProgress, currentCursor, currentProgress, currentWatch } from "./watch.js"

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
  /** What its executions share. */
  readonly context: ExecutionContext
  /** The endpoint of an operation, while the client is open. */
  readonly find: (operation: Operation<never, unknown, never>) => Either.Either<Endpoint.Endpoint, CallError>
  /** Whether nothing stands between a caller and an endpoint, as middleware would. */
  readonly isDirect: boolean
  /** Makes of a dispatcher that was derived from this one what this one is, where it is more than `make` answers. */
  readonly redo?: (derived: Dispatcher) => Dispatcher
  /** Runs a call whose answer is a body of bytes. The caller reads or cancels the body. */
  readonly open: <I>(
    operation: Operation<I, Bytes, never>,
    input: I,
    options: CallOptions | undefined,
    read: Read<ReadableStream<Uint8Array>>
  ) => Effect.Effect<ReadableStream<Uint8Array>, CallError>
}

/** The default tracer, which records nothing. */
export const silent = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Says why a call of a group is not made, if so. */
type Group = (credentialsProvider: CredentialsProvider, operation: string) => CredentialsError | undefined

const currentGroup: FiberRef.FiberRef<Group | undefined> = /*#__PURE__*/ FiberRef.unsafeMake<
  Group | undefined
>(undefined)

/**
 * Groups calls that belong together, such as the pages of a list: after a sign-out the remaining ones fail with
 * CredentialsError instead of signing in.
 */
export const asOneWork = (): (<A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  /** Each client's count of sign-outs at its first call. */
  const counts = new WeakMap<CredentialsProvider, number>()
  const group: Group = (credentialsProvider, operation) => {
    const signOuts = credentialsProvider.signOuts?.()
    if (signOuts === undefined) return undefined
    const before = counts.get(credentialsProvider) ?? signOuts
    counts.set(credentialsProvider, before)
    if (before === signOuts) return undefined
    const advice = "the client was signed out after this had begun: start it again to sign in"
    return new CredentialsError({ operation, reason: "Missing", advice })
  }
  return (call) => Effect.locally(call, currentGroup, group)
}

/** The error of middleware that answers no function; a program without types may have any. */
export const noHandler = (operation: string): InputError =>
  new InputError({
    operation,
    field: "middleware",
    rule: "must answer a function: (next) => (call) => next(call)"
  })

/** Makes the dispatcher of a client; one that is derived from another one shares its retry budget. */
export const make = (
  settings: Settings,
  transport: Transport,
  lifetime: Lifetime,
  budget: Retry.RetryBudget = new Retry.RetryBudget(settings.retryBudget)
): Dispatcher => {
  const context: ExecutionContext = { ...settings, transport, budget, lifetime }
  const endpointOf = Endpoint.cache(settings)

  const find: Dispatcher["find"] = (operation) =>
    lifetime.isOver ? Either.left(closed(operation.name)) : endpointOf(operation)

  const innermost: Handler = (call) => call[perform]?.(call) ?? Effect.die("not a call")
  const handle = settings.middleware.reduceRight((next, middleware) => {
    const handler = middleware(next)
    // What it throws is seen by those outside of it.
    return (call) =>
      typeof handler === "function"
        ? Effect.suspend(() => handler(call))
        : Effect.fail(noHandler(call.operation))
  }, innermost)
  const traced = settings.traced?.(handle) ?? handle

  /** Makes a call past all middleware. */
  const start = <A>(
    fiber: RuntimeFiber<unknown, unknown>,
    endpoint: Endpoint.Endpoint,
    input: unknown,
    options: CallOptions | undefined,
    read?: Read<A>,
    call?: MiddlewareCall,
    progress: Progress | undefined = call?.progress
  ): Effect.Effect<A, CallError> => {
    const cursor = settings.dialect === undefined ? undefined : fiber.getFiberRef(currentCursor)
    const encoded = endpoint.call(input, options, read, call?.headers, cursor)
    if (Either.isLeft(encoded)) return Effect.fail(encoded.left)
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    return (
      fiber.getFiberRef(currentGroup)?.(settings.credentialsProvider, endpoint.name) ??
      // The decoder was compiled from this operation's schema.
      new Execution(
        context,
        encoded.right as EncodedCall<A>,
        clock,
        progress,
        endpoint.isWrite ? fiber.getFiberRef(currentWatch) : undefined
      ).start()
    )
  }

  const run = <A>(
    operation: Operation<never, unknown, never>,
    input: unknown,
    options: CallOptions | undefined,
    read?: Read<A>,
    progress?: AnswerProgress
  ): Effect.Effect<A, CallError> =>
    Effect.withFiberRuntime<A, CallError>((fiber) => {
      const watched = fiber.getFiberRef(currentProgress)
      if (watched !== undefined) return watched.alone(run(operation, input, options, read, watched))
      const resolved = find(operation)
      if (Either.isLeft(resolved)) return Effect.fail(resolved.left)
      const endpoint = resolved.right
      const handler = fiber.currentTracer === silent ? handle : traced
      if (handler === innermost) return start(fiber, endpoint, input, options, read, undefined, progress)
      const { isAuthorised, request, template } = endpoint
      const { method, origin } = request
      const handled = handler({
        operation: operation.name,
        audience: settings.audience,
        method,
        origin,
        template,
        input: isAuthorised ? input : undefined,
        options,
        headers: {},
        progress: progress ?? { attempts: 0, status: undefined, retries: [] },
        retryBudget: budget,
        traceparent: settings.traceparent === true || settings.traceparent === origin,
        [perform]: (call) =>
          Effect.withFiberRuntime((inner) =>
            start(inner, endpoint, isAuthorised ? call.input : input, call.options, read, call)
          )
      })
      // Its middleware answers for what it answers.
      return handled as Effect.Effect<A, CallError>
    })

  return {
    settings,
    lifetime,
    call: run,
    context,
    find,
    isDirect: handle === innermost,
    open: run
  }
}

/** A client's part in a binding. */
export interface Bindable {
  /** What makes the client's calls, for packages that extend the SDK. */
  readonly dispatcher: Dispatcher
}

/** The arguments of a call: its input, which may be omitted if it has no required field, and options. */
export type Args<I, O = CallOptions> =
  Record<never, never> extends I ? readonly [input?: I, options?: O] : readonly [input: I, options?: O]

/** A call bound to a client. It fails with what a call of its kind can fail with. */
export interface Call<I, A, Aud extends Audience, R, K extends Kind = Kind> {
  (...args: Args<I>): Effect.Effect<A, FailureOf<K, Aud>, R>
  /** The call as a value, such as `can` takes it. */
  readonly operation: Operation<I, A, Aud, K>
  /** The key of the client's tag: distinguishes the clients that offer one operation. */
  readonly client: string
  /**
   * The same call with its answer (of a list: each item) narrowed to the caller's own schema. Make it once and keep it.
   * Undeclared fields are kept: `parseOptions` that are stricter are refused. Date-times in them and under
   * `Schema.Unknown` are Dates before filters and transformations run.
   */
  readonly as: <B>(schema: Typed<B>) => Call<I, As<A, B>, Aud, R, K>
}

/** A client as a layer: the client's work in flight ends with the layer. */
export const layer = <Id, S extends Bindable, E, R>(
  tag: Context.Tag<Id, S>,
  make: Effect.Effect<S, E, R>
): Layer.Layer<Id, E, Exclude<R, Scope.Scope>> =>
  Layer.scoped(
    tag,
    Effect.tap(make, ({ dispatcher }) =>
      // `Effect.addFinalizer` keeps the fiber's settings for it besides, which this needs none of, and weighs 130 bytes more.
      Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, dispatcher.lifetime.close))
    )
  )

/** Makes the `bind` of one client: it accepts only operations that serve the client's audience. */
export const binder =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I, A, K extends Kind>(operation: Operation<I, A, Aud, K>): Call<I, A, Aud, Id, K> => {
    const call = (...[input, options]: Args<I>): Effect.Effect<A, FailureOf<K, Aud>, Id> =>
      // Args allows no input only where I accepts an empty one, as which the encoder takes it. The dispatcher is the same
      // for all kinds: test/wire/failures.test.ts holds the table of what each can fail with to it.
      Effect.withFiberRuntime(
        (fiber) =>
          Context.unsafeGet(fiber.currentContext, tag).dispatcher.call<I, A>(
            operation,
            input as I,
            options
          ) as Effect.Effect<A, FailureOf<K, Aud>>
      )
    return Object.assign(call, {
      operation,
      client: tag.key,
      as: <B>(schema: Typed<B>) => binder<Aud>()(tag)(operation.as(schema))
    })
  }
