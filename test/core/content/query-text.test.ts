// Filters and sorts as text: what each becomes, what reads back as what, and that nothing is lost on the way.
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck } from "effect"
import {
  conditions,
  Filter,
  type Filter as FilterItem,
  filterTypes,
  operators,
  Sort
} from "../../../core/content/query.js"
import * as QueryText from "../../../core/content/query-text.js"

const date = new Date(Date.UTC(2024, 4, 1, 9, 30))

/** Text that is rich in the marks that parts of a query are told apart by. */
const tricky = FastCheck.stringOf(
  FastCheck.constantFrom("|", "<", ">", "=", "!", "a", "7", "-", ".", " ", ",", "&", "%", "+", "é", "😀")
)

const filters: FastCheck.Arbitrary<FilterItem> = FastCheck.tuple(Arbitrary.make(Filter), tricky).map(
  ([filter, text]) => (typeof filter.v === "string" ? { ...filter, v: text } : filter)
)

const read = (text: string): FilterItem => Either.getOrThrow(QueryText.parseV3("k", text))

/** Filters with every combination of condition, operator, type and value; undefined is left out. */
const combinations = [undefined, ...conditions].flatMap((condition) =>
  [undefined, ...operators].flatMap((op) =>
    [undefined, ...filterTypes].flatMap((t) =>
      [5, -0.5, true, "lamp", "<5", ">5", "", date].map((v) => {
        const item: FilterItem = {
          k: "k",
          v,
          ...(condition === undefined ? {} : { condition }),
          ...(op === undefined ? {} : { op }),
          ...(t === undefined ? {} : { t })
        }
        return { item, condition, op, t, v, value: v instanceof Date ? v.toISOString() : `${v}` }
      })
    )
  )
)

/** The combinations whose text is not the wanted one. */
const differing = (
  text: (filter: FilterItem) => string | undefined,
  wanted: (combination: (typeof combinations)[number]) => string | undefined
) => {
  const all = combinations.map((combination) => ({
    item: combination.item,
    is: text(combination.item),
    wanted: wanted(combination)
  }))
  return all.filter(({ is, wanted }) => is !== wanted)
}

describe("a filter that carries condition, operator and type at once", () => {
  const v2 = (filter: FilterItem) => (QueryText.isSayableInV2(filter) ? QueryText.v2(filter) : undefined)

  // Spec 3.9, 3.18, public.content.listV2
  it("is written by v2 from its condition, whatever op and t say", () => {
    const marks = { contains: "", lt: "<", gt: ">" }
    const wanted = {
      ...marks,
      "=": "",
      like: "",
      "<": "<",
      ">": ">",
      "!=": undefined,
      ">=": undefined,
      "<=": undefined
    }
    expect(
      differing(v2, ({ condition, op, value }) => {
        if (condition !== undefined) return marks[condition] + value
        const mark = wanted[op ?? "="]
        return mark === undefined || (mark === "" && /^[<>]/.test(value)) ? undefined : mark + value
      })
    ).toEqual([])
    expect(v2({ k: "price", v: 5, condition: "lt", op: "<=" })).toBe("<5")
    expect(v2({ k: "price", v: "<5", condition: "contains", op: "!=", t: "NUMERIC" })).toBe("<5")
  })

  // Spec 3.9
  it("is written by v3 from its operator and type, and from the condition only where the operator is missing", () => {
    const said = { contains: "like", lt: "<", gt: ">" }
    const own = { number: "NUMERIC", boolean: "BOOLEAN", string: "TEXT", object: "TEXT" } as Record<
      string,
      string
    >
    expect(
      differing(QueryText.v3, ({ condition, op, t, v, value }) => {
        const operator = op ?? (condition === undefined ? "=" : said[condition])
        return `${operator}|${value}|${t ?? own[typeof v]}`
      })
    ).toEqual([])
    expect(QueryText.v3({ k: "price", v: 5, condition: "lt", op: "<=", t: "TEXT" })).toBe("<=|5|TEXT")
  })
})

describe("a filter in v3", () => {
  it.each<readonly [says: string, filter: Omit<FilterItem, "k">, text: string]>([
    ["no condition asks for equality", { v: "lamp" }, "=|lamp|TEXT"],
    ["contains is like", { v: "lamp", condition: "contains" }, "like|lamp|TEXT"],
    ["lt is <", { v: 5, condition: "lt" }, "<|5|NUMERIC"],
    ["gt is >", { v: 5, condition: "gt" }, ">|5|NUMERIC"],
    ["the operator goes before the condition", { v: 5, condition: "lt", op: ">=" }, ">=|5|NUMERIC"],
    ["an operator that came later is sent as it is", { v: 5, op: "near" }, "near|5|NUMERIC"],
    ["a type goes before the value's own", { v: "5", t: "NUMERIC" }, "=|5|NUMERIC"],
    ["a type that came later is sent as it is", { v: "x", t: "GEO" }, "=|x|GEO"],
    ["a boolean is BOOLEAN", { v: false }, "=|false|BOOLEAN"],
    ["a Date is ISO text", { v: date, op: ">=" }, ">=|2024-05-01T09:30:00.000Z|TEXT"],
    ["an empty text is a value", { v: "" }, "=||TEXT"],
    ["a value may hold bars", { v: "a|b|c" }, "=|a|b|c|TEXT"],
    ["a value may begin with an operator", { v: "<=|5" }, "=|<=|5|TEXT"]
  ])("%s", (_, filter, text) => {
    expect(QueryText.v3({ k: "k", ...filter })).toBe(text)
  })

  it.each<readonly [text: string, v: FilterItem["v"]]>([
    ["=|12|NUMERIC", 12],
    ["=|-0.5|NUMERIC", -0.5],
    ["=|1e+21|NUMERIC", 1e21],
    ["=|007|NUMERIC", "007"],
    ["=|1e400|NUMERIC", "1e400"],
    ["=|Infinity|NUMERIC", "Infinity"],
    ["=||NUMERIC", ""],
    ["=|true|BOOLEAN", true],
    ["=|yes|BOOLEAN", "yes"],
    ["=|12|TEXT", "12"],
    ["=|a|b|TEXT", "a|b"],
    ["=|||TEXT", "|"]
  ])("%s reads as %o", (text, v) => {
    expect(read(text).v).toBe(v)
  })

  it.each(["", "|", "||", "=|x", "=|x|", "|x|TEXT", "x", "=|TEXT"])("%o is refused", (text) => {
    expect(QueryText.parseV3("k", text)).toEqual(Either.left("must be operator|value|type"))
  })

  it.prop("what is read from a filter's text writes the same text", [filters], ([filter]) => {
    const text = QueryText.v3(filter)
    expect(QueryText.v3(read(text))).toBe(text)
  })

  // Spec 3.20
  it.prop("a value whose type is its own comes back as it was", [filters], ([{ t: _, ...filter }]) => {
    const { v } = read(QueryText.v3(filter))
    // Text cannot tell minus zero from zero.
    expect(v).toEqual(filter.v instanceof Date ? filter.v.toISOString() : filter.v === 0 ? 0 : filter.v)
  })

  // Spec 3.9
  it.prop("operator and type come back as they were", [filters], ([filter]) => {
    const item = { ...filter, op: filter.op ?? "!=", t: filter.t ?? "TEXT" }
    expect(read(QueryText.v3(item))).toMatchObject({ op: item.op, t: item.t })
  })

  it.prop("any text that can be read is what it writes again", [tricky], ([text]) => {
    const parsed = QueryText.parseV3("k", text)
    expect(Either.isLeft(parsed) || QueryText.v3(parsed.right) === text).toBe(true)
  })
})

describe("a filter in v2", () => {
  it.each<readonly [says: string, filter: Omit<FilterItem, "k">, text: string]>([
    ["contains is sent as it is", { v: "lamp", condition: "contains" }, "lamp"],
    ["no condition is sent as it is", { v: "lamp" }, "lamp"],
    ["lt is <value", { v: 5, condition: "lt" }, "<5"],
    ["gt is >value", { v: 5, condition: "gt" }, ">5"],
    ["lt of a value with a mark keeps the mark", { v: ">5", condition: "lt" }, "<>5"],
    ["the condition goes before the operator", { v: 5, condition: "lt", op: ">" }, "<5"],
    ["the condition goes before an operator that v2 lacks", { v: 5, condition: "gt", op: ">=" }, ">5"],
    ["contains sends a mark as it is", { v: "<5", condition: "contains" }, "<5"],
    ["the type is not sent", { v: "5", t: "NUMERIC" }, "5"],
    ["a bar is a character like others", { v: "a|b" }, "a|b"],
    ["a Date is ISO text", { v: date, condition: "gt" }, ">2024-05-01T09:30:00.000Z"]
  ])("%s", (_, filter, text) => {
    expect(QueryText.isSayableInV2({ k: "k", ...filter })).toBe(true)
    expect(QueryText.v2({ k: "k", ...filter })).toBe(text)
  })

  it.each<readonly [says: string, filter: Omit<FilterItem, "k">]>([
    ["a value that would read as lt", { v: "<5" }],
    ["a value that would read as gt", { v: ">5", op: "like" }],
    ["an operator that v2 does not have", { v: 5, op: "!=" }],
    ["an operator that came later", { v: 5, op: "near" }]
  ])("%s cannot be said", (_, filter) => {
    expect(QueryText.isSayableInV2({ k: "k", ...filter })).toBe(false)
  })

  const sayable = filters.filter(QueryText.isSayableInV2)

  it.prop("what is read from a filter's text writes the same text", [sayable], ([filter]) => {
    const text = QueryText.v2(filter)
    expect(QueryText.v2(QueryText.parseV2("k", text))).toBe(text)
  })

  // Spec 3.18, public.content.listV2
  it.prop("condition and text come back as they were", [sayable], ([filter]) => {
    const { condition, v } = QueryText.parseV2(filter.k, QueryText.v2(filter))
    const value = filter.v instanceof Date ? filter.v.toISOString() : String(filter.v)
    if (filter.condition === "lt" || filter.condition === "gt")
      expect([condition, v]).toEqual([filter.condition, value])
    else
      expect({ lt: "<", gt: ">", contains: "" }[condition ?? "contains"] + v).toBe(
        filter.condition === undefined && (filter.op === "<" || filter.op === ">") ? filter.op + value : value
      )
  })

  it.prop("any text reads as a filter that can be said, and writes it again", [tricky], ([text]) => {
    const parsed = QueryText.parseV2("k", text)
    expect(QueryText.isSayableInV2(parsed)).toBe(true)
    expect(QueryText.v2(parsed)).toBe(text)
  })
})

describe("a sort", () => {
  it("is its direction", () => {
    expect(QueryText.sort({ k: "views", v: "desc" })).toBe("desc")
  })

  it("names the type where one is given", () => {
    expect(QueryText.sort({ k: "views", v: "desc", t: "NUMERIC" })).toBe("desc|NUMERIC")
  })

  it.each(["", "|", "desc|", "|TEXT", "desc|TEXT|more"])("%o is refused", (text) => {
    expect(QueryText.parseSort("k", text)).toEqual(Either.left("must be direction, or direction|type"))
  })

  // Spec 3.10
  it.prop("comes back as it was", [Sort], ([sort]) => {
    const parsed = Either.getOrThrow(QueryText.parseSort(sort.k, QueryText.sort(sort)))
    expect(parsed).toEqual(sort.t === undefined ? { k: sort.k, v: sort.v } : sort)
  })
})

describe("a whole query", () => {
  it("gives v3's filters, searches and sorts in their order, equal keys twice, and passes over the rest", () => {
    const pairs = new URLSearchParams(
      "lang=en&p.views=%3E%7C5%7CNUMERIC&o.views=desc&p.views=%3C%7C9%7CNUMERIC&s.a.b=like%7Cx%7CTEXT&p.=1&projectId=7"
    )
    expect(QueryText.parseQueryV3(pairs)).toEqual(
      Either.right({
        filter: [
          { k: "views", v: 5, op: ">", t: "NUMERIC" },
          { k: "views", v: 9, op: "<", t: "NUMERIC" }
        ],
        search: [{ k: "a.b", v: "x", op: "like", t: "TEXT" }],
        sort: [{ k: "views", v: "desc" }]
      })
    )
  })

  it("names the pair of v3 that breaks the rule", () => {
    expect(QueryText.parseQueryV3(new URLSearchParams("s.title=lamp"))).toEqual(
      Either.left({ field: "s.title", rule: "must be operator|value|type" })
    )
  })

  it("gives v2's filters and searches", () => {
    expect(QueryText.parseQueryV2(new URLSearchParams("f.views=%3E5&s.title=lamp&f.=x&page=2"))).toEqual({
      filter: [{ k: "views", v: "5", condition: "gt" }],
      search: [{ k: "title", v: "lamp" }],
      sort: []
    })
  })
})
