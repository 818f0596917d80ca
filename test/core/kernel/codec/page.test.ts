// One page of a list, in whatever form the platform answers it.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Page from "../../../../core/kernel/codec/page.js"
import { page } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"

const Item = Entity.open({ _id: Entity.Id, title: Entity.maybe(Schema.String), at: Entity.maybe(DateTime) })
const items = [{ _id: "a" }, { _id: "b" }]

const read = (source: string, key?: string) =>
  Either.flatMap(Decoder.json(source), (value) => Page.decoder(page(Item, key))(value, source))
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
    expect(right({ requestActions: items, total: 2, ok: true })).toEqual({
      items,
      paging: { total: 2, ok: true }
    })
  })

  it("the field that the declaration names, before all others", () => {
    expect(right({ items: [{ _id: "x" }], content: items }, "content").items).toEqual(items)
    expect(right({ items, other: [1] }, "missing").items, "where it is not there, as without a name").toEqual(
      items
    )
  })

  it.each([
    ["text", "no list"],
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
    expect(failure({ total: 2 }).rule).toBe("must hold one list of items")
    Reflect.deleteProperty(Object.prototype, "items")
  })
})

describe("paging is read from", () => {
  it.each(["paging", "pagination", "meta"])("an object named %s", (name) => {
    expect(right({ items, [name]: { page: 2, pages: 5, cursor: "c" } }).paging).toEqual({
      page: 2,
      pages: 5,
      cursor: "c"
    })
  })

  it("the fields beside the list", () => {
    expect(right({ items, page: 2, limit: 10, total: 42, pages: 5, next: "/x" }).paging).toEqual({
      page: 2,
      limit: 10,
      total: 42,
      pages: 5,
      next: "/x"
    })
  })

  it("the fields beside the list also where an object holds something else of the list", () => {
    expect(right({ items, total: 42, meta: { took: 3 } }).paging).toEqual({ total: 42, took: 3 })
    expect(right({ items, total: 42, meta: { total: 7 } }).paging, "the object has the last word").toEqual({
      total: 7
    })
  })

  it.prop("counts that are written as text", [FC.nat()], ([count]) => {
    const text = String(count)
    expect(right({ items, page: text, limit: text, total: text, pages: text }).paging).toEqual({
      page: count,
      limit: count,
      total: count,
      pages: count
    })
  })

  it.each([-1, 1.5, "-1", "many", "", " 1", "1e3", null, true, [5], {}, "9".repeat(16)])(
    "a count that is %j as it came, which is reported",
    (total) => {
      const told: Array<unknown> = []
      const source = JSON.stringify({ items, paging: { total, page: 1 }, limit: 5 })
      const read = Page.decoder(page(Item))(JSON.parse(source), source, (mismatch) => told.push(mismatch))
      expect(Either.getOrThrow(read).paging).toEqual({ total, page: 1, limit: 5 })
      expect(told).toMatchObject([{ path: "paging.total", expected: "a count" }])
    }
  )

  it("what stands beside it too: nothing of an answer is dropped", () => {
    const around = { aggregations: { sum: 5 }, requestId: "r1", meta: { took: 3 } }
    expect(right({ items, paging: { total: 1 }, ...around }).paging).toEqual({ total: 1, ...around })
  })

  it("other fields as they are, with date-times as Dates", () => {
    const at = "2024-02-29T10:00:00.000Z"
    expect(right({ items, paging: { at, deep: [{ at }] } }).paging).toEqual({
      at: new Date(at),
      deep: [{ at: new Date(at) }]
    })
  })

  it("no field that would touch a prototype", () => {
    const { paging } = Either.getOrThrow(
      read('{"items":[],"paging":{"__proto__":{"isAdmin":true},"page":1}}')
    )
    expect(Object.getPrototypeOf(paging)).toBe(Object.prototype)
    expect(paging).toEqual({ page: 1 })
    expect(paging.isAdmin).toBeUndefined()
  })
})

describe("the items of a page", () => {
  it("are checked and revived like any answer", () => {
    const at = "2024-02-29T10:00:00.000Z"
    expect(right([{ _id: "a", at, other: at, title: at }]).items).toEqual([
      { _id: "a", at: new Date(at), other: new Date(at), title: at }
    ])
  })

  it("that are wrong are refused with their path", () => {
    expect(failure([{ _id: "a" }, { _id: "" }])).toMatchObject({ reason: "Shape", field: "1._id" })
    expect(failure({ data: [{ _id: "a" }, {}] })).toEqual({
      reason: "Shape",
      field: "data.1._id",
      rule: "is required"
    })
  })

  it("and the paging may not be nested beyond measure", () => {
    const deep = `{"items":[],"paging":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`
    expect(Either.getOrThrow(Either.flip(read(deep))).reason).toBe("TooDeep")
  })

  it("and the paging may not hold numbers that cannot be trusted", () => {
    expect(
      Either.getOrThrow(Either.flip(read('{"items":[],"paging":{"last":9007199254740993}}'))).reason
    ).toBe("Precision")
  })
})
