/** The lists of platforms that are served here: what ends them, what counts them, and what leads to their next page. */
import type * as Platform from "@quartet/sdk/platform"
import { describe, expect, test } from "vitest"
import { adminOf, failureOf, serve, token } from "./served.js"

const opened = { accessToken: token("ada"), sessionId: "session-1", user: { _id: "a1" } }
const signIn: Platform.SignIn = { legacy: false }
const all = ["1", "2", "3", "4", "5"]

/** An admin of a platform that answers a list of five, each page by a function of its query. */
const adminOfList = async (
  lists: Platform.Lists,
  page: (
    query: URLSearchParams,
    address: string
  ) => readonly [body: unknown, headers?: object, status?: number],
  more: object = {}
) => {
  const server = await serve(({ target }, json) => {
    if (target.startsWith("/auth/admin/login")) return json(opened)
    const { pathname, searchParams } = new URL(target, "http://any")
    const [body, headers = {}, status = 200] = page(searchParams, pathname)
    json(body, status, headers)
  })
  return { ...adminOf(server.url, { signIn, lists }, more), heard: server.heard }
}

const things = (from: number, size: number) => all.slice(from, from + size).map((_id) => ({ _id }))

const idsOf = async (pages: AsyncIterable<{ readonly _id?: unknown }>): Promise<ReadonlyArray<unknown>> => {
  const ids: Array<unknown> = []
  for await (const { _id } of pages) ids.push(_id)
  return ids
}

describe("a list by offsets", () => {
  test.each<readonly [string, unknown, number]>([
    ["an empty page", { data: [] }, 200],
    ["a page of nothing", { data: null }, 200],
    ["an object without a list", {}, 200],
    ["null", null, 200],
    ["no body", undefined, 204],
    ["404", { message: "no such page" }, 404]
  ])("ends at %s, where nothing counts it", async (_, end, status) => {
    const { admin } = await adminOfList({ items: "data", page: { by: "offset" } }, (query) => {
      const from = Number(query.get("offset") ?? 0)
      return from < all.length ? [{ data: things(from, 2) }] : [end, {}, status]
    })
    expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
  })

  test.each([
    { data: null, next: null },
    { data: null, next: "" }
  ])("of cursors ends at %j, which says that nothing follows", async (end) => {
    const { admin } = await adminOfList({ items: "data", next: "next", page: { by: "cursor" } }, (query) => [
      query.has("cursor") ? end : { data: things(0, 5), next: "c2" }
    ])
    expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
  })

  test("goes on where the answer says that there is more, and says so where there is not", async () => {
    const { admin } = await adminOfList({ items: "data", next: "more", page: { by: "offset" } }, (query) =>
      Number(query.get("offset") ?? 0) === 0 ? [{ data: things(0, 2), more: true }] : [{ more: true }]
    )
    expect(await failureOf(idsOf(admin.users.list.pages({})))).toMatchObject({
      _tag: "AnswerError",
      reason: "Paging"
    })
  })

  test("has no page before the first", async () => {
    const { admin, heard } = await adminOfList({ items: "data", page: { by: "offset" } }, () => [
      { data: [] }
    ])
    expect(await failureOf(admin.users.list({ page: 0, limit: 2 }))).toMatchObject({
      _tag: "InputError",
      field: "page",
      rule: expect.stringContaining("must be at least 1")
    })
    expect(heard.filter(({ target }) => !target.startsWith("/auth/admin/login"))).toEqual([])
  })
})

describe("what leads to the next page", () => {
  test("may have dots in its name, as OData's has", async () => {
    const { admin } = await adminOfList(
      { items: "value", total: "@odata.count", next: "@odata.nextLink", page: { by: "link" } },
      (query, path) => {
        const from = Number(query.get("$skip") ?? 0)
        const next = from + 2 < all.length ? { "@odata.nextLink": `http://any${path}?$skip=${from + 2}` } : {}
        return [{ value: things(from, 2), "@odata.count": all.length, ...next }]
      }
    )
    expect((await admin.users.list({})).paging).toMatchObject({ total: 5 })
    expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
  })

  test.each([
    '<NEXT>; crossorigin; rel="next"',
    '<NEXT>; title="the \\"next\\" one; rel=last"; rel=next',
    "<NEXT>; rel='next'",
    '<http://any/first>; rel="first", <NEXT> ; REL = "prefetch next"'
  ])("is read of a header as %s", async (link) => {
    const { admin } = await adminOfList({ items: "data", page: { by: "link" } }, (query, path) => {
      const from = Number(query.get("from") ?? 0)
      const next = { link: link.replace("NEXT", `${path}?from=${from + 2}`) }
      return [{ data: things(from, 2) }, from + 2 < all.length ? next : {}]
    })
    expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
  })
})

describe("the total", () => {
  test.each<readonly [string, unknown]>([
    ["items 0-1/5", 5],
    ["0-1/*", undefined],
    ["5", 5]
  ])("of a header that says %j is %j", async (range, total) => {
    const drifts: Array<unknown> = []
    const { admin } = await adminOfList(
      { items: "data", total: { header: "content-range" } },
      () => [{ data: things(0, 2) }, { "content-range": range }],
      { onDrift: (drift: unknown) => drifts.push(drift) }
    )
    expect([(await admin.users.list({})).paging.total, drifts]).toEqual([total, []])
  })

  test("that is no number is told as drift", async () => {
    const drifts: Array<unknown> = []
    const { admin } = await adminOfList(
      { items: "data", total: "count" },
      () => [{ data: things(0, 2), count: "many" }],
      { onDrift: (drift: unknown) => drifts.push(drift) }
    )
    await admin.users.list({})
    expect(drifts).toMatchObject([{ operation: "users.list", path: "total" }])
  })
})

test.each(["_embedded.users", "_embedded.*"])(
  "a list of HAL at %s may end with a single thing in place of a list",
  async (items) => {
    const { admin } = await adminOfList(
      { items, next: "_links.next", page: { by: "link" } },
      (query, path) => {
        const from = Number(query.get("from") ?? 0)
        // A template leaves open what else may be asked for.
        const next = { href: `${path}?from=${from + 2}&size=2{&sort}`, templated: true }
        const things = [{ _id: "1" }, { _id: "2" }, { _id: "3" }]
        return from === 0
          ? [{ _embedded: { users: things.slice(0, 2) }, _links: { next: [next] } }]
          : [{ _embedded: { users: query.get("size") === "2" ? things[2] : [] }, _links: {} }]
      }
    )
    expect(await idsOf(admin.users.list.pages({}))).toEqual(["1", "2", "3"])
  }
)

test.each([{ meta: { has_more: false } }, { hasMore: false }, { pageInfo: { hasNextPage: false } }])(
  "a list whose last page says %j ends there, whatever leads on from it",
  async (end) => {
    const { admin, heard } = await adminOfList(
      { items: "data", next: "links.next", page: { by: "link" } },
      (query, path) => {
        const from = Number(query.get("from") ?? 0)
        const links = { next: `${path}?from=${from + 2}` }
        return [{ data: things(from, 2), links, ...(from + 2 < all.length ? {} : end) }]
      }
    )
    expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
    expect(heard).toHaveLength(4)
  }
)

test("a list goes on where one flag says so, whatever another one says", async () => {
  const { admin } = await adminOfList(
    { items: "data", next: "links.next", page: { by: "link" } },
    (query, path) => {
      const from = Number(query.get("from") ?? 0)
      const isMore = from + 2 < all.length
      return [
        {
          data: things(from, 2),
          links: { next: `${path}?from=${from + 2}` },
          hasMore: isMore,
          meta: { hasMore: false }
        }
      ]
    }
  )
  expect(await idsOf(admin.users.list.pages({}))).toEqual(all)
})

test.each([{ _embedded: {} }, { _embedded: null }])(
  "%j of HAL is an empty list, and no drift",
  async (empty) => {
    const { admin } = await adminOfList({ items: "_embedded.users" }, () => [empty], { answers: "strict" })
    expect((await admin.users.list({})).items).toEqual([])
  }
)

test("an empty list of HAL has no `_embedded`, and is no drift", async () => {
  const { admin } = await adminOfList(
    { items: "_embedded.*", total: "page.totalElements" },
    () => [{ _links: { self: { href: "/users" } }, page: { totalElements: 0 } }],
    { answers: "strict" }
  )
  expect((await admin.users.list({})).items).toEqual([])
})
