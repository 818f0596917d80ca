/** The entry of `npm run torture`, once it is compiled: runs the scenarios one after the other and prints their table. */
import { writeFileSync } from "node:fs"
import { runProgram } from "@quartet/support/command-line.js"
import { apart } from "./far/far.js"
import { help, readOptions } from "./options.js"
import { machine, printEnd, printHead } from "./report.js"
import { scenarios } from "./scenarios.js"
import { suffer } from "./suffer.js"

const main = async (): Promise<number> => {
  const names = scenarios.map(({ name }) => name)
  const options = readOptions(process.argv.slice(2), names)
  if (options.help) {
    console.log(help(scenarios.map(({ name, title }) => ({ name, title: title("full") }))))
    return 0
  }
  const { json, only, quick, seed } = options
  const began = performance.now()
  printHead(options)
  const done = await suffer(
    scenarios.filter(({ name }) => only.includes(name)),
    options,
    apart
  )
  const seconds = (performance.now() - began) / 1000
  printEnd(done, seconds, options)
  const report = { machine: machine(), seed, quick, seconds, scenarios: done }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  return done.every(({ result }) => result.holds) ? 0 : 1
}

// Leaves in order, so that what was made for the run is removed.
process.once("SIGINT", () => process.exit(130))
runProgram("torture", main)
