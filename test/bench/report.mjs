// The printed report and the JSON file: one table per scenario, then the thresholds.

import { cpus, loadavg, totalmem } from "node:os"
import { base } from "./contenders.mjs"
import { callsOf, thresholds } from "./scenarios.mjs"
import { median, ratios, spread } from "./statistics.mjs"

const colours = process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
const bold = paint(1)
const dim = paint(2)
const red = paint(31)
const green = paint(32)

/** Medians over the rounds, by scenario and contender; the ratios are taken within each round first. */
export const summarize = (samples) => {
  const summary = {}
  for (const [scenario, byContender] of Object.entries(samples)) {
    const reference = byContender[base]
    summary[scenario] = {}
    for (const [contender, rounds] of Object.entries(byContender)) {
      const of = (key) => rounds.map((sample) => sample[key])
      const baseOf = (key) => reference.map((sample) => sample[key])
      summary[scenario][contender] = {
        cpu: median(of("cpu")),
        wall: median(of("wall")),
        cpuRatio: spread(ratios(of("cpu"), baseOf("cpu"))),
        wallRatio: spread(ratios(of("wall"), baseOf("wall")))
      }
    }
  }
  return summary
}

/** The thresholds whose contenders were measured, at each concurrency. */
export const judge = (samples, options) =>
  thresholds.flatMap(({ atMost, body, contender, over }) =>
    options.scenarios
      .filter(({ name }) => samples[name][contender] !== undefined && samples[name][over] !== undefined)
      .filter((scenario) => scenario.body === body)
      .map((scenario) => {
        const cpu = (name) => samples[scenario.name][name].map((sample) => sample.cpu)
        const measured = spread(ratios(cpu(contender), cpu(over)))
        const what = `${contender} / ${over}, ${scenario.name}`
        return {
          what,
          contender,
          over,
          scenario: scenario.name,
          measured,
          atMost,
          holds: measured.median <= atMost
        }
      })
  )

/** The machine, without its name. */
export const machine = () => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  date: new Date().toISOString().slice(0, 10),
  /** Processes that wanted a core over the last minute. */
  load: loadavg()[0].toFixed(1),
  memoryGiB: Math.round(totalmem() / 2 ** 30)
})

const duration = (micros) =>
  micros < 10_000 ? `${micros.toFixed(0)} µs` : `${(micros / 1000).toFixed(1)} ms`

const range = (value) => `${value.p10.toFixed(2)}–${value.p90.toFixed(2)}`

/** Pads the columns, the first to the left and the others to the right. */
const aligned = (lines) => {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("   ")
  )
}

/**
 * How far bare fetch moved from the first to the last third of the rounds: far means that the warm-up was too
 * short or the machine unsteady.
 */
const drift = (rounds) => {
  const third = Math.floor(rounds.length / 3)
  if (third < 2) return ""
  const cpu = rounds.map((sample) => sample.cpu)
  const percent = (median(cpu.slice(-third)) / median(cpu.slice(0, third)) - 1) * 100
  return `; bare fetch moved ${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(0)} % over the run`
}

const number = (value) =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

const sentence = ({ atLeast, atMost, holds, measured }) => {
  const { median: value = measured, p10, p90 } = measured
  const bar = atLeast ?? atMost
  const [fits, breaks] = atLeast === undefined ? ["≤", ">"] : ["≥", "<"]
  // Three digits where two would show the same number twice.
  const shown = !holds && number(value) === number(bar) ? value.toPrecision(4) : number(value)
  const numbers = `(${shown} ${holds ? fits : breaks} ${number(bar)})`
  const noise = p10 <= bar && bar < p90 ? dim(`  the bar lies within ${range(measured)}`) : ""
  return (holds ? green(`holds ${numbers}`) : red(`does not hold ${numbers}`)) + noise
}

export const printHead = ({
  machine: { cores, cpu, load, memoryGiB, node, platform },
  options,
  versions
}) => {
  const lines = [
    `node ${node}, ${platform}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, load ${load}`,
    `seed ${options.seed}, ${options.rounds} rounds after ${options.warmup} of warm-up`,
    ...Object.entries(versions).map(([name, version]) => dim(`  ${name.padEnd(16)}${version}`))
  ]
  console.log(lines.join("\n"))
}

export const printCalls = ({ bytes, options, samples, summary }) => {
  const framing = options.chunked ? "chunked answers" : "answers with content-length"
  const lines = [
    "",
    bold(
      "CPU and wall time per call, as multiples of a bare fetch().json(): median over the rounds, p10–p90"
    ),
    framing
  ]
  for (const scenario of options.scenarios) {
    const inFlight = scenario.concurrency === 1 ? "one at a time" : `${scenario.concurrency} in flight`
    const size = `${bytes[scenario.body].toLocaleString("en")} bytes`
    const calls = `${callsOf(scenario, options.calls)} calls a round`
    const steady = drift(samples[scenario.name][base])
    const rows = Object.entries(summary[scenario.name]).map(([name, row]) => [
      name,
      row.cpuRatio.median.toFixed(2),
      range(row.cpuRatio),
      duration(row.cpu),
      row.wallRatio.median.toFixed(2),
      range(row.wallRatio),
      duration(row.wall)
    ])
    const [head, ...body] = aligned([
      ["", "CPU ×", "p10–p90", "CPU/call", "wall ×", "p10–p90", "wall/call"],
      ...rows
    ])
    lines.push(
      "",
      `${bold(scenario.name)}  ${dim(`${size}, ${inFlight}, ${calls}${steady}`)}`,
      dim(head),
      ...body
    )
  }
  console.log(lines.join("\n"))
}

/** The other parts: their figures as they are. */
export const printPart = (name, figures) => {
  const flat = (value, path) =>
    typeof value === "number"
      ? [[path.join(", "), number(value)]]
      : Object.entries(value).flatMap(([key, inner]) => flat(inner, [...path, key]))
  const { budgets: _, ...own } = figures
  console.log(["", bold(name), ...aligned(flat(own, []))].join("\n"))
}

export const printVerdicts = (verdicts) => {
  if (verdicts.length === 0) return
  const names = aligned(verdicts.map(({ what }) => [what]))
  console.log(
    ["", bold("Thresholds"), ...verdicts.map((verdict, at) => `${names[at]}   ${sentence(verdict)}`)].join(
      "\n"
    )
  )
}
