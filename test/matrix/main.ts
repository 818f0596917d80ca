/**
 * `npm run matrix`: packs the packages, installs them as their users do, and runs the same program in every environment that
 * it supports, against a served sandbox. Fails if a cell is not as expected, or the tables in docs/portability.md are not its own.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { flagsOf, runProgram, UsageError } from "@quartet/support/command-line.js"
import { root } from "@quartet/support/files.js"
import type { Cell } from "./cells/cell.js"
import { cells } from "./cells/index.js"
import { faultsOf, type Result, tables, written } from "./table.js"
import { atOnce, makeWorkshop, runAll, type Workshop } from "./workshop.js"

const help = `npm run matrix -- [options]

Packs the packages, installs them in fresh folders, and runs one program in every environment that is supported.

  --only TEXT    only cells whose table, name or version contains TEXT, such as bun or "TypeScript 7"; repeatable
  --write        write the tables into docs/portability.md
  --list         name the cells, and run none
  --help         this text
`

const page = join(root, "docs/portability.md")
const logs = join(root, ".cache/matrix")

const nameOf = ({ name, table, version }: Cell): string => `${table}: ${name} ${version}`

/** Runs a cell; its failure is logged in a file of its own. */
const run = async (cell: Cell, workshop: Workshop): Promise<Result> => {
  const begun = performance.now()
  const outcome = await cell
    .run(workshop)
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  const result = { cell, outcome }
  const faults = faultsOf(result)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${seconds.padStart(6)} s  ${nameOf(cell)}`)
  if (faults.length > 0) {
    const log = join(logs, `${nameOf(cell).replaceAll(/[^\w.-]+/g, "-")}.log`)
    mkdirSync(logs, { recursive: true })
    writeFileSync(log, `${faults.join("\n")}\n`)
    const lines = faults.join("\n").split("\n")
    console.log(
      lines
        .slice(-20)
        .map((line) => `    ${line}`)
        .join("\n")
    )
    console.log(`    all of it: ${log}`)
  }
  return result
}

/** Writes the tables, or compares them. */
const settle = (text: string, isWritten: boolean): number => {
  const before = readFileSync(page, "utf8")
  const after = written(before, text)
  if (before === after) return 0
  if (isWritten) {
    writeFileSync(page, after)
    return 0
  }
  console.error("The tables in docs/portability.md are not these: npm run matrix -- --write")
  return 1
}

const main = async (): Promise<number> => {
  const flags = flagsOf(process.argv.slice(2), {
    only: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  })
  if (flags.help) {
    console.log(help)
    return 0
  }
  const words = flags.only.map((text) => text.toLowerCase())
  const wanted = cells.filter((cell) => {
    const name = nameOf(cell).toLowerCase()
    return words.length === 0 || words.some((word) => name.includes(word))
  })
  if (wanted.length === 0) throw new UsageError("--only fits no cell; --list names them")
  if (flags.write && words.length > 0) throw new UsageError("--write needs every cell: without --only")
  if (flags.list) {
    console.log(wanted.map(nameOf).join("\n"))
    return 0
  }
  const workshop = await makeWorkshop()
  try {
    const results = await runAll(
      wanted,
      Array.from({ length: atOnce }, () => workshop),
      run
    )
    const report = tables(results)
    console.log(`\n${report}\n`)
    const failed = results.filter((result) => faultsOf(result).length > 0).length
    console.log(`${results.length - failed} of ${results.length} cells are as expected`)
    if (failed > 0) return 1
    return words.length > 0 ? 0 : settle(report, flags.write)
  } finally {
    await workshop.close()
  }
}

runProgram("matrix", main)
