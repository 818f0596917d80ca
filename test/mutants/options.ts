/** The command line: its options, their defaults and their checks. */
import { availableParallelism } from "node:os"
import { flagsOf, UsageError } from "@quartet/support/command-line.js"
import { mutants } from "./mutants.js"

export const help = `npm run mutants -- [options]

Changes the sources in ${mutants.length} ways, each alone and in a copy of the project, and sees that a named file of tests, or
a named scenario of the torture, notices it. What is to notice it has to pass on the unchanged copy first. Exit code 0
where every mutant is killed, 1 where one survives or there is no verdict.

  --only A,B     only mutants whose name, file or check holds one of these texts
  --jobs N       mutants at the same time (default: one a core, 2 at most)
  --again        forget the verdicts of an earlier run over the same sources
  --write        write the table into docs/resilience.md, if all are killed
  --list         name the mutants, and run none
  --help         this text
`

const flags = {
  only: { type: "string" },
  jobs: { type: "string" },
  again: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

export const readOptions = (args: ReadonlyArray<string>) => {
  const values = flagsOf(args, flags)
  const jobs = Number(values.jobs ?? Math.min(2, availableParallelism()))
  if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError("--jobs takes a whole number from 1")
  const wanted = values.only
    ?.split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")
  if (wanted?.length === 0) throw new UsageError("--only takes texts, separated by commas")
  const chosen = mutants.filter(
    ({ file, killedBy, name }) =>
      wanted === undefined || wanted.some((text) => [name, file, killedBy].some((has) => has.includes(text)))
  )
  if (chosen.length === 0)
    throw new UsageError(`--only: no mutant has "${values.only}" in its name, file or check`)
  if (values.write && chosen.length < mutants.length) throw new UsageError("--write takes all mutants")
  return { ...values, jobs, chosen }
}
