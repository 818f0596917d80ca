// Prints the run's last line, "N passed, N failed". The tests are counted from vitest's JSON reports; the further
// arguments are the steps that failed. A skipped test counts as failed: nothing is left out in silence. A failed step
// that no failed test accounts for counts as one failure itself, so that a red run never reads "0 failed".
import { readFileSync } from "node:fs"

const [reports = "", ...failedSteps] = process.argv.slice(2)

const resultsIn = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults
  } catch {
    return []
  }
}

const files = reports.split(",").flatMap(resultsIn)
const tests = files.flatMap(({ assertionResults }) => assertionResults)
const passed = tests.filter(({ status }) => status === "passed").length
const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed")

/** Files that broke before a test of theirs could fail: a syntax error, a hook that threw. */
const brokenFiles = files.filter(
  ({ assertionResults, status }) =>
    status === "failed" && assertionResults.every((test) => test.status !== "failed")
)
const failedTests = tests.length - passed + brokenFiles.length
const unaccounted = failedSteps.filter((step) => failedTests === 0 || !/^npm (run )?test/.test(step))
const failed = failedTests + unaccounted.length

for (const { fullName } of skipped) {
  console.log(`not run: ${fullName}`)
}
for (const step of failedSteps) {
  console.log(`failed: ${step}`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
