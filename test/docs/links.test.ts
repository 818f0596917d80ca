// What the pages lead to is there: files, headings, scripts.
import { posix } from "node:path"
import { exists, filesIn, read } from "@quartet/support/files.js"
import { published, workspaces } from "@quartet/support/workspaces.js"
import { describe, expect, test } from "vitest"
import { assumedMark } from "../../clients/description/about.js"
import { changed, changes } from "./contributing.js"
import { anchorsIn, blocksIn, linksIn, pathsIn, programsIn, scriptsIn } from "./markdown.js"

const pages = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...published.map(({ folder }) => posix.join(folder, "README.md")).filter((page) => page !== "README.md"),
  ...filesIn("docs").filter((file) => file.endsWith(".md"))
]
const manifest = JSON.parse(read("package.json"))
const manifests = workspaces.map(({ manifest }) => manifest)

/** Where the files of this project stand for everybody: the READMEs of packages lead there, because npm shows them alone. */
const home = `${manifest.repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`

/** Whether a link of a page leads to something in this project, or out of it. */
const leads = (page: string, target: string): boolean => {
  const isHere = target.startsWith(home)
  if (!isHere && /^https?:/.test(target)) return true
  const [path = "", anchor] = target.slice(isHere ? home.length : 0).split("#")
  const file = path === "" ? page : posix.join(isHere ? "" : posix.dirname(page), path)
  if (!exists(file)) return false
  return anchor === undefined || !file.endsWith(".md") || anchorsIn(read(file)).includes(anchor)
}

const examples = filesIn("examples").filter((file) => file.endsWith(".md"))

test.each([...pages, ...examples])("every link of %s leads to a file and a heading that exist", (page) => {
  expect(linksIn(read(page)).filter((target) => !leads(page, target))).toEqual([])
})

test("AGENTS.md leads to every page on which a client is made for each request: its rule is to keep one", () => {
  const exceptions = pages.filter(
    (page) => /\bclient\b[^.]* for\s+each\s+request\b/.test(read(page)) && page !== "AGENTS.md"
  )
  const led = new Set(linksIn(read("AGENTS.md")).map((target) => target.replace(/#.*/, "")))
  expect(exceptions.length).toBeGreaterThan(2)
  expect(exceptions.filter((page) => !led.has(page))).toEqual([])
})

const files = ["core", "adapters", "clients", "ui", "packages", "spec", "tools", "test", "docs"].flatMap(
  filesIn
)

/** Whether a path that a page names is a file or a folder of this project, or one that CONTRIBUTING.md makes. */
const stands = (path: string): boolean => {
  const pattern = new RegExp(`^(core/)?${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/|$)`)
  return [...files, ...changes.map(({ file }) => file)].some((file) => pattern.test(file))
}

test.each(pages)("every file and folder that %s names exists", (page) => {
  expect(pathsIn(read(page)).filter((path) => !stands(path))).toEqual([])
})

test.each(pages)("every script that %s names exists", (page) => {
  expect(scriptsIn(read(page)).filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
})

test.each(pages)("every program that %s runs is the package's own, or one that it installs", (page) => {
  const installed = {
    ...Object.assign(
      {},
      ...manifests.flatMap(({ bin, dependencies, devDependencies, name }) => [
        bin,
        // By the package's name npm runs its one program.
        bin === undefined ? {} : { [name]: bin },
        dependencies,
        devDependencies
      ])
    ),
    tsc: "typescript",
    changeset: "@changesets/cli",
    // It runs once, from npm.
    "@modelcontextprotocol/inspector": ""
  }
  expect(programsIn(read(page)).filter((name) => !Object.hasOwn(installed, name))).toEqual([])
})

test("every script that a source, a test or the CI names exists", () => {
  const own = "test/docs/links.test.ts"
  const files = [".ci", ".github", "core", "adapters", "clients", "ui", "packages", "test", "tools"].flatMap(
    filesIn
  )
  const named = files
    .filter((file) => file !== own)
    .flatMap((file) => scriptsIn(read(file)).map((script) => [file, script] as const))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(([, script]) => !Object.hasOwn(manifest.scripts, script))).toEqual([])
})

test("the README and CONTRIBUTING.md lead to every page of docs", () => {
  const reached = new Set(["README.md", "CONTRIBUTING.md"])
  for (const page of reached)
    for (const target of linksIn(read(page))) {
      const file = posix.join(posix.dirname(page), target.split("#")[0] ?? "")
      if (file.endsWith(".md") && exists(file)) reached.add(file)
    }
  const found = pages.filter((page) => !["AGENTS.md", "CHANGELOG.md"].includes(page))
  const unreached = found.filter((page) => !(reached.has(page) || page.endsWith("/README.md")))
  expect(unreached).toEqual([])
})

test.each(changes.filter(({ before }) => before !== ""))(
  "CONTRIBUTING.md adds to what stands in $file",
  (change) => {
    const text = changed(read(change.file), change)
    expect(changed(text, change), "so that it stands for whoever follows it").not.toBe(text)
  }
)

describe("a page is read so that", () => {
  const page = [
    "# A Title, in 2 Words!",
    "See [one](a.md), ![two](b.png#x) and `[no](link.md)`; run `npm run check:all` or npm test.",
    "```ts",
    "const link = '[no](code.md)' // npm run hidden",
    "```",
    "## `code` & more",
    "Then `npx @quartet/cli sandbox`."
  ].join("\n")

  test("links and images are found, and code is not taken for them", () => {
    expect(linksIn(page)).toEqual(["a.md", "b.png#x"])
  })

  test("headings have the anchors that a browser jumps to", () => {
    expect(anchorsIn(page)).toEqual(["a-title-in-2-words", "code--more"])
  })

  test("scripts and programs are found wherever they stand", () => {
    expect(scriptsIn(page)).toEqual(["check:all", "test", "hidden"])
    expect(programsIn(page)).toEqual(["@quartet/cli"])
  })

  test("files and folders are found in prose and code, and names of packages are not taken for them", () => {
    const text =
      "See `kernel/codec/json.ts` and clients/*; `npx vitest run test/wire`, `@quartet/sdk/adapters/fetch`."
    expect(pathsIn(text)).toEqual(["kernel/codec/json.ts", "clients/*", "test/wire"])
    expect(
      ["kernel/codec/json.ts", "clients/*", "test/*/nothing.ts", "core/codec/json.ts"].map(stands)
    ).toEqual([true, true, false, false])
  })

  test("blocks have their language, their line and their code", () => {
    expect(blocksIn(page).blocks).toEqual([
      { language: "ts", note: "", line: 3, code: "const link = '[no](code.md)' // npm run hidden\n" }
    ])
  })

  test("a link that leads nowhere is found", () => {
    expect(
      ["docs/nothing.md", "README.md#nothing", "package.json", "#quartet"].map((target) =>
        leads("README.md", target)
      )
    ).toEqual([false, false, true, true])
  })
})

describe("what a newcomer reads first", () => {
  const starts = filesIn("docs/guides").filter((file) => /\/start-[\w-]+\.md$/.test(file))

  test.each(["README.md", ...starts])(
    "%s says which fields are assumed, and how they become certain",
    (page) => {
      const sentences = read(page)
        .replaceAll(/\s+/g, " ")
        .split(/(?<=[a-z)`:]\.?) (?=[A-Z])/)
      const said = sentences.filter(
        (sentence) => sentence.includes(`ends with "${assumedMark}"`) && sentence.includes("`quartet record`")
      )
      expect(said).toHaveLength(1)
    }
  )

  test.each([...starts, "AGENTS.md"])("%s says how a misspelt field of an answer is found", (page) => {
    expect(read(page)).toContain('`"noPropertyAccessFromIndexSignature": true` in `tsconfig.json`')
  })

  test("the README is short, and its table leads to the HTTP behind a call", () => {
    expect(starts.length).toBeGreaterThan(5)
    expect(read("README.md").trim().split(/\s+/).length).toBeLessThanOrEqual(800)
    expect(read("README.md")).toMatch(/^\|.*\]\(docs\/guides\/http\.md\) \|$/m)
  })
})
