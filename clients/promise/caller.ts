/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A client as one function, which takes a call of the client and its arguments. An app ships the calls that it imports,
 * and the functions of these modules that it uses.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type CallOptions, callOptions } from "../../core/kernel/dispatch/call-options.js"
import type { Args, Bindable, Dispatcher } from "../../core/kernel/dispatch/dispatcher.js"
import { launch } from "../../core/kernel/dispatch/launch.js"
import { type CallError, InputError } from "../../core/kernel/errors/errors.js"
import { type Kind, Operation } from "../../core/kernel/operation/operation.js"
import type { Known } from "../../core/kernel/operation/options.js"
import { type Cancellable, cancellable, orThrow, split } from "./options.js"
import { rejection } from "./rejection.js"
import { makeRunner, type Runner, type Start } from "./run.js"

/** Options of one call. @category models */
export type Options = CallOptions & Cancellable

/** The members of every Promise client besides its calls. @category models */
export interface Closeable extends AsyncDisposable {
  /**
   * Cancels calls, loops over pages and downloads in flight, which reject with an AbortError, closes chats, whose loops
   * end, and refuses later calls. The default transport closes its connections with the last client that uses it.
   */
  readonly close: () => Promise<void>
}

/**
 * A call of the client Id, as the modules of the clients with Effects export it: `get` of `@quartet/sdk/admin/orders`. A client
 * in the form of one function takes those alone; `admin.orders.get` is a method of a client with all calls, and is called itself.
 * @category models
 */
export interface ImportedCall<I, A, Id, K extends Kind = Kind> {
  (...args: never): Effect.Effect<unknown, CallError, Id>
  /** The call as a value. */
  readonly operation: Operation<I, A, never, K>
  /** The client whose call it is. A method of a client with all calls has none: it is called itself. */
  readonly client: string
}

/** What a caller is made of, for the functions of this folder. */
export const parts: unique symbol = Symbol("parts")

export interface Parts<Id, S extends Bindable> {
  readonly client: S
  readonly runner: Runner
  /** The key of the client's tag, which its calls bear. */
  readonly key: string
  readonly provide: <A, E>(effect: Effect.Effect<A, E, Id>) => Effect.Effect<A, E>
  /** Makes the same client of another dispatcher and runner, in the form of one function. */
  readonly derive: (dispatcher: Dispatcher, runner: Runner) => Caller<Id, S>
  /** The same for a client that is more than a caller. */
  readonly remake?: (dispatcher: Dispatcher, runner: Runner) => unknown
}

/** What a client with Promises is made of. @category models */
export interface HasParts<Id, S extends Bindable = Bindable> {
  readonly [parts]: Parts<Id, S>
}

/** A client as one function: `call(requests.get, { id })`. @category models */
export interface Caller<Id, S extends Bindable = Bindable> extends Closeable, HasParts<Id, S> {
  /**
   * Makes a call of the client. It rejects with a CallError, or with the reason of its signal. For an answer of the
   * caller's own schema, pass `requests.get.as(MySchema)`.
   */
  <I, A>(call: ImportedCall<I, A, NoInfer<Id>>, ...args: Args<NoInfer<I>, Options>): Promise<A>
}

export const known = { ...callOptions, ...cancellable } satisfies Known<Options>

/** Reads the options of a call, and runs the work that it is. */
export const perform = <A>(
  { runner }: Parts<never, Bindable>,
  name: string,
  options: Options | undefined,
  work: (own: CallOptions | undefined) => Start<A>
): Promise<A> => {
  const read = split(name, options, known)
  if (Either.isLeft(read)) return rejection(read.left)
  return runner.run(name, work(read.right.own), read.right.signal)
}

/** Makes a call whose answer is read whole. */
export const invoke = <I, A>(
  parts: Parts<never, Bindable>,
  operation: Operation<I, A, never>,
  input: I,
  options: Options | undefined
): Promise<A> =>
  perform(
    parts,
    operation.name,
    options,
    (own) => (settle) => launch(parts.client.dispatcher, operation, input, own, settle)
  )

const refuse = (operation: string, field: string, rule: string): Either.Either<never, InputError> =>
  Either.left(new InputError({ operation, field, rule }))

/** The operation of a call of this client, checked for programs without types. */
export const operationOf = <I, A>(
  name: string,
  { key }: Pick<Parts<never, Bindable>, "key">,
  call: Pick<ImportedCall<I, A, unknown>, "operation" | "client">,
  isDownload: boolean
): Either.Either<Operation<I, A, never>, InputError> => {
  const { client, operation }: { readonly [K in keyof typeof call]?: unknown } = Object(call)
  if (!Operation.isOperation(operation))
    return refuse(
      name,
      "call",
      "must be a call of this client, such as boxes.list of @quartet/sdk/public/boxes"
    )
  if (client !== key) return refuse(operation.name, "call", "belongs to another client than this one")
  if ("bytes" in operation.declaration().success !== isDownload)
    return refuse(
      operation.name,
      "call",
      isDownload ? "is not a download" : "is a download: use download, bytes or text"
    )
  return Either.right(call.operation)
}

/** The parts of a caller. Throws InputError if it is none, or none of the tag's client where there is a tag. */
export const partsOf = <Id, S extends Bindable>(
  name: string,
  caller: HasParts<Id, S>,
  tag?: Pick<Context.Tag<Id, S>, "key">
): Parts<Id, S> => {
  const own: Parts<Id, S> | undefined = Object(caller)[parts]
  const isTaken = own !== undefined && (tag === undefined || tag.key === own.key)
  return orThrow(
    isTaken
      ? Either.right(own)
      : refuse(
          name,
          "client",
          `must be a client, as ${tag === undefined ? "createPublic" : "createAdmin"} returns`
        )
  )
}

/** Makes the caller of a client. */
export const makeCaller = <Id, Service extends Bindable, S extends Service>(
  tag: Context.Tag<Id, Service>,
  client: S,
  runner: Runner = makeRunner(client.dispatcher.lifetime)
): Caller<Id, S> => {
  const ownParts: Parts<Id, S> = {
    client,
    runner,
    key: tag.key,
    provide: (effect) => Effect.provideService(effect, tag, client),
    derive: (dispatcher, ownRunner) => makeCaller(tag, { ...client, dispatcher }, ownRunner)
  }
  const call = (bound: ImportedCall<unknown, unknown, unknown>, input: unknown = {}, options?: Options) =>
    Either.match(operationOf("call", ownParts, bound, false), {
      onLeft: rejection,
      onRight: (operation) => invoke(ownParts, operation, input, options)
    })
  // The overload of Caller states what operations decide at run time.
  return Object.assign(call, {
    [parts]: ownParts,
    close: runner.close,
    [Symbol.asyncDispose]: runner.close
  }) as unknown as Caller<Id, S>
}

/**
 * Runs an Effect that needs this client alone as a Promise: for what the modules of the Effect clients offer beside
 * calls, such as what is read on demand. It rejects with the Effect's own error, or with the reason of its signal.
 *
 * @example
 * ```ts
 * import { onDemand } from "@quartet/sdk/admin"
 * import { createAdmin, run } from "@quartet/sdk/promise/admin"
 *
 * const call = createAdmin({ baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" })
 * const me = await run(call, onDemand.me)
 * ```
 * @category combinators
 */
export const run = async <Id, A>(
  caller: Caller<Id>,
  effect: Effect.Effect<A, unknown, NoInfer<Id>>,
  options?: Cancellable
): Promise<A> => {
  const { provide, runner } = partsOf("run", caller)
  if (!Effect.isEffect(effect)) return orThrow(refuse("run", "effect", "must be an Effect of this client"))
  return runner.runCancellable("run", provide(effect), options)
}
