/**
 * The entry of `npm run check:budgets`: measures the packages, prints every figure beside its budget, and fails past one.
 * Sizes are of the sources; the rest is of the build (`npm run build:packages`).
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { flagsOf, runProgram } from "@quartet/support/command-line.js"
import { root } from "@quartet/support/files.js"
import { checked } from "./checked.js"
import type { Budgets, Figures } from "./figures.js"
import { installed } from "./installed.js"
import { loaded } from "./loaded.js"
import { sizes } from "./sizes.js"

const file = join(root, "test/budgets/budgets.json")

const help = `npm run check:budgets -- [options]

Measures size, install, import and types of the built packages, and fails where a figure is past its budget
(test/budgets/budgets.json).

  --update      lower the budgets to what is measured now, and 2 % more; never raises one
  --json FILE   also write the figures to FILE
  --help        this text
`

/** A figure with its budget, if it has one. */
interface Line {
  readonly row: string
  readonly figure: string
  readonly measured: number | undefined
  readonly budget?: number
  readonly aim?: number
}

/** All figures that were measured or budgeted. */
const linesOf = (measured: Readonly<Record<string, Figures>>, budgets: Budgets): ReadonlyArray<Line> =>
  Object.keys({ ...measured, ...budgets }).flatMap((row) =>
    Object.keys({ ...measured[row], ...budgets[row] }).map((figure) => ({
      row,
      figure,
      measured: measured[row]?.[figure],
      ...budgets[row]?.[figure]
    }))
  )

/** What is wrong with a figure: it is past its budget, or nobody measures it any more. */
const complaint = ({ budget, measured }: Line): string =>
  budget === undefined || (measured !== undefined && measured <= budget)
    ? ""
    : measured === undefined
      ? "not measured"
      : "past its budget"

const text = (value: number | undefined): string =>
  value === undefined ? "" : value.toLocaleString("en", { maximumFractionDigits: 2 })

const print = (lines: ReadonlyArray<Line>): void => {
  const cells = lines.map((line) => [
    line.row,
    line.figure,
    text(line.measured),
    text(line.budget),
    text(line.aim),
    complaint(line)
  ])
  const table = [["", "", "measured", "budget", "aim", ""], ...cells]
  const widths = ["", "", "", "", "", ""].map((_, at) =>
    Math.max(...table.map((row) => row[at]?.length ?? 0))
  )
  for (const row of table) {
    const padded = row.map((cell, at) =>
      at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
    )
    console.log(padded.join("  ").trimEnd())
  }
}

/** The budget that leaves a figure 2 % of room, as a new slice takes; a ratio has two digits. */
const roomy = (measured: number): number =>
  Number.isInteger(measured) ? Math.ceil(measured * 1.02) : Math.ceil(measured * 102) / 100

const lowered = (budgets: Budgets, measured: Readonly<Record<string, Figures>>): Budgets =>
  Object.fromEntries(
    Object.entries(budgets).map(([row, figures]) => [
      row,
      Object.fromEntries(
        Object.entries(figures).map(([figure, limit]) => {
          const now = measured[row]?.[figure]
          return [
            figure,
            now === undefined ? limit : { ...limit, budget: Math.min(limit.budget, roomy(now)) }
          ]
        })
      )
    ])
  )

const main = async (): Promise<number> => {
  const flags = flagsOf(process.argv.slice(2), {
    update: { type: "boolean", default: false },
    json: { type: "string" },
    help: { type: "boolean", default: false }
  })
  if (flags.help) {
    console.log(help)
    return 0
  }
  const measured = { ...(await sizes()), ...installed(), ...loaded(), ...checked() }
  const before: Budgets = JSON.parse(readFileSync(file, "utf8"))
  const budgets = flags.update ? lowered(before, measured) : before
  if (flags.update) writeFileSync(file, `${JSON.stringify(budgets, undefined, 2)}\n`)
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(measured, undefined, 2)}\n`)
  const lines = linesOf(measured, budgets)
  print(lines)
  const past = lines.filter((line) => complaint(line) !== "").length
  if (past > 0) console.error(`${past} of ${lines.length} figures are not within their budgets`)
  return past === 0 ? 0 : 1
}

runProgram("check:budgets", main)
