// All pages of a list as a Stream: never silently short, always at an end, and nothing asked for that nobody wants.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Page from "../../../core/kernel/codec/page.js"
import type { Args, Call } from "../../../core/kernel/dispatch/dispatcher.js"
import type { PageRange } from "../../../core/kernel/dispatch/pagination.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import { AnswerError, type CallError, NotFound, ServerFault } from "../../../core/kernel/errors/errors.js"
import { type Page as PageType, page as pageOf } from "../../../core/kernel/operation/answer.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { Operation } from "../../../core/kernel/operation/operation.js"

interface Asked {
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
}

const bare: Style = (items) => items
const decode = Page.decoder(pageOf(Schema.Unknown))
const read = (answer: unknown): PageType<unknown> =>
  Either.getOrThrow(decode(JSON.parse(JSON.stringify(answer)), ""))

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

/** All pages of a platform that is played by a function. */
const walk = (get: (asked: Asked) => unknown, options?: PageRange, input: Entity.AnyQuery = {}) =>
  pages(
    bound(list, (asked) => Effect.sync(() => read(get(asked as Asked)))),
    input,
    options
  )

/** A platform with a list of `size` items that gives at most `most` of them a page. */
const platform = (size: number, style: Style = bare, { most = 10, base = 1 } = {}) => {
  const asked: Array<Asked> = []
  const get = (given: Asked): unknown => {
    asked.push(given)
    const limit = Math.min(given.limit ?? most, most)
    const number = given.page - base + 1
    return style(numbers(size).slice(Math.max(0, number - 1) * limit, number * limit), {
      size,
      limit,
      number
    })
  }
  return { get, asked }
}

const numbers = (size: number) => Array.from({ length: size }, (_, n) => ({ _id: `n${n}` }))
const all = <A, E>(stream: Stream.Stream<A, E>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

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
  return Effect.map(
    Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)),
    (value) => [value, lines] as const
  )
}

const styles: Record<string, Style> = {
  "bare arrays": bare,
  "{ items, total }": (items, { size }) => ({ items, total: size }),
  "{ items, pages }": (items, { limit, size }) => ({ items, pages: Math.ceil(size / limit) }),
  "{ items, paging: { page, limit, total, pages } }": (items, { limit, number, size }) => ({
    items,
    paging: { page: number, limit, total: size, pages: Math.ceil(size / limit) }
  }),
  "{ meta: { totalPages } }": (data, { limit, size }) => ({
    data,
    meta: { totalPages: Math.ceil(size / limit) }
  }),
  "{ paging: { count, hasNext } } with the whole list's count": (items, { limit, number, size }) => ({
    items,
    paging: { count: size, hasNext: number * limit < size }
  }),
  "{ paging: { count, hasNext } } with the page's own count": (items, { limit, number, size }) => ({
    items,
    paging: { count: items.length, hasNext: number * limit < size }
  }),
  "{ items, count } with the page's own count": (items) => ({ items, count: items.length }),
  "{ items, nextPage }": (items, { limit, number, size }) => ({
    items,
    nextPage: number * limit < size ? number + 1 : null
  }),
  "{ items, nextPage } that is left out on the last page": (items, { limit, number, size }) => ({
    items,
    ...(number * limit < size ? { nextPage: number + 1 } : {})
  }),
  "{ data, has_more }": (data, { limit, number, size }) => ({ data, has_more: number * limit < size }),
  "{ data, links: { next }, meta: { current_page, last_page } }": (data, { limit, number, size }) => ({
    data,
    links: { first: "/things?page=1", next: number * limit < size ? `/things?page=${number + 1}` : null },
    meta: { current_page: number, last_page: Math.ceil(size / limit) }
  }),
  "{ content, last, totalElements }": (content, { limit, number, size }) => ({
    content,
    last: number * limit >= size,
    totalElements: size
  }),
  "{ docs, totalDocs, hasNextPage }": (docs, { limit, number, size }) => ({
    docs,
    totalDocs: size,
    hasNextPage: number * limit < size
  }),
  "{ results, count, next }": (results, { limit, number, size }) => ({
    results,
    count: size,
    next: number * limit < size ? "https://x.test/things?page=9" : null
  }),
  "{ items, nextCursor } beside pages": (items, { limit, number, size }) => ({
    items,
    nextCursor: number * limit < size ? "c" : null
  }),
  "{ data, meta: { took }, totalCount }": (data, { size }) => ({ data, meta: { took: 3 }, totalCount: size }),
  "{ data, meta: { pagination: { pageCount } } }": (data, { limit, size }) => ({
    data,
    meta: { pagination: { pageCount: Math.ceil(size / limit) } }
  })
}

describe.each(Object.keys(styles))("all pages of a list that is answered as %s", (style) => {
  it.effect("are its 25 items, whatever is asked for", () =>
    Effect.gen(function* () {
      const ways: ReadonlyArray<readonly [PageRange, Entity.AnyQuery]> = [
        [{}, {}],
        [{ limit: 10 }, {}],
        [{ limit: 7 }, {}],
        [{ limit: 100 }, {}],
        [{}, { limit: 10 }],
        [{}, { limit: 100 }],
        [{}, { page: 1, limit: 3 }]
      ]
      for (const [options, input] of ways) {
        const { get } = platform(25, styles[style])
        expect(yield* all(walk(get, options, input)), JSON.stringify([options, input])).toEqual(numbers(25))
      }
    })
  )

  it.effect.prop(
    "are all items, each once, in order, and at most one request more than there are pages",
    [FC.nat({ max: 60 }), FC.integer({ min: 1, max: 12 })],
    ([size, limit]) =>
      Effect.gen(function* () {
        const { asked, get } = platform(size, styles[style], { most: 12 })
        expect(yield* all(walk(get, { limit }))).toEqual(numbers(size))
        expect(asked.map(({ page }) => page)).toEqual(asked.map((_, at) => at + 1))
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(size / limit) + 1)
      }),
    { fastCheck: { numRuns: 25 } }
  )

  it.effect("of a platform that counts from 0 are all with `first: 0`", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25, styles[style], { base: 0 })
      expect(yield* all(walk(get, { first: 0 }))).toEqual(numbers(25))
      expect(asked.map(({ page }) => page).slice(0, 3)).toEqual([0, 1, 2])
    })
  )
})

describe("the end of a list", () => {
  const requests = (size: number, style: Style, options?: PageRange) => {
    const { asked, get } = platform(size, style)
    return Effect.map(Stream.runDrain(walk(get, options)), () => asked.length)
  }

  it.effect("is where a count or a marker says so: nothing more is asked for", () =>
    Effect.gen(function* () {
      for (const [name, style] of Object.entries(styles)) {
        const isSaid = !["bare arrays", "{ items, count }", "left out", "nextCursor"].some((silent) =>
          name.includes(silent)
        )
        expect(yield* requests(20, style), name).toBe(isSaid ? 2 : 3)
      }
    })
  )

  it.effect("is not a page that is shorter than what was asked for: a platform may give less", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      expect(yield* all(walk(get, { limit: 100 }))).toHaveLength(25)
      expect(asked.map(({ limit, page }) => [page, limit])).toEqual([1, 2, 3, 4].map((page) => [page, 100]))
    })
  )

  it.effect("is not where one sign says so and another says that there is more", () =>
    Effect.gen(function* () {
      const hasty: Style = (items, { size }) => ({ items, total: size, hasNext: false })
      expect(yield* all(walk(platform(25, hasty).get))).toEqual(numbers(25))
    })
  )

  it.effect("is not where a count is smaller than what came already", () =>
    Effect.gen(function* () {
      for (const paging of [{ total: 5 }, { pages: 0 }, { total: 0, pages: 0 }]) {
        const style: Style = (items) => ({ items, paging })
        expect(yield* all(walk(platform(25, style).get, { first: 1 }))).toEqual(numbers(25))
      }
    })
  )

  it.effect("before all that was counted is written to the log", () =>
    Effect.gen(function* () {
      const style: Style = (items) => (items.length === 0 ? [] : { items, total: 1_000, pages: 9 })
      const pagesOnly: Style = (items) => (items.length === 0 ? [] : { items, pages: 9 })
      for (const [given, rule] of [
        [style, "15 of 1000 items"],
        [pagesOnly, "3 of 9 pages"]
      ] as const) {
        const [items, lines] = yield* logged(all(walk(platform(15, given).get, { limit: 5 })))
        expect(items).toEqual(numbers(15))
        expect(lines).toEqual([`WARN things.list: the list ends at page 4, which is empty after ${rule}`])
      }
    })
  )

  it.effect("is not an empty page that says there is more: the walk goes on", () =>
    Effect.gen(function* () {
      for (const more of [{ hasNext: true }, { nextPage: 9 }, { totalPages: 3 }, { next: { href: "/x" } }]) {
        const { get } = platform(25, (items, { number }) =>
          number >= 5 ? items : { items: number === 2 ? [] : items, ...more }
        )
        expect(yield* all(walk(get)), JSON.stringify(more)).toEqual(
          numbers(25).filter((_, at) => at < 10 || at >= 20)
        )
      }
    })
  )

  it.effect("comes with an error where empty pages say without an end that there is more", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(15, (items) => ({ items, hasNext: true }))
      const { error, items } = yield* broken(walk(get))
      expect(items).toEqual(numbers(15))
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
      expect(error.message).toContain("pages 3 to 12 are empty, and say that there is more")
      expect(asked).toHaveLength(12)
    })
  )

  it.effect("is a page after the first that is not found, without a body, or null", () =>
    Effect.gen(function* () {
      const empty = new AnswerError({ operation: "things.list", reason: "Empty", rule: "is empty" })
      const missing = new NotFound({ operation: "things.list", status: 404 })
      for (const error of [empty, missing]) {
        const { get } = platform(25)
        const call = bound(list, (asked) =>
          asked.page === 4 ? Effect.fail(error) : Effect.sync(() => read(get(asked as Asked)))
        )
        expect(yield* all(pages(call, {}))).toEqual(numbers(25))
      }
      expect(decode(null, "")).toMatchObject({ left: { reason: "Empty" } })
    })
  )

  it.effect("is no first page that is not found, and none that was announced", () =>
    Effect.gen(function* () {
      const missing = new NotFound({ operation: "things.list", status: 404 })
      const nowhere = bound(list, () => Effect.fail(missing))
      expect((yield* broken(pages(nowhere, {}))).error).toBe(missing)
      const { get } = platform(25, styles["{ items, total }"])
      const call = bound(list, (asked) =>
        asked.page === 2 ? Effect.fail(missing) : Effect.sync(() => read(get(asked as Asked)))
      )
      const { error, items } = yield* broken(pages(call, {}))
      expect([error, items]).toEqual([missing, numbers(10)])
    })
  )

  it.effect("is not where a sign may mean something else: one page more is asked for", () =>
    Effect.gen(function* () {
      const doubtful: ReadonlyArray<Style> = [
        (items, { number }) => ({ items, page: number, nextCursor: null }),
        (items) => ({ items, total: items.length }),
        (items, { limit }) => ({ items, total: items.length, limit }),
        (items, { number }) => ({ items, next: number < 3 ? { page: 2 } : {} })
      ]
      for (const style of doubtful) expect(yield* all(walk(platform(25, style).get))).toEqual(numbers(25))
    })
  )

  it.effect("is where that one page more is the same again", () =>
    Effect.gen(function* () {
      for (const about of [{ total: 3 }, { nextCursor: null }]) {
        const whole = () => ({ items: numbers(3), ...about })
        expect(yield* all(walk(whole)), JSON.stringify(about)).toEqual(numbers(3))
      }
    })
  )

  it.effect("is not said by numbers that stand for places in the list", () =>
    Effect.gen(function* () {
      const style: Style = (items, { limit, number }) => ({
        items,
        pageInfo: { first: (number - 1) * limit, last: items.length === 0 ? 0 : number * limit, size: limit }
      })
      expect(yield* all(walk(platform(25, style).get))).toEqual(numbers(25))
    })
  )

  it.effect("is said by booleans that are text or numbers, too", () =>
    Effect.gen(function* () {
      const flags: ReadonlyArray<readonly [no: unknown, yes: unknown]> = [
        ["false", "true"],
        [0, 1],
        ["0", "1"],
        ["False", "True"]
      ]
      for (const [no, yes] of flags) {
        const more: Style = (items, { limit, number, size }) => ({
          items,
          hasNext: number * limit < size ? yes : no
        })
        const last: Style = (items, { limit, number, size }) => ({
          items,
          isLast: number * limit < size ? no : yes
        })
        for (const style of [more, last]) {
          expect(yield* requests(25, style), String(yes)).toBe(3)
          expect(yield* all(walk(platform(25, style).get))).toEqual(numbers(25))
        }
      }
    })
  )

  it.effect("is nothing to write of where a walk began later", () =>
    Effect.gen(function* () {
      const { get } = platform(25, styles["{ items, total }"])
      const [items, lines] = yield* logged(all(walk(get, { first: 3 })))
      expect([items, lines]).toEqual([numbers(25).slice(20), []])
    })
  )
})

describe("a platform that counts from 0, without `first: 0`", () => {
  const counted = Object.entries(styles).filter(([name]) =>
    /total|pages }|whole|pageCount|results/i.test(name)
  )

  it.effect.each(counted)("is found out by its counts: %s", ([, style]) =>
    Effect.gen(function* () {
      const { get } = platform(25, style, { base: 0 })
      const { error, items } = yield* broken(walk(get))
      expect(items).toEqual(numbers(25).slice(10))
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging", operation: "things.list" })
      expect(error.message).toContain("one page is missing. Pass `first: 0`")
    })
  )

  it.effect("is found out where its one page was left out", () =>
    Effect.gen(function* () {
      const { get } = platform(5, styles["{ items, total }"], { base: 0 })
      const { error, items } = yield* broken(walk(get))
      expect(items).toEqual([])
      expect(error.message).toBe(
        "things.list: the answer ends at page 1, which is empty after 0 of 5 items: one page is missing. " +
          "Pass `first: 0` where the platform counts its pages from 0, `first: 1` where it counts from 1"
      )
    })
  )

  const spring: Style = (content, { limit, number, size }) => ({
    content,
    totalElements: size,
    totalPages: Math.ceil(size / limit),
    last: number * limit >= size,
    first: number === 1,
    number: number - 1,
    size: limit
  })
  const partial: Record<string, Style> = {
    Spring: spring,
    "Spring without `first`": (items, about) => ({ ...Object(spring(items, about)), first: undefined }),
    "{ items, total }": styles["{ items, total }"] ?? bare,
    "{ items, total, limit }": (items, { limit, size }) => ({ items, total: size, limit }),
    "{ items, meta: { total, perPage } }": (items, { limit, size }) => ({
      items,
      meta: { total: size, perPage: limit }
    }),
    "{ meta: { totalPages } }": styles["{ meta: { totalPages } }"] ?? bare,
    "{ docs, hasPrevPage }": (docs, { limit, number, size }) => ({
      docs,
      hasNextPage: number * limit < size,
      hasPrevPage: number > 1
    })
  }
  it.effect.each(Object.entries(partial))("is found out by two pages, the second not full: %s", ([, style]) =>
    Effect.gen(function* () {
      for (const options of [{}, { limit: 10 }, { limit: 100 }]) {
        const { get } = platform(12, style, { base: 0 })
        const { error } = yield* broken(walk(get, options))
        expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
        expect(error.message).toContain("Pass `first: 0`")
        expect(yield* all(walk(platform(12, style, { base: 0 }).get, { ...options, first: 0 }))).toEqual(
          numbers(12)
        )
      }
    })
  )

  it.effect("is believed where the caller says where the pages begin", () =>
    Effect.gen(function* () {
      const { get } = platform(25, styles["{ items, total }"], { base: 0 })
      for (const [options, input] of [
        [{ first: 1 }, {}],
        [{}, { page: 1 }]
      ] as const) {
        const [items, lines] = yield* logged(all(walk(get, options, input)))
        expect(items).toHaveLength(15)
        expect(lines).toHaveLength(1)
      }
    })
  )
})

describe("the input of a list", () => {
  it.effect("says by `page` and `limit` where the list begins and what a page holds", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      expect(yield* all(walk(get, {}, { page: 2, limit: 5, type: "x" }))).toEqual(numbers(25).slice(5))
      expect(asked[0]).toEqual({ page: 2, limit: 5, type: "x" })
      expect(asked[1]).toEqual({ page: 3, limit: 5, type: "x" })
    })
  )

  // Spec 9.8
  it.effect("that asks for no page size leaves it to the platform", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25, styles["{ items, total }"])
      expect(yield* all(walk(get))).toHaveLength(25)
      expect(asked).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }])
    })
  )

  it.effect("may write them as text", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25, bare)
      yield* all(walk(get, {}, { page: "3" }))
      expect(asked.map(({ page }) => page)).toEqual([3, 4])
    })
  )

  it.effect("gives way to the options", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      yield* all(Stream.take(walk(get, { first: 2, limit: 4 }, { page: 7, limit: 9 }), 1))
      expect(asked).toEqual([{ page: 2, limit: 4 }])
    })
  )

  it.effect("stays what it was when the walk began, whatever is done to it meanwhile", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      const input = { type: "x", statusIn: ["a"], since: new Date(0) }
      yield* Stream.runForEach(walk(get, {}, input), () =>
        Effect.sync(() => {
          input.type = "y"
          input.statusIn.push("b")
          input.since.setTime(1)
        })
      )
      expect(asked.map(({ page, ...rest }) => rest)).toEqual(
        Array(4).fill({ type: "x", statusIn: ["a"], since: new Date(0) })
      )
    })
  )

  it.effect("of a search says so in its payload", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const call = bound(search, (input) =>
        Effect.sync(() => {
          asked.push(input)
          return read([])
        })
      )
      yield* all(pages(call, { payload: { term: "ü", page: 4, limit: 5 } }))
      yield* all(pages(call, { payload: { term: "ü" } }, { limit: 50 }))
      expect(asked).toEqual([
        { payload: { term: "ü", page: 4, limit: 5 } },
        { payload: { term: "ü", page: 1, limit: 50 } }
      ])
    })
  )

  const wrong: ReadonlyArray<readonly [PageRange, Entity.AnyQuery, string]> = [
    [{ first: -1 }, {}, "first"],
    [{ first: 1.5 }, {}, "first"],
    [{ first: Number.NaN }, {}, "first"],
    [{ first: null as never }, {}, "first"],
    [{ limit: null as never }, {}, "limit"],
    [{ limit: 0 }, {}, "limit"],
    [{ limit: -1 }, {}, "limit"],
    [{ limit: Number.POSITIVE_INFINITY }, {}, "limit"],
    [{}, { page: "last" }, "page"],
    [{}, { page: -1 }, "page"],
    [{}, { page: null }, "page"]
  ]
  it.effect.each(wrong)("that cannot be one is refused, and nothing is sent: %j", ([options, input, field]) =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      expect((yield* broken(walk(get, options, input))).error).toMatchObject({ _tag: "InputError", field })
      expect(asked).toEqual([])
    })
  )

  it.effect("of a search that is no object is refused with its field", () =>
    Effect.gen(function* () {
      const call = bound(search, () => Effect.succeed(read([])))
      for (const payload of [undefined, null, "term", ["term"]])
        expect((yield* broken(pages(call, { payload }))).error).toMatchObject({
          _tag: "InputError",
          field: "payload"
        })
      expect((yield* broken(pages(call, { payload: { page: "x" } }))).error).toMatchObject({
        field: "payload.page"
      })
    })
  )

  it.effect("that takes no page is refused, where the types were passed over", () =>
    Effect.gen(function* () {
      const whole: Operation<Entity.Nothing, PageType<unknown>, "admin"> = Operation.make(
        "things.all",
        () => ({
          ...declared,
          input: Entity.Nothing
        })
      )
      const call = bound(whole, () => Effect.succeed(read([{}])))
      expect((yield* broken(pages(call, {} as never))).error.message).toBe(
        'things.all: the field "page" is not taken by this call: it does not answer a list page by page. Nothing was sent.'
      )
    })
  )
})

describe("what programs without types pass for a call", () => {
  it.effect.each([undefined, null, 5, () => undefined])("is refused where it is none: %s", (call) =>
    Effect.gen(function* () {
      expect((yield* broken(pages(call as never, {}))).error).toMatchObject({
        _tag: "InputError",
        operation: "pages",
        field: "call"
      })
    })
  )

  it.effect("is refused with an idempotency key, which is for one call", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25)
      expect((yield* broken(walk(get, { idempotencyKey: "k" } as PageRange))).error).toMatchObject({
        _tag: "InputError",
        field: "idempotencyKey"
      })
      expect(asked).toEqual([])
    })
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

  it.effect("ends with an error: ten of 25 items by chance, whatever page is asked for", () =>
    Effect.gen(function* () {
      const chance = chances()
      const get = () =>
        numbers(25)
          .map((item) => [chance(), item] as const)
          .sort(([one], [other]) => one - other)
          .slice(0, 10)
          .map(([, item]) => item)
      const { error, items } = yield* broken(walk(get))
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
      expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(25)
      expect(items.length).toBeLessThanOrEqual(300)
    })
  )

  it.effect("ends with an error whatever its items are known by, though other fields change", () =>
    Effect.gen(function* () {
      for (const item of [
        { id: "i0" },
        { _id: 7 },
        { id: 7 },
        { key: "k" },
        { uuid: "u" },
        { _id: {}, id: 1 }
      ]) {
        let at = 0
        const { error, items } = yield* broken(walk(() => [{ ...item, syncedAt: at++ }]))
        expect(error, JSON.stringify(item)).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
        expect(items).toHaveLength(1)
      }
    })
  )

  it.effect("ends with an error where its items are known by nothing and all alike", () =>
    Effect.gen(function* () {
      const { error, items } = yield* broken(walk(() => [{ status: "ok" }, { status: "ok" }]))
      expect(error.message).toContain("pages 2 to 11 hold nothing that did not come before")
      expect(items).toHaveLength(20)
    })
  )

  it.effect("is whole where a field that looks like an id says the same of many items", () =>
    Effect.gen(function* () {
      const get = ({ page }: Asked) =>
        Array.from({ length: page > 12 ? 0 : 10 }, (_, at) => ({ id: "USD", at: page * 10 + at }))
      expect(yield* all(walk(get))).toHaveLength(120)
    })
  )

  it.effect("is whole where its items are known by nothing and a few pages are alike", () =>
    Effect.gen(function* () {
      const get = ({ page }: Asked) => (page > 3 ? [] : Array(page === 3 ? 4 : 10).fill({ status: "ok" }))
      expect(yield* all(walk(get))).toHaveLength(24)
    })
  )

  it.effect("goes on after one such page: items may move while a list is read", () =>
    Effect.gen(function* () {
      const get = ({ page }: Asked) =>
        numbers(25).slice([0, 0, 3, 10, 20, 25][page], [0, 10, 8, 20, 25, 25][page])
      expect(yield* all(walk(get))).toHaveLength(30)
    })
  )
})

describe("a page that was met before", () => {
  const turning =
    (period: number, before = 0) =>
    (asked: Asked) => {
      const number = asked.page <= before ? asked.page : before + ((asked.page - before - 1) % period) + 1
      return [{ _id: `${number}a` }, { _id: `${number}b` }]
    }

  it.effect("ends the walk with an error that names it, after the items of those before", () =>
    Effect.gen(function* () {
      const { error, items } = yield* broken(walk(turning(2)))
      expect(items).toHaveLength(4)
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging", operation: "things.list" })
      expect(error.message).toBe("things.list: the answer repeats itself: page 3 is page 1 again")
    })
  )

  it.effect("is the first one where the platform does not page the list", () =>
    Effect.gen(function* () {
      const { error, items } = yield* broken(walk(() => numbers(10), { limit: 10 }))
      expect(items).toEqual(numbers(10))
      expect(error.message).toBe(
        "things.list: the answer repeats itself: page 2 is page 1 again: it may be that the platform does not page this list"
      )
    })
  )

  it.effect("is page 0 where the platform counts from 1: the error says what to pass", () =>
    Effect.gen(function* () {
      const { get } = platform(25)
      const { error } = yield* broken(
        walk((asked) => get({ ...asked, page: Math.max(asked.page, 1) }), { first: 0 })
      )
      expect(error.message).toContain("page 1 is page 0 again: it may be that")
      expect(error.message).toContain("pass `first: 1`")
    })
  )

  it.effect("is the last one where the platform answers that for all later ones", () =>
    Effect.gen(function* () {
      const { get } = platform(25)
      const { error, items } = yield* broken(
        walk((asked) => get({ ...asked, page: Math.min(asked.page, 3) }))
      )
      expect(items).toEqual(numbers(25))
      expect(error.message).toContain("page 4 is page 3 again")
    })
  )

  it.effect.prop(
    "is found in a circle of any length, wherever it begins",
    [FC.integer({ min: 1, max: 40 }), FC.nat({ max: 40 }), FC.nat({ max: 3 })],
    ([period, before, first]) =>
      Effect.gen(function* () {
        const { error, items } = yield* broken(
          walk((asked) => turning(period, before)({ page: asked.page - first + 1 }), { first })
        )
        expect(items).toHaveLength(2 * (before + period))
        const [again, met] = [before + period + first, before + first]
        expect(error.message).toContain(`page ${again} is page ${met} again`)
      })
  )

  it.effect("is found in a circle that is longer than what is remembered of pages", () =>
    Effect.gen(function* () {
      const { error } = yield* broken(walk(turning(6_000)))
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
      const [, again, met] = /page (\d+) is page (\d+) again/.exec(error.message) ?? []
      expect((Number(again) - Number(met)) % 6_000).toBe(0)
    })
  )

  it.effect("is found where it is another one than the last, which may have been the end", () =>
    Effect.gen(function* () {
      const { error } = yield* broken(walk((asked) => ({ items: turning(2)(asked), nextCursor: null })))
      expect(error.message).toContain("page 3 is page 1 again")
    })
  )

  it.effect("is found whatever its items are: Dates, big whole numbers, nothing, Maps", () =>
    Effect.gen(function* () {
      for (const item of [new Date(0), 10n, null, "", { deep: [1n] }, new Map([["a", 1]])]) {
        const call = bound(list, () => Effect.succeed({ items: [item], paging: {} }))
        expect((yield* broken(pages(call, {}))).error).toMatchObject({
          _tag: "AnswerError",
          reason: "Paging"
        })
      }
    })
  )

  it.effect("is found where the platform stamps the time on its answers, and where it shuffles them", () =>
    Effect.gen(function* () {
      let at = 0
      const stamped = () => numbers(3).map((item) => ({ ...item, servedAt: at++ }))
      expect((yield* broken(walk(stamped))).items).toHaveLength(3)
      const shuffled = ({ page }: Asked) => (page % 2 === 0 ? numbers(3).reverse() : numbers(3))
      expect((yield* broken(walk(shuffled))).items).toHaveLength(3)
    })
  )

  it.effect("is not one that merely begins and ends like another, or holds a part of it", () =>
    Effect.gen(function* () {
      const get = ({ page }: Asked) => (page > 4 ? [] : [{ n: 0 }, { n: page }, { n: 0 }])
      expect(yield* all(walk(get))).toHaveLength(12)
      const maps = bound(list, ({ page }) =>
        Effect.succeed({ items: page === 3 ? [] : [new Map([["n", page]])], paging: {} })
      )
      expect(yield* all(pages(maps, {}))).toHaveLength(2)
    })
  )
})

describe("a page that fails", () => {
  it.effect("fails the walk, after the items of those before it", () =>
    Effect.gen(function* () {
      const { get } = platform(30)
      const failing = bound(list, (asked) =>
        asked.page === 3
          ? Effect.fail(new ServerFault({ operation: "things.list", status: 500, retryable: true }))
          : Effect.sync(() => read(get(asked as Asked)))
      )
      const { error, items } = yield* broken(pages(failing, {}))
      expect(error._tag).toBe("ServerFault")
      expect(items).toEqual(numbers(20))
    })
  )
})

describe("a consumer", () => {
  it.effect("that stops early has nothing more asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(100)
      expect(yield* all(Stream.take(walk(get), 15))).toEqual(numbers(15))
      expect(asked).toHaveLength(2)
    })
  )

  it.effect("that wants only the first page has only that one asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(100)
      yield* all(Stream.take(walk(get), 10))
      expect(asked).toHaveLength(1)
    })
  )

  it.effect("holds one page at a time: the next is asked for when the last item of this one is done", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(30)
      const ahead: Array<number> = []
      let done = 0
      yield* Stream.runForEach(walk(get), () => Effect.sync(() => ahead.push(asked.length * 10 - done++)))
      expect(Math.max(...ahead)).toBe(10)
    })
  )

  it.effect("that is interrupted interrupts the page under way", () =>
    Effect.gen(function* () {
      let isStopped = false
      const call = bound(list, () =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            isStopped = true
          })
        )
      )
      const fiber = yield* Effect.fork(Stream.runDrain(pages(call, {})))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(isStopped).toBe(true)
    })
  )
})
