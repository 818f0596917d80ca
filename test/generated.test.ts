// What is generated is what the sources say: nobody edits it by hand, and nobody forgets `npm run generate`.

import { exists, read } from "@quartet/support/files.js"
import { describe, expect, test } from "vitest"
import * as Clients from "../tools/generate/clients.js"
import * as Docs from "../tools/generate/docs.js"
import { operations } from "../tools/generate/operations.js"
import * as Registries from "../tools/generate/registries.js"

describe("the generated files", () => {
  test.each([...Registries.files, ...Clients.files, ...Docs.files])(
    "%s is what the sources say",
    (file, text) => {
      expect(exists(file)).toBe(true)
      expect(read(file) === text, "run `npm run generate`").toBe(true)
    }
  )

  test("are all that say that they are generated", () => {
    expect(Clients.leftOver).toEqual([])
  })
})

test("every operation says what it does, in a docstring", () => {
  expect(operations.filter(({ summary }) => !/^[A-Z].+\.$/.test(summary)).map(({ name }) => name)).toEqual([])
})
