// A call and a slice are added as CONTRIBUTING.md tells it, in a copy of the project: `npm run generate` writes the rest,
// and `npm run check` and the tests that look at all calls accept it.
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { removalTimeout } from "@quartet/support/temporary.js"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Copy, makeCopy } from "../mutants/copy.js"
import { changed, changes } from "./contributing.js"

const timeout = patient(400_000)
let copy: Copy

/** Runs a command of the project in the copy; a failure is an answer here. */
const run = (command: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly exit: unknown; readonly output: string }>((resolve) => {
    const options = { cwd: copy.root, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

beforeAll(() => {
  copy = makeCopy(root)
  // A clone, as a contributor has: what is built once is not built again.
  execFileSync("git", ["init", "--quiet"], { cwd: copy.root })
  for (const change of changes) {
    const path = join(copy.root, change.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, changed(existsSync(path) ? readFileSync(path, "utf8") : "", change))
  }
})

afterAll(() => copy.remove(), removalTimeout)

test("one command writes them into the clients and the documents", { timeout }, async () => {
  const { exit, output } = await run("npm", "run", "generate")
  expect(exit, output).toBe(0)
  const written = output.split("\n").flatMap((line) => (line.startsWith("written: ") ? [line.slice(9)] : []))
  expect(written).toEqual([
    "core/platform/names.ts",
    "core/catalogue.ts",
    "core/schemas.ts",
    "packages/sandbox/slices/index.ts",
    "clients/description/field-docs.ts",
    "clients/description/summaries.ts",
    "clients/admin/requests.ts",
    "clients/promise/calls/admin.ts",
    "clients/public/offices.ts",
    "clients/promise/calls/public.ts",
    "clients/public/slices.ts",
    "clients/end-user/requests.ts",
    "clients/promise/calls/end-user.ts",
    "docs/answers.md",
    "docs/specification.md",
    "docs/calls.md",
    "docs/openapi/admin.json",
    "docs/openapi/public.json",
    "docs/openapi/end-user.json"
  ])
})

/** When a module of the package was built. */
const builtAt = (): number => statSync(join(copy.root, "dist/clients/index.js")).mtimeMs

test("the report of the interface has to be written anew", { timeout }, async () => {
  const before = await run("npm", "run", "build:packages")
  expect(before.exit, before.output).toBe(0)
  const check = await run("npm", "run", "check:api")
  expect([check.exit, check.output]).toEqual([1, expect.stringContaining("run `npm run api`")])
  const first = builtAt()
  await run("npm", "run", "build:packages")
  expect(builtAt(), "nothing has changed").toBe(first)
  if (isWhole) rmSync(join(copy.root, "dist/clients"), { recursive: true })
  const { exit, output } = await run("npm", "run", "api")
  expect([exit, output]).toEqual([0, expect.stringContaining("written: api/sdk.md")])
  if (isWhole) expect(builtAt(), "some of it was gone").toBeGreaterThan(first)
})

/** The others look at the manifest, at sizes and at style, which a call changes little. */
const checks = ["check:generated", "check:types", "check:api"]

test.each(isWhole ? ["check"] : checks)("`npm run %s` accepts them", { timeout }, async (check) => {
  const first = builtAt()
  const { exit, output } = await run("npm", "run", check)
  expect(exit, output).toBe(0)
  // The report was written since, and is a file of the project.
  if (isWhole) expect(builtAt(), "it is built anew after a change").toBeGreaterThan(first)
})

test("the tests accept them: the pages, the catalogue, the wire and the sandbox", { timeout }, async () => {
  const args = ["--project=unit", "--project=wire", "--reporter=verbose", "--maxWorkers=1"]
  const files = [
    "test/docs/",
    "test/catalogue",
    "test/generated",
    "test/adapters/openapi",
    "test/promise/names"
  ]
  const onPlatform = [
    "packages/sandbox/test/catalogue",
    "packages/sandbox/test/office",
    "packages/sandbox/test/requests",
    "test/wire/"
  ]
  const { exit, output } = await run("npx", "vitest", "run", ...args, ...files, ...onPlatform)
  expect(exit, output).toBe(0)
  expect(output).toContain("a request that was answered is opened again by either side")
  expect(output).toContain("visitors read when an office is open")
  expect(output).toContain("'endUser.requests.reopen' is 'PUT' 'request-action/{id}/reopen'")
  expect(output, "a body with a number and a list").toContain("'public.offices.hours' is 'POST'")
  expect(output).toContain("CONTRIBUTING.md adds to what stands in 'spec/specification.txt'")
})

test("a statement of which nothing is known is named, with what to do", { timeout }, async () => {
  const path = join(copy.root, "spec/specification.txt")
  const text = readFileSync(path, "utf8")
  writeFileSync(path, text.replace("- Sort item:", "- Announcement: title, text.\n- Sort item:"))
  const { exit, output } = await run("npm", "run", "generate")
  expect(exit).not.toBe(0)
  expect(output).toContain('Nothing is known of the statement "Announcement: title, text."')
  expect(output).not.toContain("written: ")
  writeFileSync(path, text)
})
