// The benchmark's entry: `npm run bench`. See README.md beside this file, or --help.

import { writeFileSync } from "node:fs"
import { complaint } from "./bodies.mjs"
import { entries } from "./contenders.mjs"
import { measureRounds, within } from "./measure.mjs"
import { help, readOptions, UsageError } from "./options.mjs"
import { build } from "./prepare.mjs"
import { profile } from "./profile.mjs"
import { judge, machine, print, summarize } from "./report.mjs"
import { startServer } from "./server-process.mjs"

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

const progress = (scenario, round, rounds) => {
  const text = round + 1 < rounds ? `${scenario}: round ${round + 1} of ${rounds}` : ""
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

const run = async (options) => {
  const wanted = options.profile === undefined ? options.contenders : [options.profile]
  const chosen = entries.filter((entry) => wanted.includes(entry.name))
  if (options.build && chosen.some((entry) => entry.built)) build()
  const contenders = await loadAll(chosen)
  const server = await startServer(contenders.length, options.chunked)
  const ready = []
  try {
    for (const [at, contender] of contenders.entries()) ready.push(await setUp(contender, server.urls[at]))
    if (options.profile !== undefined) {
      await profile(ready[0], options)
      return 0
    }
    const work = measureRounds(ready, options, progress)
    const samples = await within("the run (see --timeout)", options.timeout * 1000, work)
    const summary = summarize(samples)
    const verdicts = judge(summary, options)
    const versions = Object.fromEntries(chosen.map((entry) => [entry.name, entry.version()]))
    print({ options, samples, summary, verdicts, bytes: server.bytes, versions })
    if (options.json !== undefined) {
      const result = {
        machine: machine(),
        versions,
        options,
        bytes: server.bytes,
        summary,
        verdicts,
        samples
      }
      writeFileSync(options.json, `${JSON.stringify(result, undefined, 2)}\n`)
    }
    return options.strict && verdicts.some((verdict) => !verdict.holds) ? 1 : 0
  } finally {
    const closing = Promise.allSettled(ready.map(({ calls }) => calls.close()))
    await within("closing", closeMillis, closing).catch((error) =>
      console.error(`bench: ${messageOf(error)}`)
    )
    await server.stop()
  }
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
