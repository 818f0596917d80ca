import { describe, expect, it } from "vitest"
import { placeAfter, placeAfterMove } from "../frame/selection.js"

const stood = { id: "c", before: "b", after: "d" }

describe("a step from the selected row", () => {
  it("leads to the row below it, and no further than the last", () => {
    expect(placeAfter(["a", "b", "c"], "b", 1, 1)).toBe(2)
    expect(placeAfter(["a", "b", "c"], "c", 2, 1)).toBe(2)
  })

  it("leads, from a row that left the list, to the one that stands in its place", () => {
    expect(placeAfter(["a", "c"], "b", 1, 1)).toBe(1)
  })

  it("leads to what stood after it, where its own change took it to the top", () => {
    expect(placeAfterMove(["c", "a", "b", "d", "e"], stood, 1)).toBe(3)
    expect(placeAfterMove(["c", "a", "b", "d", "e"], stood, -1)).toBe(2)
  })

  it("is an ordinary one where another row moved", () => {
    expect(placeAfterMove(["d", "a", "b", "c", "e"], stood, 1)).toBeUndefined()
    expect(placeAfterMove(["b", "a", "c", "d", "e"], stood, 1)).toBeUndefined()
  })

  it("ends where the row stood last", () => {
    expect(placeAfterMove(["c", "a", "b"], { ...stood, after: undefined }, 1)).toBe(2)
  })
})
