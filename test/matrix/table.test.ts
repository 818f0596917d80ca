// The tables of the matrix: those of docs/portability.md are made of all cells that there are, each as it is expected to be.

import { read } from "@quartet/support/files.js"
import { describe, expect, test } from "vitest"
import type { Cell } from "./cells/cell.js"
import { cells } from "./cells/index.js"
import { faultsOf, tables, written } from "./table.js"

const page = read("docs/portability.md")

test("the page has a line for each environment and version, with what is expected of it", () => {
  const results = cells.map((cell) => ({ cell, outcome: cell.expected }))
  expect(written(page, tables(results))).toBe(page)
})

describe("a cell", () => {
  const cell: Cell = {
    table: "Runtimes",
    name: "Abacus",
    version: "1",
    expected: { calls: "works", undici: "refuses: so" },
    run: () => Promise.reject(new Error("not run here"))
  }

  test.each([
    ["as expected", cell.expected, [], "| Abacus | 1 | ✓ | refuses |"],
    [
      "that refuses otherwise",
      { calls: "works", undici: "refuses: no" },
      ["undici: refuses: no"],
      "| Abacus | 1 | ✓ | ✗ |"
    ],
    [
      "that works where it should refuse",
      { calls: "works", undici: "works" },
      ["undici: works"],
      "| Abacus | 1 | ✓ | ✗ |"
    ],
    ["that skips a part", { undici: "refuses: so" }, ["calls: did not run"], "| Abacus | 1 | ✗ | refuses |"],
    ["that breaks", new Error("no abacus"), ["no abacus"], "| Abacus | 1 | ✗ | ✗ |"]
  ])("%s", (_, outcome, faults, line) => {
    expect(faultsOf({ cell, outcome })).toEqual(faults)
    expect(tables([{ cell, outcome }]).split("\n").at(-1)).toBe(line)
  })

  test("shares its line with the versions that do the same, and with no other", () => {
    const results = [
      { cell, outcome: cell.expected },
      { cell: { ...cell, version: "2" }, outcome: cell.expected },
      { cell: { ...cell, version: "3" }, outcome: new Error("no abacus") }
    ]
    expect(tables(results).split("\n").slice(2)).toEqual([
      "| Abacus | 1, 2 | ✓ | refuses |",
      "| Abacus | 3 | ✗ | ✗ |"
    ])
  })
})
