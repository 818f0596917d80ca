// A mutation runs a call, shows changes before they are confirmed, undoes them where it fails, and refreshes the rest.

import * as Admin from "@quartet/sdk/admin"
import type { Middleware } from "@quartet/sdk/extend"
import * as Fake from "@quartet/support/fake-transport.js"
import { failed, json } from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  answerOf,
  base,
  flush,
  makeScreen,
  ok,
  request,
  token
} from "@quartet/support/react.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import {
  type Change,
  change,
  type MutationOptions,
  makeQueryClient,
  type QueryFilter,
  source
} from "../../rx/index.js"

/** A client whose reads are answered with versions that count up, and whose writes the test answers. */
const setup = (first?: "waits") => {
  let version = 0
  const fixture = adminClient(
    ({ method, path }) => {
      if (method !== "GET") return "waits"
      version += 1
      if (version === 1 && first !== undefined) return first
      const answer = request("r1", { version })
      return json(200, /request-action\?/.test(path) ? [answer, request("r2", { version })] : answer)
    },
    { staleTime: 1_000_000 }
  )
  const writes = () => fixture.fake.exchanges.filter(({ request: { method } }) => method !== "GET")
  const settle = (place: number, reply: ReturnType<typeof json>) => {
    writes().at(place)?.settle(reply)
    return flush()
  }
  const input = { id: "r1", version: 1 }
  const markSeen = (options: MutationOptions<typeof input> = {}) =>
    fixture.client.mutation(Admin.requests.markSeen, options)
  /** Runs a mutation to its end. */
  const run = async (options: MutationOptions<typeof input> = {}, reply = ok()) => {
    await fixture.send(markSeen(options), input)
    await settle(-1, reply)
  }
  const versionOf = (watched: { last: () => Parameters<typeof answerOf>[0] }): unknown =>
    Object(answerOf(watched.last())).version
  return { ...fixture, writes, settle, input, markSeen, run, versionOf }
}

describe("running", () => {
  test("a message runs the call, and the value shows how it stands", async () => {
    const { input, markSeen, send, settle, watch, writes } = setup()
    const mutation = markSeen()
    const { last, seen } = watch(mutation)
    expect(seen[0]).toMatchObject({ _tag: "Initial", waiting: false })
    await send(mutation, input)
    expect(last()).toMatchObject({ _tag: "Initial", waiting: true })
    await settle(0, ok())
    expect(last()).toMatchObject({ _tag: "Success", waiting: false, value: { _id: "r1" } })
    expect(writes()[0]?.request).toMatchObject({ method: "PUT", body: { text: '{"version":1}' } })
  })

  test("a run answers how it ended: success, error, or a fault", async () => {
    const { client, input, markSeen, registry, settle } = setup()
    const { mutate } = markSeen().actions(registry)
    const runs = [mutate(input), mutate(input)]
    await flush()
    await settle(1, json(409, {}))
    await settle(0, ok())
    expect(await runs[0]).toMatchObject({ status: "success", data: { _id: "r1" } })
    expect(await runs[1]).toMatchObject({ status: "error", error: { _tag: "Conflict" } })
    const faulty = client.mutation(source("faults.make", () => Effect.die("broken"))).actions(registry)
    expect(await faulty.mutate({})).toEqual({ status: "defect", defect: "broken" })
  })

  test("of two runs, the later one is shown", async () => {
    const { input, markSeen, registry, send, settle, watch } = setup()
    const mutation = markSeen()
    const { last } = watch(mutation)
    registry.set(mutation, input)
    await send(mutation, input)
    await settle(1, json(200, request("second")))
    await settle(0, json(200, request("first")))
    expect(answerOf(last())._id).toBe("second")
  })
})

/** Two people who may use one page, and what is sent for them. */
const shared = (script: Fake.Script = ["waits"]) => {
  const fake = Fake.make(script)
  const client = makeQueryClient((person: string) => adminLayer(fake, token({ "*": { "*": 9 } }, person)))
  const screen = makeScreen()
  const { signIn, signOut } = client.session.actions(screen.registry)
  const markSeen = client.mutation(Admin.requests.markSeen)
  const settle = (reply: Exclude<Fake.Reply, string>) => {
    fake.exchanges.at(-1)?.settle(reply)
    return flush()
  }
  return { ...screen, fake, client, signIn, signOut, markSeen, settle, input: { id: "r1", version: 1 } }
}
const mayBeDone = { status: "error", error: { _tag: "OutcomeUnknown", reason: "Interrupted" } }

describe("a change of user", () => {
  test.each(["signs out", "is followed by another person", "is followed by another person, unseen"])(
    "what a run answered to somebody who %s is not shown any more",
    async (change) => {
      const { input, markSeen, observe, send, settle, signIn, signOut } = shared()
      await signIn("ann")
      const seen = await observe(markSeen)
      await send(markSeen, input)
      await settle(ok())
      expect(answerOf(seen.last())._id).toBe("r1")
      if (change.endsWith("unseen")) await seen.leave()
      await (change === "signs out" ? signOut() : signIn("bob"))
      await flush()
      const { last } = change.endsWith("unseen") ? await observe(markSeen) : seen
      expect(last()).toMatchObject({ _tag: "Initial", waiting: false })
    }
  )

  test("an error of somebody who has left is not shown any more, nor what their run comes to later", async () => {
    const { input, markSeen, observe, send, settle, signIn } = shared([Fake.json(409, {}), "waits"])
    await signIn("ann")
    const { last } = await observe(markSeen)
    await send(markSeen, input)
    expect(last()._tag).toBe("Failure")
    await signIn("bob")
    await flush()
    expect(last()).toMatchObject({ _tag: "Initial", waiting: false })
    await send(markSeen, input)
    await signIn("ann")
    await flush()
    expect(last()).toMatchObject({ _tag: "Initial", waiting: false })
    await send(markSeen, input)
    await settle(ok())
    expect(answerOf(last())._id).toBe("r1")
  })

  test("the same person who signs in again keeps what is shown, and what is under way", async () => {
    const { input, markSeen, observe, send, settle, signIn } = shared()
    await signIn("ann")
    const { last } = await observe(markSeen)
    await send(markSeen, input)
    await signIn("ann")
    await flush()
    expect(last().waiting).toBe(true)
    await settle(ok())
    await signIn("ann")
    await flush()
    expect(answerOf(last())._id).toBe("r1")
  })
})

describe("a write that is given up", () => {
  test.each(["a sign-out", "another person's sign-in", "the end of its registry"])(
    "by %s after it was sent may have been done, and says so",
    async (end) => {
      const { fake, input, markSeen, registry, signIn, signOut } = shared()
      await signIn("ann")
      const outcome = markSeen.actions(registry).mutate(input)
      await flush()
      expect(fake.count("open")).toBe(1)
      if (end === "a sign-out") await signOut()
      else if (end === "the end of its registry") registry.dispose()
      else await signIn("bob")
      expect(await outcome).toMatchObject(mayBeDone)
      expect(fake.count("abandoned")).toBe(1)
    }
  )

  test("before it was sent is cancelled: while it waits for a connection or for its sign-in", async () => {
    const { client, fake, registry } = adminClient(["queues", Fake.failed("Refused", false)])
    const { mutate } = client.mutation(Admin.requests.markSeen).actions(registry)
    const queued = mutate({ id: "r1", version: 1 })
    await flush()
    expect(fake.exchanges).toHaveLength(1)
    await client.session.actions(registry).signOut()
    expect(await queued).toEqual({ status: "cancelled" })

    const slow = Fake.make(["waits"])
    const password = { email: "ann@example.com", password: "right" }
    const waiting = makeQueryClient(Layer.provide(Admin.layer({ ...base, ...password }), slow.layer))
    const signing = waiting.mutation(Admin.requests.markSeen).actions(registry)
    const unsent = signing.mutate({ id: "r1", version: 1 })
    await flush()
    expect(slow.requests().map(({ operation }) => operation)).toEqual(["auth.login", "auth.legacyLogin"])
    registry.dispose()
    expect(await unsent).toEqual({ status: "cancelled" })
  })

  test("in the pause after an attempt that surely did nothing is cancelled; after one that may have done it is not", async () => {
    const later = { "retry-after": "20" }
    const keyed: Middleware = (next) => (call) =>
      next({ ...call, options: { ...call.options, idempotencyKey: "k1" } })
    for (const [reply, expected] of [
      [json(429, {}, later), { status: "cancelled" }],
      [json(503, {}, later), mayBeDone]
    ] as const) {
      const fake = Fake.make([reply, "waits"])
      const session = { sessionId: "s1", accessToken: token() }
      const layer = Admin.layer({ ...base, ...session, policy: { attempts: 2 }, middleware: [keyed] })
      const client = makeQueryClient(Layer.provide(layer, fake.layer))
      const { registry } = makeScreen()
      const outcome = client
        .mutation(Admin.requests.markSeen)
        .actions(registry)
        .mutate({ id: "r1", version: 1 })
      await flush()
      registry.dispose()
      expect([await outcome, fake.exchanges.length]).toMatchObject([expected, 1])
    }
  })

  test("and is an effect of the app's own may have done anything once it has begun", async () => {
    const { client, registry } = adminClient([])
    const { mutate } = client.mutation(source("desk.clear", () => Effect.never)).actions(registry)
    const outcome = mutate({})
    await flush()
    registry.dispose()
    expect(await outcome).toMatchObject(mayBeDone)
  })

  test("is there for whoever observes it next, as long as the user is the same", async () => {
    const { input, markSeen, observe, settle, send, visit } = setup()
    const mutation = markSeen()
    const first = await observe(mutation)
    await send(mutation, input)
    await first.leave()
    expect((await visit(mutation)).last()).toMatchObject({ _tag: "Initial", waiting: true })
    await settle(0, json(409, {}))
    for (let visits = 0; visits < 2; visits += 1)
      expect((await visit(mutation)).last()).toMatchObject({ _tag: "Failure" })
  })
})

describe("invalidation", () => {
  test("it asks every query of its slice again, unless it says what", async () => {
    const { client, get, observe, run, versionOf, watch } = setup()
    const all = [watch(get()), watch(client.query(Admin.requests.list))]
    all.push(await observe(client.query(Admin.items.get, { id: "i1" })))
    await run()
    expect([versionOf(all[0] ?? watch(get())), all.map(({ seen }) => seen.length)]).toEqual([4, [4, 4, 2]])
  })

  test("it names what it makes outdated by call, by query, by a word, or by its input", async () => {
    const { client, get, run, watch } = setup()
    const queries = [get("r1"), get("r2"), client.query(Admin.requests.list)]
    queries.push(client.query(Admin.items.list, {}, { keys: ["desk"] }) as never)
    const all = queries.map((query) => watch<{ readonly waiting: boolean }>(query))
    await flush()
    const steps: ReadonlyArray<readonly [ReadonlyArray<QueryFilter>, ReadonlyArray<number>]> = [
      [[get("r1")], [2, 1, 1, 1]],
      [[Admin.requests.get], [3, 2, 1, 1]],
      [["desk"], [3, 2, 1, 2]],
      [["requests.list"], [3, 2, 2, 2]],
      [[], [3, 2, 2, 2]]
    ]
    for (const [filters, counts] of steps) {
      await run({ invalidates: filters })
      expect(all.map(({ seen }) => seen.filter(({ waiting }) => !waiting).length)).toEqual(counts)
    }
    await run({ invalidates: ({ id }) => [get(id)] })
    expect(all[0]?.seen.filter(({ waiting }) => !waiting)).toHaveLength(4)
  })

  test("a call names its queries however they are narrowed, and by pages; a change is for those that it fits", async () => {
    const { client, get, input, markSeen, reads, registry, run, send, settle, watch } = setup()
    const Typed = Schema.Struct({ _id: Schema.String, type: Schema.String })
    const narrowed = Admin.requests.get.as(Typed)
    const listed = Admin.requests.list.as(Typed)
    const single = watch(client.query(narrowed, { id: "r1" }))
    const all = [
      watch(get()),
      single,
      watch(client.query(Admin.requests.get.as(Schema.Unknown), { id: "r1" }))
    ]
    const lists = [watch(client.query(listed)), watch(client.infiniteQuery(listed))]
    await flush()
    const answerCounts = (
      watched: ReadonlyArray<{ readonly seen: ReadonlyArray<{ readonly waiting: boolean }> }>
    ) => watched.map(({ seen }) => seen.filter(({ waiting }) => !waiting).length)
    await run({ invalidates: [Admin.requests.get] })
    expect([answerCounts(all), answerCounts(lists)]).toEqual([
      [2, 2, 2],
      [1, 1]
    ])
    await run({ invalidates: [narrowed, Admin.requests.list] })
    expect([answerCounts(all), answerCounts(lists)]).toEqual([
      [3, 3, 3],
      [2, 2]
    ])
    client.invalidate(registry, Admin.requests.get)
    await flush()
    expect(answerCounts(all)).toEqual([4, 4, 4])
    const optimistic = () => [change(narrowed, (value) => ({ ...value, type: "BUY" }))]
    await send(markSeen({ optimistic, invalidates: [] }), input)
    expect(all.map(({ last }) => Object(answerOf<unknown>(last())).type)).toEqual(["VISIT", "BUY", "VISIT"])
    const before = reads()
    await settle(-1, ok())
    expect(reads() - before).toBe(1)
  })

  test("what nobody looks at is asked again when somebody does, once", async () => {
    const { get, reads, run, visit } = setup()
    await visit(get())
    await run()
    expect(reads()).toBe(1)
    await visit(get())
    await visit(get())
    expect(reads()).toBe(2)
  })

  test("an answer under way, which may be older than the change, is fetched again", async () => {
    const { fake, get, markSeen, observe, send, input, settle, versionOf } = setup("waits")
    const seen = await observe(get())
    await send(markSeen(), input)
    await settle(0, ok())
    expect([fake.at(0).state, versionOf(seen)]).toEqual(["abandoned", 2])
  })

  test("a call that fails leaves everything as it is; one whose outcome is not known does not, nor the client", async () => {
    const { client, get, observe, reads, registry, run } = setup()
    await observe(get())
    await run({}, json(409, {}))
    expect(reads()).toBe(1)
    await run({}, failed("Reset"))
    expect(reads()).toBe(2)
    client.invalidate(registry, "requests")
    await flush()
    expect(reads()).toBe(3)
  })
})

describe("optimistic changes", () => {
  const open = async () => {
    const fixture = setup()
    const { client, get, observe, send, settle, watch } = fixture
    const typeIn = (payload: unknown): string => String(Object(payload).type)
    const rename = client.mutation(Admin.requests.update, {
      optimistic: ({ id, payload }) => [
        change(get(), (value) => ({ ...value, type: typeIn(payload) })),
        change(Admin.requests.list, (page) => ({
          ...page,
          items: page.items.map((item) => (item._id === id ? { ...item, type: typeIn(payload) } : item))
        }))
      ]
    })
    const single = watch(get())
    const all = await observe(client.query(Admin.requests.list))
    const types = () => [answerOf(single.last()).type, ...answerOf(all.last()).items.map(({ type }) => type)]
    /** Begins a change, and gives the way to end it. */
    const begin = async (payload: string) => {
      const place = fixture.writes().length
      await send(rename, { id: "r1", payload: { type: payload } })
      return (status: number) => settle(place, json(status, request("r1")))
    }
    return { ...fixture, single, types, begin }
  }
  const before = ["VISIT", "VISIT", "VISIT"]

  test("are shown at once, in every query that they name, and undone when the call fails", async () => {
    const { begin, reads, types } = await open()
    const end = await begin("BUY")
    expect(types()).toEqual(["BUY", "BUY", "VISIT"])
    await end(409)
    expect([types(), reads()]).toEqual([before, 2])
  })

  test("stay when it succeeds, until the platform's own answer replaces them", async () => {
    const { begin, single, reads } = await open()
    const end = await begin("BUY")
    await end(200)
    const types = single.seen.slice(-3).map((result) => answerOf(result).type)
    expect([types, reads()]).toEqual([["BUY", "BUY", "VISIT"], 4])
  })

  test("are undone one by one: a later change outlives an earlier one that failed", async () => {
    const { begin, types } = await open()
    const ends = [await begin("BUY"), await begin("SELL")]
    expect(types()[0]).toBe("SELL")
    await ends[0]?.(409)
    expect(types()[0]).toBe("SELL")
    await ends[1]?.(409)
    expect(types()).toEqual(before)
  })

  const broken = (): never => {
    throw new TypeError("nope")
  }
  test.each([
    ["a change", (first: Change) => ({ optimistic: () => [first, { ...first, update: broken }] })],
    ["optimistic", () => ({ optimistic: broken })],
    ["invalidates", (first: Change) => ({ optimistic: () => [first], invalidates: broken })]
  ])("that meet a fault in %s are undone: the run is a defect, and nothing is sent", async (_, optionsOf) => {
    const { get, input, markSeen, observe, reads, registry, watch, writes } = setup()
    const query = await observe(get())
    const faulty = markSeen(optionsOf(change(get(), (value) => ({ ...value, type: "BUY" }))))
    const run = watch(faulty)
    const outcome = await faulty.actions(registry).mutate(input)
    expect(outcome).toMatchObject({ status: "defect", defect: { message: "nope" } })
    expect(run.last()).toMatchObject({ _tag: "Failure", waiting: false })
    await query.leave()
    expect([answerOf(registry.get(get())).type, reads(), writes()]).toEqual(["VISIT", 1, []])
  })

  test("are left out while they throw over a later answer, and the call goes on", async () => {
    const { client, get, input, markSeen, observe, registry, settle } = setup()
    const { last } = await observe(get())
    const onlyFirst = change(get(), (value) => (value.version === 1 ? { ...value, type: "BUY" } : broken()))
    const seen = markSeen({ optimistic: () => [onlyFirst], invalidates: [] })
    const outcome = seen.actions(registry).mutate(input)
    expect(answerOf(last()).type).toBe("BUY")
    client.invalidate(registry, get())
    await flush()
    expect(answerOf(last())).toMatchObject({ type: "VISIT", version: 2 })
    await settle(0, ok())
    expect(await outcome).toMatchObject({ status: "success" })
    expect(answerOf(last())).toMatchObject({ type: "VISIT", version: 3 })
  })

  test("are laid over an answer that comes while the call is under way", async () => {
    const { begin, client, single, registry, types, versionOf } = await open()
    const end = await begin("BUY")
    client.invalidate(registry, "requests.get")
    await flush()
    expect(types()[0]).toBe("BUY")
    await end(409)
    expect([types()[0], versionOf(single)]).toEqual(["VISIT", 3])
  })
})
