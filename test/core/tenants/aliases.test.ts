// The platform's own spellings of action types are read as what they stand for, and asked for beside the right ones.
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Aliases } from "../../../core/tenants/model.js"
import { normalise, spellings } from "../../../core/tenants/topics.js"

const aliases: Aliases = {
  REDIRECTNG_FREND: "REDIRECTING_FRIEND",
  REQEST_APARTMENT_LINK: "REQUEST_APARTMENT_LINK"
}

describe("normalise", () => {
  // Spec 3.17
  it("reads a misspelled type as what it stands for", () => {
    expect(normalise("REDIRECTNG_FREND", aliases)).toBe("REDIRECTING_FRIEND")
    expect(normalise("REQEST_APARTMENT_LINK", aliases)).toBe("REQUEST_APARTMENT_LINK")
  })

  it.each(["REDIRECTING_FRIEND", "MAINTENANCE", "LATER", "", "toString", "constructor", "__proto__"])(
    "leaves %o as it is",
    (type) => {
      expect(normalise(type, aliases)).toBe(type)
    }
  )

  it.prop("leaves everything as it is where no table is given", [FastCheck.string()], ([type]) => {
    expect(normalise(type)).toBe(type)
  })
})

describe("spellings", () => {
  it("are the right one and the platform's own", () => {
    expect(spellings("REDIRECTING_FRIEND", aliases)).toEqual(["REDIRECTING_FRIEND", "REDIRECTNG_FREND"])
  })

  it("are the type alone where it is not misspelled", () => {
    expect(spellings("BUY", aliases)).toEqual(["BUY"])
    expect(spellings("REDIRECTING_FRIEND")).toEqual(["REDIRECTING_FRIEND"])
  })

  // Spec 3.17
  it("all normalise to the type", () => {
    const all = spellings("REQUEST_APARTMENT_LINK", aliases)
    expect(all.map((spelling) => normalise(spelling, aliases))).toEqual([
      "REQUEST_APARTMENT_LINK",
      "REQUEST_APARTMENT_LINK"
    ])
  })
})
