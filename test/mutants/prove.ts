/**
 * Proves the trace from the specification to its tests: in a copy of the project each edit of `statements.diff` is put in
 * alone, and the tests that are named for its statement are run. Every one of them has to fail with one of the statement's
 * edits, or it proves nothing of it. The statements of calls are proven at once, with every call at another address: a test
 * then fails with the calls that it made, and each of them counts for the statement that has it.
 *
 * What was seen to fail is kept in `.cache/mutants/statements.json` until the edit or its tests change.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { flagsOf, runProgram, UsageError } from "@quartet/support/command-line.js"
import { isLate } from "@quartet/support/reporter.js"
import { type Edit, edits, entities, moved } from "@quartet/support/statement-edits.js"
import { createVitest, type TestCase, type TestSpecification, type Vitest } from "vitest/node"
import { calls } from "../../tools/specification/calls.js"
import { type Place, type Traced, trace } from "../../tools/specification/trace.js"
import { type Copy, makeCopy } from "./copy.js"

const project = process.cwd()
const keptFile = join(project, ".cache/mutants/statements.json")

/** The ledger makes every call; a statement of all of them is broken for some as well as for all. */
const ledger = "test/wire/ledger.test.ts"
const sample =
  "(?:admin\\.(?:projects|requests)|public\\.boxes|private\\.items|endUser\\.boxes)\\.(?:get|list|update)"

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** The full names of a test's cases: what its title takes from its rows may be anything. */
const patternOf = ({ file, name }: Place, ids = sample): string =>
  `^${name
    .split(" > ")
    .map((title) =>
      title
        .split(/(\$[\w.]+|%[a-zA-Z]|…)/)
        .map((part, at) =>
          at % 2 === 0 ? escaped(part) : file === ledger && part === "$id" ? `'?${ids}'?` : ".*"
        )
        .join("")
    )
    .join(" ")}(?: .*)?$`

const nameOf = (test: TestCase): string => test.fullName.split(" > ").join(" ")

/** Runs tests in the copy with vitest, whose transformed sources stay until they change. */
class Runner {
  private constructor(
    private readonly vitest: Vitest,
    private readonly specifications: ReadonlyArray<TestSpecification>,
    private readonly root: string
  ) {}

  static async open(root: string): Promise<Runner> {
    // Tests read files of the project from their working directory.
    process.chdir(root)
    const vitest = await createVitest("test", {
      root,
      watch: false,
      project: ["unit", "wire"],
      reporters: [{}],
      passWithNoTests: true
    })
    return new Runner(vitest, await vitest.globTestSpecifications(), root)
  }

  changed(file: string): void {
    this.vitest.invalidateFile(join(this.root, file))
  }

  /** The places whose tests ran, with those that failed. */
  async run(places: ReadonlyArray<Place>, ids?: string) {
    const patterns = places.map((place) => patternOf(place, ids))
    this.vitest.setGlobalTestNamePattern(new RegExp(patterns.join("|")))
    const files = new Set(places.map(({ file }) => join(this.root, file)))
    const chosen = this.specifications.filter(({ moduleId }) => files.has(moduleId))
    const { testModules } = await this.vitest.runTestSpecifications(chosen)
    return places.map((place, at) => {
      const pattern = new RegExp(patterns[at] ?? "")
      const tests = testModules
        .filter(({ moduleId }) => moduleId === join(this.root, place.file))
        .flatMap(({ children }) => [...children.allTests()])
        .filter((test) => pattern.test(nameOf(test)) && test.result().state !== "skipped")
      const failing = tests.filter((test) => test.result().state === "failed")
      const waits = (test: TestCase): boolean => (test.result().errors ?? []).every(isLate)
      return {
        place,
        tests,
        failed: failing.filter((test) => !waits(test)),
        /** Whether a test waited until its time was over: in vain, or on a slow machine. */
        isLate: failing.some(waits)
      }
    })
  }

  /** Which of these pass: of those, a test that waits with an edit until its time is over waits in vain. */
  async passing(places: ReadonlyArray<Place>): Promise<ReadonlyArray<Place>> {
    if (places.length === 0) return []
    const results = await this.run(places)
    return results.flatMap(({ place, tests }) =>
      tests.length > 0 && tests.every((test) => test.result().state === "passed") ? [place] : []
    )
  }

  close(): Promise<void> {
    return this.vitest.close()
  }
}

/** What failed before, by statement and edit; each counts while the edit and the named tests are the same. */
type Kept = Record<string, ReadonlyArray<string>>

const keyOf = (edit: Edit, row: Traced): string => {
  const hash = createHash("sha256").update(JSON.stringify(edit))
  for (const file of new Set(row.tests.map((place) => place.file)))
    hash.update(readFileSync(join(project, file)))
  return `${edit.name} ${hash.digest("hex").slice(0, 16)}`
}

const readKept = (): Kept => {
  try {
    return JSON.parse(readFileSync(keptFile, "utf8"))
  } catch {
    return {}
  }
}

const titled = ({ file, name }: Place): string => `${file} > ${name}`

/** Adds what an edit failed: another run, of other statements, may have added more meanwhile. */
const keep = (key: string, noticed: ReadonlyArray<string>): void => {
  mkdirSync(join(project, ".cache/mutants"), { recursive: true })
  writeFileSync(keptFile, JSON.stringify({ ...readKept(), [key]: noticed }, undefined, 2))
}

/** Whether a test proves a statement by the calls that it makes: of statements of calls, and of the entities that they handle. */
const isOfCalls = ({ calls, id }: Traced, { file }: Place): boolean =>
  (calls.length > 0 || id === entities) && (file === ledger || file.startsWith("packages/sandbox/test/"))

/** The named tests of statements that are of a kind, each once. */
const placesOf = (
  rows: ReadonlyArray<Traced>,
  isChosen: (row: Traced, place: Place) => boolean
): ReadonlyArray<Place> => [
  ...new Map(
    rows.flatMap((row) =>
      row.tests.filter((place) => isChosen(row, place)).map((place) => [titled(place), place] as const)
    )
  ).values()
]

/** On the unchanged copy every named test is there and passes. */
const passing = async (runner: Runner, rows: ReadonlyArray<Traced>): Promise<ReadonlyArray<string>> => {
  const places = placesOf(rows, () => true)
  const passed = await runner.passing(places)
  return places
    .filter((place) => !passed.includes(place))
    .map((place) => `does not pass on the unchanged sources: ${titled(place)}`)
}

/** Each edit alone: the named tests that no edit of the statement fails, and edits that none notices. */
const proveEdits = async (
  runner: Runner,
  copy: Copy,
  rows: ReadonlyArray<Traced>,
  kept: Kept
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  for (const row of rows) {
    const places = row.tests.filter((place) => !isOfCalls(row, place))
    const failing = new Set<string>()
    for (const edit of edits.filter(({ statement }) => statement === row.id)) {
      const key = keyOf(edit, row)
      if (kept[key] === undefined) {
        const restore = copy.apply({ ...edit, killedBy: "" })
        runner.changed(edit.file)
        const results = await runner.run(places).finally(() => {
          restore()
          runner.changed(edit.file)
        })
        const late = results.filter(({ failed, isLate }) => failed.length === 0 && isLate)
        const inVain = await runner.passing(late.map(({ place }) => place))
        kept[key] = [
          ...results.filter(({ failed }) => failed.length > 0).map(({ place }) => place),
          ...inVain
        ].map(titled)
        keep(key, kept[key])
      }
      const noticed = kept[key] ?? []
      console.log(
        `${noticed.length > 0 ? "✓" : "✗"} ${edit.name}: ${noticed.length} of ${places.length} tests fail`
      )
      if (noticed.length === 0) problems.push(`${edit.name}: no test that is named for it fails`)
      for (const title of noticed) failing.add(title)
    }
    const silent = places.map(titled).filter((title) => !failing.has(title))
    problems.push(...silent.map((title) => `${row.id}: passes with every edit: ${title}`))
  }
  return problems
}

/** The calls that a failed test complains of, as packages/sandbox/test/listed.ts words it. */
const complainedOf = (tests: ReadonlyArray<TestCase>): ReadonlySet<string> =>
  new Set(
    tests
      .flatMap((test) => test.result().errors ?? [])
      .flatMap(({ diff = "", message }) => [
        ...`${message}${diff}`.matchAll(/([a-zA-Z]+\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+): [A-Z]+ \/moved\//g)
      ])
      .map(([, id = ""]) => id)
  )

/** Whether a test of the ledger is of a call. Vitest cuts what is long in a title. */
const isNamed = (test: TestCase, id: string): boolean => {
  const [, shown, cut] = /'([^']*?)(…?)' is /.exec(nameOf(test)) ?? []
  return shown !== undefined && (cut === "" ? id === shown : id.startsWith(shown))
}

/** What of a statement a test does not notice, though every call is at another address. */
const unnoticed = (row: Traced, { file }: Place, failed: ReadonlyArray<TestCase>): ReadonlyArray<string> => {
  if (file === ledger)
    return row.calls.map(({ id }) => id).filter((id) => !failed.some((test) => isNamed(test, id)))
  const complained = complainedOf(failed)
  const ids = row.calls.map(({ id }) => id)
  const isNoticed = ids.length === 0 ? complained.size > 0 : ids.some((id) => complained.has(id))
  return isNoticed ? [] : ["its calls"]
}

/** Every call at another address. */
const proveCalls = async (
  runner: Runner,
  copy: Copy,
  rows: ReadonlyArray<Traced>
): Promise<ReadonlyArray<string>> => {
  for (const file of new Set(calls.map(({ operation }) => operation.file))) {
    const path = join(copy.root, file)
    writeFileSync(path, moved(readFileSync(path, "utf8")))
    runner.changed(file)
  }
  const results = await runner.run(placesOf(rows, isOfCalls), "\\S+")
  return rows.flatMap((row) => {
    const problems = row.tests
      .filter((place) => isOfCalls(row, place))
      .flatMap((place) => {
        const { failed = [] } = results.find((result) => titled(result.place) === titled(place)) ?? {}
        const left = unnoticed(row, place, failed)
        return left.length === 0
          ? []
          : [`${row.id}: passes with another address of ${left.join(", ")}: ${titled(place)}`]
      })
    console.log(`${problems.length > 0 ? "✗" : "✓"} ${row.id}: its calls at another address`)
    return problems
  })
}

const help = `npm run mutants:statements -- [options]

Breaks each statement of the specification in a copy of the sources, and sees that every test that docs/specification.md names
for it fails. Exit code 0 where all do.

  --only A,B   only these statements, by number; "calls" for those of the platform's calls
  --again      forget what was seen to fail before
  --help       this text
`

export const main = (args: ReadonlyArray<string>): Promise<never> =>
  runProgram("mutants:statements", async () => {
    const flags = flagsOf(args, {
      only: { type: "string" },
      again: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    })
    if (flags.help) {
      console.log(help)
      return 0
    }
    const only = flags.only?.split(",")
    const known = ["calls", ...trace.map(({ id }) => id)]
    const unknown = only?.find((id) => !known.includes(id))
    if (unknown !== undefined) throw new UsageError(`--only: the specification has no statement ${unknown}`)
    const isChosen = (id: string): boolean => only === undefined || only.includes(id)
    const stated = trace.filter(({ calls, id }) => calls.length > 0 || id === entities)
    const edited = trace.filter(({ id }) => isChosen(id) && edits.some(({ statement }) => statement === id))

    const copy = makeCopy(project)
    // What failed so far is kept, and the copy goes, however this ends.
    process.once("exit", () => rmSync(copy.root, { recursive: true, force: true }))
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => process.exit(130))
    const runner = await Runner.open(copy.root)
    try {
      const problems = [
        ...(await passing(runner, [...edited, ...(isChosen("calls") ? stated : [])])),
        ...(await proveEdits(runner, copy, edited, flags.again ? {} : readKept())),
        ...(isChosen("calls") ? await proveCalls(runner, copy, stated) : [])
      ]
      for (const problem of problems) console.error(`✗ ${problem}`)
      return problems.length > 0 ? 1 : 0
    } finally {
      await runner.close()
    }
  })
