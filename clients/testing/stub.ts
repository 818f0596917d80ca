/** Clients whose calls are functions of the test. A call that the test did not write dies, by its name. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Bindable, Call } from "../../core/kernel/binding.js"
import type { CallError } from "../../core/kernel/errors.js"
import type { Gateway } from "../../core/kernel/gateway.js"
import type { Audience } from "../../core/kernel/operation.js"
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

/** Writes one call: `on(Admin.requests.get, ({ id }) => Effect.succeed({ _id: id }))`. */
export const on = <I, A, Aud extends Audience, R>(
  call: Call<I, A, Aud, R>,
  run: (input: I) => Effect.Effect<A, CallError>
): Stubbed<Aud> => ({ operation: call.operation.name, run })

const gatewayOf = (base: Gateway, calls: ReadonlyArray<Stubbed<never>>): Gateway => {
  const run = (operation: { readonly name: string }, input: unknown): Effect.Effect<never, CallError> => {
    const found = calls.find((one) => one.operation === operation.name)
    if (found === undefined)
      return Effect.dieMessage(`${operation.name} was called, but the test did not write it`)
    // `on` has tied the function's types to the operation of this name.
    return (found.run as (input: unknown) => Effect.Effect<never, CallError>)(input)
  }
  return {
    settings: base.settings,
    call: (operation, input) => run(operation, input),
    launch: (operation, input, _options, settle) => {
      const fiber = Effect.runFork(run(operation, input))
      fiber.addObserver((exit) => settle(exit))
      return () => fiber.unsafeInterruptAsFork(fiber.id())
    },
    open: (operation, input) => run(operation, input)
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
