// One page of a list, in whatever form the platform answers it.
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as FC, Schema } from "effect"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Page from "../../../../core/kernel/codec/page.js"
import { type PageOf, type Page as PageType, page } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"

const Item = Entity.open({ _id: Entity.Id, title: Entity.maybe(Schema.String), at: Entity.maybe(DateTime) })
const items = [{ _id: "a" }, { _id: "b" }]

const listOf = (key?: string): PageOf<PageType<typeof Item.Type>> =>
  key === undefined ? page(Item) : page(Item, key)
const read = (source: string, key?: string) =>
  Either.flatMap(Decoder.json(source), (value) => Page.decoder(listOf(key))(value, source))
const right = (answer: unknown, key?: string) => Either.getOrThrow(read(JSON.stringify(answer), key))
const failure = (answer: unknown, key?: string) =>
  Either.getOrThrow(Either.flip(read(JSON.stringify(answer), key)))

describe("a page is read from", () => {
  it("a bare array", () => {
    expect(right(items)).toEqual({ items, paging: {} })
    expect(right([])).toEqual({ items: [], paging: {} })
  })

  it.each(["items", "data", "content", "results", "docs", "list", "rows"])(
    "an object with the field %s",
    (name) => {
      expect(right({ [name]: items, total: 2 })).toEqual({ items, paging: { total: 2 } })
    }
  )

  // Spec 7.51
  it("an object whose only list has a name of its own", () => {
    const answer = { requestActions: items, total: 2, ok: true }
    expect(right(answer)).toEqual({ items, paging: { total: 2, ok: true } })
  })

  it("the field that the declaration names, before all others", () => {
    expect(right({ items: [{ _id: "x" }], content: items }, "content").items).toEqual(items)
    expect(right({ items, other: [1] }, "missing").items).toEqual(items)
  })

  it.each([
    ["text", "no list"],
    [{ _id: "a", items: [] }, "one object, whose list is its own"],
    [{ data: { items } }, "a list further down"],
    [7, "no list"],
    [{}, "no list in it"],
    [{ total: 3 }, "no list in it"],
    [{ a: items, b: items }, "two lists, and no telling which"],
    [{ items: { 0: items } }, "a field of a telling name that is no list"]
  ])("nothing else: not from %j (%s)", (answer: unknown, _) => {
    expect(failure(answer)).toMatchObject({ reason: "Shape", field: "" })
  })

  it("nothing at all: null is an empty answer", () => {
    expect(failure(null)).toMatchObject({ reason: "Empty", field: "" })
  })

  it("an object without looking at its prototype", () => {
    Object.defineProperty(Object.prototype, "items", { value: items, configurable: true })
    expect(failure({ total: 2 }).rule).toBe("must be a list, or an object that holds one")
    Reflect.deleteProperty(Object.prototype, "items")
  })
})

describe("paging is read from", () => {
  const deep = "2024-02-29T10:00:00.000Z"
  const at = new Date(deep)
  const around = { aggregations: { sum: 5 }, requestId: "r1", meta: { took: 3 } }
  const beside = { page: 2, limit: 10, total: 42, pages: 5, next: "/x" }
  it.each<readonly [string, around: object, paging?: object]>([
    ...["paging", "pagination", "meta"].map(
      (name) =>
        [`an object named ${name}`, { [name]: { page: 2, cursor: "c" } }, { page: 2, cursor: "c" }] as const
    ),
    ["the fields beside the list", beside],
    [
      "them also beside an object of something else",
      { total: 42, meta: { took: 3 } },
      { total: 42, took: 3 }
    ],
    ["the object where both say it", { total: 42, meta: { total: 7 } }, { total: 7 }],
    [
      "what stands beside it too: nothing is dropped",
      { paging: { total: 1 }, ...around },
      { total: 1, ...around }
    ],
    ["date-times as Dates", { paging: { at: deep, list: [{ at: deep }] } }, { at, list: [{ at }] }]
  ])("%s", (_, around, paging = around) => {
    expect(right({ items, ...Object(around) }).paging).toEqual(paging)
  })

  it.prop("counts that are written as text", [FC.nat()], ([count]) => {
    const text = String(count)
    const written = right({ items, page: text, limit: text, total: text, pages: text }).paging
    expect(written).toEqual({ page: count, limit: count, total: count, pages: count })
  })

  it.each([-1, 1.5, "-1", "many", "", " 1", "1e3", null, true, [5], {}, "9".repeat(16)])(
    "a count that is %j as it came, which is reported",
    (total) => {
      const drifts: Array<unknown> = []
      const source = JSON.stringify({ items, paging: { total, page: 1 }, limit: 5 })
      const read = Page.decoder(page(Item))(JSON.parse(source), source, (mismatch) => drifts.push(mismatch))
      expect(Either.getOrThrow(read).paging).toEqual({ total, page: 1, limit: 5 })
      expect(drifts).toMatchObject([{ path: "paging.total", expected: "a count" }])
    }
  )

  it("no field that would touch a prototype", () => {
    const source = '{"items":[],"paging":{"__proto__":{"isAdmin":true},"page":1}}'
    const { paging } = Either.getOrThrow(read(source))
    expect(Object.getPrototypeOf(paging)).toBe(Object.prototype)
    expect(paging).toEqual({ page: 1 })
    expect(paging.isAdmin).toBeUndefined()
  })
})

describe("the items of a page", () => {
  it("that are wrong are refused with their path", () => {
    expect(failure([{ _id: "a" }, { _id: "" }])).toMatchObject({ reason: "Shape", field: "1._id" })
    const missing = { reason: "Shape", field: "data.1._id", rule: "is required" }
    expect(failure({ data: [{ _id: "a" }, {}] })).toEqual(missing)
  })

  it.each([
    ["be nested beyond measure", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "TooDeep"],
    ["hold numbers that cannot be trusted", "9007199254740993", "Precision"]
  ])("and the paging may not %s", (_, number, reason) => {
    const decoded = read(`{"items":[],"paging":{"x":${number}}}`)
    expect(Either.getOrThrow(Either.flip(decoded)).reason).toBe(reason)
  })
})
