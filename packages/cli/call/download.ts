/** Where the bytes of a download go: to a file, which is there once it is whole, or to stdout. */
import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import { progress, send, shown } from "../output.js"
import { confirm } from "../terminal.js"

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
    const run = (put: (piece: Uint8Array) => Effect.Effect<void, Problem>) =>
      Stream.runForEach(bytes, (piece) => {
        count += piece.byteLength
        return Effect.zipRight(put(piece), progress(`${size(count)} received`))
      })
    if (Option.isSome(output)) return Files.fill(output.value, run, codes.failed)
    // On a terminal it is text: see `check`.
    const decoder = new TextDecoder()
    return run(
      process.stdout.isTTY === true ? (piece) => send(shown(decoder.decode(piece, { stream: true }))) : send
    )
  })
