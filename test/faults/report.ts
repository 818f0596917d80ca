/** The printed table and the file of figures. */
import { cpus, totalmem } from "node:os"
import type { Options } from "./options.js"
import type { Result } from "./scenario.js"

const colours = process.stdout.isTTY === true && process.env.NO_COLOR === undefined
const paint =
  (code: number) =>
  (text: string): string =>
    colours ? `\u001b[${code}m${text}\u001b[0m` : text
const bold = paint(1)
const dim = paint(2)
const red = paint(31)
const green = paint(32)

export interface Done {
  readonly name: string
  readonly title: string
  readonly seconds: number
  readonly result: Result
}

export const machine = () => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30)
})

export const printHead = ({ quick, seed }: Options): void => {
  const { cores, cpu, memoryGiB, node, platform } = machine()
  console.log(`${bold("Torture")}  seed ${seed}${quick ? ", quick" : ""}`)
  console.log(dim(`node ${node}, ${platform}, ${cpu}, ${cores} cores, ${memoryGiB} GiB`))
}

const labelled = (label: string, text: string, colour: (text: string) => string): string =>
  `  ${dim(label.padEnd(8))}${colour(text)}`

export const printDone = ({ result, seconds, title }: Done): void => {
  const mark = result.holds ? green("✓ holds") : red("✗ does not hold")
  console.log(`\n${bold(title)}  ${mark}  ${dim(`${seconds.toFixed(1)} s`)}`)
  console.log(labelled("must be", result.must, (text) => text))
  console.log(labelled("is", result.got, result.holds ? green : red))
  for (const detail of result.details.filter((text) => text !== ""))
    console.log(labelled("", detail, detail.startsWith("✗") ? red : dim))
}

export const printEnd = (done: ReadonlyArray<Done>, seconds: number, { seed }: Options): void => {
  const width = Math.max(...done.map(({ title }) => title.length))
  console.log("")
  for (const { result, seconds: took, title } of done) {
    const verdict = result.holds ? green("holds") : red("does not hold")
    console.log(`${title.padEnd(width)}  ${dim(`${took.toFixed(1)} s`.padStart(8))}  ${verdict}`)
  }
  const failed = done.filter(({ result }) => !result.holds).length
  const verdict =
    failed === 0 ? green("all scenarios hold") : red(`${failed} of ${done.length} scenarios do not hold`)
  console.log(`${verdict} ${dim(`in ${seconds.toFixed(0)} s, seed ${seed}`)}`)
}
