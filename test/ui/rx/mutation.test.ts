// A mutation runs a call, shows changes before they are confirmed, undoes them where it fails, and refreshes the rest.

import { Result } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import type { Page } from "../../../core/kernel/operation/answer.js"
import type { RequestAction } from "../../../core/requests/model.js"
import { change, source } from "../../../ui/rx/index.js"
import { failed, json } from "../../support/fake-transport.js"
import {
  adminClient,
  answerOf,
  observe,
  reads,
  readsAnswer,
  request,
  send,
  turn,
  watch,
  writes
} from "./scripted.js"

describe("running", () => {
  test("a message runs the call, and the value shows how it stands", async () => {
    const { fake, client, registry } = adminClient(readsAnswer())
    const markSeen = client.mutation(Admin.requests.markSeen)
    const { last, seen } = watch(registry, markSeen)
    expect(seen[0]).toMatchObject({ _tag: "Initial", waiting: false })
    await send(registry, markSeen, { id: "r1", version: 1 })
    expect(last()).toMatchObject({ _tag: "Initial", waiting: true })
    fake.at(0).settle(json(200, request("r1", { version: 1 })))
    await turn()
    expect(last()).toMatchObject({ _tag: "Success", waiting: false, value: { _id: "r1" } })
    expect(fake.at(0).request).toMatchObject({ method: "PUT", body: { text: '{"version":1}' } })
  })

  test("a run is told how it ended: success, error, cancelled or a fault", async () => {
    const { fake, client, registry } = adminClient(["waits"])
    const markSeen = client.mutation(Admin.requests.markSeen).actions(registry)
    const run = () => markSeen.mutate({ id: "r1", version: 1 })
    const good = run()
    await turn()
    fake.at(0).settle(json(200, request("r1")))
    const bad = run()
    await turn()
    fake.at(1).settle(json(409, {}))
    expect(await good).toMatchObject({ status: "success", data: { _id: "r1" } })
    expect(await bad).toMatchObject({ status: "error", error: { _tag: "Conflict" } })
    const faulty = client.mutation(source("faults.make", () => Effect.die("broken"))).actions(registry)
    expect(await faulty.mutate({})).toEqual({ status: "defect", defect: "broken" })
    const lost = run()
    await turn()
    registry.dispose()
    expect(await lost).toEqual({ status: "cancelled" })
  })

  test("it goes on when nobody looks any more", async () => {
    const { fake, client, registry } = adminClient(["waits"])
    const markSeen = client.mutation(Admin.requests.markSeen)
    const { leave } = watch(registry, markSeen)
    await send(registry, markSeen, { id: "r1", version: 1 })
    await leave()
    expect(fake.count("open")).toBe(1)
  })

  test("of two runs, the later one is shown", async () => {
    const { fake, client, registry } = adminClient(["waits"])
    const update = client.mutation(Admin.requests.update)
    const { last } = watch(registry, update)
    registry.set(update, { id: "r1", payload: { n: 1 } })
    await send(registry, update, { id: "r1", payload: { n: 2 } })
    fake.at(1).settle(json(200, request("second")))
    fake.at(0).settle(json(200, request("first")))
    await turn()
    expect(answerOf(last())._id).toBe("second")
  })
})

describe("invalidation", () => {
  const seenAfter = async (
    given: ReturnType<typeof adminClient>,
    mutation: ReturnType<typeof given.client.mutation<{ id: string; version: number }, RequestAction>>
  ) => {
    await send(given.registry, mutation, { id: "r1", version: 1 })
    writes(given.fake)
      .at(-1)
      ?.settle(json(200, request("r1")))
    await turn()
  }

  test("it asks every query of its slice again, unless it says what", async () => {
    const given = adminClient(readsAnswer())
    const { client, registry } = given
    const get = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    const list = watch(registry, client.query(Admin.requests.list))
    const other = await observe(registry, client.query(Admin.items.get, { id: "i1" }))
    await seenAfter(given, client.mutation(Admin.requests.markSeen))
    expect(answerOf(get.last()).version).toBe(4)
    expect(answerOf(list.last()).items[0]?.version).toBe(5)
    expect(answerOf(other.last())).toMatchObject({ version: 3 })
  })

  test("it names what it makes outdated by call, by query, or by a word", async () => {
    const given = adminClient(readsAnswer())
    const { client, registry } = given
    const one = client.query(Admin.requests.get, { id: "r1" })
    const queries = {
      one: watch(registry, one),
      two: watch(registry, client.query(Admin.requests.get, { id: "r2" })),
      list: watch(registry, client.query(Admin.requests.list)),
      desk: watch(registry, client.query(Admin.items.list, {}, { keys: ["desk"] }))
    }
    await turn()
    const count = () =>
      Object.values(queries).map(({ seen }) => seen.filter(({ waiting }) => !waiting).length)
    await seenAfter(given, client.mutation(Admin.requests.markSeen, { invalidates: [one] }))
    expect(count()).toEqual([2, 1, 1, 1])
    await seenAfter(given, client.mutation(Admin.requests.markSeen, { invalidates: [Admin.requests.get] }))
    expect(count()).toEqual([3, 2, 1, 1])
    await seenAfter(given, client.mutation(Admin.requests.markSeen, { invalidates: ["desk"] }))
    expect(count()).toEqual([3, 2, 1, 2])
    await seenAfter(given, client.mutation(Admin.requests.markSeen, { invalidates: ["requests.list"] }))
    expect(count()).toEqual([3, 2, 2, 2])
    await seenAfter(given, client.mutation(Admin.requests.markSeen, { invalidates: [] }))
    expect(count()).toEqual([3, 2, 2, 2])
  })

  test("what nobody looks at is asked again when somebody does", async () => {
    const given = adminClient(readsAnswer(), { staleTime: 1_000_000 })
    const { fake, client, registry } = given
    const query = client.query(Admin.requests.get, { id: "r1" })
    const { leave } = await observe(registry, query)
    await leave()
    await seenAfter(given, client.mutation(Admin.requests.markSeen))
    expect(reads(fake)).toBe(1)
    const back = await observe(registry, query)
    expect(reads(fake)).toBe(2)
    await back.leave()
    await observe(registry, query)
    expect(reads(fake)).toBe(2)
  })

  test("an answer under way, which may be older than the change, is asked for anew", async () => {
    let place = 0
    const given = adminClient(({ method }) => {
      if (method !== "GET") return json(200, request("r1"))
      place += 1
      return place === 1 ? "waits" : json(200, request("r1", { version: 9 }))
    })
    const { last } = await observe(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await send(given.registry, given.client.mutation(Admin.requests.markSeen), { id: "r1", version: 1 })
    expect(given.fake.at(0).state).toBe("abandoned")
    expect(answerOf(last()).version).toBe(9)
  })

  test("a call that fails leaves everything as it is, and one whose outcome is not known does not", async () => {
    const given = adminClient(readsAnswer())
    const { fake, client, registry } = given
    await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    const markSeen = client.mutation(Admin.requests.markSeen)
    await send(registry, markSeen, { id: "r1", version: 1 })
    writes(fake)[0]?.settle(json(409, {}))
    await turn()
    expect(reads(fake)).toBe(1)
    await send(registry, markSeen, { id: "r1", version: 1 })
    writes(fake)[1]?.settle(failed("Reset"))
    await turn()
    expect(reads(fake)).toBe(2)
  })

  test("the client refreshes what changed outside of a mutation", async () => {
    const { fake, client, registry } = adminClient(readsAnswer())
    await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    client.invalidate(registry, "requests")
    await turn()
    expect(reads(fake)).toBe(2)
  })
})

describe("optimistic changes", () => {
  const setup = async () => {
    const given = adminClient(readsAnswer(), { staleTime: 1_000_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    const list = given.client.query(Admin.requests.list)
    const rename = given.client.mutation(Admin.requests.update, {
      optimistic: ({ id, payload }) => [
        change(query, (value) => ({ ...value, type: String(payload) })),
        change(Admin.requests.list, (page: Page<RequestAction>) => ({
          ...page,
          items: page.items.map((item) => (item._id === id ? { ...item, type: String(payload) } : item))
        }))
      ]
    })
    const one = watch(given.registry, query)
    const all = await observe(given.registry, list)
    const types = () => [answerOf(one.last()).type, ...answerOf(all.last()).items.map(({ type }) => type)]
    const run = async (payload: string) => {
      await send(given.registry, rename, { id: "r1", payload })
      const exchange = writes(given.fake).at(-1)
      return async (status: number) => {
        exchange?.settle(json(status, request("r1")))
        await turn()
      }
    }
    return { ...given, one, types, run }
  }

  test("are shown at once, in every query that they name", async () => {
    const { run, types } = await setup()
    await run("BUY")
    expect(types()).toEqual(["BUY", "BUY", "VISIT"])
  })

  test("are undone when the call fails", async () => {
    const { fake, run, types } = await setup()
    const before = reads(fake)
    const settle = await run("BUY")
    await settle(409)
    expect(types()).toEqual(["VISIT", "VISIT", "VISIT"])
    expect(reads(fake)).toBe(before)
  })

  test("stay when it succeeds, until the platform's own answer replaces them", async () => {
    const { fake, one, run } = await setup()
    const settle = await run("BUY")
    await settle(200)
    const seen = one.seen.map((result) => Result.value(result).pipe(Option.map(({ type }) => type)))
    expect(seen.slice(-3)).toEqual([Option.some("BUY"), Option.some("BUY"), Option.some("VISIT")])
    expect(reads(fake)).toBe(4)
  })

  test("are undone one by one: a later change outlives an earlier one that failed", async () => {
    const { run, types } = await setup()
    const first = await run("BUY")
    const second = await run("SELL")
    expect(types()[0]).toBe("SELL")
    await first(409)
    expect(types()[0]).toBe("SELL")
    await second(409)
    expect(types()[0]).toBe("VISIT")
  })

  test("are laid over an answer that comes while the call is under way", async () => {
    const { client, one, registry, run, types } = await setup()
    const settle = await run("BUY")
    client.invalidate(registry, "requests.get")
    await turn()
    expect(types()[0]).toBe("BUY")
    await settle(409)
    expect(types()[0]).toBe("VISIT")
    expect(answerOf(one.last()).version).toBe(3)
  })
})
