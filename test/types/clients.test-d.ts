// Who may call what: a program names the clients that it needs, and runs only with their layers.
import { Config, Effect, Layer, Redacted } from "effect"
import type { ConfigError } from "effect/ConfigError"
import { expectTypeOf } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import type { CallError, CredentialsError, InputError } from "../../core/kernel/errors/errors.js"
import type { Transport } from "../../core/ports/transport.js"
import type { RequestAction } from "../../core/requests/model.js"

declare const run: <A, E>(program: Effect.Effect<A, E>) => void
const baseUrl = "https://api.example.test"

const adminLayer = Admin.layer({ baseUrl, projectId: "p", email: "a@b.test", password: "secret" })
const publicLayer = Public.layer({ baseUrl, apiKey: "key" })
const privateLayer = Private.layer({ baseUrl, privateKey: Redacted.make("key") })
const endUserLayer = EndUser.layer({ baseUrl, apiKey: "key", sessionId: "session" })

const adminCall = Admin.requests.markSeen({ id: "r1", version: 4 })
const publicCall = Public.project.self()
const privateCall = Private.project.self()
const endUserCall = EndUser.requests.get({ id: "r1" })

// A call says what it answers, how it fails, and which client it needs.
expectTypeOf(adminCall).toEqualTypeOf<Effect.Effect<RequestAction, CallError, Admin.Client>>()

// A layer says what it makes, how it fails, and that it needs a transport.
expectTypeOf(adminLayer).toEqualTypeOf<Layer.Layer<Admin.Client, CredentialsError | InputError, Transport>>()
expectTypeOf(publicLayer).toEqualTypeOf<
  Layer.Layer<Public.Client, CredentialsError | InputError, Transport>
>()

// With its own layer and a transport, a call runs.
run(adminCall.pipe(Effect.provide(adminLayer), Effect.provide(FetchTransport.layer)))
run(publicCall.pipe(Effect.provide(publicLayer), Effect.provide(FetchTransport.layer)))

// @ts-expect-error without a transport it does not
run(adminCall.pipe(Effect.provide(adminLayer)))

// @ts-expect-error an admin's call does not run with only the public layer
run(adminCall.pipe(Effect.provide(publicLayer), Effect.provide(FetchTransport.layer)))

// @ts-expect-error nor an end user's with only the admin's, though both offer the same operation
run(endUserCall.pipe(Effect.provide(adminLayer), Effect.provide(FetchTransport.layer)))

// @ts-expect-error nor a private one with only the public layer
run(privateCall.pipe(Effect.provide(publicLayer), Effect.provide(FetchTransport.layer)))

// All four clients work in one program, side by side.
const four = Effect.all([adminCall, publicCall, privateCall, endUserCall])
expectTypeOf(four).toExtend<
  Effect.Effect<unknown, CallError, Admin.Client | Public.Client | Private.Client | EndUser.Client>
>()
const all = Layer.mergeAll(adminLayer, publicLayer, privateLayer, endUserLayer)
run(four.pipe(Effect.provide(all), Effect.provide(FetchTransport.layer)))

const three = Layer.mergeAll(adminLayer, publicLayer, privateLayer)
const lacking = four.pipe(Effect.provide(three), Effect.provide(FetchTransport.layer))
// @ts-expect-error and each of them is missed where it is left out
run(lacking)

// Credentials: one whole pair of them, plain or redacted.
Admin.layer({ baseUrl, projectId: "p", sessionId: "s", accessToken: Redacted.make("t") })
// @ts-expect-error an e-mail without a password
Admin.layer({ baseUrl, projectId: "p", email: "a@b.test" })
// @ts-expect-error a session id without a token
Admin.layer({ baseUrl, projectId: "p", sessionId: "s" })
// @ts-expect-error one half of each pair
Admin.layer({ baseUrl, projectId: "p", email: "a@b.test", accessToken: "t" })
// @ts-expect-error no project
Admin.layer({ baseUrl, email: "a@b.test", password: "secret" })
// @ts-expect-error no API key
Public.layer({ baseUrl })
// @ts-expect-error no session
EndUser.layer({ baseUrl, apiKey: "key" })

// Configuration adds its own error, and nothing else changes.
expectTypeOf(
  Public.layerConfig({ baseUrl: Config.string("BASE_URL"), apiKey: Config.redacted("API_KEY") })
).toEqualTypeOf<Layer.Layer<Public.Client, CredentialsError | InputError | ConfigError, Transport>>()

// What only one audience has, no other client offers.
// @ts-expect-error a public client has no requests
Public.requests
// @ts-expect-error an end user adds no roles
EndUser.roles
// @ts-expect-error an admin deletes no request
Admin.requests.delete
