/** Text files that a command reads and writes in the project of whoever calls it. */
import { realpathSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { codeOf } from "../../adapters/http/node-errors.js"
import { codes, Problem } from "./exit.js"

/** Why something cannot be read or written. */
export const whyOf = (cause: unknown): string => {
  const code = codeOf(cause) || "unknown"
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is no text in UTF-8" : code
}

const problem = (file: string, verb: string, cause: unknown): Problem =>
  new Problem({
    message: `the file ${file} cannot be ${verb}: ${whyOf(cause)}`,
    next: "Check its path and its permissions.",
    code: codes.usage
  })

/** Bytes as text, without the mark that some editors put before it. Throws where they are not UTF-8. */
export const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes)

const content = (file: string): Effect.Effect<string, unknown> =>
  Effect.tryPromise({
    // A pipe may have a name too: while one waits for it, nothing else is held up.
    try: async () => decode(await readFile(file)),
    catch: (cause) => cause
  })

/** The text of a file that has to be there. */
export const need = (file: string): Effect.Effect<string, Problem> =>
  Effect.mapError(content(file), (cause) => problem(file, "read", cause))

/** The text of a file; undefined where there is none. */
export const read = (file: string): Effect.Effect<string | undefined, Problem> =>
  Effect.catchAll(content(file), (cause) =>
    codeOf(cause) === "ENOENT" ? Effect.succeed(undefined) : problem(file, "read", cause)
  )

/** Where a file is, or would be: two names with one place are one file. */
export const placeOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    return resolve(file)
  }
}

/** Writes a file, and the folder that it stands in. */
export const write = (file: string, text: string): Effect.Effect<void, Problem> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    },
    catch: (cause) => problem(file, "written", cause)
  })
