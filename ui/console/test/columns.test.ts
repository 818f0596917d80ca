import { describe, expect, it } from "vitest"
import { type Column, fitting, leastWidth } from "../frame/columns.js"

const column = (title: string, room: Pick<Column<object>, "from" | "width">): Column<object> => ({
  title,
  ...room,
  value: () => ""
})
const columns = [
  column("Number", { width: "s" }),
  column("Customer", { width: "fill" }),
  column("Type", { width: "xs", from: "xl" }),
  column("Lines", { width: "xs", from: "xl" }),
  column("Ordered", { width: "s", from: "l" }),
  column("Id", { from: "file" })
]
const titlesAt = (width: number): ReadonlyArray<string> => fitting(columns, width).map(({ title }) => title)

describe("the columns of a pane", () => {
  it("are all there where each has its room", () => {
    expect(titlesAt(leastWidth(columns))).toEqual(columns.map(({ title }) => title))
  })
  it("go from the end, those first that need the widest pane", () => {
    expect(titlesAt(leastWidth(columns) - 1)).toEqual(["Number", "Customer", "Type", "Ordered", "Id"])
    expect(titlesAt(400)).toEqual(["Number", "Customer", "Ordered", "Id"])
  })
  it("stay where no pane is too narrow for them", () => {
    expect(titlesAt(0)).toEqual(["Number", "Customer", "Id"])
  })
})
