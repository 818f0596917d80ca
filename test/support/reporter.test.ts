// A run that leaves a test out fails, in whatever way it is left out.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Runs vitest over a file of tests; a non-zero exit is an answer here, not a failure. */
const run = (code: string) =>
  new Promise<{ readonly exit: number; readonly left: ReadonlyArray<string> }>((resolve) => {
    mkdirSync(join(root, "test-results"), { recursive: true })
    const folder = mkdtempSync(join(root, "test-results/reporter-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {}")
    writeFileSync(join(folder, "a.test.ts"), `import { describe, test } from "vitest"\n${code}`)
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const args = [vitest, "run", "--root", folder, "--reporter", join(root, "test/support/reporter.ts")]
    execFile(process.execPath, args, { cwd: folder }, (error, _, stderr) =>
      resolve({
        exit: error === null ? 0 : Number(error.code),
        left: [...stderr.matchAll(/^not run: .* > (\w+)$/gm)].map(([, name = ""]) => name)
      })
    )
  })

const passing = 'test("passing", () => undefined)\n'

test("a run whose tests all pass succeeds, and one that leaves tests out fails and names them", async () => {
  const left = `test.todo("todo")
    test("context", (it) => it.skip())
    test.skipIf(true)("condition", () => undefined)
    test.fails("fails", () => { throw new Error("as expected") })
    describe.skip("", () => { test("group", () => undefined) })`
  expect(await run(passing)).toEqual({ exit: 0, left: [] })
  expect(await run(passing + left)).toEqual({
    exit: 1,
    left: ["todo", "context", "condition", "fails", "group"]
  })
})
