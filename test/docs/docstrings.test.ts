// How much the docstrings of the public exports say. `npx vitest run --project unit test/docs/docstrings.test.ts` prints it.

import { read } from "@quartet/support/files.js"
import { expect, test } from "vitest"
import { described } from "../../clients/description/described.js"
import { exported } from "./exports.js"

/** A docstring's text: without the marks of the comment, its code and its tags. */
const wordsIn = (docstring: string): number =>
  docstring
    .replace(/^\/\*\*|\*\/$/g, "")
    .replaceAll(/^ *\* ?/gm, "")
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/@\w+( \w+$)?/gm, "")
    .split(/\s+/)
    .filter((word) => word !== "").length

const countIn = (text: string, mark: string): number => text.split(mark).length - 1

/** What is told of docstrings together. */
const measured = (docstrings: ReadonlyArray<string>) => {
  const all = docstrings.join("\n")
  const words = docstrings.reduce((sum, docstring) => sum + wordsIn(docstring), 0)
  return {
    docstrings: docstrings.length,
    words: words / docstrings.length,
    examples: countIn(all, "@example\n"),
    throws: countIn(all, "@throws"),
    links: countIn(all, "{@link ")
  }
}

const promiseCalls = ["admin", "public", "private", "end-user"].flatMap(
  (client) => read(`clients/promise/calls/${client}.ts`).match(/ {4}\/\*\*[\s\S]*?\*\//g) ?? []
)

test("docstrings say what a call does and needs, show it, and link", () => {
  const ofExports = measured(
    exported.flatMap(({ docstrings }) => docstrings.filter((docstring) => docstring !== ""))
  )
  const ofPromiseCalls = measured(promiseCalls)
  console.info("exports", ofExports, "the calls as Promises", ofPromiseCalls)
  expect(ofExports.words).toBeGreaterThan(31)
  expect(ofExports.examples).toBeGreaterThan(250)
  expect(ofExports.links).toBeGreaterThan(180)
  expect(ofPromiseCalls.docstrings).toBe(described.length)
  expect(ofPromiseCalls.examples).toBe(described.length)
  expect(ofPromiseCalls.throws).toBeGreaterThan(11 * described.length)
})
