// The examples of the pages compile as they stand, against the package's own sources. An example that imports stands
// alone; one that does not goes on from those above it on its page, and sees what they import. One that begins with
// the name of a file (`// kit.ts`) is that file, and the others of its page may import it.
import { basename } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { filesIn, read } from "../../tools/files.js"
import { compile } from "../support/compiler.js"
import { type Block, blocksIn } from "./markdown.js"

const pages = ["README.md", ...filesIn("docs").filter((file) => file.endsWith(".md"))]

/** One example as a file. */
interface Example {
  readonly page: string
  readonly file: string
  readonly code: string
  readonly line: number
}

const isCode = ({ language }: Block): boolean => language === "ts" || language === "tsx"
const importsOf = (code: string): ReadonlyArray<string> => code.match(/^import .*(?:\n .*|\n\}.*)*$/gm) ?? []
const nameOf = (code: string): string | undefined => /^\/\/ ([\w-]+\.tsx?)\n/.exec(code)?.[1]

const examplesOf = (page: string): ReadonlyArray<Example> => {
  let seen: ReadonlyArray<string> = []
  return blocksIn(read(page))
    .blocks.filter(isCode)
    .map(({ code, language, line }) => {
      const own = importsOf(code)
      const whole = own.length > 0 ? code : `${seen.join("\n")}\n${code}`
      seen = [...new Set([...seen, ...own])]
      const file = `${basename(page, ".md")}/${nameOf(code) ?? `line-${line}.${language}`}`
      return { page, line, file, code: `${whole}\nexport {}\n` }
    })
}

const examples = pages.flatMap(examplesOf)
const wrong = `import { Admin } from "@quartet/sdk"\nAdmin.boxes.list()\n`
let output = ""

beforeAll(async () => {
  output = await compile([["wrong.ts", wrong], ...examples.map(({ code, file }) => [file, code] as const)])
}, 120_000)

/** What the compiler says of a file. */
const saidOf = (file: string): ReadonlyArray<string> =>
  output.split("\n").filter((line) => line.includes(`/${file}(`))

describe("the examples", () => {
  test("are found on the README and on the pages about testing and errors", () => {
    const found = new Set(examples.map(({ page }) => page))
    expect([...found]).toEqual(expect.arrayContaining(["README.md", "docs/testing.md", "docs/errors.md"]))
  })

  test.each(examples)("of $page, line $line, compile", ({ file }) => {
    expect(saidOf(file)).toEqual([])
  })

  test("control: one that is wrong does not compile", () => {
    expect(saidOf("wrong.ts")).toEqual([expect.stringContaining("TS2339")])
  })

  test("are no two of one name on a page", () => {
    const files = examples.map(({ file }) => file)
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
  })

  test("are all that the compiler speaks of", () => {
    const known = ["wrong.ts", ...examples.map(({ file }) => file)]
    const errors = output.split("\n").filter((line) => line.includes("error TS"))
    expect(errors.filter((line) => !known.some((file) => line.includes(`/${file}(`)))).toEqual([])
  })
})
