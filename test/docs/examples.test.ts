// The samples of the pages compile as they stand, against the package's own sources. What they do: run.slow.test.ts.

import { createRequire } from "node:module"
import { compile, isPlain } from "@quartet/support/compiler.js"
import { exists, filesIn, read } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { published } from "@quartet/support/workspaces.js"
import { beforeAll, describe, expect, test } from "vitest"
import { examples } from "../../tools/generate/examples.js"
import { membersOf } from "./members.js"
import { missingOf, pages, samplesIn } from "./samples.js"

/** Of a library that the tools of this repository bring along. */
const semver: { readonly satisfies: (version: string, range: string) => boolean } = createRequire(
  import.meta.url
)("semver")

const samples = pages.map((page) => samplesIn(page, read(page)))
const programs = samples.flatMap((sample) => sample.programs)
const manifests = published.map(({ manifest }) => manifest)
const own = manifests.map(({ name }) => name)
/** What apps install themselves, with the ranges of the packages that ask for it. */
const peersOf = (name: string): Readonly<Record<string, string>> =>
  manifests.find((manifest) => manifest.name === name)?.peerDependencies ?? {}
/** What a command installs. */
const wordsOf = (command: string) =>
  command
    .split(" ")
    .slice(2)
    .flatMap((word) => {
      const [, name, version = ""] = /^(@?[^@-][^@]*)@?(.*)$/.exec(word) ?? []
      return name === undefined ? [] : [{ name, version }]
    })
/** The name of the package that an import leads to. */
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
/** `3` and `0.97` stand for the newest that begins so. */
const fits = (version: string, range: string): boolean =>
  semver.satisfies(`${version}.999.999`.split(".").slice(0, 3).join("."), range)
const wrong = `import { Admin } from "@quartet/sdk"\nAdmin.boxes.list()\n`
/** What pages tell of other libraries, and of the project itself, is not the package's. */
const mentioned = pages.filter(
  (page) => !/docs\/(guides\/from-.*|decisions\/.*|architecture|console|specification)\.md/.test(page)
)
const members = membersOf([
  ...mentioned.map((page) => [page, read(page)] as const),
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
    const pagesWithPrograms = new Set(programs.map(({ page }) => page))
    expect([...pagesWithPrograms]).toEqual(
      expect.arrayContaining(["README.md", "docs/testing.md", "docs/errors.md"])
    )
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

  const installs = samples
    .flatMap(({ sessions }) => sessions.flatMap(({ commands }) => commands))
    .filter((command) => /^npm (install|i) /.test(command))
    .map((command) => ({ command, words: wordsOf(command) }))

  test("install by short lines: the packages, what an app has once in a version that fits, and nothing that comes along", () => {
    const brought = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies))
    const peers = manifests.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies))
    const wrong = installs.filter(({ words }) => {
      const isUnfit = words.some(({ name, version }) =>
        peers.some(
          ([peer, range]) => peer === name && !own.includes(name) && version !== "" && !fits(version, range)
        )
      )
      // The newest effect is another one than the packages are for.
      const isLoose = words.some(({ name, version }) => name === "effect" && version === "")
      const isLong = words.some(
        ({ name }) => brought.includes(name) && !peers.some(([peer]) => peer === name)
      )
      return isUnfit || isLoose || isLong
    })
    expect(installs.length).toBeGreaterThan(5)
    expect(wrong.map(({ command }) => command)).toEqual([])
  })

  test("are no nine packages and no override", () => {
    const texts = mentioned.map((page) => [page, read(page)] as const)
    expect(texts.filter(([, text]) => /npm pkg set "?overrides|EOVERRIDE/.test(text))).toEqual([])
  })

  test("and each peer that a package may lack stands in the table of what is missing, with its command", () => {
    const troubles = read("docs/guides/troubleshooting.md")
    const peers = new Set(manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)))
    expect(
      [...peers].filter(
        (peer) => !new RegExp(`^\\| \`${peer}\`.*\`npm install ${peer}[@ \`]`, "m").test(troubles)
      )
    ).toEqual([])
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

describe.each(examples)("the manifest of the example %s", (example) => {
  const { dependencies, devDependencies }: Readonly<Record<string, Readonly<Record<string, string>>>> =
    JSON.parse(read(`examples/${example}/package.json`))
  const named = { ...dependencies, ...devDependencies }
  const code = filesIn(`examples/${example}`).filter((file) => /\.(tsx?|mjs)$/.test(file))
  const imported = code.flatMap((file) =>
    [...read(file).matchAll(/(?:from |import |import\()"([^"./][^"]*)"/g)].map(([, specifier = ""]) =>
      packageOf(specifier)
    )
  )

  test("has every package that its programs import, and none of Quartet that they do not", () => {
    const foreign = imported.filter((name) => !name.startsWith("node:"))
    expect(foreign.length).toBeGreaterThan(2)
    expect(foreign.filter((name) => !Object.hasOwn(named, name))).toEqual([])
    const unused = Object.keys(named).filter((name) => own.includes(name) && !imported.includes(name))
    expect(unused).toEqual([])
  })

  test("has what the packages ask for, in versions that fit", () => {
    const wanted = Object.keys(named).flatMap((name) => Object.entries(peersOf(name)))
    expect(wanted.length).toBeGreaterThan(0)
    const unfit = wanted.filter(
      ([peer, range]) => Object.hasOwn(named, peer) && !semver.satisfies(named[peer] ?? "", range)
    )
    expect(unfit).toEqual([])
    const needed = manifests
      .filter(({ name }) => Object.hasOwn(named, name))
      .flatMap(({ peerDependencies = {}, peerDependenciesMeta = {} }) =>
        Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
      )
    expect(needed.filter((peer) => !Object.hasOwn(named, peer))).toEqual([])
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
    fenced("sh", "npx @quartet/cli call a \\\n  --json # a call\n\n# nothing"),
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
    expect(sessions).toMatchObject([{ commands: ["npx @quartet/cli call a --json"], prints: ["g\n"] }])
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
