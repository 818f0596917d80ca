import { describe, expect, it } from "vitest"
import { idAfter, placeAfter, placeAfterMove } from "../frame/selection.js"

const stood = { id: "c", before: "b", after: "d" }

describe("the selected row, once rows are gone", () => {
  const after = (id: string | undefined, ...gone: ReadonlyArray<string>) =>
    idAfter(
      ["a", "b", "c"].map((_id) => ({ _id })),
      id,
      gone.map((_id) => ({ _id }))
    )

  it("stays, or gives way to the next one that stays, or to one before", () => {
    expect(after("b", "a")).toBe("b")
    expect(after("a", "a", "b")).toBe("c")
    expect(after("c", "b", "c")).toBe("a")
    expect(after("a", "a", "b", "c")).toBe(undefined)
  })

  it("stays where the list does not hold it, unless it is gone itself", () => {
    expect(after("z", "a")).toBe("z")
    expect(after("z", "z")).toBe(undefined)
    expect(after(undefined, "a")).toBe(undefined)
  })
})

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
