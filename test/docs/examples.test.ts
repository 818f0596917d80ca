// The samples of the pages compile as they stand, against the package's own sources. What they do: run.slow.test.ts.
import { beforeAll, describe, expect, test } from "vitest"
import { exists, filesIn, read } from "@quartet/support/files.js"
import { installOf, overrideOf, purposes } from "../../packages/cli/doctor/installation.js"
import { fits } from "../../packages/cli/doctor/range.js"
import { compile, isPlain } from "@quartet/support/compiler.js"
import { patient } from "@quartet/support/patience.js"
import { membersOf } from "./members.js"
import { missingOf, pages, samplesIn } from "./samples.js"

const samples = pages.map((page) => samplesIn(page, read(page)))
const programs = samples.flatMap((sample) => sample.programs)
const peers: Readonly<Record<string, string>> = JSON.parse(read("package.json")).peerDependencies
const wrong = `import { Admin } from "@quartet/sdk"\nAdmin.boxes.list()\n`
/** What pages tell of other libraries, and of the project itself, is not the package's. */
const told = pages.filter(
  (page) => !/docs\/(guides\/from-.*|decisions|architecture|console|specification)\.md/.test(page)
)
const members = membersOf([
  ...told.map((page) => [page, read(page)] as const),
  ["wrong.md", "A download has `.stream`, and `Admin.layers`; `admin.boxes.list` is not there."]
])
let output = ""

beforeAll(async () => {
  const files = programs.map(({ code, file }) => [file, `${code}\nexport {}\n`] as const)
  output = await compile([["wrong.ts", wrong], ["members.ts", members.code], ...files])
}, patient(120_000))

/** What the compiler says of a file. */
const saidOf = (file: string): ReadonlyArray<string> =>
  output.split("\n").filter((line) => line.includes(`/${file}(`))

describe("the samples", () => {
  test("are found on the README and on the pages about testing and errors", () => {
    const found = new Set(programs.map(({ page }) => page))
    expect([...found]).toEqual(expect.arrayContaining(["README.md", "docs/testing.md", "docs/errors.md"]))
  })

  test.each(programs)("of $page, line $line, compile", ({ file }) => {
    expect(saidOf(file)).toEqual([])
  })

  const typed = filesIn("examples").filter((file) => /\.tsx?$/.test(file))
  const sources = [
    ...programs.map(({ code, file, line, page }) => ({ place: `${page}, line ${line}`, file, code })),
    ...typed.map((file) => ({ place: file, file, code: read(file) }))
  ]

  test("have no syntax that the oldest Node does not know, once their types are gone", async () => {
    const plain = await Promise.all(
      sources.map(({ code, file }) => isPlain(code, file.endsWith("x") ? "tsx" : "ts"))
    )
    expect(sources.filter((_, index) => plain[index] === false).map(({ place }) => place)).toEqual([])
    expect(await isPlain("await using a = b()")).toBe(false)
  })

  test("control: one that is wrong does not compile", () => {
    expect(saidOf("wrong.ts")).toEqual([expect.stringContaining("TS2339")])
  })

  test("and the prose name no member that the package does not have", () => {
    const wrong = saidOf("members.ts").map((line) => Number(/\((\d+),/.exec(line)?.[1]))
    expect(members.count).toBeGreaterThan(60)
    expect(members.missing(new Set(wrong))).toEqual([
      "wrong.md names .stream",
      "wrong.md names Admin.layers",
      "wrong.md names admin.boxes.list"
    ])
  })

  test("are no two of one name on a page", () => {
    const files = programs.map(({ file }) => file)
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
  })

  test("are all that the compiler speaks of", () => {
    const known = ["wrong.ts", "members.ts", ...programs.map(({ file }) => file)]
    const errors = output.split("\n").filter((line) => line.includes("error TS"))
    expect(errors.filter((line) => !known.some((file) => line.includes(`/${file}(`)))).toEqual([])
  })

  test("are run, or their fence gives one of the known reasons", () => {
    expect(samples.flatMap(({ unknown }) => unknown)).toEqual([])
  })

  test("install what fits: each peer by a version of its range, and effect beside the SDK", () => {
    const installs = samples
      .flatMap(({ sessions }) => sessions.flatMap(({ commands }) => commands))
      .filter((command) => /^npm (install|i) [^-.]/.test(command))
    const wrong = installs.filter((command) => {
      const given = command
        .split(" ")
        .slice(2)
        .map((word) => /^(@?[^@]+)@?(.*)$/.exec(word)?.slice(1) ?? [])
      // `effect@3` is the newest that begins so.
      const isUnfit = given.some(([name = "", version]) => {
        const range = peers[name]
        return range !== undefined && !fits(`${version}.999.999`.split(".").slice(0, 3).join("."), range)
      })
      const names = given.map(([name]) => name)
      return isUnfit || (names.includes("@quartet/sdk") && !names.includes("effect"))
    })
    expect(installs.length).toBeGreaterThan(5)
    expect(wrong).toEqual([])
  })

  test("and the tables of optional peers install what `quartet doctor` does, for each purpose", () => {
    const [readme, troubles] = [read("README.md"), read("docs/guides/troubleshooting.md")]
    // An app with hooks has its own React.
    const has = (name: string) => (name.startsWith("react") ? "19.0.0" : undefined)
    for (const names of Object.values(purposes)) {
      const command = installOf(names, peers, has)
      expect(readme).toContain(
        `| ${command.replace(" && npm install ", "`, then `").replace(/^(?:npm install )?(.*)$/, "`$1`")} |`
      )
      expect(troubles).toContain(`| \`${command}\` |`)
    }
    for (const page of [readme, troubles, read("docs/react.md"), read("docs/fleet.md")])
      expect(page).toContain(overrideOf(peers))
  })

  test("stand in the example that their fence names", () => {
    const strays = samples
      .flatMap(({ quotations }) => quotations)
      .filter(
        ({ code, file }) => !file.startsWith("examples/") || !exists(file) || !read(file).includes(code)
      )
    expect(strays.map(({ file, line, page }) => `${page}:${line} ${file}`)).toEqual([])
  })
})

describe("a page is read so that", () => {
  const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
  const page = [
    "# Title",
    fenced("ts", 'import "a"\nconst b = 1'),
    fenced("text", "1"),
    "Then:",
    fenced("ts", "console.log(b)"),
    fenced("text", "2"),
    fenced("tsx", '// c.tsx\nimport "d"'),
    fenced("ts foreign", 'import "other"'),
    fenced("ts example=examples/service/main.ts", "const e = 1"),
    fenced("ts later", "const f = 1"),
    fenced("sh", "npx quartet call a \\\n  --json # a call\n\n# nothing"),
    fenced("text", "g")
  ].join("\n")
  const { programs, quotations, sessions, unknown } = samplesIn("docs/guides/page.md", page)

  test("a sample without an import goes on from the one above it, each line at its place", () => {
    const [first] = programs
    expect(first).toMatchObject({ file: "guides/page/line-2.ts", line: 2, prints: ["1\n", "2\n"] })
    expect(first?.code.split("\n")[3]).toBe("const b = 1")
    expect(first?.code.split("\n")[10]).toBe("console.log(b)")
  })

  test("a sample that names its file is that file", () => {
    expect(programs.map(({ file }) => file)).toEqual(["guides/page/line-2.ts", "guides/page/c.tsx"])
  })

  test("commands lose their comments, and have what they print", () => {
    expect(sessions).toMatchObject([{ commands: ["npx quartet call a --json"], prints: ["g\n"] }])
  })

  test("reasons are told apart, and one that is none is found", () => {
    expect(quotations).toMatchObject([{ file: "examples/service/main.ts", code: "const e = 1\n" }])
    expect(unknown).toEqual(["docs/guides/page.md:26 later"])
  })

  test("an output has to hold what the page says, whole lines, in order", () => {
    const output = "one\ntwo 2\nthree\n"
    const cases = [["one", "three"], ["one\ntwo …"], ["three", "one"], ["two"], ["\n"], ["…"]]
    expect(cases.map((prints) => missingOf(output, prints))).toEqual([
      ...[undefined, undefined, "one", "two"],
      ...["\n", "…"]
    ])
    expect(missingOf("", ["\n"])).toBeUndefined()
  })
})
