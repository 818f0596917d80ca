/** Where a command's words go: data to stdout, everything else to stderr. */
import * as Effect from "effect/Effect"
import { put } from "./streams.js"
import { isColoured, jsonOf, type Paint, paint, visible } from "./text.js"

/** Colours of what goes to stdout. */
export const colours: Paint = paint(isColoured(process.stdout))

/** What a terminal shows of a text; whatever else takes it gets it as it is. */
export const shown = (text: string): string => (process.stdout.isTTY === true ? visible(text) : text)

/** Bytes of data, as they are; done when stdout has taken them, so that a long list waits for a slow reader. */
export const send = (data: string | Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => put(data, () => resume(Effect.void)))

/** A line of data. */
export const print = (text: string): Effect.Effect<void> => send(`${shown(text)}\n`)

/** A line of a log, which nobody waits for. */
export const log = (text: string): void => put(`${shown(text)}\n`)

/** A value as JSON: indented on a terminal, on one line for a program. */
export const json = (value: unknown): Effect.Effect<void> =>
  print(jsonOf(value, process.stdout.isTTY === true ? 2 : undefined))

/** One value of many: a line of NDJSON. */
export const line = (value: unknown): Effect.Effect<void> => print(jsonOf(value))

/** A line for whoever watches. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.stderr.write(`${visible(text)}\n`, () => resume(Effect.void))
  })

/** A number of things: `1 answer`, `2 answers`. */
export const counted = (count: number, singular: string, many = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : many}`

/** `A, B and C`, or with another word before the last. */
export const listed = (names: ReadonlyArray<string>, word = "and"): string =>
  names.join(", ").replace(/, ([^,]*)$/, ` ${word} $1`)

/** Lines of names and values. */
export const columns = (
  rows: ReadonlyArray<readonly [name: string, value: string]>,
  { dim }: Paint
): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${dim(name.padEnd(width))}  ${value}`).join("\n")
}

/** Whether somebody watches who does not see the data itself go by. */
const isWatched = process.stderr.isTTY === true && process.stdout.isTTY !== true

/** What a long work tells about itself, on a terminal alone; each text takes the place of the one before. */
export const progress = (text: string): Effect.Effect<void> =>
  Effect.sync(() => {
    if (isWatched) process.stderr.write(`\r\u001b[K${text}`)
  })

/** Takes the last of these texts away. */
export const progressEnds: Effect.Effect<void> = Effect.suspend(() => progress(""))
