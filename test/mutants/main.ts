/** The entry of `npm run mutants`: each mutant in a copy of its own, seen by what must notice it. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runProgram } from "@quartet/support/command-line.js"
import type { Mutant } from "@quartet/support/mutant.js"
import { check, type Verdict } from "./check.js"
import { type Copy, digestOf, makeCopy, mutated } from "./copy.js"
import { withTable } from "./mutants.js"
import { help, readOptions } from "./options.js"

const project = process.cwd()
const kept = join(project, ".cache/mutants/verdicts.json")
const documented = join(project, "docs/resilience.md")
/** A check over the unchanged sources has this long, in milliseconds. */
const longest = 15 * 60_000
/** One over a mutant has this many times as long as that took, and the time after which a line of the torture hangs. */
const factor = 6
const grace = 180_000

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

interface Kept {
  readonly digest: string
  readonly killed: Readonly<Record<string, string>>
}

/** Verdicts of earlier runs, by the name of the mutant; only those over the same sources count. */
const readKept = (digest: string): Map<string, string> => {
  try {
    const read: Kept = JSON.parse(readFileSync(kept, "utf8"))
    return new Map(read.digest === digest ? Object.entries(read.killed) : [])
  } catch {
    return new Map()
  }
}

const keep = (digest: string, killed: ReadonlyMap<string, string>): void => {
  mkdirSync(join(project, ".cache/mutants"), { recursive: true })
  const record: Kept = { digest, killed: Object.fromEntries(killed) }
  writeFileSync(kept, JSON.stringify(record, undefined, 2))
}

/** Does every job once, as many at the same time as there are copies; none is begun after an interruption. */
const share = async <A>(
  copies: ReadonlyArray<Copy>,
  jobs: ReadonlyArray<A>,
  interrupted: AbortSignal,
  work: (copy: Copy, job: A) => Promise<void>
): Promise<void> => {
  const left = [...jobs]
  const worker = async (copy: Copy): Promise<void> => {
    for (let job = left.shift(); job !== undefined && !interrupted.aborted; job = left.shift())
      await work(copy, job)
  }
  await Promise.all(copies.map(worker))
}

const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2))
  const { chosen } = options
  if (options.help) return print(help)
  if (options.list) return print(chosen.map(({ killedBy, name }) => `${name}  (${killedBy})`).join("\n"))
  // A text that no longer stands in its source is found before anything runs.
  for (const mutant of chosen) mutated(readFileSync(join(project, mutant.file), "utf8"), mutant)

  const interruption = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => interruption.abort())
  const digest = digestOf(project)
  const killed = options.again ? new Map<string, string>() : readKept(digest)
  const todo = chosen.filter(({ name }) => !killed.has(name))
  if (todo.length < chosen.length)
    print(`${chosen.length - todo.length} were killed before, over the same sources`)
  const began = performance.now()
  const copies: Array<Copy> = []
  let problems = 0
  try {
    while (copies.length < Math.min(options.jobs, todo.length)) copies.push(makeCopy(project))
    problems = await runAll(copies, todo, interruption.signal, (name, by) => {
      killed.set(name, by)
      keep(digest, killed)
    })
  } finally {
    await Promise.all(copies.map(({ remove }) => remove()))
  }
  if (interruption.signal.aborted) {
    print("interrupted; what was killed so far is kept")
    return 130
  }

  const dead = chosen.filter(({ name }) => killed.has(name)).length
  print(`${dead} of ${chosen.length} mutants killed, in ${seconds(began)}`)
  if (dead < chosen.length || problems > 0) return 1
  if (options.write) {
    writeFileSync(documented, withTable(readFileSync(documented, "utf8")))
    print("the table stands in docs/resilience.md")
  }
  return 0
}

/** Runs the checks over the unchanged copies, then over each mutant; tells what was killed, and answers how many problems there were. */
const runAll = async (
  copies: ReadonlyArray<Copy>,
  todo: ReadonlyArray<Mutant>,
  interrupted: AbortSignal,
  onKilled: (name: string, by: string) => void
): Promise<number> => {
  let problems = 0
  const problem = (text: string): void => {
    // What an interruption ended has no verdict.
    if (interrupted.aborted) return
    problems += 1
    print(`✗ ${text}`)
  }
  const limits = new Map<string, number>()
  const checks = [...new Set(todo.map(({ killedBy }) => killedBy))]
  if (checks.length > 0) print(`${checks.length} checks over the unchanged sources ...`)
  await share(copies, checks, interrupted, async ({ root }, name) => {
    const since = performance.now()
    const verdict = await check(root, name, longest, interrupted)
    if (verdict._tag === "Passed") limits.set(name, (performance.now() - since) * factor + grace)
    else problem(`${name} does not pass on the unchanged sources: ${inWords(verdict)}`)
  })

  let done = 0
  await share(copies, todo, interrupted, async (copy, mutant) => {
    const limit = limits.get(mutant.killedBy)
    if (limit === undefined) return
    const since = performance.now()
    const restore = copy.apply(mutant)
    const verdict = await check(copy.root, mutant.killedBy, limit, interrupted).finally(restore)
    done += 1
    const place = `${done}/${todo.length}`
    const of = `${mutant.name}  (${mutant.killedBy}: ${verdict._tag === "Failed" ? verdict.by : inWords(verdict)}; ${seconds(since)})`
    if (verdict._tag === "Failed") {
      onKilled(mutant.name, verdict.by)
      print(`✓ ${place} killed    ${of}`)
    } else problem(`${place} ${verdict._tag === "Passed" ? "survived " : "no verdict"} ${of}`)
  })
  return problems
}

const inWords = (verdict: Verdict): string => {
  if (verdict._tag === "Passed") return "it passed"
  return verdict._tag === "Failed" ? `it failed: ${verdict.by}` : verdict.why
}

const print = (text: string): number => {
  console.log(text)
  return 0
}

runProgram("mutants", main)
