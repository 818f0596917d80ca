// A query asks when it is first observed, is shared by all that ask the same, stays fresh, and is given up with its last observer.

import { Registry, Result } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import { makeQueryClient, never, source } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, observe, request, turn, watch } from "./scripted.js"

const ok = (more: object = {}) => Fake.json(200, request("r1", more))

describe("asking", () => {
  test("nothing is sent before somebody observes", async () => {
    const { fake, client, registry } = adminClient([ok()])
    const query = client.query(Admin.requests.get, { id: "r1" })
    expect(registry.get(query)._tag).toBe("Initial")
    await turn()
    expect(fake.exchanges).toHaveLength(0)
  })

  test("an observer sees waiting first, and then the answer with its Dates", async () => {
    const { fake, client, registry } = adminClient([ok({ createdAt: "2024-05-01T10:00:00.000Z" })])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const { seen } = watch(registry, query)
    expect(seen[0]).toMatchObject({ _tag: "Initial", waiting: true })
    await turn()
    expect(seen.at(-1)).toMatchObject({
      _tag: "Success",
      waiting: false,
      value: { _id: "r1", createdAt: new Date("2024-05-01T10:00:00.000Z") }
    })
    expect(fake.requests().map(({ path }) => path)).toEqual(["/request-action/r1?projectId=p1"])
  })

  test("a failure is the call's typed error, beside the last answer", async () => {
    const { clock, client, registry } = adminClient([ok(), Fake.json(404, {})])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const { last } = await observe(registry, query)
    clock.pass(10_000)
    registry.refresh(query)
    await turn()
    const result = last()
    expect(result && Option.getOrThrow(Result.error(result))._tag).toBe("NotFound")
    expect(result && Option.getOrThrow(Result.value(result))._id).toBe("r1")
  })

  test("a layer that cannot be built fails the query with its own error", async () => {
    const fake = Fake.make([ok()])
    const client = makeQueryClient(
      Layer.provide(
        Admin.layer({ baseUrl: "nonsense", projectId: "p", email: "a", password: "b" }),
        fake.layer
      )
    )
    const { registry } = adminClient([])
    const { last } = await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    const result = last()
    expect(result && Option.getOrThrow(Result.error(result))).toMatchObject({
      _tag: "InputError",
      field: "baseUrl"
    })
  })

  test("an effect of the app's own is asked like a call", async () => {
    const { client, registry } = adminClient([])
    const sum = source("sums.add", ({ a, b }: { readonly a: number; readonly b: number }) =>
      Effect.succeed(a + b)
    )
    const { last } = await observe(registry, client.query(sum, { a: 1, b: 2 }))
    expect(last()).toMatchObject({ _tag: "Success", value: 3 })
  })
})

describe("de-duplication", () => {
  test("equal inputs are one value: fields in any order, undefined ones left out, Dates by their time", () => {
    const { client } = adminClient([])
    const one = client.query(Admin.requests.list, {
      statusIn: ["pending"],
      since: new Date(5),
      until: undefined
    })
    const other = client.query(Admin.requests.list, { since: new Date(5), statusIn: ["pending"] })
    expect(other).toBe(one)
  })

  test("different inputs, calls and narrowings are different values", () => {
    const { client } = adminClient([])
    const Narrow = Schema.Struct({ _id: Schema.String })
    const all = new Set<unknown>([
      client.query(Admin.requests.get, { id: "1" }),
      client.query(Admin.requests.get, { id: "2" }),
      client.query(Admin.items.get, { id: "1" }),
      client.query(Admin.requests.get.as(Narrow), { id: "1" })
    ])
    expect(all.size).toBe(4)
    expect(client.query(Admin.requests.get.as(Narrow), { id: "1" })).toBe(
      client.query(Admin.requests.get.as(Narrow), { id: "1" })
    )
  })

  test("one operation of two clients is two questions", () => {
    const fake = Fake.make([])
    const endUser = EndUser.layer({ baseUrl: "https://api.example.com", apiKey: "k", sessionId: "s" })
    const client = makeQueryClient(Layer.merge(adminLayer(fake), Layer.provide(endUser, fake.layer)))
    const asAdmin: unknown = client.query(Admin.requests.get, { id: "1" })
    const asEndUser: unknown = client.query(EndUser.requests.get, { id: "1" })
    expect(asAdmin).not.toBe(asEndUser)
  })

  test("several observers share one exchange and one answer", async () => {
    const { fake, client, registry } = adminClient([ok()])
    const one = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    const other = await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    expect(fake.exchanges).toHaveLength(1)
    expect(one.last()).toBe(other.last())
  })

  test("observers with other options are told by the same exchange", async () => {
    const { fake, client, registry } = adminClient([ok()])
    const one = watch(registry, client.query(Admin.requests.get, { id: "r1" }, { staleTime: 1 }))
    const other = await observe(
      registry,
      client.query(Admin.requests.get, { id: "r1" }, { staleTime: 60_000, keys: ["desk"] })
    )
    expect(fake.exchanges).toHaveLength(1)
    expect([one.last()?._tag, other.last()?._tag]).toEqual(["Success", "Success"])
  })

  test("what an answer does not change stays the same object", async () => {
    const { fake, client, registry } = adminClient([
      ok({ comments: [{ text: "a" }, { text: "b" }] }),
      ok({ comments: [{ text: "a" }, { text: "c" }] })
    ])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const { last, seen } = watch(registry, query)
    const value = () => Option.getOrThrow(Result.value(last() ?? Result.initial()))
    await turn()
    const before = value()
    registry.refresh(query)
    await turn()
    const after = value()
    expect(after.comments?.[0]).toBe(before.comments?.[0])
    expect(after.comments?.[1]).toEqual({ text: "c" })
    registry.refresh(query)
    await turn()
    expect(value()).toBe(after)
    expect(fake.exchanges).toHaveLength(3)
    expect(seen.filter(({ waiting }) => !waiting)).toHaveLength(3)
  })
})

describe("giving up", () => {
  test("the exchange is abandoned when the last observer leaves, and not before", async () => {
    const { fake, client, registry } = adminClient(["waits"])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const one = watch(registry, query)
    const other = await observe(registry, query)
    await one.leave()
    expect(fake.count("open")).toBe(1)
    await other.leave()
    expect(fake.count("abandoned")).toBe(1)
  })

  test("that is so in a registry that keeps idle values, too", async () => {
    const { fake, client } = adminClient(["waits"])
    const registry = Registry.make({ defaultIdleTTL: 60_000 })
    const { leave } = await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    await leave()
    expect(fake.count("abandoned")).toBe(1)
    registry.dispose()
  })

  test("who comes back asks again", async () => {
    const { fake, client, registry } = adminClient(["waits", ok()])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const first = await observe(registry, query)
    await first.leave()
    const second = await observe(registry, query)
    expect(second.last()).toMatchObject({ _tag: "Success" })
    expect(fake.exchanges).toHaveLength(2)
  })

  test("a registry that is disposed abandons everything and releases the layer", async () => {
    const fake = Fake.make(["waits"])
    let isReleased = false
    const resource = Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          isReleased = true
        })
      )
    )
    const client = makeQueryClient(Layer.merge(adminLayer(fake), resource))
    const { registry } = adminClient([])
    await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    registry.dispose()
    await turn()
    expect(fake.count("abandoned")).toBe(1)
    expect(isReleased).toBe(true)
  })
})

const versions: Fake.Script = (_, place) => Fake.json(200, request("r1", { version: place + 1 }))

const visit = async (given: ReturnType<typeof adminClient>, rx: Parameters<typeof watch>[1]) => {
  const { leave, last, seen } = await observe(given.registry, rx)
  await leave()
  return { last: last(), seen }
}

describe("stale time", () => {
  test("an answer that is young enough is not asked for again", async () => {
    const given = adminClient(versions, { staleTime: 1_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    await visit(given, query)
    given.clock.pass(1_000)
    const { seen } = await visit(given, query)
    expect(given.fake.exchanges).toHaveLength(1)
    expect(seen).toMatchObject([{ _tag: "Success", waiting: false, value: { version: 1 } }])
  })

  test("an older one is shown at once and replaced in the background", async () => {
    const given = adminClient(versions, { staleTime: 1_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    await visit(given, query)
    given.clock.pass(1_001)
    const { seen } = await visit(given, query)
    expect(seen).toMatchObject([
      { _tag: "Success", waiting: false, value: { version: 1 } },
      { _tag: "Success", waiting: true, value: { version: 1 } },
      { _tag: "Success", waiting: false, value: { version: 2 } }
    ])
  })

  test("a query's own stale time comes before the client's", async () => {
    const given = adminClient(versions, { staleTime: 1_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" }, { staleTime: 60_000 })
    await visit(given, query)
    given.clock.pass(30_000)
    await visit(given, query)
    expect(given.fake.exchanges).toHaveLength(1)
  })

  test("a failure is asked for again by the next one who looks, whatever its age", async () => {
    const given = adminClient([Fake.json(404, {}), Fake.json(200, request("r1"))])
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    await visit(given, query)
    expect((await visit(given, query)).last).toMatchObject({ _tag: "Success" })
  })
})

describe("signals", () => {
  test("coming back to the page asks for what is old, once, and leaves what is young", async () => {
    const given = adminClient(versions, { staleTime: 1_000 })
    await observe(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await given.focus.give()
    expect(given.fake.exchanges).toHaveLength(1)
    given.clock.pass(2_000)
    given.focus.give()
    await given.focus.give()
    expect(given.fake.exchanges).toHaveLength(2)
  })

  test("coming back online asks for what failed", async () => {
    const given = adminClient([Fake.failed("Refused", false), Fake.json(200, request("r1"))])
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    const { last } = await observe(given.registry, query)
    const before = last()
    await given.reconnect.give()
    expect([before._tag, last()._tag]).toEqual(["Failure", "Success"])
  })

  test("a query may refuse either", async () => {
    const given = adminClient(versions, { staleTime: 0 })
    const options = { refetchOnWindowFocus: false, refetchOnReconnect: false }
    await observe(given.registry, given.client.query(Admin.requests.get, { id: "r1" }, options))
    given.clock.pass(60_000)
    given.focus.give()
    await given.reconnect.give()
    expect(given.fake.exchanges).toHaveLength(1)
  })

  test("nobody listens for signals while nobody looks", async () => {
    const given = adminClient(versions)
    const { leave } = await observe(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    expect([given.focus.listeners.size, given.reconnect.listeners.size]).toEqual([1, 1])
    await leave()
    expect([given.focus.listeners.size, given.reconnect.listeners.size]).toEqual([0, 0])
  })

  test("without signals, only mounting and mutations ask again", async () => {
    const given = adminClient(versions, { focus: never, reconnect: never, staleTime: 0 })
    await observe(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    given.clock.pass(60_000)
    await given.focus.give()
    expect(given.fake.exchanges).toHaveLength(1)
  })
})

describe("keeping", () => {
  test("an answer that nobody has looked at for longer than the idle time is forgotten", async () => {
    const given = adminClient(versions, { gcTime: 1_000, staleTime: 60_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    await visit(given, query)
    given.clock.pass(1_001)
    const { seen } = await visit(given, query)
    expect(seen[0]).toMatchObject({ _tag: "Initial" })
    expect(given.fake.exchanges).toHaveLength(2)
  })

  test("of answers that nobody looks at, the ones left last are kept", async () => {
    const given = adminClient((call) => Fake.json(200, request(call.path)), {
      capacity: 2,
      staleTime: 60_000
    })
    const query = (id: string) => given.client.query(Admin.requests.get, { id })
    for (const id of ["1", "2", "3"]) await visit(given, query(id))
    const asked = given.fake.exchanges.length
    expect((await visit(given, query("3"))).seen[0]).toMatchObject({ _tag: "Success" })
    expect((await visit(given, query("1"))).seen[0]).toMatchObject({ _tag: "Initial" })
    expect(given.fake.exchanges).toHaveLength(asked + 1)
  })

  test("what somebody looks at is never forgotten", async () => {
    const given = adminClient((call) => Fake.json(200, request(call.path)), { capacity: 1, gcTime: 1 })
    const { last, seen } = await observe(
      given.registry,
      given.client.query(Admin.requests.get, { id: "kept" })
    )
    given.clock.pass(1_000_000)
    for (const id of ["1", "2", "3"]) await visit(given, given.client.query(Admin.requests.get, { id }))
    expect(last()).toMatchObject({ _tag: "Success" })
    expect(seen).toHaveLength(2)
  })

  test("each registry has answers of its own", async () => {
    const given = adminClient(versions, { staleTime: 60_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    await visit(given, query)
    const { seen } = watch(Registry.make(), query)
    expect(seen[0]).toMatchObject({ _tag: "Initial" })
  })
})
