/** From the slices of an Effect client to the same slices with methods that return Promises. */
import type * as Stream from "effect/Stream"
import type { As, Bytes, Page, Typed } from "../../core/kernel/answer.js"
import type { Args, Bindable, Call } from "../../core/kernel/binding.js"
import type { CallError } from "../../core/kernel/errors.js"
import type { CallOptions } from "../../core/kernel/gateway.js"
import { type Audience, Operation } from "../../core/kernel/operation.js"
import type { Walk } from "../../core/kernel/page.js"
import { bytes, collect, type Download, pages } from "../../core/kernel/streaming.js"
import type { Cancellable, Runner } from "./run.js"

/** Options of one call. */
export type Options = CallOptions & Cancellable

type Arguments<I> =
  Args<I> extends readonly [input?: unknown, options?: CallOptions]
    ? readonly [input?: I, options?: Options]
    : readonly [input: I, options?: Options]

/** A call that returns a Promise. It rejects with a CallError, or with the reason of its signal. */
export interface PromiseCall<I, A> {
  (...args: Arguments<I>): Promise<A>
  /** The same call with its answer (of a list: each item) narrowed to the caller's own schema. */
  readonly as: <B>(schema: Typed<B>) => PromiseCall<I, As<A, B>> & Listed<I, As<A, B>>
}

/** What a list offers besides: all its items, page after page, one page in memory at a time. */
export type Listed<I, A> =
  A extends Page<infer Item>
    ? { readonly pages: (...args: PagesArguments<I>) => AsyncIterable<Item> }
    : unknown

type PagesArguments<I> =
  Record<never, never> extends I
    ? readonly [input?: I, options?: Options & Walk]
    : readonly [input: I, options?: Options & Walk]

/** A download: a stream of bytes that is asked for when it is read, or the whole of it at once. */
export interface PromiseDownload<I> {
  /** The bytes as they come; leaving the loop gives the connection back. */
  (...args: Arguments<I>): AsyncIterable<Uint8Array>
  /** All bytes at once. */
  readonly bytes: (...args: Arguments<I>) => Promise<Uint8Array>
  /** All bytes as text. */
  readonly text: (...args: Arguments<I>) => Promise<string>
}

type Promised<Bound> =
  Bound extends Download<infer I, infer _Aud, infer _R>
    ? PromiseDownload<I>
    : Bound extends Call<infer I, infer A, infer _Aud, infer _R>
      ? PromiseCall<I, A> & Listed<I, A>
      : never

type CallsOf<Slice> = {
  readonly [K in keyof Slice as Promised<Slice[K]> extends never ? never : K]: Promised<Slice[K]>
}

/** What a client's module holds besides its slices. */
type Machinery = "bind" | "Client" | "download" | "layer" | "layerConfig" | "layerSignIn" | "make" | "signIn"

/** The slices of a client's module that hold calls, with methods that return Promises. */
export type Slices<Module> = {
  readonly [K in Exclude<keyof Module, Machinery> as keyof CallsOf<Module[K]> extends never
    ? never
    : K]: CallsOf<Module[K]>
}

const isBound = (value: unknown): value is { readonly operation: Operation<unknown, unknown, Audience> } =>
  typeof value === "function" && "operation" in value && Operation.isOperation(value.operation)

/** The signal, and the options that are the call's own. */
const split = <O extends Options>(
  options: O | undefined
): { readonly signal: AbortSignal | undefined; readonly rest: Omit<O, "signal"> | undefined } => {
  if (options === undefined) return { signal: undefined, rest: undefined }
  const { signal, ...rest } = options
  return { signal, rest }
}

/** Makes the methods of one client. */
export const makeSlices = <Module extends object>(
  module: Module,
  client: Bindable,
  runner: Runner
): Slices<Module> => {
  const { gateway } = client

  const call = (operation: Operation<unknown, unknown, Audience>): unknown => {
    const method = (input: unknown = {}, options?: Options): Promise<unknown> => {
      const { rest, signal } = split(options)
      return runner.run(operation.name, (settle) => gateway.launch(operation, input, rest, settle), signal)
    }
    const bound = Object.assign(
      (input: unknown, options?: CallOptions) => gateway.call(operation, input, options),
      { operation }
    ) as unknown as Call<unknown, Page<unknown>, Audience, never>
    const walked = (input: unknown = {}, options?: Options & Walk): AsyncIterable<unknown> => {
      const { rest, signal } = split(options)
      return runner.iterate(operation.name, pages(bound, input, rest), signal)
    }
    const isList = "page" in operation.declaration().success
    return Object.assign(
      method,
      { as: (schema: Typed<unknown>) => call(operation.as(schema)) },
      isList ? { pages: walked } : {}
    )
  }

  const download = (operation: Operation<unknown, Bytes, Audience>): unknown => {
    const body = (input: unknown, options: CallOptions | undefined): Stream.Stream<Uint8Array, CallError> =>
      bytes(gateway, operation, input, options)
    const whole = (input: unknown, options: Options | undefined): Promise<Uint8Array> => {
      const { rest, signal } = split(options)
      return runner.runEffect(operation.name, collect(body(input, rest)), signal)
    }
    return Object.assign(
      (input: unknown = {}, options?: Options): AsyncIterable<Uint8Array> => {
        const { rest, signal } = split(options)
        return runner.iterate(operation.name, body(input, rest), signal)
      },
      {
        bytes: (input: unknown = {}, options?: Options) => whole(input, options),
        text: async (input: unknown = {}, options?: Options) =>
          new TextDecoder().decode(await whole(input, options))
      }
    )
  }

  const slice = (calls: object): Record<string, unknown> => {
    const bound = Object.entries(calls).filter(([, value]) => isBound(value))
    return Object.fromEntries(
      bound.map(([name, { operation }]) => [
        name,
        "bytes" in operation.declaration().success ? download(operation) : call(operation)
      ])
    )
  }

  const slices = Object.entries(module)
    .filter(([, value]) => typeof value === "object" && value !== null && Object.values(value).some(isBound))
    .map(([name, calls]) => [name, slice(calls as object)])
  // The types above say what this loop does, name by name.
  return Object.fromEntries(slices) as Slices<Module>
}
