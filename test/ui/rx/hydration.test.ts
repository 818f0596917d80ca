// What a server was answered reaches the browser as it was, Dates included, and is not asked for again.
import { Registry, Result } from "@effect-rx/rx-react"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import {
  type DehydratedState,
  dehydrate,
  hydrate,
  makeQueryClient,
  prefetch,
  toScript
} from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, observe, request, send, token, turn, watch } from "./scripted.js"

const time = "2024-05-01T10:00:00.000Z"
const answer = Fake.json(
  200,
  request("r1", {
    comments: [{ text: time, createdAt: time }],
    data: { until: time, broken: "2024-02-30T00:00:00Z", list: [time, 1, null, true] }
  })
)

/** What travels is text. */
const travel = (state: DehydratedState): DehydratedState => JSON.parse(JSON.stringify(state))

const one = ({ client }: Pick<ReturnType<typeof adminClient>, "client">) =>
  client.query(Admin.requests.get, { id: "r1" })

/** What a server that was answered this writes into its page. */
const stateOf = async (server = adminClient([answer])): Promise<DehydratedState> => {
  await prefetch(server.registry, one(server))
  return travel(dehydrate(server.registry))
}

/** What a browser shows that takes a state over. */
const shownIn = (browser: ReturnType<typeof adminClient>, state: DehydratedState) => {
  hydrate(browser.registry, state)
  return watch(browser.registry, one(browser))
}

const value = <A>(result: Result.Result<A, unknown>): A => Option.getOrThrow(Result.value(result))

describe("hydration", () => {
  test("takes an answer over with its Dates, and nothing is asked", async () => {
    const server = adminClient([answer])
    const state = await stateOf(server)
    const told = value(watch(server.registry, one(server)).last())
    const browser = adminClient([])
    const { last, seen } = shownIn(browser, state)
    await turn()
    expect(value(last())).toEqual(told)
    expect(told.comments?.[0]?.text).toBe(time)
    expect(told.comments?.[0]?.createdAt).toEqual(new Date(time))
    expect(seen).toHaveLength(1)
    expect(browser.fake.exchanges).toHaveLength(0)
  })

  test("takes pages over, and the browser goes on with the next one", async () => {
    const script: Fake.Script = ({ path }) =>
      Fake.json(200, { items: [request(path, { createdAt: time })], paging: { total: 2, limit: 1 } })
    const server = adminClient(script)
    const browser = adminClient(script)
    const pagesOf = ({ client }: typeof server) =>
      client.infiniteQuery(Admin.requests.list, { since: new Date(time) })
    await prefetch(server.registry, pagesOf(server))
    hydrate(browser.registry, travel(dehydrate(server.registry)))
    const { last } = await observe(browser.registry, pagesOf(browser))
    expect(value(last())).toMatchObject({ done: false, items: [{ createdAt: new Date(time) }] })
    await send(browser.registry, pagesOf(browser), undefined)
    expect(value(last())).toMatchObject({ done: true, items: [{}, {}] })
    expect(browser.fake.requests()[0]?.path).toContain("page=2")
  })

  test("takes a narrowed answer over by the caller's own schema, and not as another one's", async () => {
    const Counted = Schema.Struct({ _id: Schema.String, count: Schema.NumberFromString })
    const narrowed = Admin.requests.get.as(Counted)
    const server = adminClient([Fake.json(200, { _id: "r1", count: "7" })])
    await prefetch(server.registry, server.client.query(narrowed, { id: "r1" }))
    const browser = adminClient(["waits"])
    hydrate(browser.registry, travel(dehydrate(server.registry)))
    const other = watch(browser.registry, browser.client.query(Admin.requests.get, { id: "r1" }))
    const own = watch(browser.registry, browser.client.query(narrowed, { id: "r1" }))
    expect(value(own.last())).toEqual({ _id: "r1", count: 7 })
    expect(other.last()._tag).toBe("Initial")
  })

  test("leaves out what failed, and what means nothing elsewhere", async () => {
    const server = adminClient([Fake.json(404, {})])
    const local = server.client.query(Admin.requests.list, { file: new Blob(["a"]) })
    await prefetch(server.registry, server.client.query(Admin.requests.get, { id: "r1" }), local)
    expect(dehydrate(server.registry)).toEqual([])
  })

  test("does not show one client's answer as another's", async () => {
    const fake = Fake.make(["waits"])
    const endUser = EndUser.layer({ baseUrl: "https://api.example.com", apiKey: "k", sessionId: "s" })
    const client = makeQueryClient(Layer.merge(adminLayer(fake), Layer.provide(endUser, fake.layer)))
    const registry = Registry.make()
    hydrate(registry, await stateOf())
    expect(watch(registry, client.query(EndUser.requests.get, { id: "r1" })).last()._tag).toBe("Initial")
    expect(watch(registry, client.query(Admin.requests.get, { id: "r1" })).last()._tag).toBe("Success")
  })

  test("what came for one person is not shown to the one who signs in", async () => {
    const client = makeQueryClient((accessToken: string) => adminLayer(Fake.make(["waits"]), accessToken))
    const registry = Registry.make()
    hydrate(registry, await stateOf())
    await client.session.actions(registry).signIn(token())
    expect(watch(registry, client.query(Admin.requests.get, { id: "r1" })).last()._tag).toBe("Initial")
  })

  test("tells clients of one kind apart by their names", async () => {
    const state = await stateOf(adminClient([answer], { name: "first" }))
    expect(shownIn(adminClient(["waits"], { name: "second" }), state).last()._tag).toBe("Initial")
  })

  test("replaces what is older, and leaves what is newer", async () => {
    const browser = adminClient([Fake.json(200, request("r1", { version: 1 }))])
    const query = browser.client.query(Admin.requests.get, { id: "r1" })
    const { last } = await observe(browser.registry, query)
    const [old] = travel(dehydrate(browser.registry))
    if (old === undefined) throw new Error("nothing was written")
    browser.clock.pass(1_000)
    const next = { ...old, value: request("r1", { version: 2 }) }
    hydrate(browser.registry, [{ ...next, at: old.at - 1 }])
    expect(value(last()).version).toBe(1)
    hydrate(browser.registry, [{ ...next, at: old.at + 1 }])
    expect(value(last()).version).toBe(2)
  })

  test("drops an answer that is not what the call declares", async () => {
    const spoilt = (await stateOf()).map((item) => ({ ...item, value: { _id: 5 } }))
    expect(shownIn(adminClient(["waits"]), spoilt).last()._tag).toBe("Initial")
  })

  test("an answer that is too old is shown, and asked for again", async () => {
    const old = (await stateOf()).map((item) => ({ ...item, at: 0 }))
    const { last, seen } = shownIn(adminClient([Fake.json(200, request("r1", { version: 2 }))]), old)
    expect(seen[0]?._tag).toBe("Success")
    await turn()
    expect(value(last()).version).toBe(2)
  })

  test("a server's clock that is ahead does not make its answers good for longer", async () => {
    const ahead = (await stateOf()).map((item) => ({ ...item, at: 8e15 }))
    const result = shownIn(adminClient([answer]), ahead).last()
    expect(result._tag === "Success" && result.timestamp < 8e15).toBe(true)
  })

  test("the text for a page cannot end its script", () => {
    const state = [{ key: "k", value: "</script><!--\u2028&", at: 1 }]
    expect(toScript(state)).not.toMatch(/[<>&\u2028]/)
    expect(JSON.parse(toScript(state))).toEqual(state)
  })
})
