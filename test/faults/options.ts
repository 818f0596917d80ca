/** The command line: its options, their defaults and their checks. */
import { flagsOf, UsageError } from "@quartet/support/command-line.js"

export const help = (scenarios: ReadonlyArray<{ readonly name: string; readonly title: string }>): string => {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return `npm run torture -- [options]

Hits the real clients with faults on real sockets, before the real sandbox server, and compares what the clients say
with what the server did. Exit code 0 where every scenario holds, 1 where one does not.

  --quick        smaller counts, a few minutes, for CI
  --seed N       seed of faults, inputs and orders (default: by chance, printed)
  --only A,B     only these scenarios
${scenarios.map(({ name, title }) => `                 ${name.padEnd(width)}  ${title}`).join("\n")}
  --json FILE    also write the figures to FILE
  --timeout S    a scenario that has not ended after so many seconds fails, and the next one is run (default 600; with
                 --quick 120; the fleet has its own), on a clock that stands still while the machine keeps the torture waiting
  --help         this text
`
}

const whole = (option: string, text: string | undefined, otherwise: number, least: number): number => {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (text.trim() === "" || !Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${option} takes a whole number from ${least}, not "${text}"`)
  return value
}

const chosen = (text: string | undefined, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (text === undefined) return names
  const wanted = text.split(",").map((name) => name.trim())
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`--only: no "${unknown}" among ${names.join(", ")}`)
  return names.filter((name) => wanted.includes(name))
}

const flags = {
  seed: { type: "string" },
  quick: { type: "boolean", default: false },
  only: { type: "string" },
  json: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", default: false }
} as const

export const readOptions = (args: ReadonlyArray<string>, names: ReadonlyArray<string>) => {
  const values = flagsOf(args, flags)
  return {
    ...values,
    json: values.json,
    seed: whole("seed", values.seed, Math.floor(Math.random() * 1_000_000), 0),
    only: chosen(values.only, names),
    timeout: whole("timeout", values.timeout, values.quick ? 120 : 600, 1)
  }
}

export type Options = ReturnType<typeof readOptions>
