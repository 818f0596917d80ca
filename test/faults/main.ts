/** The entry of `npm run torture`, once it is compiled: runs the lines one after the other and prints their table. */

import { writeFileSync } from "node:fs"
import { runProgram } from "../support/command-line.js"
import { apart } from "./far/far.js"
import { lines } from "./lines.js"
import { help, type Options, readOptions } from "./options.js"
import { machine, printEnd, printHead } from "./report.js"
import { suffer } from "./suffer.js"

/** Runs the chosen lines; the answer is the exit code. */
const run = async (options: Options): Promise<number> => {
  const began = performance.now()
  printHead(options)
  const done = await suffer(
    lines.filter(({ name }) => options.only.includes(name)),
    options,
    apart
  )
  const seconds = (performance.now() - began) / 1000
  printEnd(done, seconds, options)
  if (options.json !== undefined) {
    const { quick, seed } = options
    const text = JSON.stringify({ machine: machine(), seed, quick, seconds, lines: done }, undefined, 2)
    writeFileSync(options.json, `${text}\n`)
  }
  return done.every(({ result }) => result.holds) ? 0 : 1
}

const main = async (): Promise<number> => {
  const options = readOptions(
    process.argv.slice(2),
    lines.map(({ name }) => name)
  )
  if (options.help) {
    console.log(help(lines.map(({ name, title }) => ({ name, title: title("full") }))))
    return 0
  }
  return run(options)
}

runProgram("torture", main)
