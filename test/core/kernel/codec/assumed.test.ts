// Assumed fields: whatever a platform answers there is kept, and reported where it is otherwise, however answers are read.
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import * as Page from "../../../../core/kernel/codec/page.js"
import { type Mismatch, maxDepth } from "../../../../core/kernel/codec/state.js"
import { page, type Typed } from "../../../../core/kernel/operation/answer.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"

const Line = Entity.make({}, () => ({ name: Schema.String, quantity: Schema.Number }))
const Order = Entity.make({ _id: Entity.Id, note: Entity.maybe(Schema.String) }, () => ({
  number: Schema.NonEmptyString,
  total: Schema.Number,
  status: Entity.openLiteral("new", "paid"),
  kind: Schema.Literal("v1", "v2"),
  groupId: Entity.maybe(Entity.Id),
  paid: Schema.Boolean,
  lines: Schema.Array(Line),
  placedAt: DateTime
}))

const when = "2024-02-29T10:00:00.000Z"
const date = new Date(when)

const readings = [
  ["tolerantly", true],
  ["strictly", false]
] as const

/** What a value is decoded to, and what is reported of it. */
const decode = (decoder: Decoder.Decode<unknown>, json: unknown, isTolerant: boolean) => {
  const drift: Array<Mismatch> = []
  const source = JSON.stringify(json)
  const decoded = decoder(JSON.parse(source), source, (mismatch) => drift.push(mismatch), isTolerant)
  return { decoded, drift }
}
const read = (schema: Typed<unknown>, json: unknown, isTolerant: boolean) => {
  const { decoded, drift } = decode(Decoder.make(schema), json, isTolerant)
  return { value: Either.getOrThrow(decoded), drift }
}

describe.each(readings)("an answer that is read %s", (_, isTolerant) => {
  it("has its assumed fields where they are as assumed", () => {
    const order = {
      _id: "a",
      number: "1",
      total: 12.5,
      status: "new",
      kind: "v1",
      groupId: "g",
      paid: true,
      lines: [{ name: "x", quantity: 1 }],
      placedAt: when
    }
    expect(read(Order, order, isTolerant)).toEqual({ value: { ...order, placedAt: date }, drift: [] })
  })

  it("may lack each of them, have it as null, and have others", () => {
    const order = { _id: "a", total: null, lines: null, placedAt: null, discount: { percent: 5 } }
    expect(read(Order, order, isTolerant)).toEqual({ value: order, drift: [] })
    expect(read(Order, { _id: "a" }, isTolerant)).toEqual({ value: { _id: "a" }, drift: [] })
  })

  it("may lack of an entity that is assumed to be there what every other one has", () => {
    const Login = Entity.make({ token: Schema.String }, () => ({ order: Order, orders: Schema.Array(Order) }))
    const login = { token: "t", order: { total: 5 }, orders: [{}] }
    expect(read(Login, login, isTolerant)).toEqual({ value: login, drift: [] })
    expect(read(Login, { token: "t", order: { _id: 5 } }, isTolerant).drift).toMatchObject([
      { path: "order._id" }
    ])
  })

  it("keeps one of another kind as it came, and reports it", () => {
    const order = {
      _id: "a",
      number: { text: "1" },
      total: "12.50",
      kind: "v3",
      groupId: 7,
      paid: 1,
      placedAt: "yesterday"
    }
    expect(read(Order, order, isTolerant)).toEqual({
      value: order,
      drift: [
        { path: "number", expected: "NonEmptyString | null", came: "object" },
        { path: "total", expected: "number | null", came: "text" },
        { path: "kind", expected: '"v1" | "v2" | null', came: "text" },
        { path: "groupId", expected: "nonEmptyString | null", came: "number" },
        { path: "paid", expected: "boolean | null", came: "number" },
        { path: "placedAt", expected: "DateTime | null", came: "text" }
      ]
    })
  })

  it("keeps and reports what is otherwise deep inside one", () => {
    const order = { _id: "a", lines: [{ name: 7, quantity: "2" }, "a line", { name: 8, price: when }] }
    const { drift, value } = read(Order, order, isTolerant)
    expect(value).toEqual({
      _id: "a",
      lines: [{ name: 7, quantity: "2" }, "a line", { name: 8, price: date }]
    })
    expect(drift.map(({ came, path }) => [path, came])).toEqual([
      ["lines[].name", "number"],
      ["lines[].quantity", "text"],
      ["lines[]", "text"]
    ])
    const other = read(Order, { _id: "a", lines: { first: { at: when } } }, isTolerant)
    expect(other.value).toEqual({ _id: "a", lines: { first: { at: date } } })
    expect(other.drift.map(({ came, path }) => [path, came])).toEqual([["lines", "object"]])
  })

  it("makes a Date of an assumed text that looks like one, as of a field that nobody declares", () => {
    const order = { _id: "a", number: when, status: when, kind: when, other: when, lines: [{ name: when }] }
    const { drift, value } = read(Order, order, isTolerant)
    expect(value).toEqual({
      _id: "a",
      number: date,
      status: date,
      kind: date,
      other: date,
      lines: [{ name: date }]
    })
    // A text of a closed list of words is none of them.
    expect(drift.map(({ path }) => path)).toEqual(["kind"])
  })

  it("keeps the texts of declared fields", () => {
    expect(read(Order, { _id: "a", note: when }, isTolerant).value).toEqual({ _id: "a", note: when })
  })

  it("is read so in a list, and in a caller's own schema that takes assumed fields over", () => {
    const json = {
      items: [
        { _id: "a", total: "1" },
        { _id: "b", total: "2" }
      ],
      total: 2
    }
    const { decoded, drift } = decode(Page.decoder(page(Order)), json, isTolerant)
    expect(Either.getOrThrow(decoded)).toEqual({ items: json.items, paging: { total: 2 } })
    expect(drift.map(({ path }) => path)).toEqual(["items[].total"])
    const Own = Schema.Struct({ _id: Schema.String, total: Order.fields.total })
    expect(read(Own, { _id: "a", total: "1" }, isTolerant).value).toEqual({ _id: "a", total: "1" })
  })

  it("is refused where an assumed field is nested too deep, as where an undeclared one is", () => {
    const deep = JSON.parse("[".repeat(maxDepth + 1) + "]".repeat(maxDepth + 1))
    const reasons = ["lines", "other"].map((name) => {
      const { decoded } = decode(Decoder.make(Order), { _id: "a", [name]: deep }, isTolerant)
      return Either.getOrThrow(Either.flip(decoded)).reason
    })
    expect(reasons).toEqual(["TooDeep", "TooDeep"])
  })
})

describe.each(readings)("an answer that is assumed as a whole and read %s", (_, isTolerant) => {
  const Guessed = Entity.guess(Order)

  it("is what it is assumed to be, with declared texts as texts", () => {
    const order = { _id: when, note: when, number: when }
    expect(read(Guessed, order, isTolerant)).toEqual({ value: { ...order, number: date }, drift: [] })
  })

  it("may be nothing", () => {
    expect(read(Guessed, null, isTolerant)).toEqual({ value: null, drift: [] })
    const drift: Array<Mismatch> = []
    const decoded = Decoder.make(Guessed)(
      undefined,
      undefined,
      (mismatch) => drift.push(mismatch),
      isTolerant
    )
    expect([decoded, drift]).toEqual([Either.right(undefined), []])
  })

  it("may be anything else, which is reported", () => {
    for (const [answer, path, came] of [
      ["OK", "", "text"],
      [[1], "", "list"],
      [{ ok: true }, "_id", "nothing"],
      [{ _id: "a", note: 7 }, "note", "number"]
    ] as const) {
      const { drift, value } = read(Guessed, answer, isTolerant)
      expect(value).toEqual(answer)
      expect(drift.map((mismatch) => [mismatch.path, mismatch.came])).toEqual([[path, came]])
    }
  })
})

describe("an answer that is read strictly", () => {
  it("is refused for what is declared, although something assumed was tolerated before", () => {
    const { decoded } = decode(Decoder.make(Order), { _id: "a", total: "1", note: 7 }, false)
    expect(decoded).toMatchObject({ left: { reason: "Shape", field: "note" } })
    const inLines = decode(Decoder.make(Order), { lines: [{ name: 1 }] }, false)
    expect(inLines.decoded).toMatchObject({ left: { reason: "Shape", field: "_id" } })
  })

  const read = (source: string) => {
    const drift: Array<string> = []
    const report = ({ path }: Mismatch) => drift.push(path)
    return { decoded: Decoder.make(Order)(JSON.parse(source), source, report, false), drift }
  }

  it("has the text of a number that JavaScript cannot hold where that is assumed, and reports it", () => {
    for (const digits of ["12345678901234567890", "9007199254740993", "1e400"]) {
      const { decoded, drift } = read(
        `{"_id":"a","total":${digits},"lines":[{"_id":"l","quantity":${digits}}]}`
      )
      expect(decoded).toMatchObject({ right: { total: digits, lines: [{ quantity: digits }] } })
      expect(drift).toEqual(["total", "lines[].quantity"])
    }
  })

  it("is refused for such a number that nobody has declared or assumed, beside one that is assumed, too", () => {
    for (const assumed of ["", '"total":12345678901234567890,'])
      expect(read(`{"_id":"a",${assumed}"other":12345678901234567890}`).decoded).toMatchObject({
        left: { reason: "Precision" }
      })
  })
})

describe("an answer that is read tolerantly", () => {
  it("has the text of a number that JavaScript cannot hold, assumed or undeclared", () => {
    const source = '{"_id":"a","total":12345678901234567890,"other":12345678901234567890}'
    const drift: Array<Mismatch> = []
    const decoded = Decoder.make(Order)(JSON.parse(source), source, (mismatch) => drift.push(mismatch))
    const text = "12345678901234567890"
    expect(decoded).toEqual(Either.right({ _id: "a", total: text, other: text }))
    expect(drift.map(({ path }) => path)).toEqual(["total", "other"])
  })
})
