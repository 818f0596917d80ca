/** Where the bytes of a download go: to a file, which is there once it is whole, or to stdout. */
import { statSync } from "node:fs"
import { open, realpath, rename, rm, stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { codeOf } from "../../../adapters/http/node-errors.js"
import { confirm } from "../confirmation.js"
import { codes, Problem } from "../exit.js"
import { progress, send, shown } from "../output.js"

const unwritten = (file: string) => (cause: unknown) =>
  new Problem({ message: `the file ${file} cannot be written: ${codeOf(cause) || "unknown"}` })

/** Where to write: beside the file that is wanted, or, where that is a device or a pipe, straight to it. */
const placeOf = async (file: string): Promise<{ readonly to: string; readonly isWhole: boolean }> => {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return { to: file, isWhole: true }
  return { to: await realpath(file), isWhole: found.isFile() }
}

/** Takes bytes, as long as they can be written. */
type Put = (bytes: Uint8Array) => Effect.Effect<void, Problem>

/** Has a file filled beside the one that is wanted, whose place it takes at a good end. */
const fill = <E, R>(
  file: string,
  run: (put: Put) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | Problem, R> => {
  const attempt = <A>(write: () => Promise<A>) => Effect.tryPromise({ try: write, catch: unwritten(file) })
  const opened = attempt(async () => {
    const { isWhole, to } = await placeOf(file)
    const part = isWhole ? `${to}.part` : to
    return { handle: await open(part, "w"), part, to }
  })
  return Effect.acquireUseRelease(
    opened,
    ({ handle, part, to }) =>
      Effect.zipRight(
        run((bytes) => attempt(() => handle.appendFile(bytes))),
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

/** Asks before a file is overwritten, and refuses to write bytes on a terminal. */
export const check = (output: Option.Option<string>, isText: boolean, isAgreed: boolean) =>
  Effect.gen(function* () {
    if (Option.isSome(output)) {
      const isThere = statSync(output.value, { throwIfNoEntry: false })?.isFile() === true
      if (isThere) yield* confirm(`Overwrite ${output.value}?`, isAgreed)
    } else if (!isText && process.stdout.isTTY === true)
      return yield* new Problem({
        message: "this call answers a file, which a terminal cannot show",
        next: "Pass --output with a name for it, or send it on with a pipe.",
        code: codes.usage
      })
  })

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** Writes a download where it is wanted. */
export const write = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  output: Option.Option<string>
): Effect.Effect<void, E | Problem, R> =>
  Effect.suspend(() => {
    let count = 0
    const run = (put: Put) =>
      Stream.runForEach(bytes, (piece) => {
        count += piece.byteLength
        return Effect.zipRight(put(piece), progress(`${size(count)} received`))
      })
    if (Option.isSome(output)) return fill(output.value, run)
    // On a terminal it is text: see `check`.
    const decoder = new TextDecoder()
    return run(
      process.stdout.isTTY === true ? (piece) => send(shown(decoder.decode(piece, { stream: true }))) : send
    )
  })
