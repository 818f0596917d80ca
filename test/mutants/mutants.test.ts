// The list of mutants stays true: each still changes its source in one place, and the table says what the list does.
// That each of them is killed is for `npm run mutants` to see.
import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { scenarios } from "../faults/scenarios.js"
import { mutated } from "./copy.js"
import { type Mutant, mutants, withTable } from "./mutants.js"

test.each(mutants)("$name: changes its source, and its killer is there", (mutant) => {
  const source = readFileSync(mutant.file, "utf8")
  expect(mutated(source, mutant)).not.toBe(source)
  const isScenario = scenarios.some(({ name }) => mutant.killedBy === `torture ${name}`)
  expect(isScenario || existsSync(mutant.killedBy), mutant.killedBy).toBe(true)
})

test("there are at least 60, no two of one name, in the kernel, the sessions, the chat and the transports", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  const files = mutants.map(({ file }) => file).join("\n")
  for (const folder of ["core/kernel/session/", "core/chat/", "adapters/undici/", "adapters/fetch/"])
    expect(files).toContain(folder)
})

const mutant: Mutant = { name: "m", file: "a.ts", find: "a", replace: "$& b", killedBy: "torture calls" }

test.each([
  ["whose text is not in the source", "xyz", mutant, "m: its text stands 0 times in a.ts, and must"],
  ["whose text is there twice", "a, a", mutant, "stands 2 times"],
  ["that changes nothing", "xaz", { ...mutant, replace: "a" }, "it changes nothing"]
])("a mutant %s is refused", (_, source, one, says) => {
  expect(() => mutated(source, one)).toThrow(says)
})

test("a mutant is put in as it stands", () => {
  expect(mutated("xaz", mutant)).toBe("x$& bz")
})

test("the table in docs/resilience.md is the list's", () => {
  const document = readFileSync("docs/resilience.md", "utf8")
  expect(withTable(document)).toBe(document)
})
