/** Text files that a command reads and writes in the project of whoever calls it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { codeOf } from "../../adapters/http/node-errors.js"
import { codes, Problem } from "./exit.js"

const problem = (file: string, verb: string, cause: unknown): Problem =>
  new Problem({
    message: `the file ${file} cannot be ${verb}: ${codeOf(cause) || "it is no text"}`,
    next: "Check its path and its permissions.",
    code: codes.usage
  })

/** The text of a file; undefined where there is none. */
export const read = (file: string): Effect.Effect<string | undefined, Problem> =>
  Effect.catchAll(Effect.try({ try: () => readFileSync(file, "utf8"), catch: (cause) => cause }), (cause) =>
    codeOf(cause) === "ENOENT" ? Effect.succeed(undefined) : problem(file, "read", cause)
  )

/** Writes a file, and the folder that it stands in. */
export const write = (file: string, text: string): Effect.Effect<void, Problem> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    catch: (cause) => problem(file, "written", cause)
  })
