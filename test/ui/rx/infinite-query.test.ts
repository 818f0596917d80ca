// A list grows page by page, knows its end, and is read anew as far as it was read.
import { Result } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import type { InfiniteData } from "../../../ui/rx/index.js"
import type * as Fake from "../../support/fake-transport.js"
import { json } from "../../support/fake-transport.js"
import { adminClient, observe, request, send, turn, watch } from "./scripted.js"

const pageOf = ({ path }: { readonly path: string }): number =>
  Number(new URL(path, "https://api.example.com").searchParams.get("page"))

/** A list of `total` requests, `limit` a page, that counts in its versions how often it was read. */
const listOf = (total: number, limit: number): Fake.Script => {
  let version = 0
  return (asked) => {
    version += 1
    const first = (pageOf(asked) - 1) * limit
    const size = Math.max(0, Math.min(limit, total - first))
    const items = Array.from({ length: size }, (_, index) => request(`r${first + index + 1}`, { version }))
    return json(200, { items, paging: { page: pageOf(asked), limit, total } })
  }
}

type Shown = Result.Result<InfiniteData<{ readonly _id: string }>, { readonly _tag: string }>
const list = (result: Shown) => Option.getOrThrow(Result.value(result))
const ids = (result: Shown): string =>
  list(result)
    .items.map(({ _id }) => _id)
    .join(" ")

const open = async (
  script: Fake.Script,
  options: { readonly limit?: number; readonly first?: number } = {}
) => {
  const given = adminClient(script, { staleTime: 1_000_000 })
  const pages = given.client.infiniteQuery(Admin.requests.list, { statusIn: ["pending"] }, options)
  const seen = await observe(given.registry, pages)
  const more = async () => {
    await send(given.registry, pages, undefined)
  }
  return { ...given, pages, more, ...seen }
}

describe("pages", () => {
  test("the first page comes by itself, with the input and the limit", async () => {
    const { fake, last } = await open(listOf(5, 2), { limit: 2 })
    expect(ids(last())).toBe("r1 r2")
    expect(list(last())).toMatchObject({ done: false, paging: { total: 5 } })
    expect(fake.requests()[0]?.path).toBe("/request-action?statusIn=pending&page=1&limit=2&projectId=p1")
  })

  test("each message adds a page, and the end is known with the last one", async () => {
    const { fake, last, more } = await open(listOf(5, 2))
    await more()
    expect([ids(last()), list(last()).done]).toEqual(["r1 r2 r3 r4", false])
    await more()
    expect([ids(last()), list(last()).done]).toEqual(["r1 r2 r3 r4 r5", true])
    await more()
    expect(fake.exchanges).toHaveLength(3)
  })

  test("an empty list is a list, and whole", async () => {
    const { last } = await open(listOf(0, 2))
    expect(list(last())).toMatchObject({ items: [], done: true })
  })

  test("a bare array ends at the first page that is empty, not at one that is short", async () => {
    const { last, more } = await open([json(200, [request("r1")]), json(200, [])], { limit: 2 })
    expect(list(last())).toMatchObject({ done: false })
    await more()
    expect([ids(last()), list(last()).done]).toEqual(["r1", true])
  })

  test("a marker that says so ends the list, as it ends a stream of all pages", async () => {
    const pageAt = (n: number, nextPage: number | null) => json(200, { items: [request(`r${n}`)], nextPage })
    const { last, more } = await open([pageAt(1, 2), pageAt(2, null)])
    await more()
    expect([ids(last()), list(last()).done]).toEqual(["r1 r2", true])
  })

  test("a page that fails keeps the ones before, and is asked for again", async () => {
    let isDown = false
    const good = listOf(4, 2)
    const { fake, last, more } = await open((asked, place) =>
      isDown || typeof good !== "function" ? json(400, {}) : good(asked, place)
    )
    isDown = true
    await more()
    const failed = last()
    expect(failed).toMatchObject({ _tag: "Failure", waiting: false })
    expect(ids(failed)).toBe("r1 r2")
    isDown = false
    await more()
    expect([last()._tag, ids(last())]).toEqual(["Success", "r1 r2 r3 r4"])
    expect(fake.requests().map(pageOf)).toEqual([1, 2, 2])
  })

  test("a platform that answers one page twice is found out", async () => {
    const { last, more } = await open([json(200, [request("r1"), request("r2")])], { limit: 2 })
    await more()
    expect(Option.getOrThrow(Result.error(last()))).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
  })

  test("a platform that answers two pages in turns is found out, and the items stay", async () => {
    const { last, more } = await open((asked) => json(200, [request(`r${pageOf(asked) % 2}`)]))
    await more()
    await more()
    expect(Option.getOrThrow(Result.error(last()))).toMatchObject({
      _tag: "AnswerError",
      message: expect.stringContaining("page 3 is page 1 again")
    })
    expect(ids(last())).toBe("r1 r0")
  })

  test("a search is asked in its payload, from the page that the input says", async () => {
    const { client, registry, fake } = adminClient([json(200, [])])
    watch(
      registry,
      client.infiniteQuery(Admin.orderGroups.search, { payload: { term: "ü", page: 3 } }, { limit: 2 })
    )
    await turn()
    expect(fake.requests().map(({ body }) => body)).toEqual([
      { _tag: "Json", text: '{"term":"ü","page":3,"limit":2}' }
    ])
  })

  test("an input that cannot be paged is an error, and nothing is sent", async () => {
    const { client, registry, fake } = adminClient([json(200, [])])
    const shown = await observe(registry, client.infiniteQuery(Admin.requests.list, { page: -1 }))
    expect(Option.getOrThrow(Result.error(shown.last()))).toMatchObject({ _tag: "InputError", field: "page" })
    expect(fake.exchanges).toHaveLength(0)
  })

  test("a refresh reads as many pages as there were, and shows the old ones until then", async () => {
    const { fake, client, last, more, registry, seen } = await open(listOf(6, 2))
    await more()
    const before = seen.length
    client.invalidate(registry, Admin.requests.list)
    await turn()
    expect(fake.requests().map(pageOf)).toEqual([1, 2, 1, 2])
    expect(seen.slice(before).map(ids)).toEqual(["r1 r2 r3 r4", "r1 r2 r3 r4"])
    expect(list(last()).items).toMatchObject([{ version: 3 }, { version: 3 }, { version: 4 }, { version: 4 }])
  })

  test("a page more does not make the pages before it any newer", async () => {
    const { clock, fake, leave, more, pages, registry } = await open(listOf(6, 2))
    clock.pass(900_000)
    await more()
    await leave()
    clock.pass(200_000)
    await observe(registry, pages)
    expect(fake.requests().map(pageOf)).toEqual([1, 2, 1, 2])
  })

  test("a list whose refresh failed is still to be refreshed after a page more", async () => {
    let isDown = false
    const good = listOf(6, 2)
    const { fake, client, leave, more, pages, registry } = await open((asked, place) =>
      isDown || typeof good !== "function" ? json(400, {}) : good(asked, place)
    )
    isDown = true
    client.invalidate(registry, "requests")
    await turn()
    isDown = false
    await more()
    await leave()
    await observe(registry, pages)
    expect(fake.requests().map(pageOf)).toEqual([1, 1, 2, 1, 2])
  })

  test("a page that is asked for while the list is refreshed comes after it", async () => {
    const { client, last, pages, registry } = await open(listOf(6, 2))
    client.invalidate(registry, Admin.requests.list)
    await send(registry, pages, undefined)
    expect(ids(last())).toBe("r1 r2 r3 r4")
  })

  test("a message while a page is under way asks for nothing twice", async () => {
    const { fake, last, pages, registry } = await open(listOf(6, 2))
    registry.set(pages, undefined)
    await send(registry, pages, undefined)
    expect(ids(last())).toBe("r1 r2 r3 r4")
    expect(fake.exchanges).toHaveLength(2)
  })

  test("who comes back goes on where the list was left", async () => {
    const { fake, leave, more, pages, registry } = await open(listOf(6, 2))
    await more()
    await leave()
    const back = await observe(registry, pages)
    expect(ids(back.last())).toBe("r1 r2 r3 r4")
    await send(registry, pages, undefined)
    expect(ids(back.last())).toBe("r1 r2 r3 r4 r5 r6")
    expect(fake.exchanges).toHaveLength(3)
  })

  test("numbers begin where the caller says", async () => {
    const { fake, more } = await open([json(200, [request("a"), request("b")])], { first: 0, limit: 2 })
    await more()
    expect(fake.requests().map(pageOf)).toEqual([0, 1])
  })
})
