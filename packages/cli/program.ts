/** Runs one command as the program: reads its options, stops on signals, and ends with its exit code. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import type { Prompt } from "@effect/cli/Prompt"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { CallError } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import { aloneOf, codes, type Ending, endingOf, unknownArgument } from "./exit.js"
import { foreign, invalid } from "./options.js"
import { print } from "./output.js"
import { report } from "./streams.js"
import { type Name, summaries } from "./summaries.js"
import * as Terminal from "./terminal.js"
import { isColoured, plain, visible } from "./text.js"

/** What a command may use. */
export type Environment = Prompt.Environment

/** A command line to copy, and what it does. */
export type Example = readonly [line: string, meaning: string]

/** Warnings, such as of drift, go to stderr: stdout is for data. */
const logger = Logger.make(({ annotations, logLevel, message }) => {
  // The engine of jobs tells what it does about runners that come and go; what of it matters, the jobs say.
  if (Option.contains(HashMap.get(annotations, "package"), "@effect/cluster")) return
  const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
  process.stderr.write(visible(`quartet: ${logLevel.label.toLowerCase()}: ${text}\n`))
})

const environment = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  Terminal.layer,
  Logger.replace(Logger.defaultLogger, logger),
  CliConfig.layer({ isCaseSensitive: true, showBuiltIns: false, finalCheckBuiltIn: true })
)

/** What the library says of every option, and its syntax shows already. */
const obvious =
  /^ *(A user-defined piece of text\.|A true or false value\.|This setting is optional\.|One of the following: .*)(?:\n\n?|$)/gm

const helpOf = (text: string): string => {
  const help = (isColoured(process.stdout) ? text : plain(text)).trim().replaceAll(obvious, "").trimEnd()
  return (
    help
      // What an option does stands right below it.
      .replaceAll(/^([^\s$].*\n)\n(?= {2}\S)/gm, "$1")
      // A command of a command is told by its name: its own help has its options.
      .replaceAll(
        /^ {2}- (\S+(?: \S+)*) {2,}(\S.*)\n(?=\n {2}-)?\n?/gm,
        (_, usage: string, meaning: string) => {
          const [name = ""] = plain(usage).split(" ")
          return `  ${name.padEnd(8)}  ${meaning}\n`
        }
      )
      .replace(/(\S\n)(\S*EXAMPLES)/, "$1\n$2")
  )
}

/** The library's help without colours where there are none. What is wrong is said once, at the end. */
const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((present) =>
    Console.withConsole(effect, {
      ...present,
      log: (help: unknown) => print(helpOf(String(help))),
      error: () => Effect.void
    })
  )

const exampleDocs = (examples: ReadonlyArray<Example>): HelpDoc.HelpDoc =>
  examples.length === 0
    ? HelpDoc.empty
    : HelpDoc.blocks([
        HelpDoc.h1("EXAMPLES"),
        ...examples.map(([line, meaning]) => HelpDoc.p(`  ${line}\n      ${meaning}`))
      ])

/** What a program may want to know of a failed call. */
const factsOf = (error: CallError) => ({
  tag: error._tag,
  operation: error.operation,
  retryable: error.retryable,
  ...("field" in error ? { field: error.field } : {}),
  ...("rule" in error ? { rule: aloneOf(error.rule) ?? error.rule } : {}),
  ...("reason" in error ? { reason: error.reason } : {}),
  status: error.status,
  requestId: error.requestId,
  retryAfter: error.retryAfter
})

/** Says why it failed. */
const tell = ({ error, message, next, code }: Ending): void => {
  process.exitCode = code
  if (message !== "") report(message, next, { ...(error === undefined ? {} : factsOf(error)), code })
}

/** Milliseconds in which two signals are one: `npx` passes on what the terminal has sent to its command as well. */
const echo = 200

/** Milliseconds that an interrupted program has to end in, once its command has. */
const patience = 500

/** What runs a command is loaded once its options were read. */
export const lazily = <M, A, E, R>(load: () => Promise<M>, run: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.promise(load), run)

/** The program of a command. */
export type Main = (words: ReadonlyArray<string>, version: string) => void

/**
 * Makes the program of a command, which reads its options and runs it. Of its `repeated` options the library passes over those
 * without a value.
 */
export const program =
  <E, A>(
    name: Name,
    command: (name: string) => Command.Command<string, Environment, E, A>,
    examples: ReadonlyArray<Example>,
    repeated: ReadonlyArray<string> = [],
    /** The words behind its name that make a command of it, and what that does. */
    {
      words: own = "",
      summary = summaries[name]
    }: { readonly words?: string; readonly summary?: string } = {}
  ): Main =>
  (words, version) => {
    // Not as one of the subcommands of `quartet`: for those, all would have to be loaded.
    const whole = Command.withDescription(command(`quartet ${name}${own}`), summary)
    const app = { name: "quartet", version, executable: "quartet", footer: exampleDocs(examples) }
    const refused = words.find(
      (word, at) =>
        new RegExp(`^${foreign}(=|$)`).test(word) ||
        repeated.some((option) => word === `--${option}=` || (word === `--${option}` && !words[at + 1]))
    )
    const running =
      refused === undefined
        ? Command.run(whole, app)(["node", "quartet", ...words])
        : Effect.fail(invalid(unknownArgument(refused)))
    const fiber = Effect.runFork(Effect.provide(quietly(running), environment))
    const interrupt = (): void => void Effect.runFork(Fiber.interruptFork(fiber))
    let stopped: { readonly by: NodeJS.Signals; readonly at: number } | undefined
    const ignore = (): void => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.removeListener(signal, onSignal)
    }
    // A program that waits for a pipe to be opened or read ends by a signal alone: `process.exit` waits for it too.
    const kill = (signal: NodeJS.Signals): void => {
      ignore()
      process.kill(process.pid, signal)
    }
    const onSignal = (by: NodeJS.Signals): void => {
      const at = performance.now()
      if (stopped === undefined) {
        stopped = { by, at }
        interrupt()
      } else if (at - stopped.at > echo) kill(by)
    }
    process.on("SIGINT", onSignal)
    process.on("SIGTERM", onSignal)
    process.stdout.once("error", interrupt)
    fiber.addObserver((exit) => {
      if (stopped === undefined) ignore()
      else setTimeout(kill, patience, stopped.by).unref()
      if (Exit.isSuccess(exit)) return
      if (Cause.isInterruptedOnly(exit.cause)) process.exitCode ??= codes.interrupted
      else tell(endingOf(`${name}${own}`, Cause.squash(exit.cause)))
    })
  }
