// A run that leaves a test out fails, in whatever way it is left out.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import { expect, onTestFinished, test } from "vitest"

/** Runs vitest over a file of tests; a non-zero exit is an answer here, not a failure. */
const run = (code: string) =>
  new Promise<{
    readonly exit: number
    readonly left: ReadonlyArray<string>
    readonly late: ReadonlyArray<string>
    readonly words: string
    readonly tally: string
  }>((resolve) => {
    mkdirSync(join(root, "test-results"), { recursive: true })
    const folder = mkdtempSync(join(root, "test-results/reporter-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {}")
    writeFileSync(join(folder, "a.test.ts"), `import { describe, test } from "vitest"\n${code}`)
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const args = [vitest, "run", "--root", folder, "--reporter", join(root, "packages/support/reporter.ts")]
    const tally = join(folder, "tally")
    writeFileSync(tally, "")
    const env = { ...process.env, TALLY: tally, PATIENCE: "1.5" }
    execFile(process.execPath, args, { cwd: folder, env }, (error, _, stderr) =>
      resolve({
        exit: error === null ? 0 : Number(error.code),
        left: [...stderr.matchAll(/^not run: .* > (\w+)$/gm)].map(([, name = ""]) => name),
        late: [...stderr.matchAll(/^timed out: .* > (\w+)$/gm)].map(([, name = ""]) => name),
        words: stderr,
        tally: readFileSync(tally, "utf8")
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
  expect(await run(passing)).toMatchObject({ exit: 0, left: [], late: [], tally: "1 0 0\n" })
  expect(await run(passing + left)).toMatchObject({
    exit: 1,
    left: ["todo", "context", "condition", "fails", "group"]
  })
})

test("a test that reaches a limit of time, of whatever library, is named as one, and not a test whose answer is wrong", async () => {
  const limits = `import { expect } from "vitest"
    import { eventually } from ${JSON.stringify(join(root, "packages/support/eventually.ts"))}
    import * as Effect from "effect/Effect"
    test("whole", () => new Promise(() => undefined), 10)
    test("awaited", () => eventually(() => expect(1).toBe(2), 1))
    test("polled", () => expect.poll(() => 1, { timeout: 10 }).toBe(2))
    test("effect", () => Effect.runPromise(Effect.timeout(Effect.never, 10)))
    test("page", () => { throw Object.assign(new Error("locator.waitFor: Timeout 10ms exceeded."), { name: "TimeoutError" }) })
    test("wrong", () => expect("the run timed out in the end").toBe("timed out in 5ms"))`
  const { exit, late, tally, words } = await run(passing + limits)
  expect(late).toEqual(["whole", "awaited", "polled", "effect", "page"])
  expect(words).toContain(
    "5 of 6 failures timed out: the machine is slow, or they hang. Limits were 1.5 times those of an idle machine; PATIENCE=3 doubles"
  )
  expect([exit, tally]).toEqual([1, "1 6 5\n"])
})

test("a hook that reaches a limit of time is named with its file", async () => {
  const hook = `import { beforeAll } from "vitest"
    beforeAll(() => new Promise(() => undefined), 10)\n${passing}`
  const { exit, words } = await run(hook)
  expect(words).toMatch(/^timed out: .*a\.test\.ts$/m)
  expect(words).toContain("1 of 1 failures timed out")
  expect(exit).toBe(1)
})
