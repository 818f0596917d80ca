// What TanStack Query is told of a call: what it answers, under which key, and that it is not to be repeated.

import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import { createAdminClient, Errors } from "@quartet/sdk/promise"
import { createPublic } from "@quartet/sdk/promise/public"
import * as Public from "@quartet/sdk/public"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminLayer, base, flush, ok, request, token, versions } from "@quartet/support/react.js"
import { thrown } from "@quartet/support/thrown.js"
import {
  hashKey,
  MutationObserver,
  type MutationObserverOptions,
  partialMatchKey,
  type QueryClient,
  replaceEqualDeep,
  skipToken
} from "@tanstack/react-query"
import { Effect, Layer, ManagedRuntime, Schema } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Key, makeQueryOptions } from "../../tanstack-query/index.js"
import { callOver, makeClient, observe, quartetOf, setup } from "./harness.js"

const { requests } = Admin

describe("a query", () => {
  test("answers what its call answers, once for all who ask, and shares what a new answer left as it was", async () => {
    const { fake, quartet, queryClient } = setup((_, place) =>
      ok({ createdAt: "2024-05-01T10:00:00.000Z", version: place < 2 ? 1 : 2 })
    )
    const { now, observer } = await observe(queryClient, quartet.queryOptions(requests.get, { id: "r1" }))
    const second = await observe(queryClient, {
      ...quartet.queryOptions(requests.get, { id: "r1" }),
      staleTime: 1_000
    })
    const before = now().data
    expect(before).toEqual({ ...request("r1"), createdAt: new Date("2024-05-01T10:00:00.000Z") })
    expect(second.now().data).toBe(before)
    expect(fake.exchanges).toHaveLength(1)
    await observer.refetch()
    expect(now().data).toBe(before)
    await observer.refetch()
    expect(now().data?.version).toBe(2)
    expect(now().data?.createdAt).toBe(before?.createdAt)
  })

  test("keeps the instances of a class that a new answer left as they were, which TanStack alone does not", async () => {
    class Mine extends Schema.Class<Mine>("Mine")({
      _id: Schema.String,
      tags: Schema.Array(Schema.String)
    }) {}
    const { quartet, queryClient } = setup([Fake.json(200, { _id: "r1", tags: ["a"] })])
    const options = quartet.queryOptions(requests.get.as(Mine), { id: "r1" })
    const { now, observer } = await observe(queryClient, options)
    const before = now().data
    await observer.refetch()
    expect(now().data).toBe(before)
    expect(replaceEqualDeep(before, new Mine({ _id: "r1", tags: ["a"] }))).not.toBe(before)
  })

  test("has the call's own error, and is not repeated by TanStack", async () => {
    const { fake, quartet, queryClient } = setup([Fake.json(503, {})])
    const { now } = await observe(queryClient, quartet.queryOptions(requests.get, { id: "r1" }))
    expect(now().error).toBeInstanceOf(Errors.ServerFault)
    expect([now().status, fake.exchanges.length]).toEqual(["error", 1])
  })

  test("takes the options of its call", async () => {
    const { fake, quartet, queryClient } = setup([Fake.json(503, {}), ok()])
    const policy = { attempts: 2, pause: 0 }
    const options = quartet.queryOptions(requests.get, { id: "r1" }, { policy })
    expect(await queryClient.fetchQuery(options)).toMatchObject({ _id: "r1" })
    expect(fake.exchanges).toHaveLength(2)
  })

  test("ends its exchange with the last who observes it", async () => {
    const { fake, quartet, queryClient } = setup(["waits"])
    const { stop } = await observe(queryClient, quartet.queryOptions(requests.get, { id: "r1" }))
    expect(fake.at(0).state).toBe("open")
    stop()
    await flush()
    expect(fake.at(0).state).toBe("abandoned")
  })

  test("waits for an input that is not there yet, and shows nothing of another", async () => {
    const { fake, quartet, queryClient } = setup([Fake.json(200, [])])
    await queryClient.fetchQuery(quartet.queryOptions(requests.list))
    const options = quartet.queryOptions(requests.list, skipToken)
    const { now } = await observe(queryClient, options)
    expect([now().fetchStatus, now().data, fake.exchanges.length]).toEqual(["idle", undefined, 1])
    expect(partialMatchKey(options.queryKey, quartet.queryKey(requests.list))).toBe(true)
  })

  test("is refused where the call is a write, before anything is sent", async () => {
    const { fake, quartet, queryClient } = setup([ok()])
    const { now } = await observe(
      queryClient,
      quartet.queryOptions(requests.markSeen, { id: "r1", version: 1 })
    )
    expect(now().error).toMatchObject({ tag: "InputError", field: "call" })
    expect(now().error?.message).toContain("mutationOptions")
    expect(fake.exchanges).toHaveLength(0)
  })

  test("is refused where its call takes a secret, which keys and storages would keep", () => {
    const { login } = Public.auth
    const quartet = makeQueryOptions(createPublic({ baseUrl: base.baseUrl, apiKey: "k" }))
    const secrets = { email: "a@b.test", password: "hunter2" }
    for (const ask of [() => quartet.queryOptions(login, secrets), () => quartet.queryKey(login, secrets)]) {
      const refused = thrown(ask)
      expect(refused).toMatchObject({ tag: "InputError", operation: "auth.login", field: "password" })
      expect(String(refused)).toContain("mutation")
      expect(String(refused)).not.toContain("hunter2")
    }
    // What open fields are named is the app's own.
    quartet.queryOptions(Public.items.search, { payload: Input.raw({ promoCode: "MAY", pageToken: "2" }) })
    expect(quartet.mutationOptions(login).mutationKey).toEqual(["quartet", "Public", "auth", "login"])
  })

  test("with an input that breaks a rule, or cannot be read, fails before anything is sent", async () => {
    const { fake, quartet, queryClient } = setup([ok()])
    const loop: Record<string, unknown> = { id: "r1" }
    loop.self = loop
    for (const input of [{ id: "" }, { id: true }, loop]) {
      // @ts-expect-error what programs without types pass
      const { now } = await observe(queryClient, quartet.queryOptions(requests.get, input))
      expect(now().error).toMatchObject({ tag: "InputError" })
    }
    expect(fake.exchanges).toHaveLength(0)
  })

  test("of a narrowed call is another than that of the call, and the same for the same schema", async () => {
    const schema = () => Schema.Struct({ _id: Schema.String })
    const { quartet } = setup([ok()])
    const whole = quartet.queryKey(requests.get, { id: "r1" })
    const narrowed = quartet.queryKey(requests.get.as(schema()), { id: "r1" })
    const otherNarrowing = quartet.queryKey(requests.get.as(Schema.Struct({ type: Schema.String })), {
      id: "r1"
    })
    expect(new Set([whole, narrowed, otherNarrowing].map(hashKey)).size).toBe(3)
    expect(quartet.queryKey(requests.get.as(schema()), { id: "r1" })).toEqual(narrowed)
    expect(partialMatchKey(narrowed, whole)).toBe(true)
  })

  test("of a narrowed call is reached by its call, input and slice, with and without pages; by the narrowed one only what is narrowed alike", async () => {
    const Mine = Schema.Struct({ _id: Schema.String })
    const { quartet, queryClient } = setup([])
    const narrowed = requests.get.as(Mine)
    const list = requests.list.as(Mine)
    const keys: ReadonlyArray<Key> = [
      quartet.queryOptions(requests.get, { id: "r1" }),
      quartet.queryOptions(narrowed, { id: "r1" }),
      quartet.queryOptions(list, { statusIn: ["pending"] }),
      quartet.infiniteQueryOptions(list, { statusIn: ["pending"] })
    ].map(({ queryKey }) => queryKey)
    for (const key of keys) queryClient.setQueryData(key, {})
    const reached = (queryKey: ReadonlyArray<unknown>) =>
      keys.map((key) =>
        queryClient
          .getQueryCache()
          .findAll({ queryKey })
          .some(({ queryHash }) => queryHash === hashKey(key))
      )
    expect(reached(quartet.queryKey(requests.get))).toEqual([true, true, false, false])
    expect(reached(quartet.queryKey(requests.get, { id: "r1" }))).toEqual([true, true, false, false])
    expect(reached(quartet.queryKey(narrowed))).toEqual([false, true, false, false])
    expect(reached(quartet.queryKey(requests.list))).toEqual([false, false, true, true])
    expect(reached(quartet.queryKey(list, { statusIn: ["pending"] }))).toEqual([false, false, true, true])
    expect(reached(quartet.sliceKey(requests.markSeen))).toEqual([true, true, true, true])
    expect(reached(quartet.mutationOptions(narrowed).mutationKey)).toEqual([true, true, false, false])
  })
})

describe("a key", () => {
  const quartet = quartetOf(Fake.make([ok()]))

  test("names its prefix, client, slice, call and input, and each part of it is a prefix", () => {
    const key = quartet.queryKey(requests.list, { statusIn: ["pending"] })
    expect(key).toEqual(["quartet", "Admin", "requests", "list", { statusIn: ["pending"] }])
    const pages = quartet.infiniteQueryOptions(
      requests.list,
      { statusIn: ["pending"] },
      { limit: 2 }
    ).queryKey
    expect(pages).toEqual([...key, { pages: { limit: 2 } }])
    const prefixes = [
      key,
      quartet.queryKey(requests.list),
      quartet.sliceKey(requests.markSeen),
      quartet.queryKey()
    ]
    for (const prefix of prefixes)
      for (const whole of [key, pages]) expect(partialMatchKey(whole, prefix)).toBe(true)
    expect(partialMatchKey(key, quartet.queryKey(requests.get))).toBe(false)
    expect(quartet.mutationOptions(requests.markSeen).mutationKey).toEqual(
      quartet.queryKey(requests.markSeen)
    )
  })

  test("of a query without input is that of its call; a list at once and by pages are two", () => {
    const keys = [requests.list, requests.get].map((call) => hashKey(quartet.queryKey(call)))
    expect(hashKey(quartet.queryOptions(requests.list).queryKey)).toBe(keys[0])
    expect(hashKey(quartet.queryOptions(requests.list, {}).queryKey)).toBe(keys[0])
    expect(keys).not.toContain(hashKey(quartet.infiniteQueryOptions(requests.list).queryKey))
  })

  test("begins with a prefix of the app's own", () => {
    const quartet = quartetOf(Fake.make([ok()]), { prefix: ["shop", "ann"] })
    expect(quartet.queryKey()).toEqual(["shop", "ann"])
    expect(quartet.sliceKey(requests.list)).toEqual(["shop", "ann", "Admin", "requests"])
    expect(quartet.mutationOptions(requests.markSeen).mutationKey.slice(0, 2)).toEqual(["shop", "ann"])
  })

  /** The keys of inputs, as TanStack compares them. */
  const hashOf = (input: unknown): string =>
    // @ts-expect-error any input, as programs without types pass them
    hashKey(quartet.queryKey(requests.list, input))
  const at = new Date("2024-05-01T10:00:00.000Z")

  test.each([
    ["the order of fields", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a field that is undefined", { a: 1, b: undefined }, { a: 1 }],
    ["another Date of the same time", { since: at }, { since: new Date(at) }],
    ["a BigInt", { a: 1n }, { a: 1n }],
    ["no input", undefined, {}]
  ])("is the same for equal inputs: %s", (_, left, right) => {
    expect(hashOf(left)).toBe(hashOf(right))
  })

  test("is another for another input, also where JSON would see none", () => {
    const inputs = [
      ...[{}, { a: at }, { a: at.toISOString() }, { a: new Date(0) }, { a: 1 }, { a: "1" }, { a: 1n }],
      ...[{ a: null }, { a: Number.NaN }, { a: new Date(Number.NaN) }, { a: [1] }, { a: { $bigint: "1" } }],
      { a: { $date: at.toISOString() } }
    ]
    expect(new Set(inputs.map(hashOf)).size).toBe(inputs.length)
  })

  test("is plain JSON, which TanStack's filters compare as they stand", () => {
    const key = quartet.queryKey(requests.list, { page: 1 })
    expect(JSON.parse(JSON.stringify(key))).toEqual(key)
    const since = (time: number) => quartet.queryKey(requests.list, { query: { since: new Date(time) } })
    expect(partialMatchKey(since(1), since(1))).toBe(true)
    expect(partialMatchKey(since(1), since(2))).toBe(false)
  })
})

describe("a mutation", () => {
  const run = <I, A, E>(queryClient: QueryClient, options: MutationObserverOptions<A, E, I>) => {
    const observer = new MutationObserver(queryClient, options)
    onTestFinished(() => observer.reset())
    return observer
  }
  const input = { id: "r1", version: 1 }
  const lost = Fake.failed("Reset")

  test("sends its variables, and is not repeated whatever the defaults of the QueryClient say", async () => {
    const { fake, quartet } = setup([lost])
    const queryClient = makeClient({ defaultOptions: { mutations: { retry: 3, retryDelay: 0 } } })
    const failed = run(queryClient, quartet.mutationOptions(requests.markSeen)).mutate(input)
    await expect(failed).rejects.toBeInstanceOf(Errors.OutcomeUnknown)
    expect(fake.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PUT /request-action/r1/seen?projectId=p1"
    ])
  })

  test("has no idempotency key by itself, and one for each mutate where the app makes it", async () => {
    const { fake, quartet, queryClient } = setup([ok()])
    let keyCount = 0
    const idempotencyKey = ({ id }: { readonly id: string }) => `${id}-${++keyCount}`
    await run(queryClient, quartet.mutationOptions(requests.markSeen)).mutate(input)
    const keyed = run(queryClient, quartet.mutationOptions(requests.markSeen, { idempotencyKey }))
    await keyed.mutate(input)
    await keyed.mutate(input)
    const keys = fake.requests().map(({ headers }) => headers["idempotency-key"])
    expect(keys).toEqual([undefined, "r1-1", "r1-2"])
  })

  test("keeps its key where the app has TanStack repeat it, also with options of a later render", async () => {
    const { fake, quartet, queryClient } = setup([lost, lost, ok()])
    let keyCount = 0
    const options = () => ({
      ...quartet.mutationOptions(requests.markSeen, {
        idempotencyKey: () => `key-${++keyCount}`,
        policy: { attempts: 1 }
      }),
      retry: (count: number) => {
        observer.setOptions(options())
        return count < 3
      },
      retryDelay: 0
    })
    const observer = run(queryClient, options())
    await observer.mutate(input)
    expect(fake.requests().map(({ headers }) => headers["idempotency-key"])).toEqual([
      "key-1",
      "key-1",
      "key-1"
    ])
  })

  test("of a call without required input needs no variables", async () => {
    const { fake, quartet, queryClient } = setup([Fake.json(200, [])])
    await run(queryClient, quartet.mutationOptions(requests.list)).mutate()
    expect(fake.exchanges).toHaveLength(1)
  })
})

describe("the options are made", () => {
  test("for a client in the form of one object", async () => {
    const fake = Fake.make([ok()])
    const client = createAdminClient({
      ...base,
      sessionId: "s1",
      accessToken: token(),
      transport: fake.service
    })
    const queryClient = makeClient()
    const { queryOptions } = makeQueryOptions(client)
    expect(await queryClient.fetchQuery(queryOptions(requests.get, { id: "r1" }))).toMatchObject({
      _id: "r1"
    })
    await client.close()
    const late = queryClient.fetchQuery(queryOptions(requests.get, { id: "r2" }))
    await expect(late).rejects.toBeInstanceOf(Errors.InputError)
  })

  test("for a runtime: its calls, their errors and the end of their exchanges", async () => {
    const fake = Fake.make((_, place) => (place === 0 ? ok() : place === 1 ? Fake.json(404, {}) : "waits"))
    const runtime = ManagedRuntime.make(adminLayer(fake))
    onTestFinished(() => runtime.dispose())
    const queryClient = makeClient()
    const quartet = makeQueryOptions(runtime)
    const get = (id: string) => quartet.queryOptions(requests.get, { id })
    expect(get("r1").queryKey).toEqual(setup([ok()]).quartet.queryKey(requests.get, { id: "r1" }))
    expect(await queryClient.fetchQuery(get("r1"))).toMatchObject({ _id: "r1" })
    await expect(queryClient.fetchQuery(get("r2"))).rejects.toBeInstanceOf(Errors.NotFound)
    const { stop } = await observe(queryClient, get("r3"))
    expect(fake.at(2).state).toBe("open")
    stop()
    await flush()
    expect(fake.at(2).state).toBe("abandoned")
  })

  test("for a runtime whose layer fails: with its error", async () => {
    const runtime = ManagedRuntime.make(Layer.merge(adminLayer(Fake.make(versions)), Layer.fail("no layer")))
    const failed = makeClient().fetchQuery(makeQueryOptions(runtime).queryOptions(requests.get, { id: "r1" }))
    await expect(failed).rejects.toBe("no layer")
  })

  test("for a runtime that is disposed: late calls are refused as by a closed client, and those under way end like aborted ones", async () => {
    const fake = Fake.make(["waits"])
    const runtime = ManagedRuntime.make(adminLayer(fake))
    const { mutationOptions, queryOptions } = makeQueryOptions(runtime)
    const queryClient = makeClient()
    const get = (id: string) => queryClient.fetchQuery(queryOptions(requests.get, { id }))
    const early = expect(get("r1")).rejects.toMatchObject({
      name: "AbortError",
      message: "the client was closed"
    })
    await flush()
    await runtime.dispose()
    await early
    const closed = { tag: "InputError", field: "client", rule: "is closed: make a new one" }
    await expect(get("r2")).rejects.toMatchObject({ ...closed, operation: "requests.get" })
    const { mutationFn } = mutationOptions(requests.markSeen)
    await expect(mutationFn({ id: "r1", version: 1 })).rejects.toBeInstanceOf(Errors.InputError)
    expect(fake.at(0).state).toBe("abandoned")
    expect(fake.exchanges).toHaveLength(1)
  })

  test("for a runtime that is disposed while its layer is built: the call ends like an aborted one", async () => {
    const runtime = ManagedRuntime.make(
      Layer.merge(adminLayer(Fake.make(versions)), Layer.effectDiscard(Effect.never))
    )
    const { queryOptions } = makeQueryOptions(runtime)
    const waits = makeClient().fetchQuery(queryOptions(requests.get, { id: "r1" }))
    const ended = expect(waits).rejects.toMatchObject({ name: "AbortError" })
    await runtime.dispose()
    await ended
  })

  test.each([
    ["nothing", undefined, "client"],
    ["a layer", adminLayer(Fake.make(versions)), "client"],
    ["an effect", Effect.void, "client"]
  ])("not for %s", (_, argument, field) => {
    // @ts-expect-error what programs without types pass
    expect(thrown(() => makeQueryOptions(argument))).toMatchObject({ tag: "InputError", field })
  })

  test("not with options that there are not", () => {
    const call = callOver(Fake.make([ok()]))
    // @ts-expect-error what programs without types pass
    expect(thrown(() => makeQueryOptions(call, { name: "shop" }))).toMatchObject({
      tag: "InputError",
      field: "name"
    })
    // @ts-expect-error what programs without types pass
    expect(thrown(() => makeQueryOptions(call, { prefix: "shop" }))).toMatchObject({ field: "prefix" })
  })

  const quartet = quartetOf(Fake.make([ok()]))
  const client = createAdminClient({
    ...base,
    sessionId: "s",
    accessToken: token(),
    transport: Fake.make([ok()]).service
  })
  test.each([
    ["nothing", undefined],
    ["a method", client.requests.get],
    ["a call of another client", Public.items.get],
    ["a download", Admin.payments.csv]
  ])("not of %s", (_, call) => {
    const { infiniteQueryOptions, mutationOptions, queryKey, queryOptions, sliceKey } = quartet
    for (const make of [infiniteQueryOptions, mutationOptions, queryOptions, sliceKey])
      expect(thrown(() => Reflect.apply(make, undefined, [call]))).toMatchObject({
        tag: "InputError",
        field: "call"
      })
    if (call !== undefined)
      expect(thrown(() => Reflect.apply(queryKey, undefined, [call]))).toMatchObject({ tag: "InputError" })
  })
})
