// The whole of HTTP: what an answer, headers of one call, a derived client and a call that the SDK does not know are to the compiler.

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expectTypeOf } from "vitest"
import * as Requests from "../../clients/admin/requests.js"
import * as Root from "../../clients/index.js"
import { createAdmin } from "../../clients/promise/admin.js"
import {
  type AdminClient,
  type CallResponse,
  createAdminClient,
  request,
  withOptions,
  withResponse
} from "../../clients/promise/index.js"
import type { RequestAction } from "../../core/requests/model.js"

const config = { baseUrl: "https://api.example.com", projectId: "p", email: "a@b.c", password: "x" }
const admin = createAdminClient(config)
const call = createAdmin(config)

// An answer has the value of its call in each style.
expectTypeOf(admin.requests.get.withResponse({ id: "r" })).resolves.toEqualTypeOf<
  CallResponse<RequestAction>
>()
expectTypeOf(withResponse(call, Requests.get, { id: "r" })).resolves.toEqualTypeOf<
  CallResponse<RequestAction>
>()
expectTypeOf(withResponse(admin, Requests.get, { id: "r" })).resolves.toEqualTypeOf<
  CallResponse<RequestAction>
>()
expectTypeOf(admin.payments.csv.withResponse()).resolves.toEqualTypeOf<CallResponse<Uint8Array>>()
expectTypeOf(withResponse(call, Root.Admin.payments.csv)).resolves.toEqualTypeOf<CallResponse<Uint8Array>>()
const answer = Root.withResponse(Root.Admin.requests.get({ id: "r" }))
expectTypeOf(answer).toEqualTypeOf<
  Effect.Effect<CallResponse<RequestAction>, Root.Errors.ReadError<"admin">, Root.Admin.Client>
>()
expectTypeOf(Effect.map(answer, ({ headers }) => headers.etag)).toExtend<
  Effect.Effect<string | undefined, unknown, unknown>
>()
// @ts-expect-error the id is required
void admin.requests.get.withResponse()
// @ts-expect-error the id is required
void withResponse(call, Requests.get)
// @ts-expect-error a call of another client
void withResponse(call, Root.Public.boxes.list)
// @ts-expect-error a call that was not made
void Root.withResponse(Root.Admin.requests.get)
// @ts-expect-error a loop over pages has many answers
void admin.requests.list.pages.withResponse()

// Headers of one call are texts.
void admin.requests.list({}, { headers: { "x-a": "1", "x-b": undefined } })
// @ts-expect-error a number is no header
void admin.requests.list({}, { headers: { "x-a": 1 } })

// A derived client is of the form of the first one.
expectTypeOf(withOptions(admin, { policy: { deadline: "1 minute" } })).toEqualTypeOf<AdminClient>()
expectTypeOf(withOptions(call, { answers: "strict" })).toEqualTypeOf(call)
// @ts-expect-error where
withOptions(admin, { legacyUrl: "https://api.example.com" })
// @ts-expect-error who
withOptions(admin, { projectId: "q" })
// @ts-expect-error who
withOptions(call, { email: "b@b.c", password: "y" })
// @ts-expect-error over what
withOptions(admin, { transport: { start: () => () => undefined } })
// @ts-expect-error the deadline is part of the policy
withOptions(admin, { deadline: 5 })
expectTypeOf(Effect.flatMap(Root.Admin.Client, (client) => Root.withOptions(client, {}))).toExtend<
  Effect.Effect<{ readonly projectId: string }, Root.Errors.InputError, Root.Admin.Client>
>()

// A call that the SDK does not know is answered what a schema says.
const Report = Schema.Struct({ total: Schema.Number })
const get = { method: "GET", path: "v2/reports" } as const
expectTypeOf(request(admin, get)).resolves.toBeUnknown()
expectTypeOf(request(call, get, Report)).resolves.toEqualTypeOf<{ readonly total: number }>()
expectTypeOf(request.withResponse(call, get, Report)).resolves.toEqualTypeOf<
  CallResponse<{ readonly total: number }>
>()
expectTypeOf(Root.request(Root.Public.Client, get, Report)).toEqualTypeOf<
  Effect.Effect<{ readonly total: number }, Root.Errors.CallError, Root.Public.Client>
>()
expectTypeOf(Root.request(Root.Public.Client, get, undefined, { answers: "strict" })).toEqualTypeOf<
  Effect.Effect<unknown, Root.Errors.CallError, Root.Public.Client>
>()
// @ts-expect-error an answer that no schema proves
void request<{ readonly total: number }>(admin, get)
// @ts-expect-error no method
void request(admin, { path: "v2/reports" })
// @ts-expect-error a method that is none
void request(admin, { method: "TRACE", path: "v2/reports" })
// @ts-expect-error services have names
void request(admin, { ...get, host: "https://elsewhere.example" })
// @ts-expect-error the path alone says where
void request(admin, { ...get, url: "https://elsewhere.example" })
