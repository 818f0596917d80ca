/** Modules that a command writes, beside what it would write now. */
import * as Effect from "effect/Effect"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import { type Change, changes } from "./index.js"

const marks: Readonly<Record<Change["kind"], string>> = { added: "+", removed: "-", changed: "~" }

const describe = ({ kind, lines, name }: Change): string =>
  [`${marks[kind]} ${name}: ${kind}`, ...lines.map((line) => `    ${line}`)].join("\n")

/**
 * The text of a module that a command will write anew; undefined where there is none. Refuses a file that does not
 * begin as this command writes it.
 */
export const replaced = (command: "generate" | "record", file: string) =>
  Effect.filterOrFail(
    Files.before(file),
    (before = "") =>
      before.trim() === "" || new RegExp(`^[/*\\s]*Written by \`quartet ${command}\` `).test(before),
    () =>
      new Problem({
        message: `the file ${file} is there, and quartet ${command} did not write it`,
        next: "Name another one with --output, or remove it.",
        code: codes.usage
      })
  )

/** How a written module, as `replaced` found it, differs from `text`; `next` says how to write it. */
export const compare = (file: string, before: string | undefined, text: string, next: string) =>
  Effect.gen(function* () {
    if (before === undefined) return yield* new Problem({ message: `there is no ${file} yet`, next })
    const differences = changes(before, text)
    return {
      differences,
      lines: differences.map(describe),
      /** Fails where there are differences; `source` is what the module is written from. */
      end: (source: string) =>
        differences.length === 0
          ? Effect.void
          : new Problem({
              message: `${file} is not what ${source}: ${differences.map(({ name }) => name).join(", ")}`,
              next
            })
    }
  })
