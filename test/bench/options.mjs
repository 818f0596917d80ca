// The command line: its options, their defaults and their checks.

import { parseArgs } from "node:util"
import { base, entries } from "./contenders.mjs"
import { scenarios } from "./scenarios.mjs"

const contenderNames = entries.map((entry) => entry.name)
const scenarioNames = scenarios.map((scenario) => scenario.name)

const parts = ["calls", "in-flight", "middleware", "chat", "transfers", "imports", "package"]

export const help = `npm run bench -- [options]

Measures what Quartet costs beside its rivals: calls as multiples of a bare fetch().json(), 1 to 1,000 of them in
flight, middleware, the chat, files of 1 GiB, imports; and the package's size, install and types (npm run check:budgets).

  --rounds N        rounds that count, in each scenario (default 11); in a round every contender has one batch
  --warmup N        rounds before them that do not count (default 3)
  --calls N         calls of a batch in small@1; the other scenarios take shares of it (default 400)
  --seed N          seed of the order within the rounds (default: by chance, printed)
  --parts A,B       only these parts; all by default, but the calls alone with --only or --scenarios
                    ${parts.join(", ")}
  --only A,B        only these contenders; ${base} always runs, as the base of the ratios
                    ${contenderNames.join(", ")}
  --scenarios A,B   only these scenarios (answer@calls in flight)
                    ${scenarioNames.join(", ")}
  --chunked         the server sends no content-length but chunks
  --json FILE       also write every round's numbers to FILE
  --write-docs      also write the tables of docs/performance.md that the parts fill and, of all parts, the charts of
                    docs/images
  --docs-from FILE  no measuring: write these from the JSON file of an earlier run
  --strict          exit code 1 where a threshold does not hold
  --no-build        take dist as it is
  --timeout S       give up after so many seconds of measuring (default 600)
  --profile NAME    no table: one contender in one scenario (the first of --scenarios, else small@1) in a
                    loop, for node --cpu-prof test/bench/run.mjs --profile quartet-undici --scenarios page@1
  --seconds S       how long --profile runs (default 10)
  --help            this text
`

/** A mistake on the command line: printed without a stack, exit code 2. */
export class UsageError extends Error {}

const whole = (option, text, otherwise, least) => {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`--${option} takes a whole number from ${least}, not "${text}"`)
  }
  return value
}

const chosen = (option, text, names) => {
  if (text === undefined) return names
  const wanted = text.split(",").map((name) => name.trim())
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`--${option}: no "${unknown}" among ${names.join(", ")}`)
  return names.filter((name) => wanted.includes(name))
}

const parse = (args) => {
  const texts = "rounds warmup calls seed parts only scenarios json docs-from timeout profile seconds".split(
    " "
  )
  const flags = "chunked strict no-build write-docs help".split(" ")
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: "string" }]),
    ...flags.map((name) => [name, { type: "boolean", default: false }])
  ])
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export const readOptions = (args) => {
  const flags = parse(args)
  const names = chosen("scenarios", flags.scenarios, scenarioNames)
  const only = chosen("only", flags.only, contenderNames)
  if (flags.profile !== undefined) chosen("profile", flags.profile, contenderNames)
  const isPartial = [flags.only, flags.scenarios, flags.profile].some((text) => text !== undefined)
  const chosenParts = chosen("parts", flags.parts ?? (isPartial ? "calls" : undefined), parts)
  if (flags["write-docs"] && isPartial) {
    throw new UsageError("--write-docs takes all contenders and scenarios")
  }
  return {
    ...flags,
    parts: chosenParts,
    writesDocs: flags["write-docs"],
    docsFrom: flags["docs-from"],
    rounds: whole("rounds", flags.rounds, 11, 1),
    warmup: whole("warmup", flags.warmup, 3, 0),
    calls: whole("calls", flags.calls, 400, 1),
    seed: whole("seed", flags.seed, Math.floor(Math.random() * 1_000_000), 0),
    contenders: contenderNames.filter((name) => name === base || only.includes(name)),
    scenarios: scenarios.filter((scenario) => names.includes(scenario.name)),
    build: !flags["no-build"],
    timeout: whole("timeout", flags.timeout, 600, 1),
    seconds: whole("seconds", flags.seconds, 10, 1)
  }
}
