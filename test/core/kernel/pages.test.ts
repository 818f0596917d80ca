// All pages of a list as a Stream: where it ends, what it asks for, and what it never does.
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FC from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { Page as PageOf, Paging } from "../../../core/kernel/answer.js"
import { type CallError, NotFound } from "../../../core/kernel/errors.js"
import * as Page from "../../../core/kernel/page.js"
import "./seed.js"

interface Item {
  readonly n: number
}
interface Asked {
  readonly page: number
  readonly limit?: number
}

/** A platform with a list of `size` items, which says of its paging what `says` says. */
const platform = (size: number, says: (asked: Asked, limit: number) => Paging, own = 10) => {
  const asked: Array<Asked> = []
  const get = (paging: Asked): Effect.Effect<PageOf<Item>, CallError> =>
    Effect.sync(() => {
      asked.push(paging)
      const limit = paging.limit ?? own
      const from = (paging.page - 1) * limit
      const items = Array.from({ length: Math.max(0, Math.min(limit, size - from)) }, (_, at) => ({
        n: from + at
      }))
      return { items, paging: says(paging, limit) }
    })
  return { get, asked }
}

const nothing = (): Paging => ({})
const all = <A>(stream: Stream.Stream<A, CallError>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)
const numbers = (size: number): ReadonlyArray<Item> => Array.from({ length: size }, (_, n) => ({ n }))

describe("all pages of a list", () => {
  const styles: Record<string, (size: number) => (asked: Asked, limit: number) => Paging> = {
    "the number of pages": (size) => (_, limit) => ({ pages: Math.ceil(size / limit) }),
    "the number of items": (size) => () => ({ total: size }),
    "its page size": () => (_, limit) => ({ limit }),
    everything:
      (size) =>
      ({ page }, limit) => ({ page, limit, total: size, pages: Math.ceil(size / limit) }),
    nothing: () => nothing
  }

  describe.each(Object.keys(styles))("on a platform that says %s", (style) => {
    it.effect.prop(
      "are all items, each once, in order",
      [FC.nat({ max: 60 }), FC.integer({ min: 1, max: 12 })],
      ([size, limit]) =>
        Effect.gen(function* () {
          const { asked, get } = platform(size, styles[style]!(size))
          expect(yield* all(Page.stream("things.list", get, { limit }))).toEqual(numbers(size))
          expect(asked.length).toBeLessThanOrEqual(Math.floor(size / limit) + 1)
          expect(asked.map(({ page }) => page)).toEqual(asked.map((_, at) => at + 1))
        })
    )
  })

  it.effect("where the platform says how many pages there are, ask for no more", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(20, () => ({ pages: 2 }))
      expect(yield* all(Page.stream("things.list", get, { limit: 10 }))).toHaveLength(20)
      expect(asked).toEqual([
        { page: 1, limit: 10 },
        { page: 2, limit: 10 }
      ])
    })
  )

  it.effect("of a list whose pages count from 0 begin there", () =>
    Effect.gen(function* () {
      const { get } = platform(25, nothing)
      const asked: Array<number> = []
      const fromZero = (paging: Asked) => {
        asked.push(paging.page)
        return get({ ...paging, page: paging.page + 1 })
      }
      expect(yield* all(Page.stream("things.list", fromZero, { first: 0, limit: 10 }))).toHaveLength(25)
      expect(asked).toEqual([0, 1, 2])
    })
  )

  it.effect("counted from 0 end by the number of pages too", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const get = ({ page }: Asked) =>
        Effect.sync(() => {
          asked.push(page)
          return { items: [{ n: page }], paging: { pages: 3 } }
        })
      expect(yield* all(Page.stream("things.list", get, { first: 0 }))).toHaveLength(3)
      expect(asked).toEqual([0, 1, 2])
    })
  )

  it.effect("leave the page size to the platform where none is asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(25, () => ({ total: 25 }), 10)
      expect(yield* all(Page.stream("things.list", get))).toHaveLength(25)
      expect(asked).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }])
    })
  )

  it.effect("end at an empty page, whatever the counts promise", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(15, () => ({ total: 1_000, pages: 100 }))
      expect(yield* all(Page.stream("things.list", get, { limit: 5 }))).toHaveLength(15)
      expect(asked).toHaveLength(4)
    })
  )

  it.effect("end at the first page that is not full", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(12, nothing)
      expect(yield* all(Page.stream("things.list", get, { limit: 5 }))).toHaveLength(12)
      expect(asked).toHaveLength(3)
    })
  )

  it.effect("fail with the error of a page, after the items of those before it", () =>
    Effect.gen(function* () {
      const { get } = platform(30, nothing)
      const failing = (paging: Asked) =>
        paging.page === 3 ? Effect.fail(new NotFound({ operation: "things.list", status: 404 })) : get(paging)
      const seen: Array<Item> = []
      const walk = Stream.runForEach(Page.stream("things.list", failing, { limit: 10 }), (item) =>
        Effect.sync(() => seen.push(item))
      )
      expect((yield* Effect.flip(walk))._tag).toBe("NotFound")
      expect(seen).toEqual(numbers(20))
    })
  )
})

describe("a platform that repeats a page", () => {
  const repeating = (items: ReadonlyArray<unknown>) => () => Effect.succeed({ items, paging: {} })

  it.effect("is found out at its second page", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const walk = Stream.runForEach(
        Page.stream<unknown, never>("things.list", repeating(numbers(10)), { limit: 10 }),
        (item) => Effect.sync(() => seen.push(item))
      )
      const error = yield* Effect.flip(walk)
      expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging", operation: "things.list" })
      expect(error.message).toBe(
        "things.list: the answer repeats itself: page 2 is page 1 again, so the platform does not page this list"
      )
      expect(seen).toEqual(numbers(10))
    })
  )

  it.effect("is found out whatever its items are: Dates, big whole numbers, nothing", () =>
    Effect.gen(function* () {
      for (const item of [new Date(0), 10n, null, "", { deep: [1n] }]) {
        const error = yield* Effect.flip(
          Stream.runDrain(Page.stream<unknown, never>("things.list", repeating([item]), { limit: 1 }))
        )
        expect(error).toMatchObject({ _tag: "AnswerError", reason: "Paging" })
      }
    })
  )

  it.effect("is not confused with one whose pages merely begin alike", () =>
    Effect.gen(function* () {
      const get = ({ page }: Asked) => Effect.succeed({ items: [0, page], paging: { pages: 4 } })
      expect(yield* all(Page.stream("things.list", get))).toEqual([0, 1, 0, 2, 0, 3, 0, 4])
    })
  )
})

describe("a consumer", () => {
  it.effect("that stops early has nothing more asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(100, nothing)
      const some = yield* all(Stream.take(Page.stream("things.list", get, { limit: 10 }), 15))
      expect(some).toEqual(numbers(15))
      expect(asked).toHaveLength(2)
    })
  )

  it.effect("that wants only the first page has only that one asked for", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(100, nothing)
      yield* all(Stream.take(Page.stream("things.list", get, { limit: 10 }), 10))
      expect(asked).toHaveLength(1)
    })
  )

  it.effect("holds one page at a time: the next is asked for when the last item of this one is done", () =>
    Effect.gen(function* () {
      const { asked, get } = platform(30, nothing)
      const ahead: Array<number> = []
      yield* Stream.runForEach(Page.stream("things.list", get, { limit: 10 }), ({ n }) =>
        Effect.sync(() => ahead.push(asked.length * 10 - n))
      )
      expect(Math.max(...ahead)).toBe(10)
    })
  )

  it.effect("that is interrupted interrupts the page under way", () =>
    Effect.gen(function* () {
      let isStopped = false
      const get = () =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            isStopped = true
          })
        )
      const fiber = yield* Effect.fork(Stream.runDrain(Page.stream<Item, never>("things.list", get)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(isStopped).toBe(true)
    })
  )
})
