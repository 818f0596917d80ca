/** TanStack Query takes the options as they are, and knows answers and errors of every call from them. */

import { hydration, type ListPage, makeQueryOptions, type PageParam } from "@quartet/react/tanstack-query"
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useMutation,
  usePrefetchQuery,
  useQueries,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQueries,
  useSuspenseQuery
} from "@tanstack/react-query"
import { Effect, Layer, ManagedRuntime, Schema } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import { createAdmin } from "../../clients/promise/admin.js"
import type { AdminClient } from "../../clients/promise/clients.js"
import * as Public from "../../clients/public/index.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Transport } from "../../core/ports/transport.js"
import type { RequestAction } from "../../core/requests/model.js"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): void => undefined

declare const transport: Layer.Layer<Transport>
declare const queryClient: QueryClient
declare const object: AdminClient
declare const id: string | undefined

const base = { baseUrl: "https://api.example.com", projectId: "p1" }
const login = { email: "a@b.c", password: "x" }
const quartet = makeQueryOptions(createAdmin({ ...base, ...login }))
const { requests } = Admin

// A query knows its answer and the errors of the calls.
const action = quartet.queryOptions(requests.get, { id: "r1" }, { policy: { attempts: 1 } })
const query = useQuery(action)
same<typeof query.data, RequestAction | undefined>()
same<typeof query.error, CallError | null>()
if (query.error?._tag === "RateLimited") same<typeof query.error.retryAfter, number | undefined>()
const awaited = useSuspenseQuery(action)
same<typeof awaited.data, RequestAction>()
same<typeof awaited.error, CallError | null>()
usePrefetchQuery(action)

// `select` stays the app's, alone and among several.
const type = useQuery({ ...action, select: (request) => request.type, staleTime: 1_000 })
same<typeof type.data, RequestAction["type"] | undefined>()
same<typeof type.error, CallError | null>()
const [first, second] = useQueries({
  queries: [
    action,
    queryOptions({ ...quartet.queryOptions(requests.list), select: ({ items }) => items.length })
  ]
})
same<typeof first.data, RequestAction | undefined>()
same<typeof first.error, CallError | null>()
same<typeof second.data, number | undefined>()
const many = useQueries({ queries: ["1", "2"].map((id) => quartet.queryOptions(requests.get, { id })) })
same<(typeof many)[number]["data"], RequestAction | undefined>()
const [ready] = useSuspenseQueries({ queries: [action] })
same<typeof ready.data, RequestAction>()

// An input may be missing; what waits for nothing takes none of these.
const maybe = quartet.queryOptions(requests.get, id === undefined ? skipToken : { id })
const skippable = useQuery(maybe)
same<typeof skippable.data, RequestAction | undefined>()
same<typeof skippable.error, CallError | null>()
// @ts-expect-error TanStack cannot suspend for what it is not to ask
useSuspenseQuery(maybe)

// Keys carry their types.
const request = queryClient.getQueryData(action.queryKey)
same<typeof request, RequestAction | undefined>()
queryClient.setQueryData(action.queryKey, (before) => before && { ...before, seenVersion: 1 })
const state = queryClient.getQueryState(quartet.queryKey(requests.get, { id: "r1" }))
same<NonNullable<typeof state>["error"], CallError | null>()
void queryClient.fetchQuery(action).then((answer) => same<typeof answer, RequestAction>())
void queryClient.ensureQueryData(action)
void queryClient.prefetchQuery(action)
const listed = queryClient.getQueryData(quartet.queryKey(requests.list))
same<typeof listed, Page<RequestAction> | undefined>()
void queryClient.invalidateQueries({ queryKey: quartet.queryKey(requests.get) })
void queryClient.invalidateQueries({ queryKey: quartet.queryKey() })
void queryClient.invalidateQueries({ queryKey: quartet.sliceKey(requests.markSeen) })

// Pages follow by themselves.
const pages = quartet.infiniteQueryOptions(requests.list, { statusIn: ["pending"] }, { limit: 10 })
const list = useInfiniteQuery(pages)
same<typeof list.data, InfiniteData<ListPage<RequestAction>> | undefined>()
same<typeof list.error, CallError | null>()
const whole = useSuspenseInfiniteQuery(pages)
same<(typeof whole.data.pages)[number]["items"], ReadonlyArray<RequestAction>>()
const flat = useInfiniteQuery({ ...pages, select: (data) => data.pages.flatMap((page) => page.items) })
same<typeof flat.data, Array<RequestAction> | undefined>()
const cached = queryClient.getQueryData(pages.queryKey)
same<typeof cached, InfiniteData<ListPage<RequestAction>, PageParam> | undefined>()
void queryClient.fetchInfiniteQuery({ ...pages, pages: 3 })
useInfiniteQuery(quartet.infiniteQueryOptions(requests.list, id === undefined ? skipToken : {}))

// A mutation takes the input of its call.
const seen = useMutation({
  ...quartet.mutationOptions(requests.markSeen, { idempotencyKey: ({ id, version }) => `${id}-${version}` }),
  onMutate: ({ id }) => ({ before: queryClient.getQueryData(quartet.queryKey(requests.get, { id })) }),
  onError: (error, _input, result) => {
    same<typeof error, CallError>()
    same<typeof result, { before: RequestAction | undefined } | undefined>()
  },
  onSuccess: (answer) => same<typeof answer, RequestAction>()
})
seen.mutate({ id: "r1", version: 1 })
same<typeof seen.error, CallError | null>()
useMutation(quartet.mutationOptions(requests.list)).mutate()

// A narrowed call answers what its schema says.
const Mine = Schema.Struct({ _id: Schema.String, title: Schema.String })
const mine = useQuery(quartet.queryOptions(requests.get.as(Mine), { id: "r1" }))
same<typeof mine.data, typeof Mine.Type | undefined>()
const mines = useInfiniteQuery(quartet.infiniteQueryOptions(requests.list.as(Mine)))
same<NonNullable<typeof mines.data>["pages"][number]["items"], ReadonlyArray<typeof Mine.Type>>()

// A client in the form of one object, and a runtime, whose layer may fail otherwise and hold several clients.
same<typeof query, ReturnType<typeof useQuery<RequestAction, CallError>>>()
const ofObject = makeQueryOptions(object, { prefix: ["shop", "ann"] }).queryOptions(requests.get, { id: "1" })
same<typeof ofObject, typeof action>()
class Broken extends Error {
  readonly _tag = "Broken"
}
const runtime = ManagedRuntime.make(
  Layer.mergeAll(
    Layer.provide(Admin.layer({ ...base, ...login }), transport),
    Layer.provide(EndUser.layer({ ...base, apiKey: "k", sessionId: "s" }), transport),
    Layer.effectDiscard(Effect.fail(new Broken()))
  )
)
const ofRuntime = makeQueryOptions(runtime)
const answered = useQuery(ofRuntime.queryOptions(EndUser.requests.get, { id: "1" }))
same<typeof answered.error, CallError | Broken | null>()
ofRuntime.queryOptions(requests.get, { id: "1" })

const { dehydrate, hydrate } = hydration
queryClient.setDefaultOptions({ dehydrate, hydrate })

// @ts-expect-error the id is required
quartet.queryOptions(requests.get, {})
// @ts-expect-error an input that is required cannot be left out
quartet.queryOptions(requests.get)
// @ts-expect-error there is no such field
quartet.queryOptions(requests.get, { id: "1", ids: "2" })
// @ts-expect-error there is no such option
quartet.queryOptions(requests.list, {}, { attempts: 1 })
// @ts-expect-error a question has no idempotency key
quartet.queryOptions(requests.list, {}, { idempotencyKey: "k" })
// @ts-expect-error a call of another client
quartet.queryOptions(Public.items.get, { id: "1" })
// @ts-expect-error of a client that the runtime does not hold
ofRuntime.queryOptions(Public.items.get, { id: "1" })
// @ts-expect-error a download is no query
quartet.queryOptions(Admin.payments.csv)
// @ts-expect-error nor a mutation
quartet.mutationOptions(Admin.payments.csv)
// @ts-expect-error a single answer has no pages
quartet.infiniteQueryOptions(requests.get, { id: "1" })
// @ts-expect-error a list that is answered at once has none either
quartet.infiniteQueryOptions(Admin.contentModels.list)
// @ts-expect-error with an input or without
quartet.infiniteQueryOptions(Admin.preferences.list, {})
// @ts-expect-error the version is required
seen.mutate({ id: "r1" })
// @ts-expect-error a mutation's key is made of its input
quartet.mutationOptions(requests.markSeen, { idempotencyKey: "k" })
// @ts-expect-error what is shown at once must be what the call answers
queryClient.setQueryData(action.queryKey, { title: "no" })
// @ts-expect-error data may be missing before it has come
export const early: string = query.data._id
// @ts-expect-error neither a client nor a runtime
makeQueryOptions({})
