// The benchmark's entry: `npm run bench`. See README.md beside this file, or --help.

import { readFileSync, writeFileSync } from "node:fs"
import { complaint } from "./bodies.mjs"
import { start } from "./child.mjs"
import { entries, withMiddleware } from "./contenders.mjs"
import { writeDocs } from "./docs/write.mjs"
import { measureRounds, within } from "./measure.mjs"
import { help, readOptions, UsageError } from "./options.mjs"
import * as Chat from "./parts/chat.mjs"
import * as Imports from "./parts/imports.mjs"
import * as InFlight from "./parts/in-flight.mjs"
import * as Middleware from "./parts/middleware.mjs"
import * as Package from "./parts/package.mjs"
import * as Transfers from "./parts/transfers.mjs"
import { build, install } from "./prepare.mjs"
import { profile } from "./profile.mjs"
import { judge, machine, printCalls, printHead, printPart, printVerdicts, summarize } from "./report.mjs"

const callMillis = 30_000
const closeMillis = 5000

const messageOf = (error) => (error instanceof Error ? error.message : String(error))

/** Loads all that take part, or says of every one that fails why it does. */
const loadAll = async (chosen) => {
  const loaded = []
  for (const entry of chosen) {
    try {
      loaded.push({ ...entry, setup: await entry.load() })
    } catch (error) {
      console.error(`bench: the contender ${entry.name} can not be loaded: ${messageOf(error)}`)
    }
  }
  if (loaded.length < chosen.length) {
    throw new Error("a run needs all its contenders; --only measures some of them")
  }
  return loaded
}

/** Sets a contender up and checks its three answers. */
const setUp = async (contender, url) => {
  const calls = await within(`${contender.name}: setup`, callMillis, contender.setup(url))
  for (const body of ["small", "page", "large"]) {
    const what = `${contender.name}: the first call of ${body}`
    const answer = await within(what, callMillis, calls[body]()).catch((error) => {
      throw new Error(`${what} failed: ${messageOf(error)}`)
    })
    const wrong = complaint(body, answer, contender.dates)
    if (wrong !== undefined) throw new Error(`${contender.name} answers wrongly: ${wrong}`)
  }
  return { name: contender.name, calls }
}

/** Tells what is measured: each round on a terminal, each beginning elsewhere. */
const progress = (what, round, rounds) => {
  const text = `${what}: round ${round + 1} of ${rounds}`
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${round + 1 < rounds ? text : ""}`)
  else if (round === 0) console.error(`bench: ${what}, ${rounds} rounds`)
}

/** Gives contenders of these names to some work, each set up against a port of one server. */
const withContenders = async (names, options, work) => {
  const chosen = [...entries, ...withMiddleware].filter((entry) => names.includes(entry.name))
  if (chosen.some((entry) => entry.installed)) install()
  const contenders = await loadAll(chosen)
  const server = await start("./server.mjs", contenders.length, options.chunked ? "chunked" : "sized")
  const ready = []
  try {
    for (const [at, contender] of contenders.entries()) {
      ready.push(await setUp(contender, `http://127.0.0.1:${server.first.ports[at]}`))
    }
    return await work(ready, server.first.bytes)
  } finally {
    const closing = Promise.allSettled(ready.map(({ calls }) => calls.close()))
    await within("closing", closeMillis, closing).catch((error) =>
      console.error(`bench: ${messageOf(error)}`)
    )
    await server.stop()
  }
}

const measureCalls = (options) =>
  withContenders(options.contenders, options, async (ready, bytes) => {
    const work = measureRounds(ready, options, progress)
    const samples = await within("the run (see --timeout)", options.timeout * 1000, work)
    const summary = summarize(samples)
    printCalls({ options, samples, summary, bytes })
    return { bytes, summary, samples, verdicts: judge(samples, options) }
  })

/** Each part measures, and says what must hold of its result. */
const parts = {
  "in-flight": {
    measure: (options) =>
      withContenders(InFlight.contenders, options, (ready) => InFlight.measure(ready, options, progress)),
    judge: InFlight.judge
  },
  middleware: {
    measure: (options) =>
      withContenders(Middleware.contenders, options, (ready) => Middleware.measure(ready, options, progress)),
    judge: Middleware.judge
  },
  chat: { measure: () => Chat.measure(progress), judge: Chat.judge },
  transfers: { measure: () => Transfers.measure(progress), judge: Transfers.judge },
  imports: { measure: () => Imports.measure(progress), judge: Imports.judge },
  package: {
    measure: () => {
      install()
      return Package.measure(progress)
    },
    judge: Package.judge
  }
}

const holds = ({ atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY, measured }) => {
  const { median = measured } = measured
  return median >= atLeast && median <= atMost
}

const run = async (options) => {
  if (options.docsFrom !== undefined) {
    writeDocs(JSON.parse(readFileSync(options.docsFrom, "utf8")))
    return 0
  }
  if (options.build) build()
  if (options.profile !== undefined) {
    await withContenders([options.profile], options, ([contender]) => profile(contender, options))
    return 0
  }
  const versions = Object.fromEntries(
    entries
      .filter(({ name }) => options.contenders.includes(name))
      .map((entry) => [entry.name, entry.version()])
  )
  const result = { machine: machine(), versions, options, parts: {} }
  printHead(result)
  const verdicts = []
  if (options.parts.includes("calls")) {
    result.parts.calls = await measureCalls(options)
    verdicts.push(...result.parts.calls.verdicts)
  }
  for (const name of options.parts.filter((part) => Object.hasOwn(parts, part))) {
    const { judge, measure } = parts[name]
    result.parts[name] = await measure(options)
    printPart(name, result.parts[name])
    verdicts.push(...judge(result.parts[name]).map((verdict) => ({ ...verdict, holds: holds(verdict) })))
  }
  result.verdicts = verdicts
  printVerdicts(verdicts)
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
  if (options.writesDocs) writeDocs(result)
  return options.strict && verdicts.some((verdict) => !verdict.holds) ? 1 : 0
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) console.log(help)
  // process.exit, since a contender's socket or timer must not keep the process.
  process.exit(options.help ? 0 : await run(options))
} catch (error) {
  console.error(`bench: ${messageOf(error)}`)
  process.exit(error instanceof UsageError ? 2 : 1)
}
