// The house's rules are lint rules, and a rule that matches nothing is green for ever. Here each one is broken on
// purpose, in a throw-away tree under the project's own configuration, and the linter must name it.
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { filesIn, read } from "@quartet/support/files.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
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

const restricted = "lint/style/noRestrictedImports"

const from = (specifier: string) => `import { it } from "${specifier}"\nexport const its = it\n`

const adapter = "../../adapters/fetch/index.js"
const client = "../../clients/admin/index.js"
const ui = "../../ui/rx/index.js"
const stays = "Core imports stay inside core"

/** Refused imports: the rule's message, and what refuses what, where and by which specifier. */
const imports: Readonly<
  Record<string, ReadonlyArray<readonly [says: string, file: string, specifier: string]>>
> = {
  [stays]: [
    ["core refuses an adapter", "core/requests/adapter-of.ts", adapter],
    ["core refuses a client", "core/requests/client.ts", client],
    ["core refuses ui", "core/requests/ui.ts", ui],
    ["core refuses a detour", "core/requests/detour-of.ts", "../kernel/../../adapters/x.js"],
    ["core refuses a detour from its own folder", "core/requests/own.ts", "./../../adapters/x.js"],
    ["the catalogue refuses an adapter", "core/adapter.ts", "../adapters/fetch/index.js"]
  ],
  "Core imports nothing but Effect's modules": [
    ...["effect", "node:fs", "react", "undici", "socket.io-client"],
    ...["@effect/platform/HttpClient", "@effect-rx/rx"]
  ].map((name, n) => [`core refuses ${name}`, `core/requests/package-${n}.ts`, name]),
  "A slice of core may import kernel, ports, permissions and another slice's model.js": [
    ["a slice refuses another's operations", "core/requests/theirs.ts", "../auth/operations.js"],
    ["a slice refuses another's flows", "core/requests/flow.ts", "../auth/flows.js"],
    ["a slice's inner folder refuses another's operations", "core/a/b/c.ts", "../../auth/operations.js"],
    ["a slice refuses the catalogue", "core/requests/catalogue.ts", "../catalogue.js"]
  ],
  "stands in one of its rooms": [
    ["the kernel refuses a file outside of its rooms", "core/kernel/outside.ts", "./errors/errors.js"]
  ],
  "The rooms of the kernel import one way": ["operation", "codec", "redaction", "dispatch", "session"].map(
    (next, n, all) => {
      const room = all[n - 1] ?? "errors"
      return [`the kernel's ${room} refuses ${next}`, `core/kernel/${room}/onwards.ts`, `../${next}/x.js`]
    }
  ),
  "import none of them": [
    ["a room of the kernel refuses a slice", "core/kernel/session/slice.ts", "../../auth/model.js"]
  ],
  "import nothing of it": [
    ...["../kernel/errors/errors.js", "./../kernel/errors/errors.js", "../permissions/own.js"]
  ].map((path, n) => [`a port refuses ${path}`, `core/ports/outward-${n}.ts`, path]),
  "Adapters import neither": [
    ["an adapter refuses a client", "adapters/fetch/client.ts", client],
    ["an adapter refuses ui", "adapters/fetch/ui.ts", ui]
  ],
  "never the effect barrel": [
    ["an adapter refuses the effect barrel", "adapters/x/barrel.ts", "effect"],
    ["a client refuses the effect barrel", "clients/x/barrel.ts", "effect"]
  ],
  "Clients never import ui": [["a client refuses ui", "clients/admin/ui.ts", ui]],
  "The console's design knows neither the platform nor the console": [
    ...[
      "../app/explain.js",
      "./../data/form.js",
      "../../rx/index.js",
      "../../../core/ids.js",
      "effect/Effect"
    ]
  ].map((path, n) => [`the console's design refuses ${path}`, `ui/console/design/outward-${n}.ts`, path]),
  "Sources never import tests": [["a source refuses a test", "clients/admin/t.ts", "../../test/x.js"]]
}

/** The same import in other words. */
const disguises: ReadonlyArray<readonly [says: string, code: string, ...refused: Refused]> = [
  ["an adapter's type", `import type { It } from "${adapter}"\nexport type Its = It\n`, restricted, stays],
  ["to re-export an adapter", `export * from "${adapter}"\n`, restricted, stays],
  ["to load an adapter later", `export const load = () => import("${adapter}")\n`, restricted, stays],
  ["to import runFork", 'export { runFork as start } from "effect/Effect"\n', "plugin", "no-runs"],
  ["runFork by a text", 'export const f = (it) => it["runFork"]\n', "lint/complexity/useLiteralKeys", "can"],
  ["to import ManagedRuntime", 'export * as Runtimes from "effect/ManagedRuntime"\n', "plugin", "no-runs"],
  ["a type by import(…)", `export type Its = import("${adapter}").It\n`, "plugin", "no-import-types"]
]

const layers: ReadonlyArray<Case> = [
  ...Object.entries(imports).flatMap(([message, rows]) =>
    rows.map(([says, file, specifier]) => broken(says, file, from(specifier), restricted, message))
  ),
  ...disguises.map(([what, code, ...refused], n) =>
    broken(`core refuses ${what}`, `core/requests/disguise-${n}.ts`, code, ...refused)
  )
]

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
  ["a member of Effect by a computed name", "(Effect, how) => Effect[how](1)", "no-bare-globals"],
  ["a fiber that nothing ends", "(Effect) => Effect.forkDaemon(1)", "no-runs"],
  ["a runtime of its own", "(Runtime) => Runtime.defaultRuntime", "no-runs"],
  ["an import whose path is a template", "() => import(`../session/token.js`)", "no-import-types"],
  ["runFork taken out of its module", "(All) => { const { runFork: run } = All; return run }", "no-runs"],
  ...["Date", "Math", "Promise", "[Effect]", "{ Effect }", "Reflect"].map(
    (name) => [`${name} under another name`, name, "no-bare-globals"] as const
  )
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
    says: "a slice may use kernel, ports, permissions, another slice's model and its own files",
    file: "core/requests/allowed.ts",
    code: ["effect/Effect", "../auth/model.js", "../kernel/x.js", "../permissions/x.js", "../ports/x.js"]
      .concat("./model.js", "./operations.js")
      .map((specifier) => `export * from "${specifier}"\n`)
      .join("")
  },
  {
    says: "the catalogue may list operations",
    file: "core/catalogue.ts",
    code: from("./auth/operations.js")
  },
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
  { says: "a client may use an adapter", file: "clients/admin/allowed.ts", code: from(adapter) },
  { says: "a test of core may throw", file: "test/core/allowed.ts", code: "throw Date.now()\n" },
  {
    says: "the console may name a class, and a style that is none of CSS",
    file: "ui/console/views/allowed.tsx",
    code: `export const its = (name: string) => <p className={name === "a" ? "row" : ""} title="a" data-style="wide" />
      export const marked = (it) => { it.className = styles.a; it.title = "a"; it.classList.add(styles.b) }
      export const money = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })`
  },
  { says: "ui may use a client", file: "ui/rx/allowed.ts", code: from(client) }
]

const cases = [...layers, ...pure, ...styles, ...allowed]

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

// Spec 0.3, 2.1
test("no client, and nothing that one stands on, imports a screen", () => {
  const sources = ["core", "adapters", "clients"].flatMap(filesIn)
  expect(sources.length).toBeGreaterThan(300)
  const screens = /\b(?:from|import)\s*\(?\s*"(?:[^"]*\/ui\/[^"]*|react(?:-dom)?(?:\/[^"]*)?)"/
  expect(sources.filter((file) => screens.test(read(file)))).toEqual([])
})

describe("the layers", () => {
  let tree: string
  let report: Report

  beforeAll(async () => {
    tree = await realpath(await mkdtemp(join(tmpdir(), "quartet-layers-")))
    await cp(join(root, "biome.json"), join(tree, "biome.json"))
    await cp(join(root, ".ci/lint"), join(tree, ".ci/lint"), { recursive: true })
    for (const { code, file } of cases) {
      await mkdir(dirname(join(tree, file)), { recursive: true })
      await writeFile(join(tree, file), code)
    }
    report = JSON.parse((await lint(tree, ".")).output)
  })

  afterAll(() => rm(tree, { recursive: true, force: true }))

  for (const { file, refused, says } of cases) {
    test(says, () => {
      const found = report.diagnostics
        .filter(({ location }) => location.path === file)
        .map(({ category, message }) => ({ category, message }))
      expect(found).toEqual(
        refused === undefined ? [] : [{ category: refused[0], message: expect.stringContaining(refused[1]) }]
      )
    })
  }

  test("a refused import fails the linter's run, and an allowed file passes it", async () => {
    expect((await lint(tree, "core/requests/adapter-of.ts")).exit).toBe(1)
    expect((await lint(tree, "core/requests/allowed.ts")).exit).toBe(0)
  })
})
