import { describe, expect, it } from "vitest"
import { blank, questionOf, read, write } from "../views/content/question.js"

const fields = [
  { apiId: "title", type: "TEXT" },
  { apiId: "views", type: "NUMERIC" },
  { apiId: "featured", type: "BOOLEAN" }
]

const rule = (field: string, op: string, value = "") => ({ field, op, value })

describe("a question to the content", () => {
  it("gives values the type of their field", () => {
    const rules = [rule("views", ">=", "3000"), rule("featured", "=", "true"), rule("title", "like", "7")]
    expect(questionOf(rules, {}, fields).filter).toEqual([
      { k: "views", v: 3000, op: ">=", t: "NUMERIC" },
      { k: "featured", v: true, op: "=", t: "BOOLEAN" },
      { k: "title", v: "7", op: "like", t: "TEXT" }
    ])
  })

  it("leaves rules without a value out", () => {
    const { filter, search } = questionOf([rule("title", "like")], {}, fields)
    expect([filter, search]).toEqual([[], []])
  })

  it("looks for a text in every text field, and has an order", () => {
    const all = [...fields, { apiId: "summary", type: "TEXT" }]
    expect(questionOf([], { search: "Vake", sort: "-views" }, all)).toEqual({
      filter: [],
      search: ["title", "summary"].map((k) => ({ k, v: "Vake", op: "like", t: "TEXT" })),
      sort: [{ k: "views", v: "desc" }]
    })
  })

  it("begins with the newest entry where there is no order", () => {
    expect(questionOf([], {}, fields).sort).toEqual([{ k: "createdAt", v: "desc" }])
    expect(questionOf([], { sort: "views" }, fields).sort).toEqual([{ k: "views", v: "asc" }])
  })

  it.each(["Vake", "", "1.5.2", "a=b&c\nd"])(
    "has a rule that comes back from an address with the value %j",
    (value) => {
      expect(read(write(rule("views", ">=", value)))).toEqual([rule("views", ">=", value)])
    }
  )

  it.each(["", "title", "title.=", ".like.x"])("leaves out what is no rule: %j", (text) => {
    expect(read(text)).toEqual([])
  })

  it("begins a rule with the comparison that suits the field", () => {
    expect(fields.map((field) => blank(field).op)).toEqual(["like", "=", "="])
    expect(blank(fields[2]).value).toBe("true")
  })
})
