/**
 * Clients whose calls are functions of the test. They refuse invalid inputs like the real ones; a call that the test
 * did not write dies with its name.
 */

import * as Admin from "@quartet/sdk/admin/client"
import * as EndUser from "@quartet/sdk/end-user/client"
import {
  type Audience,
  type Bindable,
  type Bytes,
  type Caller,
  type CallOptions,
  type Dispatcher,
  Errors,
  makeCaller,
  type Operation,
  type Page,
  type Paging,
  parts,
  prepare
} from "@quartet/sdk/extend"
import * as Clients from "@quartet/sdk/extend/promise"
import * as Private from "@quartet/sdk/private/client"
import type { AdminCaller } from "@quartet/sdk/promise/admin"
import type { EndUserCaller } from "@quartet/sdk/promise/end-user"
import type { PrivateCaller } from "@quartet/sdk/promise/private"
import type { PublicCaller } from "@quartet/sdk/promise/public"
import * as Public from "@quartet/sdk/public/client"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as ChatScript from "./chat-script.js"
import * as Script from "./script.js"

type Written = Effect.Effect<unknown, Errors.CallError> | Promise<unknown>

/** One call that a test wrote, for clients of the audience. @category testing */
export interface Stubbed<in Aud extends Audience> {
  readonly operation: string
  readonly run: (input: never) => Written
  readonly _Aud?: (_: Aud) => void
}

/**
 * The answer of a written call: the call's own; for a list also its items; for a download its bytes or text.
 * @category testing
 */
export type Answered<A> = [A] extends [Bytes]
  ? Uint8Array<ArrayBuffer> | string
  : [A] extends [Page<infer Item>]
    ? { readonly items: ReadonlyArray<Item>; readonly paging?: Paging }
    : A

/**
 * Writes one call of a stubbed client, by an Effect or by a Promise. A thrown CallError is the call's failure;
 * another error, or an answer that is not an Effect or a Promise, is a defect. A call that the test did not write is
 * a defect, too.
 *
 * @example
 * ```ts
 * import { Stub } from "@quartet/sandbox/testing"
 * import * as Admin from "@quartet/sdk/admin"
 *
 * const client = Stub.createAdminClient(Stub.on(Admin.requests.get, async ({ id }) => ({ _id: id, title: "A flat" })))
 * const { title } = await client.requests.get({ id: "r1" })
 * ```
 * @category testing
 */
export const on = <I, A, Aud extends Audience>(
  call: { readonly operation: Operation<I, A, Aud> },
  run: (input: I) => Effect.Effect<Answered<A>, Errors.CallError> | Promise<Answered<A>>
): Stubbed<Aud> => ({ operation: call.operation.name, run })

const isPromise = (value: unknown): value is Promise<unknown> => typeof Object(value).then === "function"

/** Runs the test's function as an Effect. */
const perform = (name: string, written: () => Written): Effect.Effect<unknown, Errors.CallError> =>
  Effect.try({ try: written, catch: (cause) => cause }).pipe(
    Effect.flatMap((result) => {
      if (Effect.isEffect(result)) return result
      return isPromise(result)
        ? Effect.tryPromise({ try: () => result, catch: (cause) => cause })
        : Effect.dieMessage(
            `the test's function of ${name} must answer an Effect or a Promise: make it async, or answer Effect.succeed(…)`
          )
    }),
    Effect.catchAll((cause) => (Errors.isCallError(cause) ? Effect.fail(cause) : Effect.die(cause)))
  )

/** The answer of a list as clients return it, always with a paging. */
const inFull = (operation: Operation<never, unknown, never>, answer: unknown): unknown =>
  "page" in operation.declaration().success ? { paging: {}, ...Object(answer) } : answer

const dispatcherOf = (
  base: Dispatcher.Dispatcher,
  calls: ReadonlyArray<Stubbed<never>>
): Dispatcher.Dispatcher => {
  const run = <I, A>(
    operation: Operation<I, A, never>,
    input: I,
    options: CallOptions | undefined
  ): Effect.Effect<never, Errors.CallError> => {
    const stubbed = calls.find((candidate) => candidate.operation === operation.name)
    if (stubbed === undefined)
      return Effect.dieMessage(`${operation.name} was called, but the test did not write it`)
    // `on` has tied the function's types to the operation of this name.
    const written = stubbed.run as (input: I) => Written
    const performed = Effect.map(
      perform(operation.name, () => written(input)),
      (answer) => inFull(operation, answer)
    ) as Effect.Effect<never, Errors.CallError>
    return Effect.suspend(() => Effect.zipRight(prepare(base, operation, input, options), performed))
  }
  return {
    ...base,
    call: run,
    isDirect: false,
    // A client that is derived from it makes the calls that the test wrote, too.
    redo: (derived) => dispatcherOf(derived, calls),
    open: (operation, input, options) =>
      Effect.map(run(operation, input, options), (whole: BlobPart) => new Blob([whole]).stream())
  }
}

const nowhere = { baseUrl: "http://stub.test" }

const stub = <Id, S extends Bindable>(
  tag: Context.Tag<Id, S>,
  layer: Layer.Layer<Id, unknown>,
  calls: ReadonlyArray<Stubbed<never>>
): Layer.Layer<Id> =>
  Layer.orDie(layer).pipe(
    Layer.map((context) => {
      const service = Context.get(context, tag)
      return Context.make(tag, { ...service, dispatcher: dispatcherOf(service.dispatcher, calls) })
    })
  )

const silent = /*#__PURE__*/ Script.make().layer

/** An admin client with only the calls that the test wrote. @category testing */
export const admin = (...calls: ReadonlyArray<Stubbed<"admin">>): Layer.Layer<Admin.Client> =>
  stub(
    Admin.Client,
    Layer.provide(
      Admin.layer({ ...nowhere, projectId: "stub", email: "stub@test", password: "stub" }),
      silent
    ),
    calls
  )

/** A public client with only the calls that the test wrote. @category testing */
export const visitor = (...calls: ReadonlyArray<Stubbed<"public">>): Layer.Layer<Public.Client> =>
  stub(Public.Client, Layer.provide(Public.layer({ ...nowhere, apiKey: "stub" }), silent), calls)

/** A private client with only the calls that the test wrote. @category testing */
export const server = (...calls: ReadonlyArray<Stubbed<"private">>): Layer.Layer<Private.Client> =>
  stub(
    Private.Client,
    Layer.provide(Private.layer({ ...nowhere, privateKey: "stub", allowBrowser: true }), silent),
    calls
  )

/** An end-user client with only the calls that the test wrote. @category testing */
export const endUser = (...calls: ReadonlyArray<Stubbed<"endUser">>): Layer.Layer<EndUser.Client> =>
  stub(
    EndUser.Client,
    Layer.provide(EndUser.layer({ ...nowhere, apiKey: "stub", sessionId: "stub" }), silent),
    calls
  )

/** A stubbed client as one function. The scope of its layer stays open: the client is closed by its own `close`. */
const called = <Id, S extends Bindable>(tag: Context.Tag<Id, S>, layer: Layer.Layer<Id>): Caller<Id, S> => {
  const built = Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(layer, scope))
  return makeCaller(tag, Context.get(Effect.runSync(built), tag))
}

/** The same as `admin` in the form of `createAdmin`. Its chat connects to nothing. @category testing */
export const createAdmin = (...calls: ReadonlyArray<Stubbed<"admin">>): AdminCaller => {
  const { client } = called(Admin.Client, admin(...calls))[parts]
  const chatSocket = ChatScript.make({ accepts: false }).socket
  return makeCaller(Admin.Client, { ...client, chatSocket, onboarding: undefined })
}

/** The same as `visitor` in the form of `createPublic`. @category testing */
export const createPublic = (...calls: ReadonlyArray<Stubbed<"public">>): PublicCaller =>
  called(Public.Client, visitor(...calls))

/** The same as `server` in the form of `createPrivate`. @category testing */
export const createPrivate = (...calls: ReadonlyArray<Stubbed<"private">>): PrivateCaller =>
  called(Private.Client, server(...calls))

/** The same as `endUser` in the form of `createEndUser`. @category testing */
export const createEndUser = (...calls: ReadonlyArray<Stubbed<"endUser">>): EndUserCaller =>
  called(EndUser.Client, endUser(...calls))

/** The same as `admin` for programs with Promises. Its chat connects to nothing. @category testing */
export const createAdminClient = (...calls: ReadonlyArray<Stubbed<"admin">>): Clients.AdminClient =>
  Clients.ofAdmins(createAdmin(...calls))

/** The same as `visitor` for programs with Promises. @category testing */
export const createPublicClient = (...calls: ReadonlyArray<Stubbed<"public">>): Clients.PublicClient =>
  Clients.ofVisitors(createPublic(...calls))

/** The same as `server` for programs with Promises. @category testing */
export const createPrivateClient = (...calls: ReadonlyArray<Stubbed<"private">>): Clients.PrivateClient =>
  Clients.ofServers(createPrivate(...calls))

/** The same as `endUser` for programs with Promises. @category testing */
export const createEndUserClient = (...calls: ReadonlyArray<Stubbed<"endUser">>): Clients.EndUserClient =>
  Clients.ofEndUsers(createEndUser(...calls))
