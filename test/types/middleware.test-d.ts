// What middleware may be: no further service, no other error, and each face its own shape.
import { Context, Effect } from "effect"
import { expectTypeOf } from "vitest"
import * as Telemetry from "../../adapters/telemetry/index.js"
import { type Errors, type Middleware, type MiddlewareCall, Public } from "../../clients/index.js"
import { createPublicClient, type PromiseMiddleware } from "../../clients/promise/index.js"

class Tenant extends Context.Tag("Tenant")<Tenant, string>() {}
const config = { baseUrl: "https://a.test", apiKey: "key-1" }

Public.layer({ ...config, middleware: [(next) => (call) => next(call), Telemetry.metrics, Telemetry.logs()] })
createPublicClient({
  ...config,
  middleware: [(next) => async (call) => next(call), { effect: Telemetry.metrics }]
})

// @ts-expect-error: a service that nobody provides
export const needy: Middleware = (next) => (call) => Effect.zipRight(Tenant, next(call))

// @ts-expect-error: an error that no call fails with
export const failing: Middleware = () => () => Effect.fail(new Error("no"))

export const typed: Middleware = (next) => (call) => {
  expectTypeOf(call.method).toEqualTypeOf<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE">()
  expectTypeOf(call.input).toBeUnknown()
  // @ts-expect-error: only a copy can differ
  call.headers = {}
  // @ts-expect-error: the kernel alone counts
  call.progress.attempts = 0
  return Effect.catchTag(next(call), "NotFound", (error) => {
    expectTypeOf(error).toEqualTypeOf<Errors.NotFound>()
    return Effect.succeed(undefined)
  })
}

export const promised: PromiseMiddleware = (next) => async (call) => {
  expectTypeOf(call.signal).toEqualTypeOf<AbortSignal>()
  expectTypeOf(call).toExtend<MiddlewareCall>()
  // @ts-expect-error: a call is an object of its own kind
  return next({ input: 1 })
}

// @ts-expect-error: middleware of the other face
createPublicClient({ ...config, middleware: [typed] })
// @ts-expect-error: middleware of the other face
Public.layer({ ...config, middleware: [promised] })
