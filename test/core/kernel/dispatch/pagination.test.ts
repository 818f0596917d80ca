// All pages of a list as a Stream: never silently short, always at an end, and nothing asked for that nobody wants.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Chunk, Deferred, Effect, Either, FastCheck as FC, Fiber, Logger, Schema, Stream } from "effect"
import * as Page from "../../../../core/kernel/codec/page.js"
import type { Args, Call } from "../../../../core/kernel/dispatch/dispatcher.js"
import * as PageSource from "../../../../core/kernel/dispatch/page-source.js"
import * as Pagination from "../../../../core/kernel/dispatch/pagination.js"
import { pages } from "../../../../core/kernel/dispatch/streaming.js"
import { AnswerError, type CallError, NotFound, ServerFault } from "../../../../core/kernel/errors/errors.js"
import { type Page as PageType, page as pageOf } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"

interface PageInput {
  readonly [field: string]: unknown
  readonly page: number
  readonly limit?: number
}

/** What a page of items is answered as; `number` counts from 1. */
type Style = (items: ReadonlyArray<unknown>, about: About) => unknown
interface About {
  readonly size: number
  readonly limit: number
  readonly number: number
  readonly pages: number
  readonly hasMore: boolean
}

const bare: Style = (items) => items
const decode = Page.decoder(pageOf(Schema.Unknown))
const read = (answer: unknown): PageType<unknown> =>
  Either.getOrThrow(decode(JSON.parse(JSON.stringify(answer)), "", () => undefined))

const declared = {
  method: "GET",
  path: "things",
  audiences: ["admin"],
  success: pageOf(Schema.Unknown)
} as const
const list: Operation<Entity.AnyQuery, PageType<unknown>, "admin"> = Operation.make("things.list", () => ({
  ...declared,
  input: Entity.AnyQuery
}))
const search: Operation<Entity.WithPayload, PageType<unknown>, "admin"> = Operation.make(
  "things.search",
  () => ({ ...declared, method: "POST", input: Entity.WithPayload })
)

/** An operation bound to a function that plays the platform. */
const bound = <I, A>(
  operation: Operation<I, PageType<A>, "admin">,
  get: (input: I) => Effect.Effect<PageType<A>, CallError>
): Call<I, PageType<A>, "admin", never> =>
  Object.assign((...[input]: Args<I>) => get(input as I), {
    operation,
    client: "test",
    as: () => expect.unreachable("nothing is narrowed here")
  })

type Get = (request: PageInput) => unknown

/** All pages of a platform that is played by a function, which may fail a page. */
const walk = (get: Get, options?: PageSource.PageRange, input: Entity.AnyQuery = {}) => {
  const answer = (request: PageInput) =>
    Effect.suspend(() => {
      const found = get(request)
      return found instanceof Error ? Effect.fail(found as CallError) : Effect.succeed(read(found))
    })
  return pages(
    bound(list, (request) => answer(request as PageInput)),
    input,
    options
  )
}

/** A platform with a list of `size` items that gives at most `most` of them a page. */
const platform = (size: number, style: Style = bare, { most = 10, base = 1 } = {}) => {
  const requests: Array<PageInput> = []
  const get = (request: PageInput): unknown => {
    requests.push(request)
    const limit = Math.min(request.limit ?? most, most)
    const number = request.page - base + 1
    const about = { size, limit, number, pages: Math.ceil(size / limit), hasMore: number * limit < size }
    return style(numbers(size).slice(Math.max(0, number - 1) * limit, number * limit), about)
  }
  return { get, requests }
}

const numbers = (size: number) => Array.from({ length: size }, (_, n) => ({ _id: `n${n}` }))
const all = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)
/** All items of a list of 25 that is answered in a style. */
const whole = (style: Style, options?: PageSource.PageRange) => all(walk(platform(25, style).get, options))

/** The items that came before an error, and the error. */
const broken = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.gen(function* () {
    const items: Array<A> = []
    const error = yield* Effect.flip(Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))))
    return { items, error }
  })

/** What is written to the log while an effect runs. */
const logged = <A, E>(effect: Effect.Effect<A, E>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    lines.push(`${logLevel.label} ${String(message)}`)
  })
  const listening = Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
  return Effect.map(listening, (value) => [value, lines] as const)
}

const paging = { _tag: "AnswerError", reason: "Paging", operation: "things.list" }
const styles = {
  "bare arrays": bare,
  "{ items, total }": (items, { size }) => ({ items, total: size }),
  "{ items, pages }": (items, { pages }) => ({ items, pages }),
  "{ items, paging: { page, limit, total, pages } }": (items, { limit, number, pages, size }) => ({
    items,
    paging: { page: number, limit, total: size, pages }
  }),
  "{ meta: { totalPages } }": (data, { pages }) => ({ data, meta: { totalPages: pages } }),
  "{ paging: { count, hasNext } } with the whole list's count": (items, { hasMore, size }) => ({
    items,
    paging: { count: size, hasNext: hasMore }
  }),
  "{ paging: { count, hasNext } } with the page's own count": (items, { hasMore }) => ({
    items,
    paging: { count: items.length, hasNext: hasMore }
  }),
  "{ items, count } with the page's own count": (items) => ({ items, count: items.length }),
  "{ items, nextPage }": (items, { hasMore, number }) => ({ items, nextPage: hasMore ? number + 1 : null }),
  "{ items, nextPage } that is left out on the last page": (items, { hasMore, number }) => ({
    items,
    ...(hasMore ? { nextPage: number + 1 } : {})
  }),
  "{ data, has_more }": (data, { hasMore }) => ({ data, has_more: hasMore }),
  "{ data, links: { next }, meta: { current_page, last_page } }": (data, { hasMore, number, pages }) => ({
    data,
    links: { first: "/things?page=1", next: hasMore ? `/things?page=${number + 1}` : null },
    meta: { current_page: number, last_page: pages }
  }),
  "{ content, last, totalElements }": (content, { hasMore, size }) => ({
    content,
    last: !hasMore,
    totalElements: size
  }),
  "{ docs, totalDocs, hasNextPage }": (docs, { hasMore, size }) => ({
    docs,
    totalDocs: size,
    hasNextPage: hasMore
  }),
  "{ results, count, next }": (results, { hasMore, size }) => ({
    results,
    count: size,
    next: hasMore ? "https://x.test/things?page=9" : null
  }),
  "{ items, nextCursor } beside pages": (items, { hasMore }) => ({ items, nextCursor: hasMore ? "c" : null }),
  "{ data, meta: { took }, totalCount }": (data, { size }) => ({ data, meta: { took: 3 }, totalCount: size }),
  "{ data, meta: { pagination: { pageCount } } }": (data, { pages }) => ({
    data,
    meta: { pagination: { pageCount: pages } }
  })
} satisfies Record<string, Style>
const named: ReadonlyArray<readonly [string, Style]> = Object.entries(styles)
const total = styles["{ items, total }"]

describe.each(named)("all pages of a list that is answered as %s", (_, style) => {
  effect.prop(
    "are all items, each once, in order, and at most one request more than there are pages",
    [FC.nat({ max: 60 }), FC.integer({ min: 1, max: 12 })],
    function* ([size, limit]) {
      const { get, requests } = platform(size, style, { most: 12 })
      expect(yield* all(walk(get, { limit }))).toEqual(numbers(size))
      expect(requests.map(({ page }) => page)).toEqual(requests.map((_, at) => at + 1))
      expect(requests.length).toBeLessThanOrEqual(Math.ceil(size / limit) + 1)
    },
    25
  )

  effect("of a platform that counts from 0 are all with `first: 0`", function* () {
    const { get, requests } = platform(25, style, { base: 0 })
    expect(yield* all(walk(get, { first: 0 }))).toEqual(numbers(25))
    expect(requests.map(({ page }) => page).slice(0, 3)).toEqual([0, 1, 2])
  })
})

const empty = new AnswerError({ operation: "things.list", reason: "Empty", rule: "is empty" })
const missing = new NotFound({ operation: "things.list", status: 404 })
const fault = new ServerFault({ operation: "things.list", status: 500, retryable: true })

describe("the end of a list", () => {
  const requests = (size: number, style: Style) => {
    const { get, requests } = platform(size, style)
    return Effect.map(Stream.runDrain(walk(get)), () => requests.length)
  }

  effect.each(named)(
    "is where a count or a marker says so, and nothing more is asked for: %s",
    ([name, style]) => {
      const silent = ["bare arrays", "{ items, count }", "left out", "nextCursor"]
      const expected = silent.some((text) => name.includes(text)) ? 3 : 2
      return Effect.map(requests(20, style), (found) => expect(found).toBe(expected))
    }
  )

  effect("is not a page that is shorter than what was asked for: a platform may give less", function* () {
    const { get, requests } = platform(25)
    expect(yield* all(walk(get, { limit: 100 }))).toHaveLength(25)
    expect(requests.map(({ limit, page }) => [page, limit])).toEqual([1, 2, 3, 4].map((page) => [page, 100]))
  })

  effect.each<readonly [string, Style, PageSource.PageRange?]>([
    ["where one of two signs says more", (items, { size }) => ({ items, total: size, hasNext: false })],
    ["where a total is smaller than what came", (items) => ({ items, paging: { total: 5 } }), { first: 1 }],
    ["where there are 0 pages", (items) => ({ items, paging: { pages: 0 } }), { first: 1 }],
    ["where there are 0 items", (items) => ({ items, paging: { total: 0, pages: 0 } }), { first: 1 }],
    ["where a cursor may be another's", (items, { number }) => ({ items, page: number, nextCursor: null })],
    ["where a total may be the page's", (items) => ({ items, total: items.length })],
    ["where it may, beside a limit", (items, { limit }) => ({ items, total: items.length, limit })],
    ["where `next` is empty", (items, { number }) => ({ items, next: number < 3 ? { page: 2 } : {} })],
    [
      "by numbers that stand for places in the list",
      (items, { limit, number }) => ({
        items,
        pageInfo: { first: (number - 1) * limit, last: items.length === 0 ? 0 : number * limit, size: limit }
      })
    ]
  ])("is not said %s", ([, style, options]) =>
    Effect.map(whole(style, options), (found) => expect(found).toEqual(numbers(25)))
  )

  effect.each<readonly [string, Style]>([
    ["15 of 1000 items", (items) => (items.length === 0 ? [] : { items, total: 1_000, pages: 9 })],
    ["3 of 9 pages", (items) => (items.length === 0 ? [] : { items, pages: 9 })]
  ])("before all that was counted is written to the log: %s", function* ([rule, style]) {
    const [items, lines] = yield* logged(all(walk(platform(15, style).get, { limit: 5 })))
    expect(items).toEqual(numbers(15))
    expect(lines).toEqual([`WARN things.list: the list ends at page 4, which is empty after ${rule}`])
  })

  const more = [{ hasNext: true }, { nextPage: 9 }, { totalPages: 3 }, { next: { href: "/x" } }]
  effect.each(more)("is not an empty page that says there is more, %j: the walk goes on", function* (said) {
    const style: Style = (items, { number }) =>
      number >= 5 ? items : { items: number === 2 ? [] : items, ...said }
    expect(yield* whole(style)).toEqual(numbers(25).filter((_, at) => at < 10 || at >= 20))
  })

  effect("comes with an error where empty pages say without an end that there is more", function* () {
    const { get, requests } = platform(15, (items) => ({ items, hasNext: true }))
    const { error, items } = yield* broken(walk(get))
    expect(items).toEqual(numbers(15))
    expect(error).toMatchObject(paging)
    expect(error.message).toContain("pages 3 to 12 are empty or bring nothing new")
    expect(requests).toHaveLength(12)
  })

  effect("is a page after the first that is not found, without a body, or null", function* () {
    for (const error of [empty, missing]) {
      const { get } = platform(25)
      expect(yield* all(walk((request) => (request.page === 4 ? error : get(request))))).toEqual(numbers(25))
    }
    expect(decode(null, "")).toMatchObject({ left: { reason: "Empty" } })
  })

  const one = { _id: "n1" }
  effect.each<readonly [name: string, answer: unknown, items: ReadonlyArray<unknown>]>([
    ["null", null, []],
    ["an empty object", {}, []],
    ["fields without a list", { ok: true }, []],
    ["one object", one, [one]],
    ["text", "done", ["done"]]
  ])("is an answer that is no list, at once: %s", function* ([, answer, items]) {
    const requests: Array<number> = []
    const get = (always: unknown) => (request: PageInput) => {
      requests.push(request.page)
      return request.page === 1 && always === "later" ? numbers(10) : answer
    }
    expect(yield* all(walk(get("always")))).toEqual(items)
    expect(requests).toEqual([1])
    expect(yield* all(walk(get("later")))).toEqual([...numbers(10), ...items])
    expect(requests).toEqual([1, 1, 2])
  })

  effect("comes where the lists stand one level down as where they do not", function* () {
    expect(yield* whole((items) => ({ data: { items } }))).toEqual(numbers(25))
    expect(yield* whole((items, { size }) => ({ data: { items, total: size } }))).toEqual(numbers(25))
  })

  const announcing: ReadonlyArray<Style> = [(items) => ({ items, hasNext: true }), total]
  effect.each(
    announcing.flatMap((style) => [null, {}, { ok: true }].map((answer) => [answer, style] as const))
  )(
    "is no %j where more was announced, by a flag or by a count: that fails the walk",
    function* ([answer, style]) {
      const { get } = platform(25, style)
      const { error, items } = yield* broken(walk((request) => (request.page === 2 ? answer : get(request))))
      expect(items).toEqual(numbers(10))
      expect(error).toMatchObject(paging)
      expect(error.message).toContain("page 2 is no list, though page 1 said that there is more")
    }
  )

  effect(
    "comes with an error where fields without a list say without an end that there is more",
    function* () {
      const { error, items } = yield* broken(walk(() => ({ hasNext: true })))
      expect([items, error]).toMatchObject([[], paging])
    }
  )

  effect.each<readonly [string, CallError, number, Style, number]>([
    ["no first page that is not found", missing, 1, bare, 0],
    ["none that was announced", missing, 2, total, 10],
    ["no fault", fault, 3, bare, 20]
  ])(
    "is %s: that fails the walk, after the items of those before it",
    function* ([, failure, page, style, count]) {
      const { get } = platform(25, style)
      const found = yield* broken(walk((request) => (request.page === page ? failure : get(request))))
      expect(found).toEqual({ error: failure, items: numbers(count) })
    }
  )

  effect("is where that one page more is the same again", function* () {
    for (const about of [{ total: 3 }, { nextCursor: null }])
      expect(yield* all(walk(() => ({ items: numbers(3), ...about })))).toEqual(numbers(3))
  })

  effect.each<readonly [no: unknown, yes: unknown]>([
    ["false", "true"],
    [0, 1],
    ["0", "1"],
    ["False", "True"]
  ])("is said by booleans that are text or numbers, too: %j", function* ([no, yes]) {
    const hasNext: Style = (items, { hasMore }) => ({ items, hasNext: hasMore ? yes : no })
    const isLast: Style = (items, { hasMore }) => ({ items, isLast: hasMore ? no : yes })
    for (const style of [hasNext, isLast]) {
      expect(yield* requests(25, style)).toBe(3)
      expect(yield* whole(style)).toEqual(numbers(25))
    }
  })

  effect("is nothing to write of where a walk began later", () =>
    Effect.map(logged(whole(total, { first: 3 })), (found) =>
      expect(found).toEqual([numbers(25).slice(20), []])
    )
  )
})

/** Pages of these sizes, one after another. */
const sized =
  (sizes: ReadonlyArray<number>, about: object = {}): Get =>
  ({ page }) => {
    const start = sizes.slice(0, page - 1).reduce((sum, size) => sum + size, 0)
    return { items: numbers(start + (sizes[page - 1] ?? 0)).slice(start), ...about }
  }

describe("a list is never short without a word", () => {
  effect("where pages before a later start were shorter than those after it", function* () {
    const [items, lines] = yield* logged(all(walk(sized([5, 10, 5], { total: 20 }), { first: 2 })))
    expect([items, lines]).toEqual([numbers(20).slice(5), []])
  })

  effect("where a walk that began later ends too early, as far as can be known", function* () {
    const [items, lines] = yield* logged(all(walk(sized([10, 10, 10], { total: 100 }), { first: 2 })))
    expect(items).toEqual(numbers(30).slice(10))
    expect(lines).toEqual([
      "WARN things.list: the list ends at page 4, which is empty after at most 30 of 100 items"
    ])
    const [, ofPages] = yield* logged(all(walk(sized([10, 10, 10], { pages: 9 }), { first: 2 })))
    expect(ofPages).toEqual(["WARN things.list: the list ends at page 9, which is empty after 8 of 9 pages"])
  })

  effect("where items that come again would fill up the total", function* () {
    const overlapping: Get = ({ page }) => ({
      items: [numbers(10), numbers(18).slice(8), numbers(20).slice(18)][page - 1] ?? [],
      total: 20
    })
    const items = yield* all(walk(overlapping))
    expect(new Set(items.map((item) => (item as { _id: string })._id)).size).toBe(20)
    const unpaged: Get = ({ page }) => ({
      items: numbers(10).slice(page === 1 ? 0 : 1),
      total: page === 1 ? 20 : 19
    })
    expect((yield* broken(walk(unpaged))).error).toMatchObject(paging)
  })

  effect("where rows without ids are alike, which count as often as they come", function* () {
    const alike: Get = ({ page }) => ({ items: page > 2 ? [] : Array(10).fill({ color: "red" }), total: 20 })
    const [items, lines] = yield* logged(all(walk(alike)))
    expect([items.length, lines]).toEqual([20, []])
  })

  effect("where the answer for a page is one thing, though more was announced", function* () {
    const interrupted =
      (get: Get): Get =>
      (request) =>
        request.page === 2 ? { _id: "n99", message: "later" } : get(request)
    const [items, lines] = yield* logged(all(walk(interrupted(sized([10, 10, 5], { total: 25 })))))
    expect(items).toHaveLength(16)
    expect(lines).toEqual(["WARN things.list: the list ends at page 4, which is empty after 16 of 25 items"])
    const flagged: Get = (request) => ({ ...Object(sized([10, 10, 5])(request)), hasNext: request.page < 3 })
    expect(yield* all(walk(interrupted(flagged)))).toHaveLength(16)
  })

  effect("where later pages are the first one again", function* () {
    const circling =
      (about: object): Get =>
      ({ page }) => ({ ...Object(sized([10, 10, 10])({ page: page < 4 ? page : 1 })), ...about })
    expect((yield* broken(walk(circling({ total: 40 })))).error).toMatchObject(paging)
    const [items, lines] = yield* logged(all(walk(circling({ pages: 4 }))))
    expect(items).toHaveLength(40)
    expect(lines).toEqual(["WARN things.list: the list ends at page 4, which brings nothing new"])
  })
})

describe("what an answer says of its list", () => {
  effect("is what the source's own reader makes of it, where it has one", function* () {
    const { get, requests } = platform(25, (items, { hasMore }) => ({
      items,
      paging: { rest: hasMore ? "yes" : "no" }
    }))
    const source = yield* PageSource.make(list, {}, {}, ({ paging }) => ({ more: paging.rest === "yes" }))
    const items: Array<unknown> = []
    let step: Pagination.Step<unknown> | undefined
    while (step?.done !== true) {
      step = yield* Pagination.next(
        source,
        (input) => Effect.sync(() => read(get(input as PageInput))),
        step?.place
      )
      items.push(...step.page.items)
    }
    expect(items).toEqual(numbers(25))
    expect(requests).toHaveLength(3)
  })
})

describe("a platform that counts from 0, without `first: 0`", () => {
  const counted = named.filter(([name]) => /total|pages }|whole|pageCount|results/i.test(name))

  effect.each(counted)("is found out by its counts: %s", function* ([, style]) {
    const { error, items } = yield* broken(walk(platform(25, style, { base: 0 }).get))
    expect(items).toEqual(numbers(25).slice(10))
    expect(error).toMatchObject(paging)
    expect(error.message).toContain("one page is missing. Pass `first: 0`")
  })

  effect("is found out where its one page was left out", function* () {
    const { error, items } = yield* broken(walk(platform(5, total, { base: 0 }).get))
    expect(items).toEqual([])
    expect(error.message).toBe(
      "things.list: the answer ends at page 1, which is empty after 0 of 5 items: one page is missing. " +
        "Pass `first: 0` where the platform counts its pages from 0, `first: 1` where it counts from 1"
    )
  })

  const spring: Style = (content, { hasMore, limit, number, pages, size }) => ({
    content,
    totalElements: size,
    totalPages: pages,
    last: !hasMore,
    first: number === 1,
    number: number - 1,
    size: limit
  })
  effect.each<readonly [string, Style]>([
    ["Spring", spring],
    ["Spring without `first`", (items, about) => ({ ...Object(spring(items, about)), first: undefined })],
    ["{ items, total }", total],
    ["{ items, total, limit }", (items, { limit, size }) => ({ items, total: size, limit })],
    ["{ items, meta }", (items, { limit, size }) => ({ items, meta: { total: size, perPage: limit } })],
    ["{ meta: { totalPages } }", styles["{ meta: { totalPages } }"]],
    ["{ docs, hasPrevPage }", (docs, at) => ({ docs, hasNextPage: at.hasMore, hasPrevPage: at.number > 1 })],
    ["{ nodes, hasPreviousPage }", (items, at) => ({ items, pageInfo: { hasPreviousPage: at.number > 1 } })]
  ])("is found out by two pages, the second not full: %s", function* ([, style]) {
    for (const options of [{}, { limit: 10 }, { limit: 100 }]) {
      const { get } = platform(12, style, { base: 0 })
      const { error } = yield* broken(walk(get, options))
      expect(error).toMatchObject(paging)
      expect(error.message).toContain("Pass `first: 0`")
      expect(yield* all(walk(get, { ...options, first: 0 }))).toEqual(numbers(12))
    }
  })

  effect.each<readonly [PageSource.PageRange, Entity.AnyQuery]>([
    [{ first: 1 }, {}],
    [{}, { page: 1 }]
  ])("is believed where the caller says where the pages begin: %j", function* ([options, input]) {
    const { get } = platform(25, total, { base: 0 })
    const [items, lines] = yield* logged(all(walk(get, options, input)))
    expect([items.length, lines.length]).toEqual([15, 1])
  })
})

describe("the input of a list", () => {
  effect.each<readonly [string, PageSource.PageRange, Entity.AnyQuery, number, object]>([
    ["says what a page holds, too", {}, { page: 3, limit: 9, type: "x" }, 18, { limit: 9, type: "x" }],
    ["may say where the list begins as text", {}, { page: "3" }, 20, {}],
    ["gives way to the options", { first: 3, limit: 10 }, { page: 7, limit: 9 }, 20, { limit: 10 }]
  ])("%s", function* ([, options, input, from, kept]) {
    const { get, requests } = platform(25)
    expect(yield* all(walk(get, options, input))).toEqual(numbers(25).slice(from))
    expect(requests).toEqual([3, 4].map((page) => ({ ...kept, page })))
  })

  // Spec 9.8
  effect("that asks for no page size leaves it to the platform", function* () {
    const { get, requests } = platform(25, total)
    expect(yield* all(walk(get))).toHaveLength(25)
    expect(requests).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }])
  })

  effect("stays what it was when the walk began, whatever is done to it meanwhile", function* () {
    const { get, requests } = platform(25)
    const input = { type: "x", statusIn: ["a"], since: new Date(0) }
    const change = () => {
      input.type = "y"
      input.statusIn.push("b")
      input.since.setTime(1)
    }
    yield* Stream.runForEach(walk(get, {}, input), () => Effect.sync(change))
    const kept = { type: "x", statusIn: ["a"], since: new Date(0) }
    expect(requests.map(({ page, ...rest }) => rest)).toEqual(Array(4).fill(kept))
  })

  effect("of a search says so in its payload, which is refused where it is no object", function* () {
    const requests: Array<unknown> = []
    const call = bound(search, (input) =>
      Effect.sync(() => {
        requests.push(input)
        return read([])
      })
    )
    for (const payload of [undefined, null, "term", ["term"]])
      expect((yield* broken(pages(call, { payload }))).error).toMatchObject({
        _tag: "InputError",
        field: "payload"
      })
    const wrong = yield* broken(pages(call, { payload: { page: "x" } }))
    expect(wrong.error).toMatchObject({ field: "payload.page" })
    yield* all(pages(call, { payload: { term: "ü", page: 4, limit: 5 } }))
    yield* all(pages(call, { payload: { term: "ü" } }, { limit: 50 }))
    expect(requests).toEqual([
      { payload: { term: "ü", page: 4, limit: 5 } },
      { payload: { term: "ü", page: 1, limit: 50 } }
    ])
  })

  effect.each<readonly [object, Entity.AnyQuery, string]>([
    ...[-1, 1.5, Number.NaN, null].map((first) => [{ first }, {}, "first"] as const),
    ...[null, 0, -1, Number.POSITIVE_INFINITY].map((limit) => [{ limit }, {}, "limit"] as const),
    ...["last", -1, null].map((page) => [{}, { page }, "page"] as const),
    [{ idempotencyKey: "for one call" }, {}, "idempotencyKey"]
  ])("that cannot be one is refused, and nothing is sent: %j", function* ([options, input, field]) {
    const { get, requests } = platform(25)
    expect((yield* broken(walk(get, options, input))).error).toMatchObject({ _tag: "InputError", field })
    expect(requests).toEqual([])
  })

  effect("that takes no page is refused, where the types were passed over", function* () {
    const make = () => ({ ...declared, input: Entity.Nothing })
    const once: Operation<Entity.Nothing, PageType<unknown>, "admin"> = Operation.make("things.all", make)
    const call = bound(once, () => Effect.succeed(read([{}])))
    expect((yield* broken(pages(call, {} as never))).error.message).toBe(
      'things.all: the field "page" is not taken by this call: it does not answer a list page by page. Nothing was sent.'
    )
  })

  effect.each([undefined, null, 5, () => undefined])("is refused where the call is none: %s", (call) =>
    Effect.map(broken(pages(call as never, {})), ({ error }) =>
      expect(error).toMatchObject({ _tag: "InputError", operation: "pages", field: "call" })
    )
  )
})

describe("a list whose pages bring nothing new", () => {
  /** Steps of a linear congruence: the same at each run. */
  const chances = () => {
    let at = 1
    return () => {
      at = (at * 48_271) % 2_147_483_647
      return at / 2_147_483_647
    }
  }

  effect("ends with an error: ten of 25 items by chance, whatever page is asked for", function* () {
    const chance = chances()
    const get = () => {
      const shuffled = numbers(25).map((item) => [chance(), item] as const)
      return shuffled.sort(([one], [other]) => one - other).flatMap(([, item], at) => (at < 10 ? [item] : []))
    }
    const { error, items } = yield* broken(walk(get))
    expect(error).toMatchObject(paging)
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(25)
    expect(items.length).toBeLessThanOrEqual(300)
  })

  const items = [{ id: "i0" }, { _id: 7 }, { id: 7 }, { key: "k" }, { uuid: "u" }, { _id: {}, id: 1 }]
  effect.each(items)(
    "ends at its second page whatever its items are known by, though other fields change, and says so: %j",
    function* (item) {
      let at = 0
      const [found, lines] = yield* logged(all(walk(() => [{ ...item, syncedAt: at++ }])))
      expect(found).toHaveLength(1)
      expect(lines).toEqual([
        "WARN things.list: the list ends, because page 2 is page 1 again: it may be that the platform does not page this list"
      ])
    }
  )

  effect("ends with an error where its items are known by nothing and all alike", function* () {
    const { error, items } = yield* broken(walk(() => [{ status: "ok" }, { status: "ok" }]))
    expect(error.message).toContain("pages 2 to 11 are empty or bring nothing new")
    expect(items).toHaveLength(20)
  })

  const codes = (page: number) => Array.from({ length: 10 }, (_, at) => ({ id: "USD", at: page * 10 + at }))
  const alike: Get = ({ page }) => (page > 3 ? [] : Array(page === 3 ? 4 : 10).fill({ status: "ok" }))
  const moved = [[], numbers(10), numbers(8).slice(3), numbers(20).slice(10), numbers(25).slice(20)]
  effect.each<readonly [string, number, Get]>([
    ["where what looks like an id is not one", 120, ({ page }) => (page > 12 ? [] : codes(page))],
    ["where a few pages of unknown items are alike", 24, alike],
    ["though items move while it is read", 30, ({ page }) => moved[page] ?? []],
    ["where pages begin and end alike", 12, ({ page }) => (page > 4 ? [] : [{ n: 0 }, { n: page }, { n: 0 }])]
  ])("is whole %s", ([, count, get]) =>
    Effect.map(all(walk(get)), (found) => expect(found).toHaveLength(count))
  )
})

describe("a page that was met before", () => {
  const turning =
    (period: number, before = 0) =>
    (request: { readonly page: number }) => {
      const number =
        request.page <= before ? request.page : before + ((request.page - before - 1) % period) + 1
      return [{ _id: `${number}a` }, { _id: `${number}b` }]
    }
  const { get: of25 } = platform(25)
  const again = "things.list: the answer repeats itself:"
  let clock = 0
  const stamped = () => numbers(3).map((item) => ({ ...item, servedAt: clock++ }))

  const from =
    (least: number): Get =>
    (request) =>
      of25({ ...request, page: Math.max(request.page, least) })
  const upTo =
    (most: number): Get =>
    (request) =>
      of25({ ...request, page: Math.min(request.page, most) })
  const perDay: Get = ({ page }) => (page === 1 ? ["A", "B"] : ["USD", "EUR"]).map((id) => ({ id, at: page }))
  const shuffled: Get = ({ page }) => (page % 2 === 0 ? numbers(3).reverse() : numbers(3))

  effect.each<readonly [string, Get, PageSource.PageRange, number, string]>([
    [
      "is the first one, as long as was asked for, where the platform does not read the page",
      () => numbers(10),
      { limit: 10 },
      10,
      `${again} page 2 is page 1 again: it may be that the platform does not page this list`
    ],
    ["is page 0 where pages begin at 1", from(1), { first: 0 }, 10, "page 1 is page 0 again: it may be that"],
    ["says what to pass there", from(1), { first: 0 }, 10, "pass `first: 1`"]
  ])("%s: that fails the walk", function* ([, get, options, count, message]) {
    const { error, items } = yield* broken(walk(get, options))
    expect(error).toMatchObject({ ...paging, message: expect.stringContaining(message) })
    expect(items).toHaveLength(count)
  })

  effect.each<readonly [string, Get, PageSource.PageRange, number, number]>([
    ["the last one, answered for all later ones", upTo(3), {}, 25, 1],
    ["the last one, as long as was asked for", upTo(3), { limit: 5 }, 15, 1],
    ["the whole list, shorter than was asked for", () => numbers(3), { limit: 10 }, 3, 1],
    ["the whole list, with the time stamped on it", stamped, {}, 3, 1],
    ["the whole list, shuffled", shuffled, {}, 3, 1],
    ["rows of a later day, with ids that say nothing of the day", perDay, {}, 4, 1]
  ])("ends the list where it is the one before it: %s", function* ([, get, options, count, warnings]) {
    const [items, lines] = yield* logged(all(walk(get, options)))
    expect([items.length, lines.length]).toEqual([count, warnings])
  })

  effect("is no end where more is announced", function* () {
    const { error } = yield* broken(walk((request) => ({ items: upTo(3)(request), hasMore: true })))
    expect(error).toMatchObject(paging)
  })

  effect.prop(
    "is found in a circle of any length, wherever it begins",
    [FC.integer({ min: 1, max: 40 }), FC.nat({ max: 40 }), FC.nat({ max: 3 })],
    function* ([period, before, first]) {
      const get = (request: PageInput) => turning(period, before)({ page: request.page - first + 1 })
      const { items } = yield* period === 1
        ? Effect.map(logged(all(walk(get, { first }))), ([items]) => ({ items }))
        : Effect.tap(broken(walk(get, { first })), ({ error }) => expect(error).toMatchObject(paging))
      const known = new Set(items.map((item) => JSON.stringify(item)))
      expect(known.size).toBe(2 * (before + period))
      expect(items.length).toBeLessThanOrEqual(known.size + 20)
    },
    50
  )

  effect("is found in a circle that is longer than what is remembered of pages and of items", function* () {
    const get: Get = ({ page }) => Array.from({ length: 10 }, (_, at) => ({ _id: `${page % 1_100} ${at}` }))
    const { error } = yield* broken(walk(get))
    expect(error).toMatchObject(paging)
    expect(error.message).toMatch(/page \d+ was read before/)
  })

  const odd = [new Date(0), 10n, null, "", { deep: [1n] }, new Map([["a", 1]])]
  effect(
    "is found whatever its items are: Dates, big whole numbers, nothing, Maps, which are told apart",
    function* () {
      for (const item of odd) {
        const call = bound(list, () => Effect.succeed({ items: [item], paging: {} }))
        expect((yield* broken(pages(call, {}))).error).toMatchObject(paging)
      }
      const maps = bound(list, ({ page }) =>
        Effect.succeed({ items: page === 3 ? [] : [new Map([["n", page]])], paging: {} })
      )
      expect(yield* all(pages(maps, {}))).toHaveLength(2)
    }
  )
})

describe("a consumer", () => {
  effect.each([
    [15, 2],
    [10, 1]
  ])("that stops after %d items has only %d pages asked for", function* ([count, requests]) {
    const { get, requests: sent } = platform(100)
    expect(yield* all(Stream.take(walk(get), count!))).toEqual(numbers(count!))
    expect(sent).toHaveLength(requests!)
  })

  effect(
    "holds one page at a time: the next is asked for when the last item of this one is done",
    function* () {
      const { get, requests } = platform(30)
      const ahead: Array<number> = []
      let done = 0
      yield* Stream.runForEach(walk(get), () => Effect.sync(() => ahead.push(requests.length * 10 - done++)))
      expect(Math.max(...ahead)).toBe(10)
    }
  )

  effect("that is interrupted interrupts the page under way", function* () {
    const stopped = yield* Deferred.make<void>()
    const call = bound(list, () =>
      Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
    )
    const fiber = yield* Effect.fork(Stream.runDrain(pages(call, {})))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(fiber)
    yield* Deferred.await(stopped)
  })
})
