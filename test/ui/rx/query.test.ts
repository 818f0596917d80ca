// A query asks when it is first observed, is shared by all that ask the same, and is given up with the last observer.
import { Registry, Result } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import { makeQueryClient, source } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, request, turn, watch } from "./scripted.js"

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
    const { last } = watch(registry, query)
    await turn()
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
    const { last } = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
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
    const { last } = watch(registry, client.query(sum, { a: 1, b: 2 }))
    await turn()
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
    const other = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    expect(fake.exchanges).toHaveLength(1)
    expect(one.last()).toBe(other.last())
  })

  test("observers with other options are told by the same exchange", async () => {
    const { fake, client, registry } = adminClient([ok()])
    const one = watch(registry, client.query(Admin.requests.get, { id: "r1" }, { staleTime: 1 }))
    const other = watch(
      registry,
      client.query(Admin.requests.get, { id: "r1" }, { staleTime: 60_000, keys: ["desk"] })
    )
    await turn()
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
    const other = watch(registry, query)
    await turn()
    one.leave()
    await turn()
    expect(fake.count("open")).toBe(1)
    other.leave()
    await turn()
    expect(fake.count("abandoned")).toBe(1)
  })

  test("that is so in a registry that keeps idle values, too", async () => {
    const { fake, client } = adminClient(["waits"])
    const registry = Registry.make({ defaultIdleTTL: 60_000 })
    const { leave } = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    leave()
    await turn()
    expect(fake.count("abandoned")).toBe(1)
    registry.dispose()
  })

  test("who comes back asks again", async () => {
    const { fake, client, registry } = adminClient(["waits", ok()])
    const query = client.query(Admin.requests.get, { id: "r1" })
    const first = watch(registry, query)
    await turn()
    first.leave()
    await turn()
    const second = watch(registry, query)
    await turn()
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
    watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    registry.dispose()
    await turn()
    expect(fake.count("abandoned")).toBe(1)
    expect(isReleased).toBe(true)
  })
})
