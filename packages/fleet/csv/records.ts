/** The records of CSV, before a schema sees them. One set of rules for the library and the command line: nothing is dropped or merged. */

import { type Known, read, TaggedError } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import { parse } from "csv-parse/stream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import * as Stream from "effect/Stream"

/** The text is not valid CSV, or a row does not match its schema. @category errors */
export class CsvError extends TaggedError("CsvError")<{
  /** `Syntax`: the text is not valid CSV. `Row`: a row breaks a rule of the schema. */
  readonly reason: "Syntax" | "Row"
  /** Number of the row, 1 for the first one below the head; undefined if the text itself is invalid. */
  readonly row?: number
  /** The line of the text at which the row begins, 1 for the first; undefined where it is not about one. */
  readonly line?: number
  /** The invalid column, if there is one. */
  readonly field?: string
  readonly rule: string
}> {
  override get message(): string {
    const where = this.row === undefined ? "the CSV" : `row ${this.row}`
    const line = this.row === undefined && this.line !== undefined ? ` at line ${this.line}` : ""
    return `${where}${this.field === undefined ? "" : `, column "${this.field}"`} ${this.rule}${line}`
  }
}

/** How the text is read. @category models */
export interface ReadOptions {
  /**
   * The character between two cells. Without it that of `,`, `;`, tab and `|` is taken which the first line has most of, with a warning where
   * it is no comma.
   */
  readonly delimiter?: string
}

/** Texts by the names of their columns. */
export type Record = Readonly<globalThis.Record<string, string>>

/** What stands at a line: a record, or what is wrong with it. */
export interface Located {
  /** The line of the text at which it begins, 1 for the first. */
  readonly line: number
  readonly record: Either.Either<Record, CsvError>
}

/** What the first line of a text says about the rest. */
export interface Opening {
  readonly delimiter: string
  /** That the delimiter was guessed, as the end of a sentence; undefined for a comma that leaves no doubt. */
  readonly doubt?: string
}

const syntax = (rule: string, at: { readonly line?: number; readonly field?: string } = {}): CsvError =>
  new CsvError({ reason: "Syntax", rule, ...at })

const known: Known<ReadOptions> = { delimiter: "string" }

/** Refuses options that there are not, and what is no delimiter. */
const readOptions = (options: ReadOptions): Either.Either<ReadOptions, CsvError> =>
  Either.mapLeft(read("Csv.rows", "options", options, known), ({ field, rule }) =>
    syntax(`cannot be read: the option "${field}" ${rule}`)
  )

// It accepts bytes of any buffer; the DOM's and Node's types differ.
const toText = (): ReadableWritablePair<string, Uint8Array> =>
  new TextDecoderStream("utf-8", { fatal: true }) as ReadableWritablePair<string, Uint8Array>

/** The most bytes of a row: a row that never ends, such as behind an open quote, is not collected. */
const longestRow = 16 * 1024 * 1024

/** What is between cells in practice; the first is what the format's name says. */
const delimiters = [",", ";", "\t", "|"]

/** A character in words. */
const shown = (character: string): string => (character === "\t" ? "tab" : JSON.stringify(character))

/** The first line of a text that is not empty, without what stands in quotes; undefined where the text ends before it does. */
const firstLine = (text: string): string | undefined => {
  let line = ""
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character !== "\n" && character !== "\r") line += character
    else if (line !== "") return line
  }
  return undefined
}

/** How often each delimiter stands in the first line, the most frequent first; of equals the one that is named first. */
const opening = (line: string): Opening => {
  const counts = delimiters.map((delimiter) => ({ delimiter, count: line.split(delimiter).length - 1 }))
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  if (first === undefined || first.count === 0) return { delimiter: "," }
  const { delimiter } = first
  if (second !== undefined && second.count === first.count)
    return {
      delimiter,
      doubt: `is read with ${shown(delimiter)} between its cells, and its first line has as many of ${shown(second.delimiter)}`
    }
  return delimiter === ","
    ? { delimiter }
    : {
        delimiter,
        doubt: `is read with ${shown(delimiter)} between its cells, which its first line has most of`
      }
}

/** A delimiter that somebody names. */
const checked = (delimiter: string): Either.Either<Opening, CsvError> =>
  delimiter.length === 1 && !'"\r\n\uFEFF'.includes(delimiter)
    ? Either.right({ delimiter })
    : Either.left(syntax("needs a delimiter of one character, which is no quote and no end of a line"))

/** What is wrong with the names of the columns: of two with one name, a record would hold the last one alone. */
const ruleOf = (names: ReadonlyArray<string>): CsvError | undefined => {
  const twice = names.find((name, index) => names.indexOf(name) !== index && name.trim() !== "")
  if (twice !== undefined) return syntax("is there twice", { field: twice })
  const empty = names.findIndex((name) => name.trim() === "")
  if (empty >= 0) return syntax(`has no name for its column ${empty + 1}`)
  if (names.includes("__proto__"))
    return syntax("has a name that no row can hold: give it another one", { field: "__proto__" })
  return names.some((name) => name.includes("\0")) ? syntax("is no text in UTF-8") : undefined
}

/** What the parser's codes say. */
const rules: Readonly<globalThis.Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  CSV_INVALID_CLOSING_QUOTE: "has text behind a closing quote",
  CSV_MAX_RECORD_SIZE: "has a row of more than 16 MiB",
  INVALID_OPENING_QUOTE: "has a quote in the middle of a cell",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is no text in UTF-8"
}

/** What the parser answers for each record. */
interface Parsed {
  readonly record: ReadonlyArray<string>
  readonly info: { readonly lines: number }
}

const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0

/** Makes records of what is parsed. The first names the columns, and fails where it cannot. */
class Records {
  private names: ReadonlyArray<string> | undefined
  /** The parser counts an end of a line of two characters twice where it stands in a cell. */
  private over = 0

  /** The line at which a cell's record begins. */
  private lineOf({ info, record }: Parsed): number {
    const text = record.join("")
    // Nearly all cells have no end of a line.
    if (!text.includes("\n") && !text.includes("\r")) return info.lines - this.over
    this.over += count(text, /\r\n/g)
    return info.lines - this.over - count(text, /\r\n|\n|\r/g)
  }

  /** The line at which the parser gave up. */
  lineAt(cause: unknown): { readonly line?: number } {
    return hasProperty(cause, "lines") && typeof cause.lines === "number"
      ? { line: cause.lines - this.over }
      : {}
  }

  private readonly take = (parsed: Parsed): Located => {
    const line = this.lineOf(parsed)
    const { record } = parsed
    const names = this.names ?? []
    return {
      line,
      record:
        record.length === names.length
          ? Either.right(Object.fromEntries(names.map((name, index) => [name, record[index] ?? ""])))
          : Either.left(syntax("has more or fewer cells than there are columns", { line }))
    }
  }

  takeAll(parsed: ReadonlyArray<Parsed>): Either.Either<Chunk.Chunk<Located>, CsvError> {
    const [first, ...others] = parsed
    if (first === undefined || this.names !== undefined)
      return Either.right(Chunk.unsafeFromArray(parsed.map(this.take)))
    this.names = first.record
    this.lineOf(first)
    const wrong = ruleOf(first.record)
    return wrong === undefined
      ? Either.right(Chunk.unsafeFromArray(others.map(this.take)))
      : Either.left(wrong)
  }
}

/** Reads on until the first line is there. */
const peel = <E, R>(pull: Effect.Effect<Chunk.Chunk<string>, Option.Option<E>, R>) =>
  Effect.gen(function* () {
    let head = ""
    let isWhole = false
    while (!isWhole && head.length < longestRow) {
      const line = firstLine(head)
      if (line !== undefined) return { head, line }
      const more = yield* Effect.catchAll(pull, (end) =>
        Option.isSome(end) ? Effect.fail(end.value) : Effect.succeed(undefined)
      )
      if (more === undefined) isWhole = true
      else head += Chunk.join(more, "")
    }
    return { head, line: firstLine(`${head}\n`) ?? "" }
  })

/** Where the columns' names are written once, and a spreadsheet has written before them what is between cells: `sep=;`. */
const declared = /^sep=(.)(?=\r?\n|\r|$)/

/** Whether a text begins with such a line. */
export const isDeclared = (text: string): boolean => declared.test(text)

/** Records with their lines. Those with too many or too few cells are among them; whatever else is no CSV fails. */
export const located = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  options: ReadOptions = {},
  onOpening?: (opening: Opening) => Effect.Effect<void>
): Stream.Stream<Located, E | CsvError, R> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const { delimiter } = yield* readOptions(options)
      // A web stream loses the type of its failure, so it is kept here.
      let failed: Option.Option<E | CsvError> = Option.none()
      const watched = <A, E1 extends E | CsvError, R1>(stream: Stream.Stream<A, E1, R1>) =>
        Stream.tapError(stream, (error) =>
          Effect.sync(() => {
            failed = Option.some(error)
          })
        )
      const parsedRecords = new Records()
      const onError = (cause: unknown): E | CsvError =>
        Option.getOrElse(failed, () => {
          const code = codeOf(cause)
          return syntax(rules[code] ?? `is malformed (${code || "unknown"})`, parsedRecords.lineAt(cause))
        })
      const readable = yield* Stream.toReadableStreamEffect(watched(bytes))
      // Decoded first, because the parser would replace invalid UTF-8 by question marks.
      const pull = yield* Stream.toPull(
        Stream.fromReadableStream<string, E | CsvError>({
          evaluate: () => readable.pipeThrough(toText()),
          onError
        })
      )
      const named = delimiter === undefined ? undefined : yield* checked(delimiter)
      const { head, line } = yield* peel(pull)
      const [declaration, separator] = declared.exec(head) ?? []
      const detected = named ?? (separator === undefined ? opening(line) : yield* checked(separator))
      if (onOpening !== undefined) yield* onOpening(detected)
      else if (detected.doubt !== undefined)
        yield* Effect.logWarning(`the CSV ${detected.doubt}: pass \`delimiter\` to say what it is`)
      const text = Stream.concat(
        Stream.make(declaration === undefined ? head : head.slice(declaration.length)),
        Stream.repeatEffectChunkOption(pull)
      )
      const parsed: Array<Parsed> = []
      const parser = parse({
        columns: false,
        delimiter: detected.delimiter,
        max_record_size: longestRow,
        // Collected piece by piece: to pass each record on by itself costs more than to parse it.
        on_record: (record: ReadonlyArray<string>, info) => {
          parsed.push({ record, info })
          return null
        },
        record_delimiter: ["\r\n", "\n", "\r"],
        relax_column_count: true,
        skip_empty_lines: true
      })
      const input = parser.writable.getWriter()
      // It takes what is written while somebody reads. What breaks it, the next write fails with.
      parser.readable
        .getReader()
        .read()
        .catch(() => undefined)
      const recordsAfter = (write: () => Promise<void>) =>
        Effect.flatMap(Effect.tryPromise({ try: write, catch: onError }), () =>
          parsedRecords.takeAll(parsed.splice(0))
        )
      const encoder = new TextEncoder()
      return Stream.mapEffect(text, (piece) => recordsAfter(() => input.write(encoder.encode(piece)))).pipe(
        Stream.concat(Stream.fromEffect(recordsAfter(() => input.close()))),
        Stream.flattenChunks
      )
    })
  )

/** Objects of texts, by the names of the first line. */
export const records = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  options?: ReadOptions
): Stream.Stream<Record, E | CsvError, R> => Stream.mapEffect(located(bytes, options), ({ record }) => record)
