/** Rows of a file, CSV or NDJSON, one after another in constant memory. */

import { createReadStream } from "node:fs"
import { extname, resolve } from "node:path"
import { ruleOf } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Opening, ReadOptions } from "../csv/records.js"
import * as Csv from "../csv/records.js"
import { FleetError } from "../fleet-error.js"

/** How rows are written in a file. @category models */
export const Format = Schema.Literal("csv", "ndjson")
export type Format = typeof Format.Type

/** A source that cannot be read. */
export const sourceFailed = (advice: string, cause?: unknown): FleetError =>
  new FleetError({ reason: "Source", advice, ...(cause === undefined ? {} : { cause }) })

/** Marks a source that ended before the items that were read of it. */
const tooShort = Symbol("tooShort")

/** Whether a source has failed because it became shorter. */
export const isTooShort = (error: unknown): boolean => error instanceof FleetError && error.cause === tooShort

const tooFew = (name: string, count: number, seen: number): FleetError =>
  sourceFailed(
    `${name} has become shorter: its first ${count} items were read before, and ${seen} are there. A run goes on where they all are, in the same order`,
    tooShort
  )

/** What follows the first items of a source, which has to have them still. */
export const behind = <A, E, R>(
  items: Stream.Stream<A, E, R>,
  count: number,
  name = "the source"
): Stream.Stream<A, E | FleetError, R> => {
  if (count === 0) return items
  return Stream.suspend(() => {
    let seen = 0
    const counted = Stream.mapChunks(items, (chunk) => {
      seen += chunk.length
      return chunk
    })
    const end = Stream.suspend(() => (seen < count ? Stream.fail(tooFew(name, count, seen)) : Stream.empty))
    return Stream.concat(Stream.drop(counted, count), end)
  })
}

/** The most characters of a line: more is no line of a row, but a file of another kind. */
const longestLine = 16 * 1024 * 1024

/** What a file cannot be read for, without what it holds. */
const unread = (file: string) => (cause: unknown) => {
  if (cause instanceof FleetError) return cause
  const code = codeOf(cause)
  return sourceFailed(
    `${file}: ${code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "is no text in UTF-8" : `cannot be read (${code || "unknown"})`}`,
    cause
  )
}

/** What stands at a line of a file: a row, or what is wrong with it. */
export interface Located {
  /** The line at which it begins, 1 for the first. */
  readonly line: number
  /** The row, or the rule that the line breaks. */
  readonly row: Either.Either<unknown, string>
}

const parsed = (line: number, text: string): Located => ({
  line,
  row: Either.flatMap(
    // The parser's own message repeats a part of the line.
    Either.try({ try: (): unknown => JSON.parse(text), catch: () => "is not JSON" }),
    (value) => {
      const rule = ruleOf(text)
      return rule === undefined ? Either.right(value) : Either.left(rule)
    }
  )
})

/** The rows of a file's pieces, as many at a time as a piece ends. Of the first `skip` rows nothing is parsed. */
async function* ndjson(file: string, skip: number) {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  let number = 0
  let seen = 0
  const take = (lines: ReadonlyArray<string>): ReadonlyArray<Located> =>
    lines.flatMap((line) => {
      number += 1
      if (line.trim() === "") return []
      seen += 1
      return seen > skip ? [parsed(number, line)] : []
    })
  for await (const piece of createReadStream(file)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > longestLine)
      throw sourceFailed(`${file}, line ${number + lines.length + 1}: is longer than 16 MiB: is it NDJSON?`)
    yield take(lines)
  }
  yield take([rest + decoder.decode()])
  if (seen < skip) throw tooFew(file, skip, seen)
}

const csv = (
  file: string,
  options: ReadOptions,
  onOpening?: (opening: Opening) => Effect.Effect<void>
): Stream.Stream<Located, FleetError> =>
  Csv.located(
    Stream.suspend(() =>
      Stream.fromAsyncIterable<Uint8Array, FleetError>(createReadStream(file), unread(file))
    ),
    options,
    onOpening
  ).pipe(
    Stream.map(({ line, record }) => ({ line, row: Either.mapLeft(record, ({ rule }) => rule) })),
    Stream.mapError((error) =>
      error instanceof FleetError ? error : sourceFailed(`${file}: ${error.message}`)
    )
  )

/** The whole path of a file. */
export const pathOf = (file: string): string => resolve(file)

/** The format of a file by the end of its name. */
export const formatOf = (file: string): Format | undefined => {
  const end = extname(file).toLowerCase()
  if (end === ".csv") return "csv"
  return end === ".ndjson" || end === ".jsonl" ? "ndjson" : undefined
}

/** A delimiter that may be left open. */
export const delimited = (delimiter: string | undefined): ReadOptions =>
  delimiter === undefined ? {} : { delimiter }

/** How a file is read. @category models */
export interface FileOptions extends ReadOptions {
  /** By the end of the file's name, by default. */
  readonly format?: Format | undefined
  /** Rows that were read before. */
  readonly skip?: number
}

/** The rows of a file with their lines, from the one after the first `skip` on; what cannot be told apart in lines fails. */
export const located = (
  file: string,
  { format = formatOf(file), skip = 0, ...options }: FileOptions = {},
  onOpening?: (opening: Opening) => Effect.Effect<void>
): Stream.Stream<Located, FleetError> => {
  switch (format) {
    case "csv":
      return behind(csv(file, options, onOpening), skip, file)
    case "ndjson":
      return Stream.suspend(() => Stream.fromAsyncIterable(ndjson(file, skip), unread(file))).pipe(
        Stream.mapConcat((some) => some)
      )
    default:
      return Stream.fail(
        sourceFailed(`${file}: is neither .csv nor .ndjson nor .jsonl: say which format it has`)
      )
  }
}

/** Bytes that end a line, and that stand around what quotes and empty lines are. */
const [newline, carriage, quote, space, tab] = [10, 13, 34, 32, 9]

/** Counts lines that are not empty, and of CSV no line within quotes. */
class Lines {
  count = 0
  private isQuoted = false
  private isEmpty = true

  constructor(private readonly format: Format) {}

  add(bytes: Uint8Array): void {
    const isCsv = this.format === "csv"
    for (const byte of bytes) {
      if ((byte === newline || byte === carriage) && !this.isQuoted) this.end()
      else if (isCsv || (byte !== space && byte !== tab)) this.isEmpty = false
      if (isCsv && byte === quote) this.isQuoted = !this.isQuoted
    }
  }

  end(): void {
    if (!this.isEmpty) this.count += 1
    this.isEmpty = true
  }
}

/** How many rows a file has, by its lines: nothing is parsed, so it may be wrong for a file that breaks the rules of its format. */
export const countRows = (
  file: string,
  { format = formatOf(file) }: Pick<FileOptions, "format"> = {}
): Effect.Effect<number, FleetError> => {
  if (format === undefined) return sourceFailed(`${file}: is of no known format`)
  return Effect.tryPromise({
    try: async (signal) => {
      const lines = new Lines(format)
      let head = ""
      const pieces: AsyncIterable<Uint8Array> = createReadStream(file, { signal })
      for await (const piece of pieces) {
        if (head === "") head = new TextDecoder().decode(piece.subarray(0, 10))
        lines.add(piece)
      }
      lines.end()
      // The names of the columns, and what a spreadsheet has written before them.
      return Math.max(0, lines.count - (format === "csv" ? (Csv.isDeclared(head) ? 2 : 1) : 0))
    },
    catch: unread(file)
  })
}

/** The rule that a row breaks, in one of its columns or as a whole. */
export interface Rule {
  readonly column?: string
  readonly rule: string
}

/** The most values that are compared, all of them in memory. A Set holds no more than 2²⁴. */
const mostCompared = 16_000_000

/** Judges the values of a column, one after another: none may stand in the file twice. */
export const unique = (column: string, rule: string): ((value: string) => Rule | undefined) => {
  const seen = new Set<string>()
  return (value) => {
    if (seen.has(value)) return { column, rule }
    if (seen.size >= mostCompared)
      return { column, rule: `has more than ${mostCompared} values, which are not compared: cut the file` }
    seen.add(value)
    return undefined
  }
}

/**
 * The rows of a file as `rows` reads them, each judged beside all before it. The first behind `skip` that breaks a rule fails with FleetError
 * `Source`, which names line, column and rule. A run that goes on reads the file from its beginning.
 */
export const judgedRows = (
  file: string,
  { skip = 0, ...options }: FileOptions,
  judge: () => (row: unknown) => Effect.Effect<Rule | undefined>
): Stream.Stream<unknown, FleetError> =>
  Stream.suspend(() => {
    const ruleOf = judge()
    const judged = located(file, options).pipe(
      Stream.zipWithIndex,
      Stream.mapEffect(([{ line, row }, index]) =>
        Effect.flatMap(
          Either.isLeft(row) ? Effect.succeed({ rule: row.left }) : ruleOf(row.right),
          (broken: Rule | undefined) => {
            if (broken === undefined || index < skip) return Effect.succeed(Either.getOrUndefined(row))
            const column = broken.column === undefined ? "" : `, column ${JSON.stringify(broken.column)}`
            return sourceFailed(`${file}, line ${line}${column}: ${broken.rule}`)
          }
        )
      )
    )
    return behind(judged, skip, file)
  })

/**
 * The rows of a file, from the one after the first `skip` on. Those of CSV are objects of texts, by the names of its first line; those of
 * NDJSON are what each line says, empty lines aside. What cannot be parsed fails with FleetError `Source`, which names the line.
 */
export const rows = (file: string, options?: FileOptions): Stream.Stream<unknown, FleetError> =>
  Stream.suspend(() => {
    let broken: FleetError | undefined
    const isWhole = ({ line, row }: Located): boolean => {
      if (Either.isLeft(row)) broken = sourceFailed(`${file}, line ${line}: ${row.left}`)
      return broken === undefined
    }
    // By chunks: an effect for each row costs more than to parse it.
    return located(file, options).pipe(
      Stream.takeWhile(isWhole),
      Stream.map(({ row }) => Either.getOrUndefined(row)),
      Stream.concat(Stream.suspend(() => (broken === undefined ? Stream.empty : Stream.fail(broken))))
    )
  })

/** A file, and what makes another run of it. @category schemas */
export const FileInput = Schema.Struct({
  /** Its path, which has to lead to the same file on all runners. */
  file: Schema.NonEmptyString,
  /** Another key for the same file, such as the day: another run. */
  key: Schema.optional(Schema.NonEmptyString)
})
export interface FileInput extends Schema.Schema.Type<typeof FileInput> {}

/** What makes two inputs one run. */
export const keyOf = ({ file, key }: FileInput): string =>
  key === undefined ? pathOf(file) : `${pathOf(file)} ${key}`
