// What a server was answered reaches the browser as it was, Dates included, and is not asked for again.

import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  answerOf,
  endUserLayer,
  makeScreen,
  ok,
  request,
  token
} from "@quartet/support/react.js"
import { Either, Layer, ParseResult, Schema } from "effect"
import { describe, expect, test } from "vitest"
import * as QuartetRx from "../../rx/index.js"

const time = "2024-05-01T10:00:00.000Z"
const answer = ok({
  comments: [{ text: time, createdAt: time }],
  data: { until: time, broken: "2024-02-30T00:00:00Z", list: [time, 1, null, true] }
})

/** What a registry holds, as the text that travels. */
const stateIn = ({ registry }: Pick<ReturnType<typeof adminClient>, "registry">): QuartetRx.DehydratedState =>
  JSON.parse(JSON.stringify(QuartetRx.dehydrate(registry)))

/** What a server that was answered this writes into its page. */
const stateOf = async (server = adminClient([answer])) => {
  await QuartetRx.prefetch(server.registry, server.get())
  return stateIn(server)
}

/** What a browser that takes over this shows first, and in the end. */
const shownIn = async (browser: ReturnType<typeof adminClient>, state: QuartetRx.DehydratedState) => {
  QuartetRx.hydrate(browser.registry, state)
  const { last, seen } = await browser.observe(browser.get())
  return {
    first: seen[0]?._tag,
    last: last(),
    count: seen.length,
    requestCount: browser.fake.exchanges.length
  }
}

test("takes an answer over with its Dates, and nothing is asked", async () => {
  const server = adminClient([answer])
  const state = await stateOf(server)
  const answered = answerOf(server.watch(server.get()).last())
  const { requestCount, count, last } = await shownIn(adminClient([]), state)
  expect([answerOf(last), count, requestCount]).toEqual([answered, 1, 0])
  expect(answered.comments).toMatchObject([{ text: time, createdAt: new Date(time) }])
})

test("takes pages over, and the browser goes on with the next one", async () => {
  const script: Fake.Script = ({ path }) =>
    Fake.json(200, { items: [request(path, { createdAt: time })], paging: { total: 2, limit: 1 } })
  const [server, browser] = [adminClient(script), adminClient(script)]
  const pagesOf = ({ client }: typeof server) =>
    client.infiniteQuery(Admin.requests.list, { query: { since: new Date(time) } })
  await QuartetRx.prefetch(server.registry, pagesOf(server))
  QuartetRx.hydrate(browser.registry, stateIn(server))
  const { last } = await browser.observe(pagesOf(browser))
  expect(answerOf(last())).toMatchObject({ done: false, items: [{ createdAt: new Date(time) }] })
  await browser.send(pagesOf(browser), undefined)
  expect(answerOf(last())).toMatchObject({ done: true, items: [{}, {}] })
  expect(browser.fake.requests()[0]?.path).toContain("page=2")
})

test("takes a narrowed answer over by the caller's own schema, and not as another one's", async () => {
  const Counted = Schema.Struct({ _id: Schema.String, count: Schema.NumberFromString })
  const narrowed = Admin.requests.get.as(Counted)
  const server = adminClient([Fake.json(200, { _id: "r1", count: "7" })])
  await QuartetRx.prefetch(server.registry, server.client.query(narrowed, { id: "r1" }))
  const browser = adminClient(["waits"])
  expect((await shownIn(browser, stateIn(server))).last._tag).toBe("Initial")
  const own = browser.watch(browser.client.query(narrowed, { id: "r1" }))
  expect(answerOf(own.last())).toEqual({ _id: "r1", count: 7 })
})

describe("two schemas that say the same", () => {
  const narrowedBy = (decode: (text: string) => string) =>
    Admin.requests.get.as(
      Schema.Struct({
        type: Schema.transform(Schema.String, Schema.String, { decode, encode: (text) => text })
      })
    )
  const lower = narrowedBy((text) => text.toLowerCase())
  const upper = narrowedBy((text) => text.toUpperCase())
  const setup = (script: Fake.Script = () => ok({ type: "Visit" })) => {
    const fixture = adminClient(script)
    const queries = [lower, upper].map((call) => fixture.client.query(call, { id: "r1" })) as [
      QuartetRx.Query<{ readonly type: string }, unknown>,
      QuartetRx.Query<{ readonly type: string }, unknown>
    ]
    return { ...fixture, queries }
  }
  const typesIn = ({ queries, registry }: ReturnType<typeof setup>) =>
    queries.map((query) => answerOf(registry.get(query)).type)

  test("are left out of what travels, and all others go", async () => {
    const server = setup()
    await QuartetRx.prefetch(server.registry, ...server.queries, server.get())
    const browser = setup()
    QuartetRx.hydrate(browser.registry, stateIn(server))
    for (const query of browser.queries) expect(browser.registry.get(query)._tag).toBe("Initial")
    await browser.observe(browser.get())
    expect(browser.reads()).toBe(0)
    for (const query of browser.queries) await browser.observe(query)
    expect([typesIn(browser), browser.reads()]).toEqual([["visit", "VISIT"], 2])
  })

  test("both ask where the answer of one has come, as soon as there are both", async () => {
    const [server, browser] = [setup(), setup()]
    await QuartetRx.prefetch(server.registry, server.queries[1])
    const [first, second] = browser.queries
    QuartetRx.hydrate(browser.registry, stateIn(server))
    // Nothing tells it yet from the one whose answer has come.
    expect(answerOf((await browser.observe(first)).last()).type).toBe("visit")
    expect(browser.reads()).toBe(0)
    await browser.observe(second)
    expect([typesIn(browser), browser.reads()]).toEqual([["visit", "VISIT"], 2])
    // Nor does either take what comes later.
    browser.clock.pass(1)
    QuartetRx.hydrate(
      browser.registry,
      stateIn(server).map((item) => ({ ...item, value: request("r1", { type: "late" }), at: Date.now() }))
    )
    expect(typesIn(browser)).toEqual(["visit", "VISIT"])
  })

  test("one that stands alone has what was answered", async () => {
    const [server, browser] = [setup(), setup()]
    await QuartetRx.prefetch(server.registry, server.queries[1])
    QuartetRx.hydrate(browser.registry, stateIn(server))
    expect(answerOf((await browser.observe(browser.queries[1])).last()).type).toBe("VISIT")
    expect(browser.reads()).toBe(0)
  })

  test("with names of their own they are told apart", async () => {
    const named = (name: string) =>
      Admin.requests.get.as(
        Schema.Struct({
          type: Schema.transform(Schema.String, Schema.String, {
            decode: (text) => `${name} ${text}`,
            encode: (text) => text.slice(name.length + 1)
          }).annotations({ identifier: name })
        })
      )
    const calls = ["One", "Other"].map(named)
    const [server, browser] = [adminClient(() => ok()), adminClient([])]
    const queriesOf = ({ client }: typeof server) => calls.map((call) => client.query(call, { id: "r1" }))
    await QuartetRx.prefetch(server.registry, ...queriesOf(server))
    QuartetRx.hydrate(browser.registry, stateIn(server))
    expect(queriesOf(browser).map((query) => answerOf(browser.registry.get(query)).type)).toEqual([
      "One VISIT",
      "Other VISIT"
    ])
  })
})

test.each<readonly [string, (cents: number) => Either.Either<number, Error>]>([
  ["refuses to write", () => Either.left(new Error("one way"))],
  ["writes otherwise than it reads", Either.right],
  [
    "throws",
    () => {
      throw new Error("one way")
    }
  ]
])("leaves out what a schema %s, because it would be decoded twice", async (_, encode) => {
  const Cents = Schema.transformOrFail(Schema.Number, Schema.Number, {
    decode: (euros) => ParseResult.succeed(euros * 100),
    encode: (cents, _, ast) => Either.mapLeft(encode(cents), () => new ParseResult.Forbidden(ast, cents))
  })
  const narrowed = Admin.requests.get.as(Schema.Struct({ price: Cents }))
  const server = adminClient([Fake.json(200, { price: 3 })])
  await QuartetRx.prefetch(server.registry, server.client.query(narrowed, { id: "r1" }))
  const own = server.watch(server.client.query(narrowed, { id: "r1" }))
  expect([answerOf(own.last()), stateIn(server)]).toEqual([{ price: 300 }, []])
})

const Structures = Schema.Struct({
  option: Schema.OptionFromNullOr(Schema.Struct({ at: Schema.Date })),
  map: Schema.Map({ key: Schema.String, value: Schema.Date }),
  url: Schema.URL,
  secret: Schema.Redacted(Schema.String),
  amount: Schema.BigDecimal
})
const structures = {
  option: { at: time },
  map: [["a", time]],
  url: "https://example.com/a",
  secret: "s",
  amount: "1.50"
}
const id = { id: "r1" }
type QueryClient = ReturnType<typeof adminClient>["client"]

test.each<readonly [string, unknown, (client: QueryClient) => QuartetRx.Query<unknown, unknown>]>([
  [
    "an answer that is not as declared",
    { _id: null, comments: [{ createdAt: time }] },
    ({ query }) => query(Admin.requests.get, id)
  ],
  [
    "a page with odd items",
    [request("r1", { createdAt: time }), { _id: 7 }, null],
    ({ query }) => query(Admin.requests.list, {})
  ],
  ["what a schema makes of JSON", structures, ({ query }) => query(Admin.requests.get.as(Structures), id)]
])("takes over %s as shown by the server", async (_, came, queryOf) => {
  const [server, browser] = [adminClient([Fake.json(200, came)]), adminClient(["waits"])]
  const shown = ({ client, watch }: typeof server) => answerOf(watch(queryOf(client)).last())
  await QuartetRx.prefetch(server.registry, queryOf(server.client))
  QuartetRx.hydrate(browser.registry, stateIn(server))
  expect(shown(browser)).toEqual(shown(server))
})

test("leaves out what failed, and what means nothing elsewhere", async () => {
  const { client, get, registry } = adminClient([Fake.json(404, {})])
  const local = client.query(Admin.requests.list, { query: Object({ file: new Blob(["a"]) }) })
  await QuartetRx.prefetch(registry, get(), local)
  expect(QuartetRx.dehydrate(registry)).toEqual([])
})

test("does not show one client's answer as another's", async () => {
  const fake = Fake.make(["waits"])
  const client = QuartetRx.makeQueryClient(Layer.merge(adminLayer(fake), endUserLayer(fake)))
  const { registry, watch } = makeScreen()
  QuartetRx.hydrate(registry, await stateOf())
  expect(watch(client.query(EndUser.requests.get, { id: "r1" })).last()._tag).toBe("Initial")
  expect(watch(client.query(Admin.requests.get, { id: "r1" })).last()._tag).toBe("Success")
})

test("what came for one person is not shown to the one who signs in", async () => {
  const layerFor = (accessToken: string) => adminLayer(Fake.make(["waits"]), accessToken)
  const client = QuartetRx.makeQueryClient(layerFor)
  const { registry, watch } = makeScreen()
  QuartetRx.hydrate(registry, await stateOf())
  await client.session.actions(registry).signIn(token())
  expect(watch(client.query(Admin.requests.get, { id: "r1" })).last()._tag).toBe("Initial")
})

test("tells clients of one kind apart by their names", async () => {
  const state = await stateOf(adminClient([answer], { name: "first" }))
  const { first } = await shownIn(adminClient(["waits"], { name: "second" }), state)
  expect(first).toBe("Initial")
})

test("replaces what is older, and leaves what is newer", async () => {
  const browser = adminClient([ok()])
  const { last } = await browser.observe(browser.get())
  const [old] = stateIn(browser)
  if (old === undefined) throw new Error("nothing was written")
  browser.clock.pass(1_000)
  for (const [at, version] of [
    [old.at - 1, 1],
    [old.at + 1, 2]
  ] as const) {
    QuartetRx.hydrate(browser.registry, [{ ...old, value: request("r1", { version: 2 }), at }])
    expect(answerOf(last()).version).toBe(version)
  }
  // Likewise where no entry has taken the first of two states yet.
  const next = adminClient([])
  for (const version of [2, 1])
    QuartetRx.hydrate(next.registry, [{ ...old, value: request("r1", { version }), at: version }])
  expect(answerOf(next.watch(next.get()).last()).version).toBe(2)
})

test("drops an answer that is not what the call declares", async () => {
  const spoilt = (await stateOf()).map((item) => ({ ...item, value: { _id: 5 } }))
  expect((await shownIn(adminClient(["waits"]), spoilt)).first).toBe("Initial")
})

test("an answer that is too old is shown, and asked for again", async () => {
  const old = (await stateOf()).map((item) => ({ ...item, at: 0 }))
  const { first, last } = await shownIn(adminClient([ok({ version: 2 })]), old)
  expect([first, answerOf(last).version]).toEqual(["Success", 2])
})

test("a server's clock that is ahead does not make its answers good for longer", async () => {
  const ahead = (await stateOf()).map((item) => ({ ...item, at: 8e15 }))
  const { last } = await shownIn(adminClient([answer]), ahead)
  expect(last._tag === "Success" && last.timestamp < 8e15).toBe(true)
})

test("the text for a page cannot end its script", () => {
  const state = [{ key: "k", value: "</script><!--\u2028&", at: 1 }]
  expect(QuartetRx.toScript(state)).not.toMatch(/[<>&\u2028]/)
  expect(JSON.parse(QuartetRx.toScript(state))).toEqual(state)
})
