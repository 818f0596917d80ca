// A mutation runs a call, shows changes before they are confirmed, undoes them where it fails, and refreshes the rest.
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import type { RequestAction } from "../../../core/requests/model.js"
import { source } from "../../../ui/rx/index.js"
import { failed, json } from "../../support/fake-transport.js"
import { adminClient, answerOf, reads, readsAnswer, request, turn, watch, writes } from "./scripted.js"

describe("running", () => {
  test("a message runs the call, and the value shows how it stands", async () => {
    const { fake, client, registry } = adminClient(readsAnswer())
    const markSeen = client.mutation(Admin.requests.markSeen)
    const { last, seen } = watch(registry, markSeen)
    expect(seen[0]).toMatchObject({ _tag: "Initial", waiting: false })
    registry.set(markSeen, { id: "r1", version: 1 })
    await turn()
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
    registry.set(markSeen, { id: "r1", version: 1 })
    await turn()
    leave()
    await turn()
    expect(fake.count("open")).toBe(1)
  })

  test("of two runs, the later one is shown", async () => {
    const { fake, client, registry } = adminClient(["waits"])
    const update = client.mutation(Admin.requests.update)
    const { last } = watch(registry, update)
    registry.set(update, { id: "r1", payload: { n: 1 } })
    registry.set(update, { id: "r1", payload: { n: 2 } })
    await turn()
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
    given.registry.set(mutation, { id: "r1", version: 1 })
    await turn()
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
    const other = watch(registry, client.query(Admin.items.get, { id: "i1" }))
    await turn()
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
    const { leave } = watch(registry, query)
    await turn()
    leave()
    await turn()
    await seenAfter(given, client.mutation(Admin.requests.markSeen))
    expect(reads(fake)).toBe(1)
    const back = watch(registry, query)
    await turn()
    expect(reads(fake)).toBe(2)
    back.leave()
    await turn()
    watch(registry, query)
    await turn()
    expect(reads(fake)).toBe(2)
  })

  test("an answer under way, which may be older than the change, is asked for anew", async () => {
    let place = 0
    const given = adminClient(({ method }) => {
      if (method !== "GET") return json(200, request("r1"))
      place += 1
      return place === 1 ? "waits" : json(200, request("r1", { version: 9 }))
    })
    const { last } = watch(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    given.registry.set(given.client.mutation(Admin.requests.markSeen), { id: "r1", version: 1 })
    await turn()
    expect(given.fake.at(0).state).toBe("abandoned")
    expect(answerOf(last()).version).toBe(9)
  })

  test("a call that fails leaves everything as it is, and one whose outcome is not known does not", async () => {
    const given = adminClient(readsAnswer())
    const { fake, client, registry } = given
    watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    const markSeen = client.mutation(Admin.requests.markSeen)
    registry.set(markSeen, { id: "r1", version: 1 })
    await turn()
    writes(fake)[0]?.settle(json(409, {}))
    await turn()
    expect(reads(fake)).toBe(1)
    registry.set(markSeen, { id: "r1", version: 1 })
    await turn()
    writes(fake)[1]?.settle(failed("Reset"))
    await turn()
    expect(reads(fake)).toBe(2)
  })

  test("the client refreshes what changed outside of a mutation", async () => {
    const { fake, client, registry } = adminClient(readsAnswer())
    watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    client.invalidate(registry, "requests")
    await turn()
    expect(reads(fake)).toBe(2)
  })
})
