/** The entry of `npm run mutants`: each mutant in a copy of its own, seen by what must notice it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { check, type Verdict } from "./check.js"
import { type Copy, digestOf, makeCopy, mutated } from "./copy.js"
import { type Mutant, mutants } from "./mutants.js"
import { withTable } from "./table.js"

const help = `npm run mutants -- [options]

Changes the sources in ${mutants.length} ways, each alone and in a copy of the project, and sees that a named file of tests, or
a named line of the torture, notices it. What is to notice it has to pass on the unchanged copy first. Exit code 0
where every mutant is killed, 1 where one survives or there is no verdict.

  --only A,B     only mutants whose name, file or check holds one of these texts
  --jobs N       mutants at the same time (default: one a core, 2 at most)
  --again        forget the verdicts of an earlier run over the same sources
  --write        write the table into docs/resilience.md, if all are killed
  --list         name the mutants, and run none
  --help         this text
`

const project = process.cwd()
const kept = join(project, ".cache/mutants/verdicts.json")
const documented = join(project, "docs/resilience.md")
/** A check has this many times as long as on the unchanged copy, and a minute, since other checks run beside it. */
const factor = 6
const grace = 60_000

class UsageError extends Error {}

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        jobs: { type: "string" },
        again: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false }
      }
    })
    const jobs = Number(values.jobs ?? Math.min(2, availableParallelism()))
    if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError("--jobs takes a whole number from 1")
    const wanted = values.only?.split(",").map((text) => text.trim())
    const chosen = mutants.filter(
      ({ file, killedBy, name }) =>
        wanted === undefined ||
        wanted.some((text) => [name, file, killedBy].some((has) => has.includes(text)))
    )
    if (chosen.length === 0)
      throw new UsageError(`--only: no mutant has "${values.only}" in its name, file or check`)
    if (values.write && chosen.length < mutants.length) throw new UsageError("--write takes all mutants")
    return { ...values, jobs, chosen }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

/** Verdicts of earlier runs, by the name of the mutant; only those over the same sources count. */
const readKept = (digest: string): Map<string, string> => {
  try {
    const read: unknown = JSON.parse(readFileSync(kept, "utf8"))
    if (typeof read !== "object" || read === null || Reflect.get(read, "digest") !== digest) return new Map()
    return new Map(
      Object.entries(Object(Reflect.get(read, "killed"))).map(([name, by]) => [name, String(by)])
    )
  } catch {
    return new Map()
  }
}

const keep = (digest: string, killed: ReadonlyMap<string, string>): void => {
  mkdirSync(join(project, ".cache/mutants"), { recursive: true })
  writeFileSync(kept, JSON.stringify({ digest, killed: Object.fromEntries(killed) }, undefined, 2))
}

/** Does every job once, as many at the same time as there are copies. */
const share = async <A>(
  copies: ReadonlyArray<Copy>,
  jobs: ReadonlyArray<A>,
  work: (copy: Copy, job: A) => Promise<void>
): Promise<void> => {
  const left = [...jobs]
  const worker = async (copy: Copy): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await work(copy, job)
  }
  await Promise.all(copies.map(worker))
}

/** Runs the mutants; the answer is the exit code. */
const main = async (): Promise<number> => {
  const options = readOptions()
  const { chosen } = options
  if (options.help) return print(help)
  if (options.list) return print(chosen.map(({ killedBy, name }) => `${name}  (${killedBy})`).join("\n"))
  // A text that no longer stands in its source is found before anything runs.
  for (const mutant of chosen) mutated(readFileSync(join(project, mutant.file), "utf8"), mutant)

  const began = performance.now()
  const digest = digestOf(project)
  const killed = options.again ? new Map<string, string>() : readKept(digest)
  const todo = chosen.filter(({ name }) => !killed.has(name))
  if (todo.length < chosen.length)
    print(`${chosen.length - todo.length} were killed before, over the same sources`)
  const copies = Array.from({ length: Math.min(options.jobs, Math.max(1, todo.length)) }, () =>
    makeCopy(project)
  )
  const removeAll = (): void => {
    for (const { remove } of copies) remove()
  }
  process.once("exit", removeAll)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))

  const problems: Array<string> = []
  const limits = new Map<string, number>()
  const checks = [...new Set(todo.map(({ killedBy }) => killedBy))]
  if (checks.length > 0) print(`${checks.length} checks over the unchanged sources ...`)
  await share(copies, checks, async ({ root }, name) => {
    const since = performance.now()
    const verdict = await check(root, name, 15 * grace)
    if (verdict._tag === "Passed") limits.set(name, (performance.now() - since) * factor + grace)
    else problems.push(`${name} does not pass on the unchanged sources: ${told(verdict)}`)
  })
  for (const problem of problems) print(`✗ ${problem}`)

  let done = 0
  await share(copies, todo, async (copy, mutant) => {
    const limit = limits.get(mutant.killedBy)
    if (limit === undefined) return
    const since = performance.now()
    const verdict = await checkOne(copy, mutant, limit)
    done += 1
    const place = `${done}/${todo.length}`
    if (verdict._tag === "Failed") {
      killed.set(mutant.name, verdict.by)
      keep(digest, killed)
      print(`✓ ${place} killed    ${mutant.name}  (${mutant.killedBy}: ${verdict.by}; ${seconds(since)})`)
    } else {
      const what = verdict._tag === "Passed" ? "survived " : "no verdict"
      problems.push(mutant.name)
      print(`✗ ${place} ${what} ${mutant.name}  (${mutant.killedBy}: ${told(verdict)}; ${seconds(since)})`)
    }
  })
  removeAll()

  const dead = chosen.filter(({ name }) => killed.has(name)).length
  print(`${dead} of ${chosen.length} mutants killed, in ${seconds(began)}`)
  if (dead < chosen.length || problems.length > 0) return 1
  if (options.write) {
    writeFileSync(documented, withTable(readFileSync(documented, "utf8"), mutants))
    print("the table stands in docs/resilience.md")
  }
  return 0
}

const checkOne = async (copy: Copy, mutant: Mutant, limit: number): Promise<Verdict> => {
  const restore = copy.apply(mutant)
  try {
    return await check(copy.root, mutant.killedBy, limit)
  } finally {
    restore()
  }
}

const told = (verdict: Verdict): string => {
  switch (verdict._tag) {
    case "Passed":
      return "it passed"
    case "Failed":
      return `it failed: ${verdict.by}`
    case "Broken":
      return verdict.why
  }
}

const print = (text: string): number => {
  console.log(text)
  return 0
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`mutants: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(error instanceof UsageError ? 2 : 1)
  }
)
