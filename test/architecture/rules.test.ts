// The house's rules are lint rules, and a rule that matches nothing is green for ever. Here each one is broken on
// purpose, in a throw-away tree under the project's own configuration, and the linter must name it.
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { removeFolder, root } from "@quartet/support/files.js"
import { removalTimeout } from "@quartet/support/temporary.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const biome = join(root, "node_modules/@biomejs/biome/bin/biome")

type Refused = readonly [category: string, message: string]

interface Case {
  readonly says: string
  readonly file: string
  readonly code: string
  /** The diagnostic's category and a part of its message; absent where the linter must be content. */
  readonly refused?: Refused
}

const broken = (says: string, file: string, code: string, ...refused: Refused): Case => {
  return { says, file, code, refused }
}

const impure: ReadonlyArray<readonly [name: string, code: string, rule: string]> = [
  ["Date.now()", "Date.now()", "no-ambient-values"],
  ["new Date()", "new Date()", "no-ambient-values"],
  ["Math.random()", "Math.random()", "no-ambient-values"],
  ["throw", "() => { throw 1 }", "no-exceptions"],
  ["try … catch", "() => { try { return 1 } catch { return 2 } }", "no-exceptions"],
  ["try … finally", "(f: () => void) => { try { f() } finally { f() } }", "no-exceptions"],
  ["await", "await 1", "no-promises"],
  ["an async arrow", "async () => 1", "no-promises"],
  ["an async generator", "async function* () { yield 1 }", "no-promises"],
  ["an async method", "{ async read() { return 1 } }", "no-promises"],
  ["new Promise", "new Promise(() => {})", "no-promises"],
  ["Promise.resolve()", "Promise.resolve(1)", "no-promises"],
  ...["Fork", "Sync", "SyncExit", "Promise", "PromiseExit", "Callback"].map(
    (how) => [`run${how}`, `(Effect) => Effect.run${how}(1)`, "no-runs"] as const
  ),
  ["a runtime's runFork", "(Runtime) => Runtime.runFork(1)(2)", "no-runs"],
  ["runFork without a call", "(Effect) => [1].map(Effect.runFork)", "no-runs"],
  ["a fiber that nothing ends", "(Effect) => Effect.forkDaemon(1)", "no-runs"],
  ["a runtime of its own", "(Runtime) => Runtime.defaultRuntime", "no-runs"]
]

const deniedGlobals =
  `fetch setTimeout setInterval setImmediate queueMicrotask require process Buffer window document
  localStorage globalThis`.split(/\s+/)

const purity: ReadonlyArray<readonly [name: string, code: string, ...refused: Refused]> = [
  ...deniedGlobals.map(
    (name) => [`the global ${name}`, name, "lint/style/noRestrictedGlobals", name] as const
  ),
  ...impure.map(([name, code, rule]) => [name, code, "plugin", rule] as const)
]

const pure = purity.map(([name, code, ...refused], n) =>
  broken(`core refuses ${name}`, `core/kernel/impure-${n}.ts`, `export const its = ${code}\n`, ...refused)
)

const inline = [
  "(name: string) => <p style={{ width: name }} />",
  "{ style: { width: 1 } }",
  "(it: HTMLElement) => it.setAttribute('style', 'width: 1px')",
  "(it?: HTMLElement) => it?.setAttribute(`style`, 'width: 1px')",
  "(it) => it.current?.style.setProperty('width', '1px')",
  "(style) => createElement('p', { style })",
  "(it) => { const { style } = it; return style }",
  "(it) => { const { style: its } = it; return its }"
]

const hidden = [
  'createElement("i", { className: "bare" })',
  '(it) => { it.className = "bare" }',
  '(it) => it?.classList.add("bare")',
  '(it) => it.setAttribute("class", styles.there)'
]

const styles: ReadonlyArray<Case> = [
  ["no-inline-styles", inline] as const,
  ["no-hidden-classes", hidden] as const
].flatMap(([rule, codes]) =>
  codes.map((code, n) => {
    const says = `the console has ${rule.replaceAll("-", " ")}: ${code}`
    return broken(says, `ui/console/views/${rule}-${n}.tsx`, `export const its = ${code}\n`, "plugin", rule)
  })
)

/** The same shapes where they are allowed: a rule that refuses everything proves nothing. */
const allowed: ReadonlyArray<Case> = [
  {
    says: "core may build a Date from a value, recognize one, compute and name a Promise's type",
    file: "core/kernel/pure.ts",
    code: `export const at = (a: unknown) => (a instanceof Date ? a : new Date(Math.abs(Number(a))))
      export type Later = Promise<Date>`
  },
  {
    says: "core may run what is no effect, and fork into a scope",
    file: "core/kernel/forked.ts",
    code: "export const forked = (connection, Effect) => Effect.forkScoped(connection.run())\n"
  },
  {
    says: "core may excuse one place with a reason",
    file: "core/kernel/excused.ts",
    code: `export const parse = (text: string): unknown => {
      // biome-ignore lint/plugin/no-exceptions: JSON.parse has no other way to report bad text
      try { return JSON.parse(text) } catch { return undefined }
    }`
  },
  {
    says: "an adapter may use core, Node and promises",
    file: "adapters/fetch/allowed.ts",
    code: `import { readFile } from "node:fs/promises"
      import { at } from "../../core/kernel/pure.js"
      export const its = async () => [at(Date.now()), await readFile("its")]`
  },
  { says: "a test of core may throw", file: "test/core/allowed.ts", code: "throw Date.now()\n" },
  {
    says: "the console may name a class, and a style that is none of CSS",
    file: "ui/console/views/allowed.tsx",
    code: `export const its = (name: string) => <p className={name === "a" ? "row" : ""} title="a" data-style="wide" />
      export const marked = (it) => { it.className = styles.a; it.title = "a"; it.classList.add(styles.b) }
      export const money = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })`
  }
]

const cases = [...pure, ...styles, ...allowed]

interface Report {
  readonly diagnostics: ReadonlyArray<{
    readonly category: string
    readonly message: string
    readonly location: { readonly path: string }
  }>
}

/** One run of the linter; a non-zero exit is an answer here, not a failure. */
const lint = (cwd: string, ...paths: ReadonlyArray<string>) =>
  new Promise<{ readonly exit: number; readonly output: string }>((resolve) => {
    const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", ...paths]
    execFile(process.execPath, args, { cwd, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) =>
      resolve({ exit: error === null ? 0 : Number(error.code), output: stdout })
    )
  })

describe("the rules of the linter", () => {
  let tree: string
  let report: Report

  beforeAll(async () => {
    tree = await realpath(await mkdtemp(join(tmpdir(), "quartet-rules-")))
    await cp(join(root, "biome.json"), join(tree, "biome.json"))
    await cp(join(root, ".ci/lint"), join(tree, ".ci/lint"), { recursive: true })
    for (const { code, file } of cases) {
      await mkdir(dirname(join(tree, file)), { recursive: true })
      await writeFile(join(tree, file), code)
    }
    report = JSON.parse((await lint(tree, ".")).output)
  })

  afterAll(() => removeFolder(tree), removalTimeout)

  for (const { file, refused, says } of cases) {
    test(says, () => {
      const diagnostics = report.diagnostics
        .filter(({ location }) => location.path === file)
        .map(({ category, message }) => ({ category, message }))
      expect(diagnostics).toEqual(
        refused === undefined ? [] : [{ category: refused[0], message: expect.stringContaining(refused[1]) }]
      )
    })
  }

  test("what is refused fails the linter's run, and what is allowed passes it", async () => {
    expect((await lint(tree, "core/kernel/impure-0.ts")).exit).toBe(1)
    expect((await lint(tree, "core/kernel/pure.ts")).exit).toBe(0)
  })
})
