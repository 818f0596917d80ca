// What a reader of the examples finds before anything runs; `npm run examples` runs them.

import { exists, read } from "@quartet/support/files.js"
import { expect, it } from "vitest"
import { examples } from "../../tools/generate/examples.js"

it.each(examples)("%s says what it is, and how it is started", (example) => {
  expect(exists(`examples/${example}/README.md`)).toBe(true)
  expect(read(`examples/${example}/README.md`)).toMatch(/^# .+\n\n[A-Z][\s\S]*```sh\nnpm install\n/)
})

it("the list of the examples has all of them", () => {
  const listed = [...read("examples/README.md").matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(
    ([, name, path]) => [name, path]
  )
  expect(listed.sort()).toEqual(examples.map((example) => [example, example]))
})
