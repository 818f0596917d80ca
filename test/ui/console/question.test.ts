import { describe, expect, it } from "vitest"
import {
  blank,
  type Line,
  queryText,
  questionOf,
  read,
  write
} from "../../../ui/console/views/content/question.js"

const fields = [
  { apiId: "title", type: "TEXT" },
  { apiId: "views", type: "NUMERIC" },
  { apiId: "featured", type: "BOOLEAN" }
]

const line = (kind: Line["kind"], field: string, op: string, value = ""): Line => ({
  kind,
  field,
  op,
  value
})

describe("a question to the content", () => {
  it("gives values the type of their field", () => {
    const views = line("where", "views", ">=", "3000")
    const others = [line("where", "featured", "=", "true"), line("where", "title", "like", "7")]
    const { filter } = questionOf([views, ...others], fields)
    expect(filter).toEqual([
      { k: "views", v: 3000, op: ">=", t: "NUMERIC" },
      { k: "featured", v: true, op: "=", t: "BOOLEAN" },
      { k: "title", v: "7", op: "like", t: "TEXT" }
    ])
  })

  it("leaves lines without a value out, and keeps sorts, which have none", () => {
    const question = questionOf([line("where", "title", "like"), line("sort", "views", "desc")], fields)
    expect(question).toEqual({ filter: [], search: [], sort: [{ k: "views", v: "desc" }] })
  })

  it("is shown as the query that the client sends", () => {
    const views = line("where", "views", ">=", "3000")
    const others = [line("find", "title", "like", "Vake"), line("sort", "views", "desc")]
    const question = questionOf([views, ...others], fields)
    const pairs = ["p.views=>=|3000|NUMERIC", "s.title=like|Vake|TEXT", "o.views=desc"]
    expect(queryText(question, "en")).toEqual(["lang=en", ...pairs])
  })

  it("begins with the newest entry where there is no sort", () => {
    expect(questionOf([], fields).sort).toEqual([{ k: "createdAt", v: "desc" }])
  })

  it.each(["Vake", "", "1.5.2", "a=b&c\nd"])("comes back from an address with the value %j", (value) => {
    const views = line("find", "views", ">=", value)
    expect(read(write(views))).toEqual([views])
  })

  it.each(["", "where", "drop.title.=.x", "where.title"])("leaves out what is no line: %j", (text) => {
    expect(read(text)).toEqual([])
  })

  it("begins with the comparison that suits the field", () => {
    expect(fields.map((field) => blank("where", field).op)).toEqual(["like", "=", "="])
    expect(blank("sort", fields[0]).op).toBe("desc")
    expect(blank("where", fields[2]).value).toBe("true")
  })
})
