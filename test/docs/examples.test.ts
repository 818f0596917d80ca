// The examples of the pages compile as they stand, against the package's own sources. An example that imports stands
// alone; one that does not goes on from those above it on its page, and sees what they import. One that begins with
// the name of a file (`// kit.ts`) is that file, and the others of its page may import it.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { filesIn, read, root } from "../../tools/files.js"
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

/** The package's entries, led to their sources: the names under which programs import them. */
const entries = (): Record<string, ReadonlyArray<string>> => {
  const { exports, name } = JSON.parse(read("package.json"))
  return Object.fromEntries(
    Object.entries<{ readonly types?: string }>(exports).flatMap(([entry, { types }]) =>
      types === undefined
        ? []
        : [[posix(name, entry), [`../../${types.replace("./dist/", "").replace(/\.d\.ts$/, ".ts")}`]]]
    )
  )
}

const posix = (name: string, entry: string): string => (entry === "." ? name : `${name}/${entry.slice(2)}`)

const compile = (project: string): Promise<string> =>
  new Promise((resolve) => {
    const args = [
      join(root, "node_modules/typescript/bin/tsc"),
      "--noEmit",
      "--pretty",
      "false",
      "-p",
      project
    ]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })

const examples = pages.flatMap(examplesOf)
const wrong = `import { Admin } from "@quartet/sdk"\nAdmin.boxes.list()\n`
let folder = ""
let output = ""

beforeAll(async () => {
  await mkdir(join(root, ".cache"), { recursive: true })
  folder = await mkdtemp(join(root, ".cache/examples-"))
  const config = {
    extends: "../../tsconfig.json",
    compilerOptions: { paths: entries() },
    include: ["**/*.ts", "**/*.tsx"]
  }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  await writeFile(join(folder, "wrong.ts"), wrong)
  for (const { code, file } of examples) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
  output = await compile(join(folder, "tsconfig.json"))
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

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
