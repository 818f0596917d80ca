// A list grows page by page, knows its end, and is refetched as far as it was read.
import type { Result } from "@effect-rx/rx-react"
import * as Admin from "@quartet/sdk/admin"
import type { Page } from "@quartet/sdk/extend"
import type { RequestAction } from "@quartet/sdk/extend/models/requests"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminClient, answerOf, errorOf, flush, request } from "@quartet/support/react.js"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import type { InfiniteData, InfiniteQueryOptions } from "../../rx/index.js"
import { byPages } from "../../rx/query.js"

const { json } = Fake
const pageOf = ({ path }: { readonly path: string }): number =>
  Number(new URL(path, "https://api.example.com").searchParams.get("page"))

/** A list of `total` requests, two a page, that counts in its versions how often it was read. */
const listOf = (total: number) => {
  let version = 0
  return (incoming: { readonly path: string }) => {
    version += 1
    const first = (pageOf(incoming) - 1) * 2
    const size = Math.max(0, Math.min(2, total - first))
    const items = Array.from({ length: size }, (_, index) => request(`r${first + index + 1}`, { version }))
    return json(200, { items, paging: { page: pageOf(incoming), limit: 2, total } })
  }
}

type Shown = Result.Result<InfiniteData<{ readonly _id: string }>, { readonly _tag: string }>
const ids = (result: Shown): string =>
  answerOf(result)
    .items.map(({ _id }) => _id)
    .join(" ")

const open = async (script: Fake.Script, options: InfiniteQueryOptions = {}) => {
  const fixture = adminClient(script, { staleTime: 1_000_000 })
  const pages = fixture.client.infiniteQuery(Admin.requests.list, { statusIn: ["pending"] }, options)
  const seen = await fixture.observe(pages)
  const more = () => fixture.send(pages, undefined)
  const invalidate = () => fixture.client.invalidate(fixture.registry, Admin.requests.list)
  const end = () => [ids(seen.last()), answerOf(seen.last()).done]
  const requestedPages = () => fixture.fake.requests().map(pageOf)
  return { ...fixture, ...seen, pages, more, invalidate, end, requestedPages }
}

/** A list of six requests that can be down. */
const openUnsteady = async () => {
  const platform = { isDown: false }
  const good = listOf(6)
  return { platform, ...(await open((incoming) => (platform.isDown ? json(400, {}) : good(incoming)))) }
}

test("the first page comes by itself, each message adds one, and the end is known with the last", async () => {
  const { end, fake, last, more } = await open(listOf(5), { limit: 2 })
  expect(end()).toEqual(["r1 r2", false])
  expect(answerOf(last())).toMatchObject({ paging: { total: 5 } })
  expect(fake.requests()[0]?.path).toBe("/request-action?statusIn=pending&page=1&limit=2&projectId=p1")
  await more()
  expect(end()).toEqual(["r1 r2 r3 r4", false])
  await more()
  expect(end()).toEqual(["r1 r2 r3 r4 r5", true])
  await more()
  expect(fake.exchanges).toHaveLength(3)
})

const marked = (n: number, nextPage: number | null) => json(200, { items: [request(`r${n}`)], nextPage })
const ends: ReadonlyArray<readonly [says: string, script: Fake.Script, pages: ReadonlyArray<string>]> = [
  ["an empty list is whole", listOf(0), [""]],
  [
    "a bare array ends at a page that is empty, not at one that is short",
    [json(200, [request("r1")]), json(200, [])],
    ["r1", "r1"]
  ],
  ["a marker ends the list", [marked(1, 2), marked(2, null)], ["r1", "r1 r2"]]
]
test.each(ends)("%s", async (_, script, pages) => {
  const { end, more } = await open(script, { limit: 2 })
  for (const [place, items] of pages.entries()) {
    if (place > 0) await more()
    expect(end()).toEqual([items, place === pages.length - 1])
  }
})

test("a page that fails keeps the ones before, and is asked for again", async () => {
  const { requestedPages, last, more, platform } = await openUnsteady()
  platform.isDown = true
  await more()
  expect(last()).toMatchObject({ _tag: "Failure", waiting: false })
  expect(ids(last())).toBe("r1 r2")
  platform.isDown = false
  await more()
  expect([last()._tag, ids(last()), requestedPages()]).toEqual(["Success", "r1 r2 r3 r4", [1, 2, 2]])
})

test("a first page that fails is asked for again", async () => {
  const { requestedPages, end, last, more, pages, registry } = await open([
    json(503, {}),
    json(200, [request("r1")]),
    json(200, [])
  ])
  expect(last()).toMatchObject({ _tag: "Failure", waiting: false })
  registry.set(pages, undefined)
  await more()
  expect([end(), requestedPages()]).toEqual([
    ["r1", false],
    [1, 1]
  ])
})

test("a platform that answers one page twice is found out, and the items stay", async () => {
  const { last, more } = await open([json(200, [request("r1"), request("r2")])], { limit: 2 })
  await more()
  expect(errorOf(last())).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
  expect(ids(last())).toBe("r1 r2")
})

test("an input that cannot be paged is an error, and nothing is sent", async () => {
  const { client, fake, observe } = adminClient([json(200, [])])
  const { last } = await observe(client.infiniteQuery(Admin.requests.list, { page: -1 }))
  expect(errorOf(last())).toMatchObject({ _tag: "InputError", field: "page" })
  expect(fake.exchanges).toHaveLength(0)
})

test("numbers begin where the caller says", async () => {
  const { requestedPages, more } = await open([json(200, [request("a"), request("b")])], {
    first: 0,
    limit: 2
  })
  await more()
  expect(requestedPages()).toEqual([0, 1])
})

test("a refresh reads as many pages as there were, and shows the old ones until then", async () => {
  const { requestedPages, invalidate, last, more, seen } = await open(listOf(6))
  await more()
  const before = seen.length
  invalidate()
  await flush()
  expect(requestedPages()).toEqual([1, 2, 1, 2])
  expect(seen.slice(before).map(ids)).toEqual(["r1 r2 r3 r4", "r1 r2 r3 r4"])
  expect(answerOf(last()).items.map(({ version }) => version)).toEqual([3, 3, 4, 4])
})

test.each([
  ["still ends there", [], ["r1 r2", true], [1, 2, 3, 1, 2, 3]],
  ["has grown", [request("r3")], ["r1 r2 r3", false], [1, 2, 3, 1, 2, 3]]
])(
  "a refresh of bare arrays reads the empty page at the end again: the list %s",
  async (_, last, after, pages) => {
    let third: ReadonlyArray<object> = []
    const { requestedPages, end, invalidate, more } = await open((incoming) => {
      const page = pageOf(incoming)
      return json(200, page < 3 ? [request(`r${page}`)] : page === 3 ? third : [])
    })
    await more()
    await more()
    expect(end()).toEqual(["r1 r2", true])
    third = last
    invalidate()
    await flush()
    expect([end(), requestedPages()]).toEqual([after, pages])
  }
)

test("each page of a refresh takes over the items that have not changed, so that a long list is not compared at once", async () => {
  const run = ({ page = 1 }: { readonly page?: number }): Effect.Effect<Page<RequestAction>> =>
    Effect.succeed({ items: [request(`r${page}`)], paging: { page, limit: 1, total: 3 } })
  const of = { name: "requests.list", family: "", id: "", run }
  const list = byPages(of, Admin.requests.list.operation, {}, { limit: 1 })
  const first = await Effect.runPromise(list.run(undefined, "refetch"))
  const second = await Effect.runPromise(list.run(first, "next"))
  const again = await Effect.runPromise(list.run(second, "refetch"))
  expect(again.items.map((item, index) => item === second.items[index])).toEqual([true, true])
})

test("a page more does not make the pages before it any newer", async () => {
  const { requestedPages, clock, leave, more, observe, pages } = await open(listOf(6))
  clock.pass(900_000)
  await more()
  await leave()
  clock.pass(200_000)
  await observe(pages)
  expect(requestedPages()).toEqual([1, 2, 1, 2])
})

test("a list whose refresh failed is still to be refreshed after a page more", async () => {
  const { requestedPages, invalidate, leave, more, observe, pages, platform } = await openUnsteady()
  platform.isDown = true
  invalidate()
  await flush()
  platform.isDown = false
  await more()
  await leave()
  await observe(pages)
  expect(requestedPages()).toEqual([1, 1, 2, 1, 2])
})

test("a page that is asked for while the list is refreshed comes after it, and one that is, not twice", async () => {
  const { requestedPages, invalidate, last, more, pages, registry } = await open(listOf(6))
  invalidate()
  await more()
  expect(ids(last())).toBe("r1 r2 r3 r4")
  registry.set(pages, undefined)
  await more()
  expect([ids(last()), requestedPages()]).toEqual(["r1 r2 r3 r4 r5 r6", [1, 1, 2, 3]])
})

test("who comes back goes on where the list was left", async () => {
  const { requestedPages, leave, more, observe, pages } = await open(listOf(6))
  await more()
  await leave()
  const { last } = await observe(pages)
  expect(ids(last())).toBe("r1 r2 r3 r4")
  await more()
  expect([ids(last()), requestedPages()]).toEqual(["r1 r2 r3 r4 r5 r6", [1, 2, 3]])
})
