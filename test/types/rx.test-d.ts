/** The bindings need no annotation: inputs, answers and errors follow from the calls and from the layer. */

import * as QuartetRx from "@quartet/react"
import * as Outbox from "@quartet/react/outbox"
import { Effect, Layer, Schema, Stream } from "effect"
import * as Tabs from "../../adapters/tabs/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Public from "../../clients/public/index.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Transport } from "../../core/ports/transport.js"
import type { RequestAction } from "../../core/requests/model.js"

declare const transport: Layer.Layer<Transport>
declare const registry: QuartetRx.Registry

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): void => undefined

const base = { baseUrl: "https://api.example.com", projectId: "p1" }
const client = QuartetRx.makeQueryClient(
  Layer.provide(Admin.layer({ ...base, email: "a@b.c", password: "x" }), transport)
)

// A query takes its call's input and answers its call's answer, or one of the calls' errors.
const action = client.query(Admin.requests.get, { id: "r1" }, { staleTime: 1, keys: ["desk"] })
const list = client.query(Admin.requests.list)
same<typeof action, QuartetRx.Query<RequestAction, CallError>>()
same<typeof list, QuartetRx.Query<Page<RequestAction>, CallError>>()
const raw: QuartetRx.Rx<QuartetRx.Result<RequestAction, CallError>> = action

// The state is a union that its status tells apart, and the errors are told apart by their tags.
const state = QuartetRx.useQuery(action)
if (state.status === "success") same<typeof state.data, RequestAction>()
if (state.status === "loading") same<typeof state.data, undefined>()
if (state.status === "error") {
  same<typeof state.error, CallError>()
  if (state.error._tag === "RateLimited") same<typeof state.error.retryAfter, number | undefined>()
}
// What suspends has an answer whenever it shows anything, and takes no query that there may not be.
const waited = QuartetRx.useSuspenseQuery(action)
same<typeof waited.data, RequestAction>()
same<typeof waited.updatedAt, Date>()
same<typeof waited.status, "success" | "error">()
if (waited.status === "error") same<typeof waited.error, CallError>()
same<
  ReturnType<typeof QuartetRx.useSuspenseInfiniteQuery<RequestAction, CallError>>["data"]["done"],
  boolean
>()
// @ts-expect-error: useQuery is for those.
export const unsure = QuartetRx.useSuspenseQuery(Math.random() > 0.5 ? one : undefined)

const maybe = QuartetRx.useQuery(Math.random() > 0.5 ? action : undefined)
if (maybe.status === "idle") same<typeof maybe.data, undefined>()

// Pages answer the items of a list, narrowed where the call is.
const News = Schema.Struct({ _id: Schema.String, title: Schema.String })
const items = QuartetRx.useInfiniteQuery(
  client.infiniteQuery(Admin.requests.list.as(News), {}, { limit: 50 })
).items
same<typeof items, ReadonlyArray<typeof News.Type>>()

// Mutations take their call's input, and know what they change.
const markSeen = client.mutation(Admin.requests.markSeen, {
  invalidates: ["requests", Admin.requests.list, action],
  optimistic: ({ id, version }) => [
    QuartetRx.change(action, (request) => ({ ...request, _id: id, version })),
    QuartetRx.change(Admin.requests.list, (page, input) => ({ ...page, asked: input.statusIn }))
  ]
})
same<
  typeof markSeen,
  QuartetRx.Mutation<{ readonly id: string; readonly version: number }, RequestAction, CallError>
>()
const seen = QuartetRx.useMutation(markSeen).mutate({ id: "r1", version: 1 })
same<typeof seen, Promise<QuartetRx.Outcome<RequestAction, CallError>>>()

// With an outbox, what is answered at once is that the call is kept.
const outbox = Outbox.makeOutbox({ name: "desk" })
const later = client.mutation(Admin.requests.markSeen, {
  outbox,
  scope: ({ id }) => id,
  optimistic: ({ version }) => [QuartetRx.change(action, (request) => ({ ...request, version }))]
})
type Later = CallError | Outbox.OutboxError
same<
  typeof later,
  QuartetRx.QueuedMutation<{ readonly id: string; readonly version: number }, RequestAction, Later>
>()
const run = QuartetRx.useMutation(later)
if (run.status === "success") same<typeof run.data, RequestAction | undefined>()
if (run.status === "unknown") same<typeof run.error, QuartetRx.EntryError>()
if (run.status === "error" && run.id === undefined) same<typeof run.error, Later>()
same<ReturnType<typeof run.mutate>, Promise<QuartetRx.QueueOutcome<RequestAction, Later>>>()
same<ReturnType<typeof Outbox.useOutbox>["entries"], ReadonlyArray<Outbox.Entry>>()

// An effect of the app's own brings its own errors.
class Broken extends Error {
  readonly _tag = "Broken"
}
const own = client.query(
  QuartetRx.source("own.effect", (input: { readonly n: number }) =>
    input.n > 0 ? Effect.succeed(input.n) : Effect.fail(new Broken())
  ),
  { n: 1 }
)
same<typeof own, QuartetRx.Query<number, CallError | Broken>>()

// A layer that can fail otherwise brings that, too.
const strange = QuartetRx.makeQueryClient(
  Layer.merge(
    Layer.provide(Admin.layer({ ...base, email: "a", password: "b" }), transport),
    Layer.fail(new Broken())
  )
)
same<
  ReturnType<typeof strange.query<{ readonly id: string }, RequestAction>>,
  QuartetRx.Query<RequestAction, CallError | Broken>
>()

// Signing in takes what the function to the layer takes.
const door = QuartetRx.makeQueryClient((login: { readonly email: string; readonly password: string }) =>
  Layer.provide(Admin.layer({ ...base, ...login }), transport)
)
declare const kept: Admin.AdminCredentials | undefined
const again = QuartetRx.makeQueryClient(
  (credentials: Admin.AdminCredentials) => Layer.provide(Admin.layer({ ...base, ...credentials }), transport),
  { credentials: kept }
)
void QuartetRx.useSession(again.session).signIn({ sessionId: "s", accessToken: "t" })
void QuartetRx.useSession(door.session).signIn({ email: "a@b.c", password: "x" })
void QuartetRx.useSession(client.session).can("requests", "markSeen", QuartetRx.Level.Write)

const both = QuartetRx.makeQueryClient(
  Layer.merge(
    Layer.provide(Admin.layer({ ...base, email: "a", password: "b" }), transport),
    Layer.provide(EndUser.layer({ ...base, apiKey: "k", sessionId: "s" }), transport)
  )
)
export const all = [
  raw,
  both.query(Admin.requests.get, { id: "1" }),
  both.query(EndUser.requests.get, { id: "1" }),
  client.upload(Admin.requests.create)
]

// What events do to answers is tied to the calls: the entity that is placed, and the input of the list.
const places = QuartetRx.entities(Admin.requests.list, (request, { statusIn }) => {
  same<typeof request, RequestAction>()
  return statusIn?.includes("pending") === true ? "start" : "none"
})
const heard = QuartetRx.live(
  client,
  (tell) => {
    tell({ change: "added", entity: { _id: "r1", type: "VISIT" } }, { change: "missed" })
    return () => undefined
  },
  places,
  QuartetRx.outdates("requests", action, Admin.requests.list)
)
const hearing = QuartetRx.useLive(heard)
if (hearing.status === "error") hearing.error satisfies CallError
declare const chat: QuartetRx.ChatStore<never>
void QuartetRx.live(client, chat, places)
// @ts-expect-error a place that there is not
QuartetRx.entities(Admin.requests.list, () => "middle")
// @ts-expect-error an answer that is no list has no places
QuartetRx.entities(Admin.requests.get, () => "start")
// @ts-expect-error an entity without an id
const nameless: QuartetRx.LiveEvent = { change: "changed", entity: {} }
// @ts-expect-error a source that does not end
QuartetRx.live(client, () => undefined)
// @ts-expect-error a stream of a client that the layer does not hold
QuartetRx.live(client, Stream.unwrap(Effect.as(Public.Client, Stream.empty)))

// @ts-expect-error the id is required
client.query(Admin.requests.get, {})
// @ts-expect-error an input that is required cannot be left out
client.query(Admin.requests.get)
// @ts-expect-error there is no such field
client.query(Admin.requests.get, { id: "1", ids: "2" })
// @ts-expect-error a client that the client's layer does not hold
client.query(Public.items.get, { id: "1" })
// @ts-expect-error a single answer has no pages
client.infiniteQuery(Admin.requests.get, { id: "1" })
// @ts-expect-error a list that is answered at once has none either
client.infiniteQuery(Admin.contentModels.list)
// A session that tabs share begins what takes one; both forms of a query client follow it.
const tabs = Tabs.make({ name: "desk" })
QuartetRx.makeQueryClient(
  (credentials: Admin.AdminCredentials) => Layer.provide(Admin.layer({ ...base, ...credentials }), transport),
  { tabs }
)
QuartetRx.makeQueryClient(Layer.provide(Admin.layer({ ...base, email: "a", password: "b" }), transport), {
  tabs
})
type Password = { readonly email: string; readonly password: string }
const byPassword = (login: Password) => Layer.provide(Admin.layer({ ...base, ...login }), transport)
// @ts-expect-error the layer must take the session that is kept
QuartetRx.makeQueryClient(byPassword, { tabs })
// @ts-expect-error it has a name
Tabs.make({})
// @ts-expect-error with an input or without
client.infiniteQuery(Admin.preferences.list, {})
// @ts-expect-error a layer that still needs a transport
QuartetRx.makeQueryClient(Admin.layer({ ...base, email: "a", password: "b" }))
// @ts-expect-error an update must answer what the query answers
QuartetRx.change(one, () => ({ title: "no" }))
// @ts-expect-error the version is required
void QuartetRx.useMutation(markSeen).mutate({ id: "r1" })
// @ts-expect-error so it is where an outbox keeps it
void QuartetRx.useMutation(later).mutate({ id: "r1" })
const effect = QuartetRx.source("own.effect", () => Effect.void)
// @ts-expect-error an outbox keeps calls, which it can name, and no effects
client.mutation(effect, { outbox })
// @ts-expect-error a scope is text
client.mutation(Admin.requests.markSeen, { outbox, scope: ({ version }) => version })
// @ts-expect-error it has no data before it is done
export const undone: string = QuartetRx.useMutation(later).data._id
// @ts-expect-error signing in takes a password
void QuartetRx.useSession(door.session).signIn({ email: "a@b.c" })
// @ts-expect-error data may be missing before the state is known
export const early: string = QuartetRx.useQuery(one).data._id
// @ts-expect-error an option that there is not
client.query(Admin.requests.list, {}, { stale: 1 })
nameless satisfies object
registry satisfies QuartetRx.Registry
