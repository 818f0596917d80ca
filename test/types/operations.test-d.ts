// Declaring and binding operations: what does not fit together does not compile.
import { type Effect, Schema, type Stream } from "effect"
import { expectTypeOf } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import { conditions, Filter, filterTypes, operators, type Sort } from "../../clients/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import type { CallOptions } from "../../core/kernel/dispatch/call-options.js"
import type { Args, Call } from "../../core/kernel/dispatch/dispatcher.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { type Bytes, binary, type Page, page } from "../../core/kernel/operation/answer.js"
import * as Entity from "../../core/kernel/operation/entity.js"
import type { ReadError } from "../../core/kernel/operation/failures.js"
import { type Audience, Operation } from "../../core/kernel/operation/operation.js"
import type { Params } from "../../core/kernel/operation/path.js"

declare const ofAdmins: Operation<Entity.ById, string, "admin">
declare const ofBoth: Operation<Entity.ById, string, "admin" | "endUser">
declare const ofAll: Operation<Entity.ById, string, Audience>
declare const download: Operation<Entity.ById, Bytes, "admin", "read">

// A client binds the operations that serve its audience, alone or among others.
expectTypeOf(Admin.bind(ofAdmins)).toEqualTypeOf<Call<Entity.ById, string, "admin", Admin.Client>>()
Admin.bind(ofBoth)
EndUser.bind(ofBoth)
Public.bind(ofAll)
Private.bind(ofAll)

// @ts-expect-error an admin's operation does not serve visitors
Public.bind(ofAdmins)
// @ts-expect-error nor servers
Private.bind(ofAdmins)
// @ts-expect-error nor end users
EndUser.bind(ofAdmins)
// @ts-expect-error an operation of admins and end users does not serve visitors
Public.bind(ofBoth)

// An operation for more audiences stands in for one of fewer, and not the other way round.
const narrowed: Operation<Entity.ById, string, "admin"> = ofAll
// @ts-expect-error one that serves admins alone does not serve all
const widened: Operation<Entity.ById, string, Audience> = ofAdmins
void [narrowed, widened]

// Downloads are bound as downloads.
expectTypeOf(Admin.download(download)({ id: "a" })).toEqualTypeOf<
  Stream.Stream<Uint8Array, ReadError<"admin">, Admin.Client>
>()
// @ts-expect-error a call that answers a value is no download
Admin.download(ofAdmins)

// The names in a path.
expectTypeOf<Params<"a/{b}/c/{d}">>().toEqualTypeOf<"b" | "d">()
expectTypeOf<Params<"a/b">>().toEqualTypeOf<never>()
expectTypeOf<Params<"{a}{b}">>().toEqualTypeOf<"a" | "b">()

const declared = { method: "GET", audiences: ["admin"], success: Schema.String } as const

// Path parameters are fields of the input.
Operation.make("things.get", () => ({ ...declared, path: "things/{id}", input: Entity.ById }))
Operation.make("things.get", () => ({ ...declared, path: "things", input: Entity.Nothing }))
// The project is the client's to fill in.
Operation.make("things.get", () => ({ ...declared, path: "project/{projectId}/{id}", input: Entity.ById }))
// @ts-expect-error a parameter that the input does not have
Operation.make("things.get", () => ({ ...declared, path: "things/{slug}", input: Entity.ById }))
// @ts-expect-error one of two parameters that the input does not have
Operation.make("things.get", () => ({ ...declared, path: "things/{id}/{part}", input: Entity.ById }))

const Search = Schema.Struct({ lang: Schema.optional(Schema.String), payload: Schema.Unknown })
const search = { ...declared, method: "POST", path: "things/search", input: Search } as const
Operation.make("things.search", () => ({ ...search, query: ["lang"], defaults: { lang: "ka" } }))
// @ts-expect-error a query field that the input does not have
Operation.make("things.search", () => ({ ...search, query: ["language"] }))
// @ts-expect-error a default of another kind
Operation.make("things.search", () => ({ ...search, defaults: { lang: 7 } }))
// @ts-expect-error a method that is none
Operation.make("things.search", () => ({ ...search, method: "TRACE" }))
// @ts-expect-error an audience that is none
Operation.make("things.search", () => ({ ...search, audiences: ["visitor"] }))
// @ts-expect-error a level that is none
Operation.make("things.search", () => ({ ...search, requires: 2 }))

// The declared type of an operation holds its declaration to account.
const get: Operation<Entity.ById, string, "admin"> = Operation.make("things.get", () => ({
  ...declared,
  path: "things/{id}",
  input: Entity.ById
}))
// @ts-expect-error an answer that the declaration does not give
const number: Operation<Entity.ById, number, "admin"> = Operation.make("things.get", () => ({
  ...declared,
  path: "things/{id}",
  input: Entity.ById
}))
const file: Operation<Entity.ById, Bytes, "admin"> = Operation.make("things.download", () => ({
  ...declared,
  path: "things/{id}",
  input: Entity.ById,
  success: binary
}))
void [get, number, file]

// Input may be left out where nothing in it is required, and only there; options come after it.
expectTypeOf<Args<Entity.ById>>().toEqualTypeOf<readonly [input: Entity.ById, options?: CallOptions]>()
expectTypeOf<Args<Entity.Nothing>>().toEqualTypeOf<readonly [input?: Entity.Nothing, options?: CallOptions]>()
Admin.requests.list()
Admin.requests.list({ statusIn: ["pending"], page: 2 }, { policy: { attempts: 1 } })
EndUser.auth.self()
// @ts-expect-error a required input
Admin.requests.get()
// @ts-expect-error a required field
Admin.requests.markSeen({ id: "r1" })
// @ts-expect-error a field of the wrong kind
Admin.requests.markSeen({ id: "r1", version: "4" })
// @ts-expect-error a field that a closed input does not have
Admin.requests.get({ id: "r1", extra: 1 })
// @ts-expect-error a payload that must be there, whatever it is
Admin.requests.create({})
// @ts-expect-error a list parameter that is no list
Admin.requests.list({ statusIn: "pending" })
// @ts-expect-error an option that is none
Admin.requests.get({ id: "r1" }, { retries: 3 })

// `as` narrows an answer to the caller's own schema: a value to B, a page to a page of B.
const Visit = Schema.Struct({ _id: Schema.String, at: Schema.Date })
interface Visit extends Schema.Schema.Type<typeof Visit> {}
expectTypeOf(Admin.requests.get.as(Visit)({ id: "r1" })).toEqualTypeOf<
  Effect.Effect<Visit, ReadError<"admin">, Admin.Client>
>()
expectTypeOf(Admin.requests.list.as(Visit)()).toEqualTypeOf<
  Effect.Effect<Page<Visit>, ReadError<"admin">, Admin.Client>
>()
// The input and the client stay what they were.
// @ts-expect-error a required input stays required
Admin.requests.get.as(Visit)()
declare const needy: Schema.Schema<Visit, string, Admin.Client>
// @ts-expect-error a schema that needs a service to decode
Admin.requests.get.as(needy)

// What a question to the content is made of, from the root.
const filter: Filter = { k: "title", v: "ü", op: operators[0], condition: conditions[0], t: filterTypes[0] }
const sort: Sort = { k: "title", v: "asc" }
void [Public.content.list({ apiId: "news", filter: [filter], sort: [sort] }), Filter]

// All pages of a list are a stream of its items.
expectTypeOf(pages(Admin.requests.list.as(Visit), {})).toEqualTypeOf<
  Stream.Stream<Visit, ReadError<"admin">, Admin.Client>
>()
pages(Admin.requests.list, { statusIn: ["pending"] }, { limit: 50, first: 0, policy: { attempts: 1 } })
pages(Public.items.search, { payload: { text: "ü" } })
pages(EndUser.profile.followers, { id: "p1" })
// @ts-expect-error a call that answers no page has no pages
pages(Admin.requests.get, { id: "r1" })
// @ts-expect-error content models are answered at once: the call takes no page
pages(Admin.contentModels.list, {})
// @ts-expect-error so are providers
pages(Admin.providers.list, {})
// @ts-expect-error and preferences, narrowed or not
pages(Admin.preferences.list.as(Visit), {})
// @ts-expect-error a field of another kind is none in pages either
pages(Admin.requests.list, { statusIn: "pending" })

// Known literals are offered, and later ones are taken.
expectTypeOf<Entity.OpenLiteral<"a" | "b">>().toExtend<string>()
const status: Entity.OpenLiteral<"pending"> = "added later"
void [status, page(Visit)]
