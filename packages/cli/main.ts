#!/usr/bin/env node
/**
 * The command line. The list of commands and the version need nothing but this file; a command loads itself, and the
 * library that reads its options, when it is called.
 */
import * as Module from "node:module"
import { spareMemory } from "./memory.js"
import { put, report } from "./streams.js"
import { isName, type Name, summaries } from "./summaries.js"

// From Node 22.8 on, compiled code is kept between runs.
if ("enableCompileCache" in Module && typeof Module.enableCompileCache === "function")
  Module.enableCompileCache()

const version = (): string => Module.createRequire(import.meta.url)("@quartet/cli/package.json").version

const help = (): string => {
  const width = Math.max(...Object.keys(summaries).map(({ length }) => length))
  const commands = Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: quartet <command> [options]

Commands:
${commands.join("\n")}

Options:
  quartet <command> --help       what a command takes, with examples
  quartet --completions <shell>  a completion script for bash, zsh or fish
  quartet --version              the version

Credentials come from the environment (QUARTET_EMAIL and others), a file in dotenv form (--dotenv, .env by default)
or a prompt, never from arguments. Exit codes: 0 done; 1 the call failed, or a check found something; 2 wrong use;
3 credentials are missing or refused; 4 items that were named are not there; 130 interrupted.

Examples:
  quartet sandbox
  quartet operations requests`
}

/** What a command's module has for this one. */
interface Loaded {
  readonly main: (words: ReadonlyArray<string>, version: string) => void
}

const load: Readonly<Record<Name, () => Promise<Loaded>>> = {
  call: () => import("./call/command.js"),
  tour: () => import("./tour/command.js"),
  sandbox: () => import("./sandbox/command.js"),
  console: () => import("./pages/command.js"),
  operations: () => import("./call/operations.js"),
  generate: () => import("./codegen/command.js"),
  record: () => import("./recording/command.js"),
  adapt: () => import("./adapt/command.js"),
  job: () => import("./job/command.js"),
  doctor: () => import("./doctor/command.js"),
  mcp: () => import("./mcp/command.js")
}

const wrong = (message: string): void => report(message, "See: quartet --help", { code: 2 })

const unknown = (name: string): void =>
  wrong(`the command ${JSON.stringify(name)} is not known; there are: ${Object.keys(summaries).join(", ")}`)

/** A module's jobs may need another balance of memory and speed: that is for who starts Node to say. */
const hasOwnJobs = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => word === "--module" || word.startsWith("--module="))

const run = async ([first, ...others]: ReadonlyArray<string>): Promise<void> => {
  switch (first) {
    case undefined:
      return wrong("a command is missing")
    case "--help":
    case "-h":
      return put(`${help()}\n`)
    case "--version":
    case "-v":
      return put(`${version()}\n`)
    case "--completions": {
      const { completions } = await import("./completions.js")
      const script = await completions(others[0])
      return script === undefined
        ? wrong("--completions takes the name of a shell: bash, zsh or fish")
        : put(`${script}\n`)
    }
    case "help": {
      const [name = "--help"] = others
      return name.startsWith("-") ? run([name]) : run([name, "--help"])
    }
    default:
      if (first === "job" && !hasOwnJobs(others)) spareMemory()
      return isName(first) ? (await load[first]()).main(others, version()) : unknown(first)
  }
}

await run(process.argv.slice(2))
