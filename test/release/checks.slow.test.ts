// Every check of `npm run check` that looks at packages looks at each one: in a copy of the project each package is broken in the way that a
// check is for, and the check fails and names all of them.
import { execFile, execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { exists, filesIn, root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { removalTimeout } from "@quartet/support/temporary.js"
import { entriesOf, published, type Workspace, workspaces } from "@quartet/support/workspaces.js"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { type Copy, makeCopy } from "../mutants/copy.js"

const timeout = patient(300_000)
let copy: Copy
/** What was there before a test, by path; undefined of a file that was not. */
const before = new Map<string, string | undefined>()

/** Changes a file of the copy until the test ends. */
const change = (file: string, edit: (text: string) => string): void => {
  const path = join(copy.root, file)
  const text = exists(file) ? readFileSync(path, "utf8") : undefined
  if (!before.has(path)) before.set(path, text)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, edit(text ?? ""))
}

const addTo = (file: string, line: string): void => change(file, (text) => `${text}\n${line}\n`)

const changeManifest = ({ folder }: Workspace, edit: (manifest: Record<string, object>) => object): void =>
  change(posix.join(folder, "package.json"), (text) => JSON.stringify(edit(JSON.parse(text))))

/** How a script of the copy ends, and what it says. */
const run = (script: string) =>
  new Promise<{ readonly exit: unknown; readonly output: string }>((resolve) => {
    const options = { cwd: copy.root, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 }
    execFile("npm", ["run", "--silent", script], options, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

/** What is built of the entry that a package's users import first, without the end of its name. */
const builtOf = (workspace: Workspace): string => {
  const source = entriesOf(workspace)[0]?.source ?? ""
  const path = posix.relative(workspace.folder, source).replace(/\.tsx?$/, "")
  return posix.join(workspace.folder, "dist", path)
}

beforeAll(() => {
  copy = makeCopy(root)
  execFileSync("git", ["init", "--quiet"], { cwd: copy.root })
  for (const { folder } of published)
    cpSync(join(root, folder, "dist"), join(copy.root, folder, "dist"), { recursive: true })
}, timeout)

afterEach(() => {
  for (const [path, text] of before)
    if (text === undefined) rmSync(path, { force: true })
    else writeFileSync(path, text)
  before.clear()
})

afterAll(() => copy.remove(), removalTimeout)

/** What takes as long as the check itself is tried before a release. */
const testBeforeRelease = (title: string, run: () => Promise<void>): void => {
  if (isWhole) test(title, { timeout }, run)
}

testBeforeRelease(
  "an entry that leads nowhere, a wrong type, and what a manifest says too much or too little fail check:packed",
  async () => {
    for (const workspace of published) {
      changeManifest(workspace, ({ dependencies, exports, ...manifest }) => ({
        ...manifest,
        dependencies: { ...dependencies, vitest: "3.2.7" },
        exports: { ...exports, "./nowhere": "./dist/nowhere.js" }
      }))
      addTo(`${builtOf(workspace)}.d.ts`, 'export * from "./nowhere"')
      addTo(`${builtOf(workspace)}.js`, 'import "unheard-of"')
    }
    const { exit, output } = await run("check:packed")
    expect(exit).toBe(1)
    for (const { manifest } of published) {
      const { name } = manifest
      expect(output).toMatch(new RegExp(`^${name}: publint refuses it:[^:]*\\n[\\s\\S]*?nowhere`, "m"))
      expect(output).toMatch(new RegExp(`^${name}: attw refuses it:`, "m"))
      expect(output).toMatch(
        new RegExp(
          `^${name}: dist/\\S+ imports unheard-of.*\\nnothing of it imports vitest, which is in its`,
          "m"
        )
      )
      expect(output).toContain(`${name}: refused`)
    }
  }
)

test("a change of what an entry exports fails check:api", { timeout }, async () => {
  for (const workspace of published) addTo(`${builtOf(workspace)}.d.ts`, "export declare const added: 1;")
  const { exit, output } = await run("check:api")
  expect(exit).toBe(1)
  for (const { manifest } of published)
    expect(output).toContain(`api/${manifest.name.replace("@quartet/", "")}.md is not what is built`)
})

/** A source of a package, or of a private one, that is no entry. */
const inner: Readonly<Record<string, string>> = {
  "@quartet/sdk": "core/kernel/codec/json.ts",
  "@quartet/react": "ui/rx/structure.ts",
  "@quartet/console": "ui/console/app/routes.ts",
  "@quartet/cli": "packages/cli/doctor/range.ts",
  "@quartet/fleet": "packages/fleet/jobs/identity.ts",
  "@quartet/sandbox": "packages/sandbox/state/rows.ts",
  "@quartet/support": "packages/support/jwt.ts"
}

test("an export, a file and a dependency that nothing uses fail check:knip", { timeout }, async () => {
  const strayOf = (file: string): string => posix.join(posix.dirname(file), "stray.ts")
  for (const workspace of workspaces) {
    const file = inner[workspace.manifest.name] ?? ""
    addTo(file, "export const neverUsed = 1")
    // Each file of what tests share is an entry.
    if (workspace.manifest.name !== "@quartet/support") addTo(strayOf(file), "console.log(1)")
    changeManifest(workspace, ({ dependencies, ...manifest }) => ({
      ...manifest,
      dependencies: { ...dependencies, "escape-html": "1.0.3" }
    }))
  }
  const { exit, output } = await run("check:knip")
  expect(exit).toBe(1)
  for (const { folder, manifest } of workspaces) {
    const file = inner[manifest.name] ?? ""
    expect(output).toMatch(new RegExp(`^neverUsed .*${file}`, "m"))
    if (manifest.name !== "@quartet/support") expect(output).toContain(strayOf(file))
    expect(output).toMatch(new RegExp(`^escape-html +${posix.join(folder, "package.json")}`, "m"))
  }
})

test("an import from one package into another by a path fails check:imports, in sources and tests", {
  timeout
}, async () => {
  const added = workspaces.flatMap(({ folder, manifest }) => {
    const target = folder === "." ? "packages/sandbox/index.js" : "core/catalogue.js"
    return [inner[manifest.name] ?? "", posix.join(folder, "test/x.test.ts")].map((file) => {
      change(file, (text) => `import {} from "${posix.relative(posix.dirname(file), target)}"\n${text}`)
      return `${file}:1 imports`
    })
  })
  const { exit, output } = await run("check:imports")
  expect(exit).toBe(1)
  for (const line of added) expect(output).toContain(line)
  expect(output).toMatch(
    /@quartet\/fleet reaches into @quartet\/sdk past its entries: import it from "@quartet\/sdk\/extend\/catalogue"/
  )
  expect(output).toContain(`${added.length} imports break the rules`)
})

testBeforeRelease("an import that is heavy fails check:budgets", async () => {
  for (const workspace of published) addTo(`${builtOf(workspace)}.js`, 'import "jsdom"')
  const { exit, output } = await run("check:budgets")
  expect(exit).toBe(1)
  for (const workspace of published) {
    const entry = entriesOf(workspace)[0]?.name
    expect(output).toMatch(new RegExp(`^import of ${entry} +ratio of bytes .*past its budget$`, "m"))
  }
})

test("a package that names another repository fails check:forge", { timeout }, async () => {
  for (const workspace of published)
    changeManifest(workspace, (manifest) => ({ ...manifest, homepage: "https://example.com" }))
  const { exit, output } = await run("check:forge")
  expect(exit).toBe(1)
  for (const { folder } of published)
    expect(output).toContain(`${posix.join(folder, "package.json")} names another repository`)
})

test("the list of the packages is the workspaces', and every folder with a package is one", () => {
  const manifests = ["ui", "packages"].flatMap(filesIn).filter((file) => /(^|\/)package\.json$/.test(file))
  const known = workspaces.map(({ folder }) => posix.join(folder, "package.json"))
  expect(known).toEqual(expect.arrayContaining(manifests.filter((file) => !file.includes("/dist/"))))
})
