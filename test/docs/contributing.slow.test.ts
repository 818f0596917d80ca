// A call is added as CONTRIBUTING.md tells it, in a copy of the project: one command writes the rest, and the project's
// own checks accept it.
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { root } from "../../tools/files.js"
import { type Copy, makeCopy } from "../mutants/copy.js"
import { changed, changes } from "./contributing.js"

const millis = 240_000
let copy: Copy

/** Runs a program of the project in the copy; a failure is an answer here. */
const run = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly exit: unknown; readonly output: string }>((resolve) => {
    const options = { cwd: copy.root, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

beforeAll(() => {
  copy = makeCopy(root)
  for (const change of changes) {
    const path = join(copy.root, change.file)
    writeFileSync(path, changed(readFileSync(path, "utf8"), change))
  }
})

afterAll(() => copy.remove())

test("one command writes the call into both clients and the documents", { timeout: millis }, async () => {
  const { exit, output } = await run("tools/generate.mjs")
  expect(exit, output).toBe(0)
  const written = output.split("\n").flatMap((line) => (line.startsWith("written: ") ? [line.slice(9)] : []))
  expect(written).toEqual([
    "clients/admin/requests.ts",
    "clients/end-user/requests.ts",
    "adapters/openapi/summaries.ts",
    "docs/specification.md",
    "docs/calls.md",
    "docs/openapi/admin.json",
    "docs/openapi/end-user.json"
  ])
  expect(await run("tools/generate.mjs", "--check")).toEqual({ exit: 0, output: "" })
})

test("it compiles", { timeout: millis }, async () => {
  expect(await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.json")).toEqual({ exit: 0, output: "" })
})

test("the tests of the catalogue, the wire, the sandbox and the specification accept it", {
  timeout: millis
}, async () => {
  const files = [
    "test/catalogue.test.ts",
    "test/generated.test.ts",
    "test/docs/specification.test.ts",
    "test/sandbox/catalogue.test.ts",
    "test/sandbox/requests.test.ts",
    "test/wire/ledger.test.ts"
  ]
  const { exit, output } = await run("node_modules/vitest/vitest.mjs", "run", "--reporter=verbose", ...files)
  expect(exit, output).toBe(0)
  expect(output).toContain("a request that was answered is opened again by either side")
  expect(output).toContain("'endUser.requests.reopen' is 'PUT' 'request-action/{id}/reopen'")
})
