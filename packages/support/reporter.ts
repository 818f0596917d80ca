/**
 * Fails a run that leaves a test out: skipped, to do, expected to fail, or never begun. Nothing is left out in silence. A
 * test that timed out is named as one, beside those whose answer was wrong. In CI it also adds a line with the numbers of
 * passed and failed tests, and how many of the failed timed out, to the file that `TALLY` names.
 */
import { appendFileSync } from "node:fs"
import type { Reporter, TestModule, TestSuite, Vitest } from "vitest/node"
import { factor } from "./patience.js"

/** The words of Vitest for a test and a hook, of Effect, of Playwright and of `TimedOut`. */
const late = /^((Test|Hook) )?timed out (in|after) \d+ ?ms|\bTimeout \d+ms exceeded/i
/** The words of Vitest for a poll, in the cause: the error itself is that of the last attempt. */
const latePoll = /^Matcher did not succeed in time/
const lateName = /\b(TimeoutError|TimeoutException|TimedOut)$/

interface Failure {
  readonly message: string
  readonly name?: string
  readonly cause?: { readonly message: string }
}

/** Whether a limit of time was reached, and so nothing is said of the answer. */
export const isLate = ({ cause, message, name = "" }: Failure): boolean =>
  lateName.test(name) || late.test(message) || latePoll.test(cause?.message ?? "")

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
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const failed = tests.filter((test) => test.result().state === "failed")
    // Files that broke before a test of theirs could fail: a syntax error, a hook that threw.
    const broken = modules.filter(
      (module) => module.state() === "failed" && ![...module.children.allTests("failed")].length
    )
    const lateTests = failed.filter((test) => (test.result().errors ?? []).some(isLate))
    const lateFiles = broken.filter((module) =>
      [module, ...module.children.allSuites()].some((part: TestModule | TestSuite) =>
        part.errors().some(isLate)
      )
    )
    for (const { fullName, module } of lateTests) console.error(`timed out: ${module.moduleId} > ${fullName}`)
    for (const { moduleId } of lateFiles) console.error(`timed out: ${moduleId}`)
    const timedOut = lateTests.length + lateFiles.length
    if (timedOut > 0)
      console.error(
        `${timedOut} of ${failed.length + broken.length} failures timed out: the machine is slow, or they hang. ` +
          `Limits were ${factor()} times those of an idle machine; PATIENCE=${Math.ceil(factor() * 2)} doubles them.`
      )

    // With `-t` the others are meant to be left out.
    if (this.vitest?.config.testNamePattern !== undefined) return
    const passed = tests.filter((test) => test.result().state === "passed" && test.options.fails !== true)
    const left = tests.filter((test) => !passed.includes(test) && !failed.includes(test))
    for (const { fullName, module } of left) console.error(`not run: ${module.moduleId} > ${fullName}`)
    if (left.length > 0) process.exitCode = 1
    const failures = failed.length + left.length + broken.length + errors.length
    if (this.tally !== undefined) appendFileSync(this.tally, `${passed.length} ${failures} ${timedOut}\n`)
  }
}
