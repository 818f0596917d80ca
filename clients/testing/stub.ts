/**
 * Clients whose calls are functions of the test. They refuse an input as the real ones do; a call that the test did not
 * write dies, by its name.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Bytes } from "../../core/kernel/answer.js"
import type { Bindable } from "../../core/kernel/binding.js"
import type { CallError } from "../../core/kernel/errors.js"
import type { CallOptions, Gateway } from "../../core/kernel/gateway.js"
import type { Audience, Operation } from "../../core/kernel/operation.js"
import * as Admin from "../admin/client.js"
import * as EndUser from "../end-user/client.js"
import * as Private from "../private/client.js"
import * as Public from "../public/client.js"
import * as Script from "./script.js"

/** One call that a test wrote, for clients of the audience. */
export interface Stubbed<in Aud extends Audience> {
  readonly operation: string
  readonly run: (input: never) => Effect.Effect<unknown, CallError>
  readonly _Aud?: (_: Aud) => void
}

/** What a written call answers: the call's own answer; of a download its bytes, or its text. */
export type Answered<A> = [A] extends [Bytes] ? Uint8Array<ArrayBuffer> | string : A

/** Writes one call: `on(Admin.requests.get, ({ id }) => Effect.succeed({ _id: id }))`. */
export const on = <I, A, Aud extends Audience>(
  call: { readonly operation: Operation<I, A, Aud> },
  run: (input: I) => Effect.Effect<Answered<A>, CallError>
): Stubbed<Aud> => ({ operation: call.operation.name, run })

const gatewayOf = (base: Gateway, calls: ReadonlyArray<Stubbed<never>>): Gateway => {
  const run = <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options: CallOptions | undefined
  ): Effect.Effect<never, CallError> => {
    const found = calls.find((one) => one.operation === operation.name)
    if (found === undefined)
      return Effect.dieMessage(`${operation.name} was called, but the test did not write it`)
    // `on` has tied the function's types to the operation of this name.
    const written = found.run as (input: I) => Effect.Effect<never, CallError>
    return Effect.zipRight(
      base.check(operation, input, options),
      Effect.suspend(() => written(input))
    )
  }
  return {
    ...base,
    call: run,
    launch: (operation, input, options, settle) => {
      const fiber = Effect.runFork(run(operation, input, options))
      fiber.addObserver((exit) => settle(exit))
      return () => fiber.unsafeInterruptAsFork(fiber.id())
    },
    open: (operation, input, options) =>
      Effect.map(run(operation, input, options), (whole: BlobPart) => new Blob([whole]).stream())
  }
}

const nowhere = { baseUrl: "http://stub.test" }

const stub = <Id, S extends Bindable>(
  tag: Context.Tag<Id, S>,
  made: Layer.Layer<Id, unknown>,
  calls: ReadonlyArray<Stubbed<never>>
): Layer.Layer<Id> =>
  Layer.orDie(made).pipe(
    Layer.map((context) => {
      const service = Context.get(context, tag)
      return Context.make(tag, { ...service, gateway: gatewayOf(service.gateway, calls) })
    })
  )

const silent = /*#__PURE__*/ Script.make().layer

/** An admin client that can do what the test wrote, and nothing else. */
export const admin = (...calls: ReadonlyArray<Stubbed<"admin">>): Layer.Layer<Admin.Client> =>
  stub(
    Admin.Client,
    Layer.provide(
      Admin.layer({ ...nowhere, projectId: "stub", email: "stub@test", password: "stub" }),
      silent
    ),
    calls
  )

/** A public client that can do what the test wrote, and nothing else. */
export const visitor = (...calls: ReadonlyArray<Stubbed<"public">>): Layer.Layer<Public.Client> =>
  stub(Public.Client, Layer.provide(Public.layer({ ...nowhere, apiKey: "stub" }), silent), calls)

/** A private client that can do what the test wrote, and nothing else. */
export const server = (...calls: ReadonlyArray<Stubbed<"private">>): Layer.Layer<Private.Client> =>
  stub(
    Private.Client,
    Layer.provide(Private.layer({ ...nowhere, privateKey: "stub", allowBrowser: true }), silent),
    calls
  )

/** An end-user client that can do what the test wrote, and nothing else. */
export const endUser = (...calls: ReadonlyArray<Stubbed<"endUser">>): Layer.Layer<EndUser.Client> =>
  stub(
    EndUser.Client,
    Layer.provide(EndUser.layer({ ...nowhere, apiKey: "stub", sessionId: "stub" }), silent),
    calls
  )
