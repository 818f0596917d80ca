// The trace from the specification to code and tests: nothing of the specification is left out, nothing is invented,
// and every place that the trace names is there.

import { exists, filesIn, read } from "@quartet/support/files.js"
import * as Either from "effect/Either"
import { describe, expect, test } from "vitest"
import { modelOf } from "../../clients/description/fields.js"
import * as Decoder from "../../core/kernel/codec/decoder.js"
import { operations } from "../../tools/generate/operations.js"
import { calls } from "../../tools/specification/calls.js"
import { notes, places } from "../../tools/specification/places.js"
import { numbered, source, split, statements } from "../../tools/specification/statements.js"
import { exportsIn, tagsIn, titlesIn } from "../../tools/specification/syntax.js"
import { textNames, texts } from "../../tools/specification/texts.js"
import { strays, tags, trace, unclaimed } from "../../tools/specification/trace.js"

describe("the statements", () => {
  test("are cut out of the text, nothing is lost: joined again they are the text", () => {
    const letters = (text: string) => text.replaceAll(/[\s|-]/g, "")
    const lines = read(source).split("\n")
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
  test("leads every statement to code and to a test", () => {
    const bare = trace.filter((row) => row.code.length === 0 || row.tests.length === 0)
    expect(bare.map(({ id, text }) => `${id} ${text}`)).toEqual([])
  })

  test("has no tag of no statement, and none above anything else than a test that runs", () => {
    expect(strays).toEqual([])
  })

  test("has a number of its own for each statement but those of calls, and no note of no statement", () => {
    const ids = trace.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(places)).toHaveLength(trace.filter((row) => row.calls.length === 0).length)
    expect(Object.keys(notes).filter((id) => !ids.includes(id))).toEqual([])
  })

  test("finds a statement by its section and its first words, wherever it stands", () => {
    expect(numbered("9.77 Permission weights").statement.text).toBe(
      "Permission weights: None 0, Read 1, Write 3, Admin 9."
    )
    expect(() => numbered("3.1 Permission weights")).toThrow('0 statements begin with "Permission weights"')
    expect(() => numbered("7.1 POST")).toThrow(/^\d\d? statements begin with "POST"$/)
  })

  test("has tags in test files, or in suites that one runs", () => {
    const sources = ["test", "ui", "packages"].flatMap(filesIn).filter((file) => /\.test\.tsx?$/.test(file))
    const files = [...new Set(tags.map(({ file }) => file))]
    const unused = files.filter((file) => {
      const name = file.split("/").at(-1)?.replace(/\.ts$/, ".js") ?? ""
      return !sources.includes(file) && !sources.some((test) => read(test).includes(`/${name}"`))
    })
    expect(unused).toEqual([])
  })

  test("finds each call in exactly one statement", () => {
    const ids = trace.flatMap((row) => row.calls.map(({ id }) => id))
    expect(ids.sort()).toEqual(calls.map(({ id }) => id).sort())
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
    const names = { admin: "Admin", public: "Public", private: "Private", endUser: "EndUser" }
    const missing = trace.flatMap((row) => {
      const onPlatform = row.tests.filter(({ file }) => file.startsWith("packages/sandbox/test/"))
      const texts = onPlatform.map(({ file }) => read(file)).join("\n")
      return row.calls.filter(
        ({ client, operation }) => !new RegExp(`\\b${names[client]}\\.${operation.name}\\b`).test(texts)
      )
    })
    expect(
      missing.map(({ id }) => `tag a test in packages/sandbox/test that makes it: // Spec ${id}`)
    ).toEqual([])
  })

  test("names exports of the sources", () => {
    const code = trace.flatMap((row) => row.code)
    const exported = new Map(
      [...new Set(code.map(({ file }) => file))].map((file) => [
        file,
        exists(file) ? exportsIn(read(file)) : new Set()
      ])
    )
    const missing = code.filter(
      ({ file, name }) =>
        !/^(core|adapters|clients|packages\/sandbox)\//.test(file) || !exported.get(file)?.has(name)
    )
    expect(code.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

describe("a source is read by its syntax:", () => {
  test("suites and tests are found, in whatever form they are written, and whether they run", () => {
    const source = `
      // it("in a comment", () => {})
      const text = 'it("in a text")'
      describe.each([1])("a suite of %s", () => {
        effect("runs", () => 0)
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

  test("tags belong to the test or suite right below them", () => {
    const source = [
      "// Spec 1.1, 2.12",
      'describe("a suite", () => {',
      "  // Spec 1.2",
      '  effect("runs", () => 0)',
      "  // Spec 1.3",
      "  const a = 1",
      "  // Spec 1.4",
      '  it.skip("is skipped", () => 0)',
      "})",
      "const b = `",
      "// Spec 1.5",
      "`"
    ].join("\n")
    const tagged = tagsIn(source).map(({ statements, test }) => [statements, test?.path.at(-1), test?.runs])
    expect(tagged).toEqual([
      [["1.1", "2.12"], "a suite", true],
      [["1.2"], "runs", true],
      [["1.3"], undefined, undefined],
      [["1.4"], "is skipped", false],
      [["1.5"], undefined, undefined]
    ])
  })
})

describe("a date-time in an answer", () => {
  const written = "2024-05-01T10:00:00.000Z"
  const schemas = new Map(
    operations.flatMap(({ declared: { success } }) => {
      const schema = "bytes" in success ? undefined : "page" in success ? success.page : success
      return schema === undefined ? [] : [[modelOf(schema), schema] as const]
    })
  )
  /** An object with a value at a path, such as `comments[].text`. */
  const withValue = (path: string, value: unknown): unknown => {
    const [, name = "", rest = ""] = /^(\w*)(.*)$/.exec(path) ?? []
    if (path === "") return value
    if (path.startsWith("[]")) return [withValue(path.slice(2).replace(/^\./, ""), value)]
    return { [name]: withValue(rest.replace(/^\./, ""), value) }
  }
  const decoded = (model: string, path: string): unknown => {
    const schema = schemas.get(model)
    if (schema === undefined) return undefined
    const beside = { ...Object(withValue(path, written)), undeclared: written }
    return Either.getOrThrow(Decoder.make<unknown>(schema)(beside, undefined, () => undefined))
  }
  const all = [...texts].flatMap(([model, fields]) => fields.map((path) => [model, path] as const))
  // A sign-in is refused where the rest of it is missing, and only providers of type v2 are kept.
  const loose = all.filter(
    ([model, path]) => !/Login$|SignedIn$/.test(model) && !path.startsWith("providers")
  )

  test.each(loose)("stays text in %s at %s, as the list says, and is a Date beside it", (model, path) => {
    expect(decoded(model, path)).toMatchObject({
      ...Object(withValue(path, written)),
      undeclared: new Date(written)
    })
  })

  test("stays text in no field that the list leaves out", () => {
    const kept: Array<string> = []
    for (const [model, schema] of schemas) {
      const names = JSON.stringify(schema.ast.toJSON()).match(/(?<="name":")\w+/g) ?? []
      for (const name of model === undefined ? [] : new Set(names)) {
        const { [name]: value } = Object(
          Either.getOrNull(Decoder.make<unknown>(schema)({ [name]: written }, undefined, () => undefined))
        )
        if (typeof value === "string" && !texts.get(model ?? "")?.includes(name))
          kept.push(`${model} ${name}`)
      }
    }
    expect(kept).toEqual([])
  })

  test("is said to stay text in these fields by docs/answers.md and the specification's page", () => {
    const fields = read("docs/answers.md").match(/<!-- text fields -->(.*)<!-- \/text fields -->/)?.[1]
    expect(fields?.match(/(?<=`)\w+(?=`)/g)).toEqual(textNames)
    const page = read("docs/specification.md")
    for (const [model, fields] of texts)
      expect(page).toContain(`| \`${model}\` | ${fields.map((field) => `\`${field}\``).join(", ")} |`)
  })
})
