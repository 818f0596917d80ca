/** Files that a command reads and writes in the project of whoever calls it. */
import { randomUUID } from "node:crypto"
import { readlinkSync, realpathSync, statSync } from "node:fs"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { codes, Problem } from "./exit.js"

/** Why something cannot be read or written. */
export const whyOf = (cause: unknown): string => {
  const code = codeOf(cause) || "unknown"
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is no text in UTF-8" : code
}

/** What Node says of a module that it does not find or take. It names modules alone. */
const loaderCodes = [
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_PACKAGE_PATH_NOT_EXPORTED"
]

/**
 * Why a module cannot be loaded: the kind of the error and its line. Its own words may hold what the module has read, such as a password, and
 * those of a wrong syntax a piece of it.
 */
export const whyNotLoaded = (path: string, cause: unknown): string => {
  const { message, name, stack }: { readonly [field: string]: unknown } = Object(cause)
  if (typeof stack !== "string") return "it throws something else than an error"
  if (loaderCodes.includes(codeOf(cause))) return String(message)
  const [, line] = /^(\d+)/.exec(stack.split(`${pathToFileURL(path).href}:`)[1] ?? "") ?? []
  const kind = typeof name === "string" && /^[A-Z]\w{0,30}Error$/.test(name) ? name : "Error"
  return `it throws ${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}${line === undefined ? "" : ` in line ${line}`}`
}

const problem =
  (file: string, verb: string, code: Problem["code"] = codes.usage) =>
  (cause: unknown): Problem =>
    new Problem({
      message: `the file ${file} cannot be ${verb}: ${whyOf(cause)}`,
      next: "Check its path and its permissions.",
      code
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
  Effect.mapError(content(file), problem(file, "read"))

/** The text of a file; undefined where there is none. */
export const read = (file: string): Effect.Effect<string | undefined, Problem> =>
  Effect.catchAll(content(file), (cause) =>
    codeOf(cause) === "ENOENT" ? Effect.succeed(undefined) : problem(file, "read")(cause)
  )

/** Whether there is something that keeps nothing, such as a device or a pipe: one could read it without end. */
const isStream = (file: string): boolean =>
  Either.getOrElse(
    Either.try(() => {
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats !== undefined && !stats.isFile() && !stats.isDirectory()
    }),
    () => false
  )

/** The text that a file would take the place of; undefined where there is none. */
export const before = (file: string): Effect.Effect<string | undefined, Problem> =>
  Effect.suspend(() => (isStream(file) ? Effect.succeed(undefined) : read(file)))

/** Where a link leads; undefined where there is none. */
const targetOf = (path: string): string | undefined => {
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return undefined
  }
}

/**
 * Where a file is, or would be, behind all links, also those that lead to nothing yet: two names with one place are one file.
 * At most as many links are followed as systems do.
 */
export const placeOf = (file: string, links = 40): string => {
  const path = resolve(file)
  try {
    return realpathSync(path)
  } catch {
    if (dirname(path) === path) return path
    const place = join(placeOf(dirname(path), links), basename(path))
    const target = links === 0 ? undefined : targetOf(place)
    return target === undefined ? place : placeOf(target, links - 1)
  }
}

/** Whether two names are of one file, of which one would take the other's place. A device keeps nothing. */
export const isOne = (left: string, right: string): boolean =>
  placeOf(left) === placeOf(right) && !isStream(left)

/** Where to write: beside the file that is wanted, or, where that is a device or a pipe, straight to it. */
const opened = async (file: string) => {
  const stats = await stat(file).catch(() => undefined)
  if (stats !== undefined && !stats.isFile()) return { handle: await open(file, "w"), part: file, to: file }
  const to = placeOf(file)
  const part = join(dirname(to), `.quartet-${randomUUID()}.part`)
  const handle = await open(part, "wx", stats?.mode).catch((cause: unknown) => {
    // In a folder that takes no other file, the one that is there may still be written.
    if (stats === undefined || !/^(EACCES|EPERM)$/.test(codeOf(cause))) throw cause
  })
  if (handle === undefined) return { handle: await open(to, "w"), part: to, to }
  if (stats !== undefined) {
    // Another user's file stays theirs where that is permitted.
    await handle.chown(stats.uid, stats.gid).catch(() => undefined)
    await handle.chmod(stats.mode)
  }
  return { handle, part, to }
}

/** Takes a piece of a file, as soon as it can be written. */
export type Put = (piece: Uint8Array | string) => Effect.Effect<void, Problem>

/**
 * Has a file filled beside the one that is wanted, whose place it takes at a good end: whoever reads it finds the one from before
 * or the whole of the new one. `code` is how the command ends where it cannot be written.
 */
export const fill = <E, R>(
  file: string,
  run: (put: Put) => Effect.Effect<void, E, R>,
  code?: Problem["code"]
): Effect.Effect<void, E | Problem, R> => {
  const attempt = <A>(work: () => Promise<A>) =>
    Effect.tryPromise({ try: work, catch: problem(file, "written", code) })
  return Effect.acquireUseRelease(
    attempt(() => opened(file)),
    ({ handle, part, to }) =>
      Effect.zipRight(
        run((piece) => attempt(() => handle.appendFile(piece))),
        attempt(async () => {
          await handle.close()
          if (part !== to) await rename(part, to)
        })
      ),
    ({ handle, part, to }, exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.promise(async () => {
            await handle.close().catch(() => undefined)
            if (part !== to) await rm(part, { force: true })
          })
  )
}

/** Writes a file, and the folder that it stands in. */
export const write = (file: string, text: string): Effect.Effect<void, Problem> =>
  Effect.zipRight(
    Effect.tryPromise({
      try: () => mkdir(dirname(placeOf(file)), { recursive: true }),
      catch: problem(file, "written")
    }),
    fill(file, (put) => put(text))
  )
