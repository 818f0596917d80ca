/** The input of a call: JSON from an argument, from a file or from stdin, and the files that it names. */
import { openAsBlob } from "node:fs"
import { access, constants, readFile, stat } from "node:fs/promises"
import { basename, extname } from "node:path"
import { buffer } from "node:stream/consumers"
import { meant, ruleOf } from "@quartet/sdk/extend"
import { type Described, isFile, passed, takesRaw } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import type { Values } from "./caller.js"

/** Where the input comes from; nothing stands for an empty one. */
export interface InputOptions {
  readonly input: Option.Option<string>
  readonly inputFile: Option.Option<string>
  /** Whether the body, and the words of filters, are sent as they are. */
  readonly isRaw: boolean
}

const wrong = (message: string, next?: string): Problem =>
  new Problem({ message, code: codes.usage, ...(next === undefined ? {} : { next }) })

const unread = (what: string) => (cause: unknown) => wrong(`${what} cannot be read: ${Files.whyOf(cause)}`)

const textOf = ({ input, inputFile }: Omit<InputOptions, "isRaw">): Effect.Effect<string, Problem> => {
  if (Option.isSome(input) && Option.isSome(inputFile))
    return wrong("--input and --input-file are both given", "Pass one of them.")
  if (Option.isSome(inputFile)) return Files.need(inputFile.value)
  if (Option.isNone(input)) return Effect.succeed("{}")
  return input.value === "-"
    ? Effect.tryPromise({
        try: async (signal) => {
          // What nobody waits for any more would keep the program from its end.
          signal.addEventListener("abort", () => process.stdin.destroy())
          return Files.decode(await buffer(process.stdin))
        },
        catch: unread("stdin")
      })
    : Effect.succeed(input.value)
}

/** Node's own message is not shown: it repeats a part of the input, which may be a secret. */
const notJson = (cause: unknown): Problem => {
  const position = /position (\d+)/.exec(String(cause))?.[1]
  return wrong(
    `the input is not JSON${position === undefined ? "" : `: it breaks at character ${Number(position) + 1}`}`,
    `Write it as --input '{"id": "…"}'.`
  )
}

/** Media types by the ends of names, where a platform asks for more than bytes. */
const types: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp"
}

/** What a file is given by. */
const parts = ["path", "name", "type"]

const isText = (value: unknown): value is string => typeof value === "string"

const isTextOrNothing = (value: unknown): value is string | undefined => value === undefined || isText(value)

/** The file of a field, which names it by its path. It is read while it is sent. */
const fileOf = (field: string, value: unknown): Effect.Effect<unknown, Problem> => {
  const file: Values = isText(value) ? { path: value } : Object(value)
  const { name, path, type } = file
  if (!isText(path) || path === "" || !isTextOrNothing(name) || !isTextOrNothing(type))
    return wrong(`the field "${field}" must be the path of a file, or { "path": …, "name": …, "type": … }`)
  const unknown = Object.keys(file).find((part) => !parts.includes(part))
  if (unknown !== undefined)
    return wrong(`the field "${field}.${unknown}" is not part of a file${meant(unknown, parts)}`)
  const what = `the file ${path} of the field "${field}"`
  const unreadable = unread(what)
  return Effect.gen(function* () {
    const options = { type: type ?? types[extname(path).toLowerCase()] ?? "" }
    const stats = yield* Effect.tryPromise({ try: () => stat(path), catch: unreadable })
    // The size of anything else is not known before it is sent.
    if (!stats.isFile())
      return yield* wrong(`${what} is not a regular file`, "Write its content to one, and send that.")
    const content = yield* Effect.tryPromise({
      try: async () => {
        await access(path, constants.R_OK)
        // Files of the system, such as those in /proc, have content and say that they are empty.
        return stats.size > 0 ? openAsBlob(path, options) : new Blob([await readFile(path)], options)
      },
      catch: unreadable
    })
    return { content, name: name ?? basename(path) }
  })
}

/** Says of a call that it has nothing that `--raw` would pass. */
export const uselessRaw = ({ fields, name }: Pick<Described, "fields" | "name">): Problem | undefined =>
  fields.some(takesRaw)
    ? undefined
    : wrong(
        `${name} has no names that --raw would pass: its input has no body with known fields, and no filter with known words`,
        `Leave --raw out. See: quartet operations ${name}`
      )

/** Reads the input of a call. Fails with Problem where it cannot be read; the client checks its fields. */
export const read = (
  { isRaw, ...options }: InputOptions,
  { fields, name }: Pick<Described, "fields" | "name">
): Effect.Effect<Values, Problem> =>
  Effect.gen(function* () {
    const useless = isRaw ? uselessRaw({ fields, name }) : undefined
    if (useless !== undefined) return yield* useless
    const json = yield* textOf(options)
    const value: unknown = yield* Effect.try({ try: () => JSON.parse(json), catch: notJson })
    const rule = ruleOf(json)
    if (rule !== undefined) return yield* wrong(`the input ${rule}`)
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return yield* wrong("the input must be a JSON object", `Write it as --input '{"id": "…"}'.`)
    const input: Record<string, unknown> = { ...value }
    for (const { ast, name } of fields)
      if (isFile(ast) && input[name] !== undefined) input[name] = yield* fileOf(name, input[name])
    return isRaw ? passed(fields, input) : input
  })
