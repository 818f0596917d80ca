// A list grows page by page, knows its end, and is fetched again as far as it was read: by the kernel's rules, in TanStack's hands.

import * as Admin from "@quartet/sdk/admin"
import { Errors } from "@quartet/sdk/promise"
import * as Fake from "@quartet/support/fake-transport.js"
import { flush, request } from "@quartet/support/react.js"
import { dehydrate, hydrate, type InfiniteData } from "@tanstack/react-query"
import { expect, test } from "vitest"
import type { ListPage, PageParam } from "../../tanstack-query/index.js"
import { makeClient, observePages, setup } from "./harness.js"

const { list } = Admin.requests
const pageOf = ({ path }: { readonly path: string }): number =>
  Number(new URL(path, "https://api.example.com").searchParams.get("page"))

const named = (names: string): ReadonlyArray<object> =>
  names.split(" ").flatMap((name) => (name === "" ? [] : [request(name)]))

/** A platform that holds a list, two a page, which a test can change. */
const platform = (names: string, more: (page: number) => object = () => ({})) => {
  const stored = { names, counts: true }
  const script = (incoming: { readonly path: string }) => {
    const page = pageOf(incoming)
    const all = named(stored.names)
    const items = all.slice((page - 1) * 2, page * 2)
    return Fake.json(200, {
      items,
      ...(stored.counts ? { paging: { total: all.length } } : {}),
      ...more(page)
    })
  }
  return { stored, script }
}

type Data = InfiniteData<ListPage<{ readonly _id: string }>, PageParam>
const shown = (data: Data | undefined): string =>
  (data?.pages ?? []).flatMap(({ items }) => items.map(({ _id }) => _id)).join(" ")

const open = async (script: Fake.Script, range: { readonly first?: number } = {}) => {
  const fixture = setup(script)
  const options = fixture.quartet.infiniteQueryOptions(
    list,
    { statusIn: ["pending"] },
    { limit: 2, ...range }
  )
  const seen = await observePages(fixture.queryClient, options)
  const requestedPages = () => fixture.fake.requests().map(pageOf)
  const more = () => seen.observer.fetchNextPage()
  const state = () => [shown(seen.now().data), seen.now().hasNextPage]
  return { ...fixture, ...seen, options, requestedPages, more, state }
}

test("the first page comes by itself, each further one on demand, and the end is known with the last", async () => {
  const { requestedPages, fake, more, now, state } = await open(platform("r1 r2 r3 r4 r5").script)
  expect(state()).toEqual(["r1 r2", true])
  expect(fake.at(0).request.path).toBe("/request-action?statusIn=pending&page=1&limit=2&projectId=p1")
  await more()
  expect(state()).toEqual(["r1 r2 r3 r4", true])
  await more()
  expect(state()).toEqual(["r1 r2 r3 r4 r5", false])
  await more()
  expect(requestedPages()).toEqual([1, 2, 3])
  expect(now().data?.pages.map(({ next }) => next?.page)).toEqual([2, 3, undefined])
})

test("it begins where its options or its input say", async () => {
  const { requestedPages, more } = await open([Fake.json(200, named("r1 r2")), Fake.json(200, [])], {
    first: 0
  })
  await more()
  expect(requestedPages()).toEqual([0, 1])
  const { fake, quartet, queryClient } = setup([Fake.json(200, named("r1"))])
  await observePages(queryClient, quartet.infiniteQueryOptions(list, { page: 3 }))
  expect(fake.requests().map(pageOf)).toEqual([3])
})

test("a list without counts ends at an empty page, and a page that is missing after the first is one", async () => {
  const { stored, script } = platform("r1 r2 r3")
  stored.counts = false
  const { more, state } = await open((incoming) =>
    pageOf(incoming) > 2 ? Fake.json(404, {}) : script(incoming)
  )
  await more()
  expect(state()).toEqual(["r1 r2 r3", true])
  await more()
  expect(state()).toEqual(["r1 r2 r3", false])
})

test("pages that are empty and announce more are passed over", async () => {
  const { requestedPages, state } = await open((incoming) =>
    Fake.json(200, { items: pageOf(incoming) < 3 ? [] : named("r1"), hasNext: pageOf(incoming) < 3 })
  )
  expect([requestedPages(), state()]).toEqual([
    [1, 2, 3],
    ["r1", false]
  ])
})

test("a page that was there before is an error, and the pages before it stay", async () => {
  const { fake, more, now, state } = await open([Fake.json(200, { items: named("r1 r2"), hasNext: true })])
  await more()
  expect(now().error).toBeInstanceOf(Errors.AnswerError)
  expect(now().error).toMatchObject({ reason: "Paging" })
  expect([state(), fake.exchanges.length]).toEqual([["r1 r2", true], 2])
})

test("a page that failed is asked for again, and nothing before it", async () => {
  const { script } = platform("r1 r2 r3 r4")
  const { requestedPages, more, now, state } = await open((incoming, place) =>
    place === 1 ? Fake.json(403, {}) : script(incoming)
  )
  await more()
  expect(now().error).toBeInstanceOf(Errors.PermissionDenied)
  await more()
  expect([state(), requestedPages()]).toEqual([
    ["r1 r2 r3 r4", false],
    [1, 2, 2]
  ])
})

test("a refetch reads as many pages as were there, and what is unchanged stays the same", async () => {
  const { stored, script } = platform("r1 r2 r3 r4 r5 r6")
  const { requestedPages, more, now, observer, state } = await open(script)
  await more()
  const before = now().data
  await observer.refetch()
  expect(now().data).toBe(before)
  stored.names = "r1 r2 r3"
  await observer.refetch()
  expect(state()).toEqual(["r1 r2 r3", false])
  expect(now().data?.pages[0]?.items).toBe(before?.pages[0]?.items)
  expect(requestedPages()).toEqual([1, 2, 1, 2, 1, 2])
})

test.each([
  ["that has moved on by whole pages", "n1 n2 r1 r2 r3 r4 r5 r6 r7 r8"],
  ["whose second page has moved behind the third", "r1 r2 n1 n2 r5 r6 r3 r4"]
])("a list %s is no repetition", async (_, moved) => {
  const { stored, script } = platform("r1 r2 r3 r4 r5 r6")
  stored.counts = false
  const { more, now, observer, state } = await open(script)
  await more()
  await more()
  stored.names = moved
  await observer.refetch()
  expect(state()).toEqual([moved.slice(0, 17), true])
  await more()
  expect([state(), now().error]).toEqual([[moved.slice(0, 23), true], null])
  await more()
  await more()
  expect([state(), now().error]).toEqual([[moved, false], null])
})

test("an item that the app takes out of a page changes nothing of where the list ends", async () => {
  const { script } = platform("r1 r2 r3 r4")
  const { more, options, queryClient, state } = await open(script)
  await more()
  queryClient.setQueryData(
    options.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ _id }) => _id !== "r1") }))
      }
  )
  expect(state()).toEqual(["r2 r3 r4", false])
})

test("a list that came from elsewhere goes on, and detects what repeats itself from there", async () => {
  const { script } = platform("r1 r2 r3 r4 r5")
  const server = await open(script)
  await server.more()
  const state = JSON.parse(JSON.stringify(dehydrate(server.queryClient)))

  const browser = setup(script)
  hydrate(browser.queryClient, state)
  const options = { ...browser.quartet.infiniteQueryOptions(list, { statusIn: ["pending"] }, { limit: 2 }) }
  const { now, observer } = await observePages(browser.queryClient, { ...options, staleTime: 60_000 })
  expect([shown(now().data), now().hasNextPage, browser.fake.exchanges.length]).toEqual([
    "r1 r2 r3 r4",
    true,
    0
  ])
  await observer.fetchNextPage()
  expect([shown(now().data), now().hasNextPage]).toEqual(["r1 r2 r3 r4 r5", false])
  expect(browser.fake.requests().map(pageOf)).toEqual([3])

  const stuck = setup([Fake.json(200, { items: named("r3 r4"), hasNext: true })])
  hydrate(stuck.queryClient, state)
  const repeated = await observePages(stuck.queryClient, {
    ...options,
    ...stuck.quartet.infiniteQueryOptions(list, { statusIn: ["pending"] }, { limit: 2 }),
    staleTime: 60_000
  })
  await repeated.observer.fetchNextPage()
  await repeated.observer.fetchNextPage()
  expect(repeated.now().error).toMatchObject({ reason: "Paging" })
})

test("with maxPages, pages that were dropped come back from the front", async () => {
  const { script } = platform("r1 r2 r3 r4 r5 r6")
  const fixture = setup(script)
  const options = { ...fixture.quartet.infiniteQueryOptions(list, {}, { limit: 2 }), maxPages: 2 }
  const { now, observer } = await observePages(fixture.queryClient, options)
  const state = () => [now().hasPreviousPage, shown(now().data), now().hasNextPage]
  expect(state()).toEqual([false, "r1 r2", true])
  await observer.fetchNextPage()
  await observer.fetchNextPage()
  expect(state()).toEqual([true, "r3 r4 r5 r6", false])
  await observer.fetchPreviousPage()
  expect(state()).toEqual([false, "r1 r2 r3 r4", true])
  await observer.refetch()
  expect(state()).toEqual([false, "r1 r2 r3 r4", true])
})

test("what a parameter holds does not grow with the list", async () => {
  const queryClient = makeClient()
  const script: Fake.Script = (incoming) => Fake.json(200, named(`a${pageOf(incoming)} b${pageOf(incoming)}`))
  const { quartet } = setup(script)
  const data = await queryClient.fetchInfiniteQuery({ ...quartet.infiniteQueryOptions(list), pages: 9 })
  const sizes = data.pageParams.map((param) => JSON.stringify(param).length)
  expect(data.pages).toHaveLength(9)
  expect(Math.max(...sizes)).toBeLessThan(250)
})

test("an exchange that nobody needs any more is given up in the middle of a list", async () => {
  const { fake, more, stop } = await open((incoming) =>
    pageOf(incoming) === 1 ? Fake.json(200, named("r1 r2")) : "waits"
  )
  void more().catch(() => undefined)
  await flush()
  stop()
  await flush()
  expect(fake.exchanges.map(({ state }) => state)).toEqual(["settled", "abandoned"])
})

test("a range or a call that has no pages is refused before anything is sent", async () => {
  const { fake, quartet, queryClient } = setup([Fake.json(200, [])])
  for (const options of [
    quartet.infiniteQueryOptions(list, {}, { limit: 0 }),
    // @ts-expect-error what programs without types pass
    quartet.infiniteQueryOptions(Admin.contentModels.list),
    // @ts-expect-error what programs without types pass
    quartet.infiniteQueryOptions(list, {}, { size: 3 })
  ])
    expect((await observePages(queryClient, options)).now().error).toMatchObject({ tag: "InputError" })
  expect(fake.exchanges).toHaveLength(0)
})
