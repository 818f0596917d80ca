// What a run writes into the documents: the tables of docs/performance.md, between the comments that name them, and the charts.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { levels, spreadOf } from "../parts/in-flight.mjs"
import { chart } from "./chart.mjs"

const docs = fileURLToPath(new URL("../../../docs", import.meta.url))

const labels = {
  fetch: "fetch",
  "fetch-walk": "fetch and a date walk",
  undici: "undici",
  axios: "axios",
  ky: "ky",
  platform: "HttpClient with Schema",
  supabase: "supabase-js",
  directus: "directus",
  pocketbase: "pocketbase",
  stripe: "stripe",
  appwrite: "appwrite",
  "quartet-fetch": "Quartet over fetch",
  "quartet-undici": "Quartet over undici",
  "quartet-effect": "Quartet as Effects",
  "quartet-fiber": "Quartet in one fiber",
  "quartet-empty": "with `middleware: []`",
  "quartet-passing": "with one that passes on, as an Effect",
  "quartet-promise": "with one that passes on, as a Promise",
  "quartet-metrics": "with `Telemetry.metrics`",
  "quartet-logs": "with `Telemetry.logs`, without the logger's own work",
  "quartet-spans": "with `Telemetry.spans`, without the tracer's own work"
}
const isOwn = (name) => name.startsWith("quartet")

const number = (value, digits = 2) => value.toLocaleString("en", { maximumFractionDigits: digits })
const fixed = (value) => value.toFixed(2)
const kilo = (bytes) => (bytes / 1000).toFixed(1)
const mega = (bytes) => (bytes / 1e6).toFixed(1)
const mebi = (bytes) => number(bytes / 2 ** 20, 0)

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const where = ({ cores, cpu, date, load, node, platform }) =>
  `Node ${node.slice(1)}, ${platform}, ${cpu}, ${cores} cores, load ${load}, ${date}`

/** A table with the command that measures it, the machine and the date. */
const measured = (command, machine, body) => `${body}\n\n\`${command}\`: ${where(machine)}.`

const speed = ({ machine, options, parts: { calls }, versions }) => {
  const scenarios = options.scenarios.map(({ name }) => name)
  const rows = Object.keys(calls.summary[scenarios[0]]).map((name) => [
    isOwn(name) ? `**${labels[name]}**` : labels[name],
    ...scenarios.map((scenario) => {
      const { median, p10, p90 } = calls.summary[scenario][name].cpuRatio
      return name === "fetch" ? "1" : `${fixed(median)} (${fixed(p10)}–${fixed(p90)})`
    })
  ])
  const titles = options.scenarios.map(({ body, concurrency, name }) => {
    const bytes = calls.bytes[body]
    const size =
      bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${number(bytes / 1000, 0)} kB` : `${mega(bytes)} MB`
    return `${name}: ${size}, ${concurrency === 1 ? "one at a time" : `${concurrency} at once`}`
  })
  const seconds = Object.values(versions).filter((version) => !version.startsWith("this package"))
  return `${measured("npm run bench -- --parts calls", machine, table(["CPU × fetch", ...titles], rows))} Measured were ${seconds.join("; ")}.`
}

const bars = ({ machine, verdicts }) => {
  const rows = verdicts
    .filter(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined)
    .map(({ atLeast, atMost, contender, holds, measured: figure, over, scenario, what }) => [
      contender === undefined ? what : `${labels[contender]} / ${labels[over]}, ${scenario}`,
      figure.median === undefined
        ? number(figure)
        : `${fixed(figure.median)} (${fixed(figure.p10)}–${fixed(figure.p90)})`,
      atLeast === undefined ? `≤ ${number(atMost)}` : `≥ ${number(atLeast)}`,
      holds ? "reached" : "**not reached**"
    ])
  return measured("npm run bench", machine, table(["", "measured", "bar", ""], rows))
}

const inFlight = ({ machine, parts }) => {
  const rows = Object.entries(parts["in-flight"]).map(([name, figures]) => [
    labels[name],
    ...figures.cpu.map((micros) => number(micros, 0)),
    fixed(spreadOf(figures)),
    `${kilo(figures.heap)} kB`
  ])
  const head = [
    "CPU of a call, µs",
    ...levels.map((level) => `${number(level)} in flight`),
    "dearest / cheapest",
    "heap of one that waits"
  ]
  return measured("npm run bench -- --parts in-flight", machine, table(head, rows))
}

const middleware = ({ machine, parts: { middleware } }) => {
  const ratio = ({ median, p10, p90 }) => `${fixed(median)} (${fixed(p10)}–${fixed(p90)})`
  const rows = Object.entries(middleware).map(([name, { cpu, overOwn, overRival }]) => [
    labels[name],
    number(cpu, 0),
    name === "quartet-undici" ? "1" : name === "undici" ? "" : ratio(overOwn),
    name === "undici" ? "1" : ratio(overRival)
  ])
  const head = ["CPU of a small call", "µs", "× the same client without", "× undici"]
  return measured("npm run bench -- --parts middleware", machine, table(head, rows))
}

const chat = ({ machine, parts: { chat } }) => {
  const row = (what, { bare, quartet, ratio }) => [
    what,
    number(bare, 1),
    number(quartet, 1),
    `${fixed(ratio.median)} (${fixed(ratio.p10)}–${fixed(ratio.p90)})`
  ]
  const rows = [
    row(`one of ${number(chat.inbound)} that arrive`, chat.received),
    row(`one of ${number(chat.outbound)} that are sent and acknowledged, 16 at once`, chat.sent)
  ]
  const head = ["CPU of a message, µs", "socket.io-client alone", "Quartet's chat", "ratio"]
  return measured("npm run bench -- --parts chat", machine, table(head, rows))
}

const files = ({ machine, parts: { transfers } }) => {
  const memory = ({ buffers, heap, rss }) => `${mebi(heap)} + ${mebi(buffers)}, RSS ${mebi(rss)}`
  const rows = Object.entries(transfers).map(
    ([
      direction,
      {
        memory: { quartet: own, undici: theirs },
        quartet,
        ratio,
        undici
      }
    ]) => [
      direction,
      number(undici, 0),
      number(quartet, 0),
      `${fixed(ratio.median)} (${fixed(ratio.p10)}–${fixed(ratio.p90)})`,
      memory(theirs),
      memory(own)
    ]
  )
  const head = [
    "",
    "undici, MiB/s",
    "Quartet, MiB/s",
    "ratio",
    "memory for 1 GiB, undici, MiB",
    "Quartet, MiB"
  ]
  return measured("npm run bench -- --parts transfers", machine, table(head, rows))
}

const sizes = ({ figures }) => Object.entries(figures).filter(([, kinds]) => kinds.rolldown !== undefined)

const size = ({
  machine,
  parts: {
    package: { budgets, figures }
  }
}) => {
  const rows = sizes({ figures }).map(([row, { esbuild, rolldown }]) => {
    const of = (bundler, key) => {
      const value = budgets[row]?.[bundler]?.[key]
      return value === undefined ? "" : kilo(value)
    }
    const both = (key) => `${of("rolldown", key)} / ${of("esbuild", key)}`.replace(/^ \/ $/, "")
    return [row, kilo(rolldown), kilo(esbuild), both("budget"), both("aim")]
  })
  const head = ["kB, gzip", "rolldown", "esbuild", "budget", "aim"]
  return measured("npm run check:budgets", machine, table(head, rows))
}

const install = ({
  machine,
  parts: {
    package: { figures }
  }
}) => {
  const names = Object.keys(figures).filter((row) => /^(packed|installed): /.test(row))
  const rows = names.map((row) => {
    const { bytes, files, packages = 1, "install scripts": scripts = 0 } = figures[row]
    return [row, mega(bytes), number(files), packages, scripts]
  })
  return measured(
    "npm run check:budgets",
    machine,
    table(["", "MB", "files", "packages", "install scripts"], rows)
  )
}

const imports = ({
  machine,
  parts: {
    imports,
    package: { figures }
  }
}) => {
  const rows = Object.entries(imports).map(([name, { cpu, ratio }]) => [
    `\`${name.replaceAll(", ", "`, `")}\``,
    number(cpu, 0),
    name.startsWith("effect/") ? "1" : `${fixed(ratio.median)} (${fixed(ratio.p10)}–${fixed(ratio.p90)})`
  ])
  const { bytes, files, "ratio of bytes": ratio } = figures["import of @quartet/sdk/promise"]
  const base = figures["import of Effect and Schema"]
  const loads = `Importing \`@quartet/sdk/promise\` loads ${number(files)} files of ${mega(bytes)} MB, Effect and Schema ${number(base.files)} of ${mega(base.bytes)} MB: ${fixed(ratio)}.`
  return `${measured("npm run bench -- --parts imports", machine, table(["CPU of an import, ms", "", "ratio"], rows))} ${loads}`
}

const types = ({
  machine,
  parts: {
    package: { figures }
  }
}) => {
  const rows = Object.entries(figures)
    .filter(([, kinds]) => kinds.instantiations !== undefined)
    .map(([row, { instantiations }]) => [row, number(instantiations)])
  return measured("npm run check:budgets", machine, table(["", "instantiations"], rows))
}

const all = ["calls", "in-flight", "middleware", "chat", "transfers", "imports", "package"]

/** Each block of the page, and the parts that it takes. */
const blocks = {
  speed: [speed, ["calls"]],
  bars: [bars, all],
  "in flight": [inFlight, ["in-flight"]],
  middleware: [middleware, ["middleware"]],
  chat: [chat, ["chat"]],
  files: [files, ["transfers"]],
  size: [size, ["package"]],
  install: [install, ["package"]],
  imports: [imports, ["imports", "package"]],
  types: [types, ["package"]]
}

const has = ({ parts }, needed) => needed.every((part) => parts[part] !== undefined)

/** A page with its measured blocks written anew: what stands between `<!-- bench: name -->` and `<!-- bench -->`. */
const written = (page, result) => {
  let text = page
  for (const [name, [block, needed]] of Object.entries(blocks)) {
    if (!has(result, needed)) continue
    const begin = `<!-- bench: ${name} -->\n`
    const from = text.indexOf(begin)
    const to = text.indexOf("\n<!-- bench -->", from)
    if (from < 0 || to < 0) throw new Error(`docs/performance.md has no place for "${name}"`)
    text = text.slice(0, from + begin.length) + block(result) + text.slice(to)
  }
  return text
}

const speedChart = ({ machine, options, parts: { calls } }) => {
  const panels = [
    { scenario: "small@1", head: "CPU of one call, 220 B, × fetch" },
    { scenario: "page@1", head: "100 items (27 kB), × fetch" }
  ].map(({ head, scenario }) => ({
    head,
    mark: 1,
    rows: Object.entries(calls.summary[scenario])
      .map(([name, { cpuRatio }]) => ({
        label: labels[name],
        isOwn: isOwn(name),
        values: [cpuRatio.median],
        shown: fixed(cpuRatio.median)
      }))
      .sort((a, b) => a.values[0] - b.values[0])
  }))
  const notes = [
    `Less is better. Median of ${options.rounds} rounds, one call at a time. Only Quartet, HttpClient`,
    "and the walk turn dates; only Quartet and HttpClient check the answer.",
    `Node ${machine.node.slice(1)}, ${machine.cores} cores, ${machine.date}: npm run bench`
  ]
  return chart({ title: "CPU of one call, as a multiple of a bare fetch", panels, notes })
}

const sizeChart = ({
  machine,
  parts: {
    package: { figures }
  }
}) => {
  const rows = sizes({ figures })
    .filter(([row]) => !row.startsWith("the kernel"))
    .map(([row, { esbuild, rolldown }]) => ({
      label: row.replace(/^(rival|floor): | \(.*$/g, "").replace(/^one call, |^(?=one query)/, "Quartet, "),
      isOwn: !/^(rival|floor): /.test(row),
      values: [rolldown, esbuild],
      shown: `${kilo(rolldown)} / ${kilo(esbuild)}`
    }))
    .sort((a, b) => a.values[0] - b.values[0])
  const notes = [
    "What a page loads first, by rolldown and (paler) by esbuild. Less is better.",
    "Blue: an app with one call of Quartet. Effect, Layer and Schema are its floor.",
    `${machine.date}: npm run bench`
  ]
  const panels = [{ head: "One call in a browser, kB, minified and gzipped", rows }]
  return chart({ title: "Size of an app with one call", panels, notes })
}

/** Writes the tables of the parts that were measured and, of all parts, the charts. */
export const writeDocs = (result) => {
  const page = join(docs, "performance.md")
  writeFileSync(page, written(readFileSync(page, "utf8"), result))
  if (!has(result, all)) return
  writeFileSync(join(docs, "images/speed.svg"), speedChart(result))
  writeFileSync(join(docs, "images/size.svg"), sizeChart(result))
}
