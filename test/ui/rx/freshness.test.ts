// How long an answer is good, when it is asked for again, and how long it is kept when nobody looks.
import { Registry } from "@effect-rx/rx-react"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import { never } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, request, turn, watch } from "./scripted.js"

const versions: Fake.Script = (_, place) => Fake.json(200, request("r1", { version: place + 1 }))

const visit = async (given: ReturnType<typeof adminClient>, rx: Parameters<typeof watch>[1]) => {
  const { leave, last, seen } = watch(given.registry, rx)
  await turn()
  leave()
  await turn()
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
    watch(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    given.focus.give()
    await turn()
    expect(given.fake.exchanges).toHaveLength(1)
    given.clock.pass(2_000)
    given.focus.give()
    given.focus.give()
    await turn()
    expect(given.fake.exchanges).toHaveLength(2)
  })

  test("coming back online asks for what failed", async () => {
    const given = adminClient([Fake.failed("Refused", false), Fake.json(200, request("r1"))])
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    const { last } = watch(given.registry, query)
    await turn()
    const before = last()
    given.reconnect.give()
    await turn()
    expect([before._tag, last()._tag]).toEqual(["Failure", "Success"])
  })

  test("a query may refuse either", async () => {
    const given = adminClient(versions, { staleTime: 0 })
    const options = { refetchOnWindowFocus: false, refetchOnReconnect: false }
    watch(given.registry, given.client.query(Admin.requests.get, { id: "r1" }, options))
    await turn()
    given.clock.pass(60_000)
    given.focus.give()
    given.reconnect.give()
    await turn()
    expect(given.fake.exchanges).toHaveLength(1)
  })

  test("nobody listens for signals while nobody looks", async () => {
    const given = adminClient(versions)
    const { leave } = watch(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    expect([given.focus.listeners.size, given.reconnect.listeners.size]).toEqual([1, 1])
    leave()
    await turn()
    expect([given.focus.listeners.size, given.reconnect.listeners.size]).toEqual([0, 0])
  })

  test("without signals, only mounting and mutations ask again", async () => {
    const given = adminClient(versions, { focus: never, reconnect: never, staleTime: 0 })
    watch(given.registry, given.client.query(Admin.requests.get, { id: "r1" }))
    await turn()
    given.clock.pass(60_000)
    given.focus.give()
    await turn()
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
    const { last, seen } = watch(given.registry, given.client.query(Admin.requests.get, { id: "kept" }))
    await turn()
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
