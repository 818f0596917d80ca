/**
 * Stdout, which is for data, and stderr, which is for words: how both are written, and what follows where they cannot be. It
 * loads next to nothing, so that the list of commands does not either.
 */
import { fstatSync, writeSync } from "node:fs"
import { jsonOf, visible } from "./text.js"

/** Says what is wrong and what to do, as a line of JSON with all its facts where the output is JSON. */
export const report = (
  message: string,
  next: string | undefined,
  facts: { readonly code: number } & Readonly<Record<string, unknown>>
): void => {
  process.exitCode = facts.code
  const { code, ...others } = facts
  process.stderr.write(
    process.argv.includes("--json")
      ? `${jsonOf({ error: { ...others, message, next, code } })}\n`
      : visible(`quartet: ${message}\n${next === undefined ? "" : `${next}\n`}`)
  )
}

// Nobody can be told that nobody can be told.
process.stderr.on("error", () => undefined)

process.stdout.once("error", ({ code, message }: NodeJS.ErrnoException) => {
  // What follows the first failure is its consequence.
  process.stdout.on("error", () => undefined)
  // The reader of a pipe has enough, as `head` has after its lines.
  if (code === "EPIPE") process.exitCode = 0
  else report(`stdout cannot be written: ${code ?? message}`, "What was written is not all.", { code: 1 })
})

// In big integers: Node keeps the other figures where its own resolution of links reads them, and then takes a pipe's for a
// link's, so that a package that is linked, as pnpm links all, could not be loaded afterwards.
const isFile = fstatSync(process.stdout.fd, { bigint: true }).isFile()

/** Writes to a file what Node's own stream would drop of it: that one does not look how many bytes a full disk took. */
const writeWhole = (data: string | Uint8Array): void => {
  const bytes = Buffer.from(data)
  for (let from = 0; from < bytes.length; ) from += writeSync(process.stdout.fd, bytes, from)
}

/** Writes to stdout; `done` is called when it has taken all, or has failed. */
export const put = (data: string | Uint8Array, done?: () => void): void => {
  if (!isFile) {
    process.stdout.write(data, () => done?.())
    return
  }
  try {
    writeWhole(data)
  } catch (cause) {
    process.stdout.emit("error", cause)
  }
  done?.()
}
