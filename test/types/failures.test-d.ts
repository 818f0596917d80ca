// What a call can fail with is known from its kind and its audience, and `catchTag` takes no other tag.
import { Effect, Schema, type Stream } from "effect"
import { expectTypeOf } from "vitest"
import { Admin, EndUser, type Errors, Private, Public, until } from "../../clients/index.js"
import type { Call } from "../../core/kernel/dispatch/dispatcher.js"
import * as Entity from "../../core/kernel/operation/entity.js"
import { Operation } from "../../core/kernel/operation/operation.js"

type ErrorOf<T> = T extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type TagOf<T> = ErrorOf<T> extends { readonly _tag: infer Tag } ? Tag : never
type Everything = Errors.CallError["_tag"]

const visitors = Public.items.get({ id: "i1" })
const servers = Private.payments.payWithLink({ payload: { amount: 5 } })
const endUsers = EndUser.auth.self()
const read = Admin.requests.get({ id: "r1" })
const write = Admin.requests.markSeen({ id: "r1", version: 1 })
const signIn = Admin.auth.login({ email: "ada@example.com", password: "secret" })

// A read leaves nothing in doubt; keys are checked where a client is made; a sign-in needs no credentials.
expectTypeOf<TagOf<typeof visitors>>().toEqualTypeOf<
  Exclude<Everything, "OutcomeUnknown" | "CredentialsError">
>()
expectTypeOf<TagOf<typeof endUsers>>().toEqualTypeOf<TagOf<typeof visitors>>()
expectTypeOf<TagOf<typeof servers>>().toEqualTypeOf<Exclude<Everything, "CredentialsError">>()
expectTypeOf<TagOf<typeof read>>().toEqualTypeOf<Exclude<Everything, "OutcomeUnknown">>()
expectTypeOf<TagOf<typeof write>>().toEqualTypeOf<Everything>()
expectTypeOf<TagOf<typeof signIn>>().toEqualTypeOf<TagOf<typeof visitors>>()

// @ts-expect-error a read of a visitor cannot fail with OutcomeUnknown
Effect.catchTag(visitors, "OutcomeUnknown", () => Effect.void)
// @ts-expect-error nor for want of credentials
Effect.catchTag(visitors, "CredentialsError", () => Effect.void)
// @ts-expect-error a read of an admin leaves nothing in doubt
Effect.catchTag(read, "OutcomeUnknown", () => Effect.void)
// @ts-expect-error a sign-in changes nothing
Effect.catchTag(signIn, "OutcomeUnknown", () => Effect.void)
Effect.catchTag(write, "OutcomeUnknown", () => Effect.void)
Effect.catchTag(servers, "OutcomeUnknown", () => Effect.void)
Effect.catchTag(read, "CredentialsError", () => Effect.void)

// Their names, and the closed union over them all.
expectTypeOf<ErrorOf<typeof read>>().toEqualTypeOf<Errors.ReadError<"admin">>()
expectTypeOf<ErrorOf<typeof write>>().toEqualTypeOf<Errors.WriteError<"admin">>()
expectTypeOf<ErrorOf<typeof signIn>>().toEqualTypeOf<Errors.SignInError<"admin">>()
expectTypeOf<Errors.WriteError>().toEqualTypeOf<Errors.CallError>()
expectTypeOf<Errors.FailureOf>().toEqualTypeOf<Errors.CallError>()
expectTypeOf<Errors.FailureOf<"read", never>>().toEqualTypeOf<Errors.CallError>()

// All pages, downloads and an answer of the caller's own schema keep them.
declare const loop: ReturnType<typeof Admin.files.download>
expectTypeOf(loop).toEqualTypeOf<Stream.Stream<Uint8Array, Errors.ReadError<"admin">, Admin.Client>>()
const narrowed = Public.items.get.as(Schema.Struct({ mine: Schema.String }))({ id: "i1" })
expectTypeOf<ErrorOf<typeof narrowed>>().toEqualTypeOf<Errors.ReadError<"public">>()

// A call stands in for one of which less is known, and not the other way round.
const known = Admin.requests.get
const lessKnown: Call<{ readonly id: string }, unknown, "admin", Admin.Client> = known
declare const unknownKind: Call<Entity.ById, unknown, "admin", Admin.Client>
// @ts-expect-error a call of an unknown kind may be a write
const asRead: Call<Entity.ById, unknown, "admin", Admin.Client, "read"> = unknownKind
void [lessKnown, asRead]

const declared = {
  path: "things/{id}",
  audiences: ["admin"],
  input: Entity.ById,
  success: Schema.String
} as const

// The kind that a type states is that of its declaration.
const get: Operation<Entity.ById, string, "admin", "read"> = Operation.make("things.get", () => ({
  ...declared,
  method: "GET"
}))
const search: Operation<Entity.ById, string, "admin", "read"> = Operation.make("things.get", () => ({
  ...declared,
  method: "POST",
  isReadOnly: true
}))
const remove: Operation<Entity.ById, string, "admin", "read"> = Operation.make("things.remove", () => ({
  ...declared,
  // @ts-expect-error a DELETE changes something
  method: "DELETE"
}))
const change: Operation<Entity.ById, string, "admin", "write"> = Operation.make("things.get", () => ({
  ...declared,
  // @ts-expect-error a GET changes nothing
  method: "GET"
}))
// @ts-expect-error a sign-in sends no credentials
const login: Operation<Entity.ById, string, "admin", "signIn"> = Operation.make("things.get", () => ({
  ...declared,
  method: "GET"
}))
void [get, search, remove, change, login]

// Waiting takes calls that read, and ends with the last answer.
const waited = until(Admin.requests.get, { id: "r1" }, ({ _id }) => _id === "r1")
expectTypeOf<Effect.Effect.Success<typeof waited>>().toEqualTypeOf<Effect.Effect.Success<typeof read>>()
expectTypeOf<TagOf<typeof waited>>().toEqualTypeOf<TagOf<typeof read>>()
Effect.catchTag(waited, "DeadlineExceeded", ({ last }) =>
  Effect.succeed(last?._id satisfies string | undefined)
)
// @ts-expect-error a write is not made again and again
until(Admin.requests.markSeen, { id: "r1", version: 1 }, () => true)
// @ts-expect-error a field that the answer does not have
until(Admin.requests.get, { id: "r1" }, (answer) => answer.nothing())
// @ts-expect-error an input that the call does not take
until(Admin.requests.get, { identifier: "r1" }, () => true)
