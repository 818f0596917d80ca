/** Lists in all envelopes, asked for in all ways, by bare requests: every way leads to the same rows in the same order. */
import { expect } from "@effect/vitest"
import { served } from "@quartet/support/clients.js"
import { Effect } from "effect"
import type { Dialect } from "../../index.js"
import { accounts } from "../../index.js"
import { type Answered, ask, at, key, listAt } from "./wire.js"

const boxes = "/v1/box"
const ids = (rows: ReadonlyArray<unknown>): ReadonlyArray<unknown> => rows.map((row) => at(row, "_id"))

/** The ids of all boxes in the sandbox's own dialect. */
const usualIds = (url: string) =>
  Effect.map(ask(url, `${boxes}?limit=100`, { headers: key }), ({ body }) => ids(listAt(body, "items")))

/** How a list is read in an envelope: its rows, and its total. */
interface Envelope {
  readonly lists: Dialect["lists"]
  readonly rows: (answer: Answered) => ReadonlyArray<unknown>
  readonly total: string
}

const envelopes: ReadonlyArray<Envelope> = [
  { lists: "paging", rows: ({ body }) => listAt(body, "items"), total: "paging.total" },
  { lists: "data", rows: ({ body }) => listAt(body, "data"), total: "meta.total" },
  { lists: "rows", rows: ({ body }) => listAt(body, "result.rows"), total: "result.count" },
  { lists: "hal", rows: ({ body }) => listAt(body, "_embedded.boxes"), total: "total" },
  { lists: "json-api", rows: ({ body }) => listAt(body, "data"), total: "meta.total" },
  { lists: "by-id", rows: ({ body }) => Object.values(Object(at(body, "items"))), total: "total" },
  { lists: "named", rows: ({ body }) => listAt(body, "boxes"), total: "totalCount" }
]

for (const { lists, rows, total } of envelopes)
  served.with({ dialect: { lists, paging: "offset" } })(
    `a list in the envelope "${lists}" has its rows and its total in places of its own`,
    function* ({ url }) {
      const answer = yield* ask(url, `${boxes}?offset=5&limit=4`, { headers: key })
      const all = yield* ask(url, `${boxes}?limit=100`, { headers: key })
      expect([answer.status, rows(answer).length, at(answer.body, total)]).toEqual([200, 4, 16])
      expect(ids(rows(answer))).toEqual(ids(rows(all)).slice(5, 9))
    }
  )

served.with({ dialect: { lists: "by-id", paging: "offset" } })(
  "a map has each row under its id",
  function* ({ url }) {
    const { body } = yield* ask(url, `${boxes}?limit=3`, { headers: key })
    for (const [id, row] of Object.entries(Object(at(body, "items")))) expect(at(row, "_id")).toBe(id)
  }
)

/** How the next page is found in an answer: its path with its query, or nothing. */
interface Paging {
  readonly dialect: Partial<Dialect>
  readonly first: string
  readonly rows: string
  readonly next: (answer: Answered, seen: number) => string | undefined
}

const counted =
  (from: (seen: number) => string) =>
  (_: Answered, seen: number): string | undefined =>
    seen < 16 ? `${boxes}?${from(seen)}` : undefined

const href =
  (path: string) =>
  ({ body }: Answered): string | undefined => {
    const address = at(body, path)
    return typeof address === "string" ? address : undefined
  }

const linked = ({ headers }: Answered): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]

const cursor =
  (path: string, name = "cursor", limit = "limit") =>
  ({ body }: Answered): string | undefined => {
    const place = at(body, path)
    return typeof place === "string" ? `${boxes}?${name}=${place}&${limit}=5` : undefined
  }

const ways: ReadonlyArray<Paging> = [
  {
    dialect: { lists: "bare", paging: "from-zero" },
    first: "pageNumber=0&pageSize=5",
    rows: "",
    next: counted((seen) => `pageNumber=${seen / 5}&pageSize=5`)
  },
  {
    dialect: { lists: "data", paging: "bracketed" },
    first: "page[number]=1&page[size]=5",
    rows: "data",
    next: counted((seen) => `page[number]=${seen / 5 + 1}&page[size]=5`)
  },
  {
    dialect: { lists: "rows", paging: "offset" },
    first: "offset=0&limit=5",
    rows: "result.rows",
    next: counted((seen) => `offset=${seen}&limit=5`)
  },
  { dialect: { lists: "hal" }, first: "limit=5", rows: "_embedded.boxes", next: href("_links.next.href") },
  {
    dialect: { lists: "json-api", paging: "bracketed" },
    first: "page[size]=5",
    rows: "data",
    next: href("links.next")
  },
  {
    dialect: { lists: "named", paging: "cursor" },
    first: "limit=5",
    rows: "boxes",
    next: cursor("nextCursor")
  },
  {
    dialect: { lists: "data", paging: "cursor" },
    first: "limit=5",
    rows: "data",
    next: cursor("meta.nextCursor")
  },
  {
    dialect: { lists: "rows", paging: "cursor" },
    first: "limit=5",
    rows: "result.rows",
    next: cursor("result.nextCursor")
  },
  {
    dialect: { lists: "hal", paging: "cursor" },
    first: "limit=5",
    rows: "_embedded.boxes",
    next: href("_links.next.href")
  },
  { dialect: { lists: "bare", paging: "link" }, first: "per_page=5", rows: "", next: linked },
  { dialect: { lists: "data", paging: "link" }, first: "per_page=5", rows: "data", next: linked }
]

for (const { dialect, first, next, rows } of ways)
  served.with({ dialect })(
    `all pages of a list, one after the other, are the whole list: ${JSON.stringify(dialect)}`,
    function* ({ url }) {
      const seen: Array<unknown> = []
      let target: string | undefined = `${boxes}?${first}`
      let pages = 0
      while (target !== undefined && pages < 10) {
        const answer: Answered = yield* ask(url, target, { headers: key })
        expect(answer.status).toBe(200)
        seen.push(...ids(listAt(answer.body, rows)))
        pages += 1
        target = next(answer, seen.length)
      }
      expect([pages, seen.length, new Set(seen).size]).toEqual([4, 16, 16])
    }
  )

served.with({ dialect: "edges" })(
  "edges are followed from cursor to cursor, also from amid a page",
  function* ({ url }) {
    const headers = { "x-client-key": accounts.apiKey }
    const first = yield* ask(url, `${boxes}?first=6`, { headers })
    expect(at(first.body, "pageInfo.hasNextPage")).toBe(true)
    expect(at(first.body, "totalCount")).toBe(16)
    const nodes = listAt(first.body, "edges").map((edge) => at(edge, "node.id"))
    const amid = at(first.body, "edges.1.cursor")
    const second = yield* ask(url, `${boxes}?first=4&after=${String(amid)}`, { headers })
    expect(listAt(second.body, "edges").map((edge) => at(edge, "node.id"))).toEqual(nodes.slice(2, 6))
    const last = yield* ask(url, `${boxes}?first=20&after=${String(at(first.body, "pageInfo.endCursor"))}`, {
      headers
    })
    expect([listAt(last.body, "edges").length, at(last.body, "pageInfo.hasNextPage")]).toEqual([10, false])
  }
)

served.with({ dialect: { lists: "named", paging: "cursor", errors: "flat" } })(
  "only the cursor pages: a number of a page and a cursor of another platform are refused",
  function* ({ url }) {
    const page = yield* ask(url, `${boxes}?page=2`, { headers: key })
    expect([page.status, Object.keys(Object(at(page.body, "errors")))]).toEqual([400, ["page"]])
    const strange = yield* ask(url, `${boxes}?cursor=abc`, { headers: key })
    expect([strange.status, Object.keys(Object(at(strange.body, "errors")))]).toEqual([400, ["cursor"]])
  }
)

served.with({ dialect: { lists: "bare", paging: "link", credentials: "query-key" } })(
  "links are references to the same list with the same filters, and hold no key",
  function* ({ url }) {
    const target = `${boxes}?type=M2_WEB_PROPERTY_WISHLIST&per_page=1&page=2&api_key=${accounts.apiKey}`
    const { headers } = yield* ask(url, target)
    const links = headers.get("link") ?? ""
    expect(links).not.toContain(accounts.apiKey)
    expect(links).toContain('</v1/box?type=M2_WEB_PROPERTY_WISHLIST&per_page=1&page=3>; rel="next"')
    expect(links).toContain('</v1/box?type=M2_WEB_PROPERTY_WISHLIST&per_page=1&page=1>; rel="prev"')
    expect(Number(headers.get("x-total-count"))).toBeGreaterThan(2)
  }
)

served.with({ dialect: { lists: "rows", paging: "offset" } })(
  "a search by POST has the parameters of a page in its body",
  function* ({ url }) {
    const search = (page: object) =>
      ask(url, "/ecommerce/item/search", { method: "POST", headers: key, body: page })
    const whole = yield* search({ limit: 10 })
    const part = yield* search({ offset: 3, limit: 4 })
    expect(at(part.body, "result.count")).toBe(250)
    expect(ids(listAt(part.body, "result.rows"))).toEqual(ids(listAt(whole.body, "result.rows")).slice(3, 7))
    const wrong = yield* search({ page: 2 })
    expect([wrong.status, at(wrong.body, "error.field")]).toEqual([400, "page"])
  }
)

served.with({ dialect: { lists: "bare", paging: "link" } })(
  "the link of a search by POST is followed by a POST of the same body",
  function* ({ url }) {
    const search = (target: string) =>
      ask(url, target, { method: "POST", headers: key, body: { type: "apartment" } })
    const first = yield* search("/ecommerce/item/search?per_page=2")
    const second = yield* search(linked(first) ?? "")
    expect([listAt(first.body, "").length, listAt(second.body, "").length]).toEqual([2, 2])
    expect(ids(listAt(second.body, ""))).not.toEqual(ids(listAt(first.body, "")))
  }
)

served.with({ dialect: { parameters: "repeated" } })(
  "values of a list parameter are repeated",
  function* ({ url }) {
    const usual = yield* usualIds(url)
    const both = yield* ask(url, `${boxes}?type=QUIZ_RESULT&type=SURVEY_RESULT&limit=100`, { headers: key })
    const types = listAt(both.body, "items").map((row) => at(row, "type"))
    expect(new Set(types)).toEqual(new Set(["QUIZ_RESULT", "SURVEY_RESULT"]))
    expect(usual.length).toBeGreaterThan(types.length)
  }
)
