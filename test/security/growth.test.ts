/** The time that a text costs grows with its length, and not with the square of it: nobody holds a program up with a long one. */
import { readFileSync } from "node:fs"
import { numberOf } from "@quartet/fleet/extend"
import { lineOf } from "@quartet/sdk/extend"
import { filesIn } from "@quartet/support/files.js"
import { cpuOf, growth, most, short } from "@quartet/support/growth.js"
import * as Either from "effect/Either"
import { transformSync } from "esbuild"
import { parseAst } from "vite"
import { describe, expect, it } from "vitest"
import * as Mask from "../../adapters/tap/mask.js"
import { form } from "../../core/kernel/codec/form.js"
import { findLossy } from "../../core/kernel/codec/json.js"
import { address } from "../../core/kernel/dispatch/settings.js"
import { withoutEnd } from "../../core/kernel/operation/url.js"

describe("a text of eight times the length costs at most sixteen times as much", () => {
  it.each<[string, (length: number) => unknown]>([
    [
      "the media type of a file",
      (n) => form.encode({ file: { content: new Blob([]), name: "a", type: `a${"/".repeat(n)}\n` } })
    ],
    ["the end of an address", (n) => address("baseUrl", `https://api.example${"/".repeat(n)}a`)],
    ["characters at an end", (n) => withoutEnd(`${"/".repeat(n)}a`, "/")],
    ["the query of a path that is shown", (n) => Mask.path(`/a${"?".repeat(n)}`, (text) => text)],
    ["the query of a path of many parameters", (n) => Mask.path(`/a?${"a&".repeat(n)}`, (text) => text)],
    ["the number of a cell", (n) => numberOf(`1.${"0".repeat(n)}1`)],
    ["the number of a cell that ends with zeros", (n) => numberOf(`1${"0".repeat(n)}x`)],
    ["a cell that begins with spaces", (n) => lineOf([`${" ".repeat(n)}x`])],
    ["a number in JSON", (n) => findLossy(`1.${"0".repeat(n)}1`)]
  ])("of %s", (_, work) => expect(growth(work)).toBeLessThanOrEqual(most))
})

/** A node of a program. */
type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** The regular expressions of a program. */
const expressionsOf = (node: unknown): ReadonlyArray<readonly [pattern: string, flags: string]> => {
  if (Array.isArray(node)) return node.flatMap(expressionsOf)
  if (!isNode(node)) return []
  const { regex } = node
  return isNode(regex)
    ? [[String(regex.pattern), String(regex.flags)]]
    : Object.entries(node).flatMap(([name, value]) => (name === "type" ? [] : expressionsOf(value)))
}

const expressions = ["core", "adapters", "clients", "ui", "packages"].flatMap((folder) =>
  filesIn(folder)
    .filter((file) => /\.tsx?$/.test(file) && !/\/test\/|^packages\/support\//.test(file))
    .flatMap((file) => {
      const { code } = transformSync(readFileSync(file, "utf8"), {
        loader: file.endsWith("x") ? "tsx" : "ts",
        target: "esnext",
        jsx: "automatic"
      })
      return expressionsOf(parseAst(code))
        .filter(([pattern]) => /[+*}]/.test(pattern))
        .map(([pattern, flags]) => [file, pattern, flags] as const)
    })
)

/** Texts that a pattern may try again from each of their characters: runs of what it names, behind what it begins with, and with an end that it does not take. */
const pumps = [
  "a",
  "A",
  "0",
  " ",
  "\n",
  "/",
  "?",
  "=",
  "&",
  ":",
  ".",
  "-",
  "_",
  "<",
  ",",
  "#",
  "%41",
  "\\",
  '"',
  "[",
  "=a",
  "a=",
  "a:",
  "a.",
  ".a",
  " a",
  ", ",
  "  -",
  "\n ",
  '" ',
  "a@",
  "aA",
  "a0",
  "a-",
  "eyJ",
  "&#0",
  "::"
]
const heads = [
  "",
  "a",
  "a://",
  "0",
  "[\n",
  "  - a",
  "position ",
  "must be ",
  'the field "',
  "application/",
  "bearer ",
  "&#",
  "\u001b[",
  "=",
  "[",
  '"',
  "{"
]
const ends = ["\u0000", "\n\u0000", "!a"]

describe("a regular expression of the sources", () => {
  it("is found, and there are many, in every folder of sources", () => {
    expect(expressions.length).toBeGreaterThan(80)
    const all = expressions.map(([file]) => file).join("\n")
    for (const folder of [
      "core/",
      "adapters/",
      "clients/",
      "ui/",
      "packages/cli/",
      "packages/fleet/",
      "packages/sandbox/"
    ])
      expect(all).toContain(folder)
  })

  it.each(expressions)("of %s takes a time that grows with the text: /%s/%s", async (_, pattern, flags) => {
    const expression = new RegExp(pattern, flags.includes("g") ? flags : `${flags}g`)
    const slow: Array<string> = []
    for (const pump of pumps) {
      // Vitest hears of its worker now and then.
      await new Promise((done) => setImmediate(done))
      for (const head of heads)
        for (const end of ends) {
          const work = (length: number) => {
            ;`${head}${pump.repeat(length / pump.length)}${end}`.replace(expression, "")
          }
          // What takes hardly more than the clock of the CPU tells takes no quadratic time: that would be some hundred million steps.
          if (cpuOf(() => work(8 * short)) > 20_000 && growth(work) > most)
            slow.push(JSON.stringify([head, pump, end]))
        }
    }
    expect(slow).toEqual([])
  })
})

it("what is measured tells a quadratic expression from a linear one", () => {
  expect(growth((length) => `${"/".repeat(length)}a`.replace(/\/+$/, ""))).toBeGreaterThan(most)
  expect(growth((length) => `${"/".repeat(length)}a`.replace(/^\/+/, ""))).toBeLessThanOrEqual(most)
  expect(Either.isRight(numberOf("1"))).toBe(true)
})
