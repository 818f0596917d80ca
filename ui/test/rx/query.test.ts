// A query asks when it is first observed, is shared by all that ask the same, stays fresh, and is given up with its last observer.

import { Registry } from "@effect-rx/rx-react"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  answerOf,
  endUserLayer,
  errorOf,
  flush,
  makeResource,
  makeScreen,
  ok,
  request,
  versions
} from "@quartet/support/react.js"
import { thrown } from "@quartet/support/thrown.js"
import { Effect, Layer, Schema } from "effect"
import { describe, expect, test } from "vitest"
import { makeQueryClient, never, source } from "../../rx/index.js"

describe("asking", () => {
  test("nothing is sent before somebody observes, who sees waiting first, then the answer with its Dates", async () => {
    const createdAt = "2024-05-01T10:00:00.000Z"
    const { fake, get, observe, registry } = adminClient([ok({ createdAt })])
    expect(registry.get(get())._tag).toBe("Initial")
    await flush()
    expect(fake.exchanges).toHaveLength(0)
    const { last, seen } = await observe(get())
    expect(seen[0]).toMatchObject({ _tag: "Initial", waiting: true })
    const value = { _id: "r1", createdAt: new Date(createdAt) }
    expect(last()).toMatchObject({ _tag: "Success", waiting: false, value })
    expect(fake.requests().map(({ path }) => path)).toEqual(["/request-action/r1?projectId=p1"])
  })

  test("a failure is the call's typed error, beside the last answer", async () => {
    const { clock, get, observe, registry } = adminClient([ok(), Fake.json(404, {})])
    const { last } = await observe(get())
    clock.pass(10_000)
    registry.refresh(get())
    await flush()
    expect([errorOf(last())._tag, answerOf(last())._id]).toEqual(["NotFound", "r1"])
  })

  test("a layer that cannot be built fails the query with its own error", async () => {
    const layer = Admin.layer({ baseUrl: "nonsense", projectId: "p", email: "a", password: "b" })
    const client = makeQueryClient(Layer.provide(layer, Fake.make([ok()]).layer))
    const { last } = await makeScreen().observe(client.query(Admin.requests.get, { id: "r1" }))
    expect(errorOf(last())).toMatchObject({ _tag: "InputError", field: "baseUrl" })
  })

  test("an effect of the app's own is asked like a call", async () => {
    const { client, observe } = adminClient([])
    const sum = source("sums.add", ({ a, b }: { readonly a: number; readonly b: number }) =>
      Effect.succeed(a + b)
    )
    expect((await observe(client.query(sum, { a: 1, b: 2 }))).last()).toMatchObject({ value: 3 })
  })
})

describe("a call that takes a secret", () => {
  test("is refused and its field named, because a query keeps its input; it is a mutation's", () => {
    const { client } = adminClient([])
    const refused = thrown(() => client.query(Admin.auth.login, { email: "a@b.test", password: "hunter2" }))
    expect(refused).toMatchObject({ tag: "InputError", operation: "auth.login", field: "password" })
    expect(String(refused)).not.toContain("hunter2")
    client.mutation(Admin.auth.login)
  })

  test("is none for what its open fields are named: those of a search are the app's own", () => {
    const { client } = adminClient([])
    client.query(Admin.preferences.get, { key: "theme" })
    client.query(Admin.orderGroups.search, { payload: Input.raw({ promoCode: "MAY", pageToken: "2" }) })
    client.infiniteQuery(Admin.requests.list, { query: { hasPassword: "yes" } })
  })
})

describe("de-duplication", () => {
  test("equal inputs are one value: fields in any order, undefined ones left out, Dates by their time", () => {
    const { client } = adminClient([])
    const list = Admin.requests.list
    const query = client.query(list, {
      statusIn: ["pending"],
      query: { since: new Date(5), until: undefined }
    })
    expect(client.query(list, { statusIn: ["pending"], query: { since: new Date(5) } })).toBe(query)
  })

  test("different inputs, calls, narrowings and clients are different values", () => {
    const fake = Fake.make([])
    const client = makeQueryClient(Layer.merge(adminLayer(fake), endUserLayer(fake)))
    const narrow = () => Admin.requests.get.as(Schema.Struct({ _id: Schema.String }))
    const call = narrow()
    const all = [
      client.query(Admin.requests.get, { id: "1" }),
      client.query(Admin.requests.get, { id: "2" }),
      client.query(Admin.items.get, { id: "1" }),
      client.query(EndUser.requests.get, { id: "1" }),
      client.query(call, { id: "1" }),
      client.query(narrow(), { id: "1" })
    ]
    expect(new Set<unknown>(all).size).toBe(6)
    expect(client.query(call, { id: "1" })).toBe(all[4])
  })

  test("several observers share one exchange and one answer, also with other options", async () => {
    const { fake, get, observe, watch } = adminClient([ok()])
    const all = [watch(get()), watch(get("r1", { staleTime: 1 }))]
    all.push(await observe(get()), await observe(get("r1", { staleTime: 60_000, keys: ["desk"] })))
    expect(fake.exchanges).toHaveLength(1)
    expect(new Set(all.map(({ last }) => answerOf(last()))).size).toBe(1)
    expect(all[0]?.last()).toMatchObject({ _tag: "Success", waiting: false })
  })

  test("what an answer does not change stays the same object", async () => {
    const comments = (second: string) => ok({ comments: [{ text: "a" }, { text: second }] })
    const { fake, get, observe, registry } = adminClient([comments("b"), comments("c"), comments("c")])
    const { last, seen } = await observe(get())
    const refreshed = async () => {
      registry.refresh(get())
      await flush()
      return answerOf(last())
    }
    const before = answerOf(last())
    const after = await refreshed()
    expect(after.comments?.[0]).toBe(before.comments?.[0])
    expect(after.comments?.[1]).toEqual({ text: "c" })
    expect(await refreshed()).toBe(after)
    expect(fake.exchanges).toHaveLength(3)
    expect(seen.filter(({ waiting }) => !waiting)).toHaveLength(3)
  })
})

describe("giving up", () => {
  test.each([{}, { defaultIdleTTL: 60_000 }])(
    "the exchange is abandoned when the last observer leaves, in a registry of %j, and begun again by the next",
    async (options) => {
      const { fake, get } = adminClient(["waits", ok()])
      const { observe, registry, watch } = makeScreen(Registry.make(options))
      const watched = watch(get())
      const observed = await observe(get())
      await watched.leave()
      expect(fake.count("open")).toBe(1)
      await observed.leave()
      expect(fake.count("abandoned")).toBe(1)
      expect((await observe(get())).last()).toMatchObject({ _tag: "Success" })
      registry.dispose()
    }
  )

  test("a registry that is disposed abandons everything and releases the layer", async () => {
    const { fake, layer } = adminClient(["waits"])
    const resource = makeResource()
    const client = makeQueryClient(Layer.merge(layer, resource.layer))
    const { observe, registry } = makeScreen()
    await observe(client.query(Admin.requests.get, { id: "r1" }))
    registry.dispose()
    await flush()
    expect([fake.count("abandoned"), resource.counts]).toEqual([1, { built: 1, released: 1 }])
  })
})

describe("stale time", () => {
  test("a young answer is not asked for again; an old one is shown and replaced in the background", async () => {
    const { clock, fake, get, visit } = adminClient(versions, { staleTime: 1_000 })
    await visit(get())
    clock.pass(1_000)
    const first = { _tag: "Success", waiting: false, value: { version: 1 } }
    expect((await visit(get())).seen).toMatchObject([first])
    expect(fake.exchanges).toHaveLength(1)
    clock.pass(1)
    const { seen } = await visit(get())
    expect(seen).toMatchObject([
      { ...first, waiting: true },
      { ...first, value: { version: 2 } }
    ])
  })

  test("a query's own stale time comes before the client's", async () => {
    const { clock, fake, get, visit } = adminClient(versions, { staleTime: 1_000 })
    await visit(get("r1", { staleTime: 60_000 }))
    clock.pass(30_000)
    await visit(get("r1", { staleTime: 60_000 }))
    expect(fake.exchanges).toHaveLength(1)
  })

  test("a failure is asked for again by the next one who looks, whatever its age", async () => {
    const { get, visit } = adminClient([Fake.json(404, {}), ok()])
    await visit(get())
    expect((await visit(get())).last()).toMatchObject({ _tag: "Success" })
  })
})

describe("signals", () => {
  test("coming back to the page asks for what is old, once, and leaves what is young", async () => {
    const { clock, fake, focus, get, observe } = adminClient(versions, { staleTime: 1_000 })
    await observe(get())
    await focus.give()
    expect(fake.exchanges).toHaveLength(1)
    clock.pass(2_000)
    focus.give()
    await focus.give()
    expect(fake.exchanges).toHaveLength(2)
  })

  test("coming back online asks for what failed", async () => {
    const { get, observe, reconnect } = adminClient([Fake.failed("Refused", false), ok()])
    const { last, seen } = await observe(get())
    await reconnect.give()
    expect([seen.at(-3)?._tag, last()._tag]).toEqual(["Failure", "Success"])
  })

  const refusal = { refetchOnWindowFocus: false, refetchOnReconnect: false }
  test.each([
    ["a query may refuse either", {}, refusal],
    ["a client may hear neither", { focus: never, reconnect: never }, {}]
  ])("%s", async (_, options, queryOptions) => {
    const fixture = adminClient(versions, { staleTime: 0, ...options })
    await fixture.observe(fixture.get("r1", queryOptions))
    fixture.clock.pass(60_000)
    fixture.focus.give()
    await fixture.reconnect.give()
    expect(fixture.fake.exchanges).toHaveLength(1)
  })

  test("nobody listens for signals while nobody looks", async () => {
    const { focus, get, observe, reconnect } = adminClient(versions)
    const listeners = () => [focus.listeners.size, reconnect.listeners.size]
    const { leave } = await observe(get())
    expect(listeners()).toEqual([1, 1])
    await leave()
    expect(listeners()).toEqual([0, 0])
  })
})

describe("keeping", () => {
  const named: Fake.Script = ({ path }) => Fake.json(200, request(path))

  test("an answer that nobody has looked at for longer than the idle time is forgotten", async () => {
    const { clock, fake, get, visit } = adminClient(versions, { gcTime: 1_000, staleTime: 60_000 })
    await visit(get())
    clock.pass(1_001)
    expect((await visit(get())).seen[0]).toMatchObject({ _tag: "Initial" })
    expect(fake.exchanges).toHaveLength(2)
  })

  test("of answers that nobody looks at, the ones left last are kept", async () => {
    const { fake, get, visit } = adminClient(named, { capacity: 2, staleTime: 60_000 })
    for (const id of ["1", "2", "3"]) await visit(get(id))
    expect((await visit(get("3"))).seen[0]).toMatchObject({ _tag: "Success" })
    expect((await visit(get("1"))).seen[0]).toMatchObject({ _tag: "Initial" })
    expect(fake.exchanges).toHaveLength(4)
  })

  test("what somebody looks at is never forgotten", async () => {
    const { clock, get, observe, visit } = adminClient(named, { capacity: 1, gcTime: 1 })
    const { last, seen } = await observe(get("kept"))
    clock.pass(1_000_000)
    for (const id of ["1", "2", "3"]) await visit(get(id))
    expect([last()._tag, seen.length]).toEqual(["Success", 2])
  })

  test("each registry has answers of its own", async () => {
    const { get, visit } = adminClient(versions, { staleTime: 60_000 })
    await visit(get())
    expect(makeScreen().watch(get()).seen[0]).toMatchObject({ _tag: "Initial" })
  })
})
