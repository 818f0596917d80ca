// The trace from the specification to code and tests: nothing of the specification is left out, nothing is invented,
// and every place that the trace names is there. Writes docs/specification.md.
import { describe, expect, test } from "vitest"
import { exists, filesIn, read, root } from "../../tools/files.js"
import { counts } from "../wire/rows.js"
import { calls } from "./calls.js"
import { page, partsOf } from "./specification.js"
import { split, statements } from "./statements.js"
import { exportsIn, titlesIn } from "./syntax.js"
import { type Traced, trace, unclaimed } from "./trace.js"

const places = (of: (row: Traced) => ReadonlyArray<`${string}#${string}`>) => [
  ...new Set(trace.flatMap((row) => of(row)))
]

/** The files that a place names and what is there, read once each. */
const known = <A>(read: (file: string) => A) => {
  const found = new Map<string, A>()
  return (file: string): A => {
    const value = found.get(file) ?? read(file)
    found.set(file, value)
    return value
  }
}

describe("the statements", () => {
  test("are cut out of the text, nothing is lost: joined again they are the text", () => {
    const letters = (text: string) => text.replaceAll(/[\s|-]/g, "")
    const lines = read("test/docs/specification.txt").split("\n")
    const heads = lines.filter((line, index) => line.startsWith("#") || /^\|-/.test(lines[index + 1] ?? ""))
    const kept = lines.filter((line) => !heads.includes(line)).join("")
    expect(letters(statements.map(({ text }) => text).join(""))).toBe(letters(kept))
    expect(heads.filter((line) => !line.startsWith("#"))).toEqual(["| Client | Audience | Credentials |"])
  })

  test("are sentences, bullets and rows of tables, under their sections", () => {
    const text =
      "One.\n\n## 1. A\n\nTwo lines: a, b. And v1.2 too.\n- A bullet.\n\n| h | i |\n|---|---|\n| x | y |\n"
    expect(split(text)).toEqual([
      { text: "One.", section: "" },
      { text: "Two lines: a, b.", section: "1. A" },
      { text: "And v1.2 too.", section: "1. A" },
      { text: "A bullet.", section: "1. A" },
      { text: "x | y", section: "1. A" }
    ])
  })
})

describe("the trace", () => {
  test("covers every statement of the specification, in its order, and invents none", () => {
    expect(trace.map(({ says }) => says)).toEqual(statements.map(({ text }) => text))
  })

  test("leads every statement to code and to a test", () => {
    const bare = trace.filter(({ code, tests }) => code.length === 0 || tests.length === 0)
    expect(bare.map(({ says }) => says)).toEqual([])
  })

  test("finds each of the 168 calls in exactly one statement", () => {
    const found = trace.flatMap((row) => row.calls.map(({ id }) => id))
    expect([...found].sort()).toEqual(calls.map(({ id }) => id).sort())
    expect(found).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0))
  })

  test("leaves no method and no path of a statement of calls unclaimed", () => {
    const rows = trace.filter((row) => row.calls.length > 0)
    const left = rows.flatMap((row) =>
      unclaimed(row).filter((word) => /^(GET|POST|PUT|DELETE|CRUD)$|\//.test(word))
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(left).toEqual([])
  })

  test("names for every call a test that makes it on a platform", () => {
    const text = known(read)
    const names = { admin: "Admin", public: "Public", private: "Private", endUser: "EndUser" }
    const missing = trace.flatMap((row) =>
      row.calls.filter(({ client, found }) => {
        const call = new RegExp(`\\b${names[client]}\\.${found.name}\\b`)
        const onPlatform = row.tests
          .map((place) => partsOf(place).file)
          .filter((file) => file.startsWith("test/sandbox/"))
        return !onPlatform.some((file) => call.test(text(file)))
      })
    )
    expect(missing.map(({ id }) => id)).toEqual([])
  })
})

describe("every place that the trace names", () => {
  const code = places((row) => row.code)
  const tests = places((row) => row.tests)

  test("in the sources is an export of a file", () => {
    const exported = known((file) => exportsIn(read(file)))
    const missing = code.filter((place) => {
      const { file, name } = partsOf(place)
      return !/^(core|adapters|clients)\//.test(file) || !exists(file) || !exported(file).has(name)
    })
    expect(code.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })

  test("in the tests is a suite or a test that runs", () => {
    const titles = known((file) =>
      titlesIn(read(file))
        .filter(({ runs }) => runs)
        .map(({ path }) => path.join(" > "))
    )
    const missing = tests.filter((place) => {
      const { file, name } = partsOf(place)
      return !exists(file) || !titles(file).includes(name)
    })
    expect(tests.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })

  test("in the tests is in a test file, or in a suite that one runs", () => {
    const sources = filesIn("test").filter((file) => /\.test\.tsx?$/.test(file))
    const files = [...new Set(tests.map((place) => partsOf(place).file))]
    const strays = files.filter((file) => {
      const name = file.split("/").at(-1)?.replace(/\.ts$/, ".js") ?? ""
      return !sources.includes(file) && !sources.some((test) => read(test).includes(`/${name}"`))
    })
    expect(strays).toEqual([])
  })
})

describe("a source is read by its syntax:", () => {
  test("suites and tests are found, in whatever form they are written, and whether they run", () => {
    const source = `
      // it("in a comment", () => {})
      const text = 'it("in a text")'
      describe.each([1])("a suite of %s", () => {
        it.effect("runs", () => 0)
        it.scopedLive.each([[1, () => 2]])(\`takes \${text} too\`, () => 0)
        it.skip("is skipped", () => 0)
      })
      describe.skip("skipped", () => { test("within", () => 0) })
    `
    expect(titlesIn(source).map(({ path, runs }) => [path.join(" > "), runs])).toEqual([
      ["a suite of %s", true],
      ["a suite of %s > runs", true],
      ["a suite of %s > takes … too", true],
      ["a suite of %s > is skipped", false],
      ["skipped", false],
      ["skipped > within", false]
    ])
  })

  test("exports are values and types, and not what is only imported, local or written of", () => {
    const source = `
      import { a } from "a"
      // export const b = 1
      const c = 1
      export const d = 1, e = "export const f = 1"
      export interface G {}
      export type H = string
      export class I {}
      export function j() {}
      export { c as k, type L } from "l"
      export * as M from "m"
    `
    expect([...exportsIn(source)]).toEqual(["d", "e", "G", "H", "I", "j", "k", "L", "M"])
  })
})

test("docs/specification.md is the trace", async () => {
  await expect(page()).toMatchFileSnapshot(`${root}docs/specification.md`)
})
