/** The exports of the package's entries, each with the category in its docstring. */
import { expect, test } from "vitest"
import { entries, exported } from "./exports.js"

const categories = new Set(
  [
    "combinators constants constructors errors getters guards hooks",
    "layers models operations ports schemas services testing"
  ].flatMap((line) => line.split(" "))
)

const categoryOf = (docstring: string): string | undefined => /@category (\S+)/.exec(docstring)?.[1]

test("the public exports are those of package.json's entries", () => {
  expect(entries).toEqual(
    expect.arrayContaining(["clients/index.ts", "packages/fleet/csv/index.ts", "ui/rx/index.ts"])
  )
  const places = exported.map(({ file, name }) => `${file} ${name}`)
  expect(places).toEqual(
    expect.arrayContaining([
      "clients/admin/requests.ts markSeen",
      "core/kernel/errors/errors.ts NotFound",
      "core/requests/model.ts RequestAction"
    ])
  )
})

test("each public export has a category of the fixed set in its docstring", () => {
  const without = exported
    .filter(({ docstrings }) => !docstrings.some((docstring) => categories.has(categoryOf(docstring) ?? "")))
    .map(({ file, name }) => `${file} ${name}`)
  expect(without).toEqual([])
})
