// Time of imports: CPU of a process that imports an entry, less that of one that imports nothing.

import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { median, ratios, spread } from "../statistics.mjs"

const cwd = fileURLToPath(new URL("../../..", import.meta.url))
const rounds = 11

const program = `
  const before = process.cpuUsage()
  for (const entry of process.argv.slice(1)) await import(entry)
  const { user, system } = process.cpuUsage(before)
  console.log((user + system) / 1000)
  process.exit(0)
`

/** CPU of importing some entries in a new process, in milliseconds. */
const cpuOf = (entries) =>
  Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program, ...entries], {
      cwd,
      encoding: "utf8"
    })
  )

const imports = {
  "effect/Effect, effect/Schema": ["effect/Effect", "effect/Schema"],
  "@quartet/sdk/promise": ["@quartet/sdk/promise"],
  "@quartet/sdk": ["@quartet/sdk"]
}

/** The ratios are to Effect and Schema in the same round. */
export const measure = async (progress) => {
  const samples = Object.fromEntries(Object.keys(imports).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    progress("imports", round, rounds)
    for (const [name, entries] of Object.entries(imports)) samples[name].push(cpuOf(entries))
  }
  const base = samples["effect/Effect, effect/Schema"]
  return Object.fromEntries(
    Object.entries(samples).map(([name, cpu]) => [
      name,
      { cpu: median(cpu), ratio: spread(ratios(cpu, base)) }
    ])
  )
}

export const judge = (result) => [
  {
    what: "import of /promise / Effect and Schema",
    measured: result["@quartet/sdk/promise"].ratio.median,
    atMost: 1.15
  }
]
