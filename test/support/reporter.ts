/**
 * Fails a run that leaves a test out: skipped, to do, expected to fail, or never begun. Nothing is left out in silence.
 * In CI it also adds a line with the numbers of passed and failed tests to the file that `TALLY` names.
 */
import { appendFileSync } from "node:fs"
import type { Reporter, TestModule, Vitest } from "vitest/node"

export default class implements Reporter {
  private vitest: Vitest | undefined
  private readonly tally = process.env.TALLY

  constructor() {
    // A test that runs other tests adds nothing to these numbers.
    delete process.env.TALLY
  }

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    // With `-t` the others are meant to be left out.
    if (this.vitest?.config.testNamePattern !== undefined) return
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const passed = tests.filter((test) => test.result().state === "passed" && test.options.fails !== true)
    const failed = tests.filter((test) => test.result().state === "failed")
    const left = tests.filter((test) => !passed.includes(test) && !failed.includes(test))
    // Files that broke before a test of theirs could fail: a syntax error, a hook that threw.
    const broken = modules.filter(
      (module) => module.state() === "failed" && ![...module.children.allTests("failed")].length
    )
    for (const { fullName, module } of left) console.error(`not run: ${module.moduleId} > ${fullName}`)
    if (left.length > 0) process.exitCode = 1
    if (this.tally !== undefined)
      appendFileSync(
        this.tally,
        `${passed.length} ${failed.length + left.length + broken.length + errors.length}\n`
      )
  }
}
