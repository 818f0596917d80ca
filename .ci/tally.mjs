// Prints the run's last line, "N passed, N failed". The tests are counted from vitest's JSON report (the first
// argument); the further arguments are the steps that failed. A failed step that no failed test accounts for counts
// as one failure itself, so that a red run never reads "0 failed".
import { readFileSync } from "node:fs"

const [path = "", ...failedSteps] = process.argv.slice(2)

const readReport = () => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}

const { numFailedTests, numPassedTests, testResults } = readReport()

/** Files that broke before a test of theirs could fail: a syntax error, a hook that threw. */
const brokenFiles = testResults.filter(
  ({ assertionResults, status }) =>
    status === "failed" && assertionResults.every((test) => test.status !== "failed")
)
const failedTests = numFailedTests + brokenFiles.length
const unaccounted = failedSteps.filter((step) => failedTests === 0 || !step.startsWith("npm test"))
const failed = failedTests + unaccounted.length

for (const step of failedSteps) {
  console.log(`failed: ${step}`)
}
console.log(`${numPassedTests} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
