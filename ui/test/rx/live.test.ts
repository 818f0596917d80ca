// What is told of entities is written into every answer that holds them, and nothing of it is lost to an answer on its way.

import { ChatScript } from "@quartet/sandbox/extend"
import * as Admin from "@quartet/sdk/admin"
import type { ListRequests, RequestAction } from "@quartet/sdk/extend/models/requests"
import { eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  answerOf,
  flush,
  flushed,
  makeScreen,
  request
} from "@quartet/support/react.js"
import { Effect, Exit, Layer, Mailbox, Schema, Stream } from "effect"
import { describe, expect, test, vi } from "vitest"
import { ListenersId } from "../../rx/chat-store.js"
import {
  change,
  entities,
  type LiveEvent,
  type LiveRule,
  live,
  makeQueryClient,
  outdates,
  type Placement,
  type Subscribe
} from "../../rx/index.js"

const { json } = Fake
const added = (id: string, more: object = {}): LiveEvent => ({ change: "added", entity: request(id, more) })
const changed = (id: string, more: object): LiveEvent => ({ change: "changed", entity: { _id: id, ...more } })
const removed = (id: string): LiveEvent => ({ change: "removed", entity: { _id: id } })
const missed: LiveEvent = { change: "missed" }

/** A source whose events are the test's. */
const makeSource = () => {
  const counts = { begun: 0, ended: 0 }
  const tellers: Array<Parameters<Subscribe>[0]> = []
  const source: Subscribe = (tell) => {
    counts.begun += 1
    tellers.push(tell)
    return () => {
      counts.ended += 1
    }
  }
  const tell = flushed((...events: ReadonlyArray<LiveEvent>) => tellers.at(-1)?.(...events))
  return { counts, source, tell, tellers }
}

const isList = ({ path }: { readonly path: string }) => path.includes("request-action?")
const queryOf = ({ path }: { readonly path: string }) => new URL(path, "https://api.example.com").searchParams

type Items = { readonly items: ReadonlyArray<{ readonly _id: string }> }
const idsIn = ({ items }: Items): string => items.map(({ _id }) => _id).join(" ")

/** Answers single requests, and lists of r1 and r2. */
const requests = (incoming: { readonly path: string }): Fake.Reply => {
  if (!isList(incoming)) return json(200, request(incoming.path.slice(16, 18)))
  return json(200, { items: [request("r1"), request("r2")] })
}

/** A client whose answers are changed by what the test tells. */
const setup = async (rules: ReadonlyArray<LiveRule>, script: Fake.Script = requests) => {
  const fixture = adminClient(script, { staleTime: 1_000_000 })
  const { counts, source, tell, tellers } = makeSource()
  const events = live(fixture.client, source, ...rules)
  const list = (input: ListRequests = {}) => fixture.client.query(Admin.requests.list, input)
  const shown = await fixture.observe(events)
  return { ...fixture, counts, events, list, tell, tellers, shown }
}

const place = (placement: Placement) => entities(Admin.requests.list, () => placement)

describe("an entity that has changed", () => {
  test("stands in every answer that holds it, and nothing is asked", async () => {
    const fixture = await setup([entities(Admin.requests.get), entities(Admin.requests.list)])
    const first = await fixture.observe(fixture.get())
    const second = await fixture.observe(fixture.get("r2"))
    const list = await fixture.observe(fixture.list())
    const pages = await fixture.observe(fixture.client.infiniteQuery(Admin.requests.list, {}))
    const { length } = fixture.fake.exchanges
    const before = [answerOf(second.last()), answerOf(list.last()).items[1]]
    await fixture.tell(changed("r1", { status: "confirmed", reviewedAt: "2024-05-01T10:00:00.000Z" }))
    const now = request("r1", { status: "confirmed", reviewedAt: new Date("2024-05-01T10:00:00.000Z") })
    expect(answerOf(first.last())).toEqual(now)
    expect(answerOf(list.last()).items[0]).toEqual(now)
    expect(answerOf(pages.last()).items[0]).toEqual(now)
    expect([answerOf(second.last()), answerOf(list.last()).items[1]]).toEqual(before)
    expect(answerOf(list.last()).items[1]).toBe(before[1])
    expect(fixture.fake.exchanges).toHaveLength(length)
  })

  test("is not shown anew where nothing has changed", async () => {
    const fixture = await setup([entities(Admin.requests.get)], ({ method }) =>
      method === "GET" ? json(200, request("r1")) : "waits"
    )
    const { seen } = await fixture.observe(fixture.get())
    const { length } = seen
    await fixture.tell(changed("r1", { type: "VISIT" }), added("r1"))
    expect(seen).toHaveLength(length)
    await fixture.send(
      fixture.client.mutation(Admin.requests.markSeen, {
        optimistic: () => [change(fixture.get(), (before) => ({ ...before, seenAt: new Date() }))]
      }),
      { id: "r1", version: 1 }
    )
    expect(seen).toHaveLength(length + 1)
    await fixture.tell(changed("r1", { type: "VISIT" }))
    expect(seen).toHaveLength(length + 1)
  })

  test("is changed also where nobody looks at it", async () => {
    const fixture = await setup([entities(Admin.requests.get)])
    await fixture.visit(fixture.get())
    await fixture.tell(changed("r1", { status: "confirmed" }))
    const { last } = await fixture.observe(fixture.get())
    expect(answerOf(last()).status).toBe("confirmed")
    expect(fixture.reads()).toBe(1)
  })

  test("leaves other calls, other ids and answers of other shapes as they are", async () => {
    const fixture = await setup([entities(Admin.requests.get)], [json(200, ["r1"]), json(200, request("r2"))])
    const odd = await fixture.observe(fixture.get())
    const second = await fixture.observe(fixture.get("r2"))
    await fixture.tell(changed("r1", { status: "confirmed" }))
    expect([answerOf(odd.last()), answerOf(second.last())]).toEqual([["r1"], request("r2")])
    expect(fixture.reads()).toBe(2)
  })

  test("is changed as what it is, also where it holds items of its own", async () => {
    const fixture = await setup(
      [entities(Admin.orders.get)],
      [json(200, { _id: "o1", items: [{ _id: "i1" }] })]
    )
    const { last } = await fixture.observe(fixture.client.query(Admin.orders.get, { id: "o1" }))
    await fixture.tell({ change: "changed", entity: { _id: "o1", status: "paid" } }, removed("i1"))
    expect(answerOf(last())).toEqual({ _id: "o1", items: [{ _id: "i1" }], status: "paid" })
  })

  test.each([
    ["version", { version: 3 }, { version: 2 }],
    ["updatedAt", { updatedAt: "2024-05-02T00:00:00.000Z" }, { updatedAt: "2024-05-01T00:00:00.000Z" }]
  ])("is left where the answer is newer, by its %s", async (_, newer, older) => {
    const fixture = await setup([entities(Admin.requests.get), entities(Admin.requests.list)], (incoming) =>
      json(200, isList(incoming) ? [request("r1", newer)] : request("r1", newer))
    )
    const single = await fixture.observe(fixture.get())
    const list = await fixture.observe(fixture.list())
    const before = [answerOf(single.last()), answerOf(list.last())]
    await fixture.tell(changed("r1", { ...older, status: "pending" }))
    expect([answerOf(single.last()), answerOf(list.last())]).toEqual(before)
    await fixture.tell(changed("r1", { ...newer, status: "pending" }))
    expect(answerOf(single.last()).status).toBe("pending")
  })

  test("is fetched again where it cannot be read as the call's own schema has it", async () => {
    const strict = Admin.requests.get.as(
      Schema.Struct({ _id: Schema.String, version: Schema.Number, type: Schema.String })
    )
    const fixture = await setup([entities(strict)], requests)
    const { last } = await fixture.observe(fixture.client.query(strict, { id: "r1" }))
    await fixture.tell(added("r1", { version: 2 }))
    expect([answerOf(last()).version, fixture.reads()]).toEqual([2, 1])
    await fixture.tell(changed("r1", { version: "3" }))
    expect(fixture.reads()).toBe(2)
  })
})

describe("queries of a call that are narrowed otherwise", () => {
  const Flagged = Schema.Struct({
    _id: Schema.String,
    type: Schema.String,
    isNew: Schema.optional(Schema.Unknown)
  })
  const Shouted = Schema.Struct({
    _id: Schema.String,
    type: Schema.transform(Schema.String, Schema.String, {
      decode: (type) => `${type}!`,
      encode: (type) => type.slice(0, -1)
    })
  })

  test("take what is told by their own schemas, in entities, lists and pages", async () => {
    const fixture = await setup([entities(Admin.requests.get.as(Flagged)), entities(Admin.requests.list)])
    const single = await fixture.observe(fixture.client.query(Admin.requests.get.as(Shouted), { id: "r1" }))
    const whole = await fixture.observe(fixture.get())
    const list = await fixture.observe(fixture.client.query(Admin.requests.list.as(Shouted), {}))
    const pages = await fixture.observe(fixture.client.infiniteQuery(Admin.requests.list.as(Shouted), {}))
    const { length } = fixture.fake.exchanges
    await fixture.tell(added("r1", { type: "BUY" }))
    expect([answerOf(single.last()).type, answerOf(whole.last()).type]).toEqual(["BUY!", "BUY"])
    expect([answerOf(list.last()), answerOf(pages.last())].map(({ items }) => items[0]?.type)).toEqual([
      "BUY!",
      "BUY!"
    ])
    expect(fixture.fake.exchanges).toHaveLength(length)
    await fixture.tell(removed("r1"))
    expect(idsIn(answerOf(list.last()))).toBe("r2")
  })

  test("are fetched again where only a placement by the call's own schema could say where an entity belongs", async () => {
    const belongs = vi.fn((): Placement => "start")
    const fixture = await setup([entities(Admin.requests.list, belongs)])
    const list = await fixture.observe(fixture.client.query(Admin.requests.list.as(Shouted), {}))
    await fixture.tell(changed("r9", { type: "BUY" }))
    expect(fixture.reads()).toBe(1)
    await fixture.tell(added("r1", { type: "BUY" }))
    expect(
      list.seen.map((result) => (result._tag === "Success" ? result.value.items[0]?.type : ""))
    ).toContain("BUY!")
    expect(fixture.reads()).toBe(2)
    await fixture.tell(added("r3"))
    expect([fixture.reads(), belongs.mock.calls]).toEqual([3, []])
  })

  test("are fetched again where the schema makes instances of a class, which keep their methods", async () => {
    class Mine extends Schema.Class<Mine>("Mine")({ _id: Schema.String, type: Schema.String }) {
      get label() {
        return `the ${this.type}`
      }
    }
    const fixture = await setup([entities(Admin.requests.get)])
    const { last } = await fixture.observe(fixture.client.query(Admin.requests.get.as(Mine), { id: "r1" }))
    await fixture.tell(added("r1", { type: "BUY" }))
    expect([answerOf(last()).label, fixture.reads()]).toEqual(["the VISIT", 2])
  })

  test("are outdated with all others of it", async () => {
    const fixture = await setup([outdates(Admin.requests.get)])
    await fixture.observe(fixture.client.query(Admin.requests.get.as(Shouted), { id: "r1" }))
    await fixture.tell(changed("r7", {}))
    expect(fixture.reads()).toBe(2)
  })
})

describe("an entity that is new", () => {
  test.each([
    ["start", "r3 r1 r2", 1],
    ["end", "r1 r2 r3", 1],
    ["none", "r1 r2", 1],
    ["refetch", "r1 r2", 2]
  ] as const)("is placed, once: %s, %s", async (placement, ids, readCount) => {
    const fixture = await setup([place(placement)])
    const { last } = await fixture.observe(fixture.list())
    await fixture.tell(added("r3"), added("r3"))
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual([ids, readCount])
  })

  test("is placed by what it is and by what the list was asked for", async () => {
    const belongs = ({ status }: RequestAction, { statusIn = [] }: ListRequests) =>
      statusIn.some((word) => word === status) ? "start" : "none"
    const fixture = await setup([entities(Admin.requests.list, belongs)])
    const pending = await fixture.observe(fixture.list({ statusIn: ["pending"] }))
    const confirmed = await fixture.observe(fixture.list({ statusIn: ["confirmed"] }))
    const lists = () => [idsIn(answerOf(pending.last())), idsIn(answerOf(confirmed.last()))]
    await fixture.tell(added("r3", { status: "pending" }))
    expect(lists()).toEqual(["r3 r1 r2", "r1 r2"])
    // It leaves the list in which it no longer belongs.
    await fixture.tell(added("r3", { status: "confirmed" }))
    expect(lists()).toEqual(["r1 r2", "r3 r1 r2"])
  })

  test("has lists fetched again, once, where nothing else is said", async () => {
    const fixture = await setup([entities(Admin.requests.list)])
    await fixture.observe(fixture.list())
    await fixture.tell(added("r3"), added("r4"), added("r5"))
    expect(fixture.reads()).toBe(2)
  })

  test("to a list is not added by fields that have changed", async () => {
    const fixture = await setup([place("start")])
    const { last } = await fixture.observe(fixture.list())
    await fixture.tell(changed("r3", { status: "confirmed" }))
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1 r2", 1])
  })

  test("counts in the platform's number of all", async () => {
    const fixture = await setup([place("end")], [json(200, { items: [request("r1")], paging: { total: 1 } })])
    const { last } = await fixture.observe(fixture.list())
    await fixture.tell(added("r2"))
    expect(answerOf(last()).paging.total).toBe(2)
    await fixture.tell(removed("r1"))
    expect([idsIn(answerOf(last())), answerOf(last()).paging.total]).toEqual(["r2", 1])
  })

  test.each([{ page: 2 }, { limit: 2 }])("is not written into one of several pages: %j", async (input) => {
    const fixture = await setup([place("start")])
    const { last } = await fixture.observe(fixture.list(input))
    await fixture.tell(added("r3"))
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1 r2", 2])
  })

  test("is not written before pages that begin later", async () => {
    const fixture = await setup([place("start")])
    const { last } = await fixture.observe(
      fixture.client.infiniteQuery(Admin.requests.list, {}, { first: 2 })
    )
    await fixture.tell(added("r3"))
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1 r2", 2])
  })

  test.each([{ total: 9 }, { pages: 2 }])(
    "is not written into a list that says it has more: %j",
    async (paging) => {
      const fixture = await setup([place("end")], [json(200, { items: [request("r1")], paging })])
      const { last } = await fixture.observe(fixture.list())
      await fixture.tell(added("r3"))
      expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1", 2])
    }
  )

  test("without an id has the lists fetched again", async () => {
    const fixture = await setup([place("start")])
    const { last } = await fixture.observe(fixture.list())
    await fixture.tell({ change: "added", entity: JSON.parse('{"type":"VISIT"}') })
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1 r2", 2])
  })
})

describe("an entity that was removed", () => {
  test("leaves lists, and is fetched again where it was answered alone", async () => {
    const fixture = await setup(
      [entities(Admin.requests.get), entities(Admin.requests.list)],
      (incoming, at) => (at < 2 ? requests(incoming) : json(404, {}))
    )
    const list = await fixture.observe(fixture.list())
    const single = await fixture.observe(fixture.get())
    await fixture.tell(removed("r1"))
    expect(idsIn(answerOf(list.last()))).toBe("r2")
    expect(single.last()).toMatchObject({ _tag: "Failure" })
    expect(fixture.reads()).toBe(3)
    await fixture.tell(removed("r9"))
    expect(fixture.reads()).toBe(3)
  })

  test("has pages that may have moved fetched again", async () => {
    const fixture = await setup([entities(Admin.requests.list)])
    const { last } = await fixture.observe(fixture.list({ page: 2, limit: 2 }))
    await fixture.tell(removed("r0"))
    expect([idsIn(answerOf(last())), fixture.reads()]).toEqual(["r1 r2", 2])
    await fixture.tell(removed("r1"))
    expect(fixture.reads()).toBe(3)
  })
})

describe("pages one after another", () => {
  /** A list that the platform holds, two a page. */
  const openPages = async (placement: Placement, more = 0) => {
    const platformIds = ["r1", "r2", "r3", "r4", "r5"]
    const script: Fake.Script = (incoming) => {
      const page = Number(queryOf(incoming).get("page"))
      const items = platformIds.slice(page * 2 - 2, page * 2).map((id) => request(id))
      return json(200, { items, paging: { page, limit: 2, total: platformIds.length } })
    }
    const fixture = await setup([place(placement)], script)
    const pages = fixture.client.infiniteQuery(Admin.requests.list, {}, { limit: 2 })
    const { last } = await fixture.observe(pages)
    const next = () => fixture.send(pages, undefined)
    for (let count = 0; count < more; count += 1) await next()
    const requestedPages = () => fixture.fake.requests().map((sent) => Number(queryOf(sent).get("page")))
    return { ...fixture, platformIds, pages, next, requestedPages, ids: () => idsIn(answerOf(last())), last }
  }

  test("are read again before the next one, once one was put before them: none twice, none left out", async () => {
    const { requestedPages, platformIds, ids, next, tell } = await openPages("start", 1)
    platformIds.unshift("r0")
    platformIds.push("r6")
    await tell(added("r0"))
    expect([ids(), requestedPages()]).toEqual(["r0 r1 r2 r3 r4", [1, 2]])
    await next()
    expect([ids(), requestedPages()]).toEqual(["r0 r1 r2 r3 r4 r5", [1, 2, 1, 2, 3]])
    await next()
    expect([ids(), requestedPages()]).toEqual(["r0 r1 r2 r3 r4 r5 r6", [1, 2, 1, 2, 3, 4]])
  })

  test("are so, too, once one was taken out", async () => {
    const { requestedPages, platformIds, ids, next, tell } = await openPages("start", 1)
    platformIds.shift()
    await tell(removed("r1"))
    expect([ids(), requestedPages()]).toEqual(["r2 r3 r4", [1, 2]])
    await next()
    expect(ids()).toBe("r2 r3 r4 r5")
  })

  test("take a new one at their end once the end is there, and get it with the last page before", async () => {
    const { platformIds, ids, next, tell } = await openPages("end", 1)
    platformIds.push("r6")
    await tell(added("r6"))
    expect(ids()).toBe("r1 r2 r3 r4")
    await next()
    expect(ids()).toBe("r1 r2 r3 r4 r5 r6")
    platformIds.push("r7")
    await tell(added("r7"))
    expect(ids()).toBe("r1 r2 r3 r4 r5 r6 r7")
  })

  test("keep what is told while the next one is on its way", async () => {
    const fixture = await setup([place("start")], [json(200, [request("r1")]), "waits"])
    const pages = fixture.client.infiniteQuery(Admin.requests.list, {}, { limit: 1 })
    const { last } = await fixture.observe(pages)
    await fixture.send(pages, undefined)
    await fixture.tell(changed("r1", { status: "confirmed" }), added("r0"))
    fixture.fake.at(1).settle(json(200, [request("r2")]))
    await flush()
    expect([idsIn(answerOf(last())), answerOf(last()).items[1]?.status]).toEqual(["r0 r1 r2", "confirmed"])
  })

  test("show an item once that was read again, because the list has grown before it", async () => {
    const { platformIds, ids, next } = await openPages("start", 0)
    platformIds.unshift("r0")
    await next()
    expect(ids()).toBe("r1 r2 r3")
  })
})

describe("an answer that is on its way", () => {
  /** A query whose second answer is the test's. */
  const openWaiting = async (rules: ReadonlyArray<LiveRule>, first: Fake.Reply) => {
    const fixture = await setup(rules, [first, "waits", "waits"])
    const { last } = await fixture.observe(fixture.get())
    fixture.client.invalidate(fixture.registry, "requests")
    await flush()
    const settle = flushed((at: number, more: object) =>
      fixture.fake.at(at).settle(json(200, request("r1", more)))
    )
    return { ...fixture, last, settle }
  }

  test("does not undo what was told since it was asked", async () => {
    const { fake, last, settle, tell } = await openWaiting(
      [entities(Admin.requests.get)],
      json(200, request("r1"))
    )
    await tell(changed("r1", { status: "confirmed" }))
    await settle(1, { status: "pending", title: "Lift" })
    expect(answerOf(last())).toMatchObject({ status: "confirmed", title: "Lift" })
    expect(fake.exchanges).toHaveLength(2)
  })

  test("is kept where it is newer than what was told", async () => {
    const { last, settle, tell } = await openWaiting([entities(Admin.requests.get)], json(200, request("r1")))
    await tell(changed("r1", { version: 2, status: "confirmed" }))
    await settle(1, { version: 3, status: "archived" })
    expect(answerOf(last())).toMatchObject({ version: 3, status: "archived" })
  })

  test("is the first, and gets what was told before it came", async () => {
    const { last, settle, tell } = await openWaiting([entities(Admin.requests.get)], "waits")
    await tell(changed("r1", { status: "confirmed" }))
    await settle(1, { status: "pending" })
    expect(answerOf(last()).status).toBe("confirmed")
  })

  test.each([
    ["outdated by each event", outdates("requests"), added("r9")],
    ["of events that were missed", entities(Admin.requests.get), missed]
  ])("is not interrupted, and followed by one more: %s", async (_, rule, event) => {
    const { fake, last, settle, tell } = await openWaiting([rule], json(200, request("r1")))
    await tell(event, event)
    await tell(event)
    expect(fake.exchanges).toHaveLength(2)
    await settle(1, { version: 2 })
    expect([answerOf(last()).version, fake.exchanges.length]).toEqual([2, 3])
    await settle(2, { version: 3 })
    expect([answerOf(last()).version, fake.exchanges.length, fake.count("abandoned")]).toEqual([3, 3, 0])
  })
})

test("what is shown before it is confirmed stays on top, and is undone alone", async () => {
  const fixture = await setup([entities(Admin.requests.get)], ({ method }) =>
    method === "GET" ? json(200, request("r1")) : "waits"
  )
  const { last } = await fixture.observe(fixture.get())
  const rename = fixture.client.mutation(Admin.requests.markSeen, {
    optimistic: () => [change(fixture.get(), (before) => ({ ...before, title: `${before.title}, seen` }))]
  })
  await fixture.send(rename, { id: "r1", version: 1 })
  await fixture.tell(changed("r1", { title: "Lift" }))
  expect(answerOf(last()).title).toBe("Lift, seen")
  fixture.fake.at(1).settle(json(409, {}))
  await flush()
  expect(answerOf(last()).title).toBe("Lift")
})

test("events in one go, before anything is sent, have a query fetched once", async () => {
  const fixture = await setup([outdates("requests")])
  await fixture.observe(fixture.get())
  fixture.tellers[0]?.(added("r2"))
  fixture.tellers[0]?.(added("r3"))
  await flush()
  expect(fixture.reads()).toBe(2)
})

describe("a source", () => {
  test("is heard once for all, whatever the network does, and ends with the last", async () => {
    const fixture = await setup([entities(Admin.requests.get)])
    await fixture.reconnect.give()
    const second = await fixture.observe(fixture.events)
    expect(fixture.counts).toEqual({ begun: 1, ended: 0 })
    await fixture.shown.leave()
    expect(fixture.counts.ended).toBe(0)
    await second.leave()
    expect(fixture.counts).toEqual({ begun: 1, ended: 1 })
    await fixture.tell(changed("r1", { status: "confirmed" }))
    const { last } = await fixture.observe(fixture.get())
    expect(answerOf(last()).status).toBeUndefined()
  })

  test("that begins has answered queries fetched again: what has happened before was not heard", async () => {
    const fixture = await setup([entities(Admin.requests.get)])
    await fixture.shown.leave()
    await fixture.observe(fixture.get())
    await fixture.observe(fixture.list())
    expect(fixture.reads()).toBe(2)
    await fixture.observe(fixture.events)
    expect(fixture.fake.requests().map(isList)).toEqual([false, true, false])
  })

  test("that ends with a sign-out tells nothing into the answers of the next user", async () => {
    const fake = Fake.make(requests)
    const { counts, source, tellers } = makeSource()
    const client = makeQueryClient((_: string) => adminLayer(fake), { staleTime: 1_000_000 })
    const { observe, registry } = makeScreen()
    const session = client.session.actions(registry)
    const events = await observe(live(client, source, entities(Admin.requests.get)))
    expect(events.last()).toMatchObject({ status: "error", error: { _tag: "CredentialsError" } })
    await session.signIn("ann")
    await flush()
    const { last } = await observe(client.query(Admin.requests.get, { id: "r1" }))
    expect([events.last().status, counts]).toEqual(["live", { begun: 1, ended: 0 }])
    const late = tellers[0]
    const left = session.signOut()
    late?.(changed("r1", { status: "ann's" }))
    await left
    await session.signIn("ben")
    await flush()
    late?.(changed("r1", { status: "ann's" }))
    await flush()
    expect([answerOf(last()).status, counts]).toEqual([undefined, { begun: 2, ended: 1 }])
  })

  test("may be a stream over the client, which can fail, end, and be begun again", async () => {
    const mailbox = Effect.runSync(Mailbox.make<LiveEvent, "broken">())
    let runs = 0
    const stream = Mailbox.toStream(mailbox)
    const fixture = await setup([])
    const counted = Effect.sync(() => {
      runs += 1
    })
    const events = live(
      fixture.client,
      Stream.unwrap(Effect.as(Effect.zipRight(Admin.Client, counted), stream)),
      entities(Admin.requests.get)
    )
    const { last } = await fixture.observe(fixture.get())
    const shown = await fixture.observe(events)
    mailbox.unsafeOffer(changed("r1", { status: "confirmed" }))
    await flush()
    expect([answerOf(last()).status, shown.last()]).toEqual(["confirmed", { status: "live" }])
    mailbox.unsafeDone(Exit.fail("broken"))
    await flush()
    expect(shown.last()).toEqual({ status: "error", error: "broken" })
    await fixture.reconnect.give()
    expect(runs).toBe(2)
    events.actions(fixture.registry).restart()
    await flush()
    expect(runs).toBe(3)
    const ended = await fixture.observe(live(fixture.client, Stream.empty))
    expect(ended.last()).toEqual({ status: "ended" })
  })

  test("is ended by a fault in a rule, which is shown", async () => {
    const fixture = await setup([
      entities(Admin.requests.list, () => {
        throw new Error("a fault")
      })
    ])
    await fixture.observe(fixture.list())
    const { last } = fixture.shown
    await fixture.tell(added("r3"))
    expect(last()).toMatchObject({ status: "defect", defect: { message: "a fault" } })
    expect(fixture.counts.ended).toBe(1)
  })

  test.each<[told: unknown, field: string, rule: string]>([
    [{ change: "created", entity: {} }, "change", "must be one of added, changed, removed, missed"],
    [null, "change", "must be one of added, changed, removed, missed"],
    [{ change: "added" }, "entity", "must be an object"],
    [{ change: "removed", entity: "r1" }, "entity", "must be an object"]
  ])("is told by name what is wrong with an event: %j", async (event, field, rule) => {
    const fixture = await setup([entities(Admin.requests.list)])
    const { last } = fixture.shown
    await fixture.tell(event as LiveEvent)
    expect(last()).toMatchObject({ status: "defect", defect: { _tag: "InputError", field, rule } })
  })
})

describe("a chat", () => {
  const message = (id: string, more: object = {}) => ({ _id: id, conversationId: "c1", text: id, ...more })
  const { conversations } = Admin

  /** A chat whose other end is the test, over lists of messages and conversations. */
  const openChat = async () => {
    const script = ChatScript.make()
    const rest = Fake.make(({ path }) =>
      json(
        200,
        path.includes("messages") ? { items: [message("m1")], paging: { total: 1 } } : [{ _id: "c1" }]
      )
    )
    const layer = Layer.merge(adminLayer(rest, undefined, { apiKey: "k" }), script.layer)
    const client = makeQueryClient(layer, { staleTime: 1_000_000 })
    const chat = client.chat(Admin.chat.open())
    const screen = makeScreen()
    const events = live(
      client,
      chat,
      entities(conversations.messages, ({ conversationId }, { id }) =>
        conversationId === id ? "end" : "none"
      ),
      outdates(conversations.list)
    )
    const here = screen.watch(client.query(conversations.messages, { id: "c1" }))
    const there = screen.watch(client.query(conversations.messages, { id: "c2" }))
    const all = screen.watch(client.query(conversations.list))
    const countRequests = (what: RegExp) => rest.requests().filter(({ path }) => what.test(path)).length
    return { ...screen, script, chat, client, events, here, there, all, countRequests }
  }

  test("and the lists of its messages agree, whoever has written them", async () => {
    const { countRequests, chat, events, here, registry, script, there, watch } = await openChat()
    watch(events)
    const shown = watch(chat)
    await eventually(() => expect(shown.last().connection.status).toBe("connected"))
    // Nobody has heard what happened before the connection.
    await eventually(() => expect(countRequests(/c1.messages/)).toBe(2))
    const texts = () => answerOf(here.last()).items.map(({ text }) => text)
    const [peer] = script.peers
    const createdAt = "2024-05-01T10:00:00.000Z"
    peer?.say("chat", message("m2", { createdAt }))
    await eventually(() => expect(texts()).toEqual(["m1", "m2"]))
    expect(answerOf(here.last()).items[1]?.createdAt).toEqual(new Date(createdAt))
    peer?.say("chat", message("m2", { createdAt, text: "edited" }))
    await eventually(() => expect(texts()).toEqual(["m1", "edited"]))
    registry.set(chat, { conversationId: "c1", text: "good day" })
    await eventually(() => expect(peer?.heard).toHaveLength(1))
    peer?.heard[0]?.acknowledge(message("m3", { text: "good day" }))
    await eventually(() => expect(texts()).toEqual(["m1", "edited", "good day"]))
    expect(shown.last().messages.map(({ text }) => text)).toEqual(["edited", "good day"])
    expect(idsIn(answerOf(there.last()))).toBe("m1")
    expect([countRequests(/c1.messages/), countRequests(/c2.messages/)]).toEqual([2, 2])
  })

  test("that nobody shows is open for as long as it is heard, and has lists fetched again", async () => {
    const { countRequests, chat, events, registry, script, watch } = await openChat()
    const { leave } = watch(events)
    await eventually(() => expect(countRequests(/v2.conversations/)).toBe(2))
    script.peers[0]?.say("chat", message("m2"))
    await eventually(() => expect(countRequests(/v2.conversations/)).toBe(3))
    await leave()
    await eventually(() => expect(script.peers[0]?.isClosed()).toBe(true))
    expect(chat[ListenersId](registry).size).toBe(0)
  })

  test("that is connected already has what it missed fetched at once, and goes on after a fault in a rule", async () => {
    const { countRequests, chat, client, here, script, watch } = await openChat()
    const shown = watch(chat)
    await eventually(() => expect(shown.last().connection.status).toBe("connected"))
    expect(countRequests(/c1.messages/)).toBe(1)
    const faulty = watch(
      live(
        client,
        chat,
        entities(conversations.messages, () => {
          throw new Error("a fault")
        })
      )
    )
    await eventually(() => expect(countRequests(/c1.messages/)).toBe(2))
    expect(idsIn(answerOf(here.last()))).toBe("m1")
    script.peers[0]?.say("chat", message("m2"))
    await eventually(() => expect(faulty.last()).toMatchObject({ status: "defect" }))
    script.peers[0]?.say("chat", message("m3"))
    await eventually(() => expect(shown.last().messages.map(({ _id }) => _id)).toEqual(["m2", "m3"]))
  })
})
