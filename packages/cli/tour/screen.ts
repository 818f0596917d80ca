/** The output of the tour: a report in columns, coloured on a terminal. */
import { colours } from "../output.js"
import type { StepResult } from "./walk.js"

const { bold, cyan, dim, green, red } = colours

const whoWidth = 10
const whatWidth = 41

/** One finished step. */
export const step = (result: StepResult): string => {
  const { detail, duration, error, who, what } = result
  const mark = error === undefined ? green("✓") : red("✗")
  const time = `${duration.toFixed(0)} ms`.padStart(8)
  const outcome = error === undefined ? (detail ?? "") : red(error)
  return `  ${mark} ${bold(who.padEnd(whoWidth))}${what.padEnd(whatWidth)}${dim(time)}  ${outcome}`
}

/** The last line of the tour. */
export const summary = (results: ReadonlyArray<StepResult>, total: number): string => {
  const passed = results.filter(({ error }) => error === undefined).length
  const time = total.toFixed(0)
  return passed === results.length
    ? green(`  All ${passed} steps held, in ${time} ms.`)
    : red(
        `  ${passed} of ${results.length} steps held. The step that failed: ${results.find(({ error }) => error)?.what ?? ""}`
      )
}

/** What to do next. */
export const next = (url: string, hasConsole: boolean): string =>
  [
    bold("  What next"),
    ...(hasConsole ? [`  ${dim("look")}      the console in a browser: ${cyan(url)}`] : []),
    `  ${dim("call")}      any client with ${cyan(`baseUrl: "${url}"`)}; the README has a first program`,
    `  ${dim("sandbox")}   npx @quartet/cli sandbox --help`,
    // Where the console is, the repository is.
    ...(hasConsole ? [`  ${dim("tests")}     npm test`] : [])
  ].join("\n")
