// The list of mutants stays true: each still changes its source in one place, and the table says what the list does.
// That each of them is killed is for `npm run mutants` to see.

import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { lines } from "../faults/lines.js"
import { mutated } from "./copy.js"
import { type Mutant, mutants } from "./mutants.js"
import { withTable } from "./table.js"

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")

describe("each mutant changes its source in exactly one place:", () => {
  for (const mutant of mutants)
    test(mutant.name, () => {
      expect(mutated(read(mutant.file), mutant)).not.toBe(read(mutant.file))
    })
})

test("each mutant is to be killed by tests that are there, or by a line of the torture", () => {
  const names = lines.map(({ name }) => name)
  for (const { killedBy } of mutants) {
    const [, line] = killedBy.split("torture ")
    const isThere =
      line === undefined ? existsSync(new URL(`../../${killedBy}`, import.meta.url)) : names.includes(line)
    expect(isThere, killedBy).toBe(true)
  }
})

test("there are at least 30, no two of one name, in the kernel, the sessions, the chat and the transports", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(30)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  for (const folder of [
    "core/kernel/",
    "core/kernel/session/",
    "core/chat/",
    "adapters/undici/",
    "adapters/fetch/"
  ])
    expect(
      mutants.some(({ file }) => file.startsWith(folder)),
      folder
    ).toBe(true)
})

describe("a mutant is refused", () => {
  const mutant: Mutant = { name: "m", file: "a.ts", find: "a", replace: "$& b", killedBy: "torture calls" }

  test("where its text is not in the source, or more than once", () => {
    expect(() => mutated("xyz", mutant)).toThrow(
      "m: its text stands 0 times in a.ts, and must stand there once"
    )
    expect(() => mutated("a, a", mutant)).toThrow("stands 2 times")
  })

  test("where it changes nothing", () => {
    expect(() => mutated("xaz", { ...mutant, replace: "a" })).toThrow("it changes nothing")
  })

  test("and otherwise put in as it stands", () => {
    expect(mutated("xaz", mutant)).toBe("x$& bz")
  })
})

test("the table in docs/resilience.md is the list's", () => {
  const document = read("docs/resilience.md")
  expect(withTable(document, mutants)).toBe(document)
})
