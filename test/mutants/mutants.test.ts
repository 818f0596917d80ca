// The list of mutants stays true: each still changes its source in one place, and the table says what the list does.
// That each of them is killed is for `npm run mutants` to see.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Mutant } from "@quartet/support/mutant.js"
import { expect, onTestFinished, test } from "vitest"
import { scenarios } from "../faults/scenarios.js"
import { digestOf, mutated } from "./copy.js"
import { mutants, withTable } from "./mutants.js"

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
])("a mutant %s is refused", (_, source, broken, says) => {
  expect(() => mutated(source, broken)).toThrow(says)
})

test("a mutant is put in as it stands", () => {
  expect(mutated("xaz", mutant)).toBe("x$& bz")
})

test("a verdict counts until a source or a test changes, whatever folder it is in", () => {
  const root = mkdtempSync(join(tmpdir(), "quartet-digest-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync("git", ["init", "--quiet"], { cwd: root })
  const folders = new Set(
    mutants
      .flatMap(({ file, killedBy }) => [file, killedBy])
      .filter((name) => name.endsWith(".ts"))
      .map((name) => name.split("/")[0] ?? "")
  )
  const digests = [...folders].flatMap((folder) =>
    ["a.ts", "b.tsx"].map((name) => {
      mkdirSync(join(root, folder), { recursive: true })
      writeFileSync(join(root, folder, name), "")
      return digestOf(root)
    })
  )
  expect(new Set(digests).size).toBe(folders.size * 2)
  writeFileSync(join(root, "README.md"), "")
  expect(digestOf(root)).toBe(digests.at(-1))
})

test("the table in docs/resilience.md is the list's", () => {
  const document = readFileSync("docs/resilience.md", "utf8")
  expect(withTable(document)).toBe(document)
})
