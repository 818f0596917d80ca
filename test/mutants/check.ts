/** Runs what has to notice a mutant: a file of tests, or a scenario of the torture. A crash or a time-out is no verdict. */
import { spawn } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

export type Verdict =
  | { readonly _tag: "Passed" }
  | { readonly _tag: "Failed"; readonly by: string }
  | { readonly _tag: "Broken"; readonly why: string }

const run = (
  root: string,
  args: ReadonlyArray<string>,
  millis: number,
  interrupted: AbortSignal
): Promise<{ readonly isLate: boolean; readonly output: string }> =>
  new Promise((resolve, reject) => {
    // A group of its own, so that a time-out ends the tests' processes with it.
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", CI: "true" }
    })
    let output = ""
    let isLate = false
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, millis)
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-20_000)
      })
    interrupted.addEventListener("abort", end)
    child.once("error", reject)
    // Its pipes are closed once every process that holds them has ended.
    child.once("close", () => {
      clearTimeout(timer)
      interrupted.removeEventListener("abort", end)
      resolve({ isLate, output })
    })
  })

/** What the reports of vitest and of the torture hold, as far as it is read. */
interface Report {
  readonly success?: boolean
  readonly testResults?: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
  readonly scenarios?: ReadonlyArray<{ readonly result: { readonly holds: boolean; readonly got: string } }>
}

/** What failed: tests by their names, and scenarios by what they say. */
const failedIn = ({ scenarios = [], testResults = [] }: Report): ReadonlyArray<string> => [
  ...testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ fullName, status }) => (status === "failed" ? [fullName] : [])),
  ...scenarios.flatMap(({ result: { got, holds } }) => (holds ? [] : (got.split("\n", 1)[0] ?? "")))
]

/**
 * Runs one check in a copy. `name` is a file of tests, or `torture` and a scenario. Where it is interrupted, it answers once
 * the processes of the check have ended.
 */
export const check = async (
  root: string,
  name: string,
  millis: number,
  interrupted: AbortSignal
): Promise<Verdict> => {
  if (interrupted.aborted) return { _tag: "Broken", why: "interrupted" }
  const report = join(root, "verdict.json")
  rmSync(report, { force: true })
  const program = ["packages/support/run.mjs", "test/faults/main.ts,test/faults/far/child.ts"]
  const torture = [...program, "--quick", "--seed", "7", "--json", report, "--only"]
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--reporter=json"]
  const scenario = /^torture (.+)/.exec(name)?.[1]
  const args = scenario ? [...torture, scenario] : [...vitest, `--outputFile=${report}`, name]
  const { isLate, output } = await run(root, args, millis, interrupted)
  if (isLate) return { _tag: "Broken", why: `no verdict within ${Math.round(millis / 1000)} s` }
  let read: Report
  try {
    read = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    return { _tag: "Broken", why: `no report; its last words: ${output.slice(-300)}` }
  }
  const [by] = failedIn(read)
  if (by !== undefined) return { _tag: "Failed", by }
  return read.success === true || (read.scenarios ?? []).length > 0
    ? { _tag: "Passed" }
    : { _tag: "Broken", why: "it failed without a test that failed" }
}
