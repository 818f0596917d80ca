import { growth, most } from "@quartet/support/growth.js"
import { expect, it } from "vitest"
import { newest } from "../doctor/range.js"

it("a range of versions of eight times the length costs at most sixteen times as much", () => {
  expect(growth((n) => newest(`${"<".repeat(n)} `))).toBeLessThanOrEqual(most)
})
