/** The records of CSV, before a schema sees them. */
import { parse } from "csv-parse/stream"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { codeOf } from "../http/node-errors.js"

/** The text is not valid CSV, or a row does not match its schema. @category errors */
export class CsvError extends Data.TaggedError("CsvError")<{
  /** `Syntax`: the text is not valid CSV. `Row`: a row breaks a rule of the schema. */
  readonly reason: "Syntax" | "Row"
  /** Number of the row, 1 for the first one below the head; undefined if the text itself is invalid. */
  readonly row?: number
  /** The invalid column, if there is one. */
  readonly field?: string
  readonly rule: string
}> {
  override get message(): string {
    const where = this.row === undefined ? "the CSV" : `row ${this.row}`
    return `${where}${this.field === undefined ? "" : `, column "${this.field}"`} ${this.rule}`
  }
}

// It accepts bytes of any buffer; the DOM's and Node's types differ.
const toText = (): ReadableWritablePair<string, Uint8Array> =>
  new TextDecoderStream("utf-8", { fatal: true }) as ReadableWritablePair<string, Uint8Array>

/** The line at which the parser gave up, if it says so. */
const lineOf = (cause: unknown): string =>
  hasProperty(cause, "lines") && typeof cause.lines === "number" ? ` at line ${cause.lines}` : ""

/** What is wrong with the names of columns: of two with one name, a record would hold the last one alone. */
const ruleOf = (
  names: ReadonlyArray<string>
): { readonly field?: string; readonly rule: string } | undefined => {
  const twice = names.find((name, index) => names.indexOf(name) !== index && name !== "")
  if (twice !== undefined) return { field: twice, rule: "is there twice" }
  const empty = names.findIndex((name) => name.trim() === "")
  if (empty >= 0) return { rule: `has no name for its column ${empty + 1}` }
  const other = names.length === 1 ? /[;\t|]/.exec(names[0] ?? "")?.[0] : undefined
  return other === undefined
    ? undefined
    : { rule: `has ${JSON.stringify(other)} between its columns: save it with commas` }
}

/** The names of the columns, where each is there once, and the first line looks like names. */
export const named = (names: ReadonlyArray<string>): Array<string> => {
  const wrong = ruleOf(names)
  if (wrong === undefined) return [...names]
  throw new CsvError({ reason: "Syntax", ...wrong })
}

/** What the parser's codes say. */
const rules: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: "has a row with more or fewer cells than columns",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "has a row with more or fewer cells than columns",
  CSV_QUOTE_NOT_CLOSED: "has a quote that is not closed",
  CSV_INVALID_CLOSING_QUOTE: "has text behind a closing quote",
  INVALID_OPENING_QUOTE: "has a quote in the middle of a cell",
  ERR_ENCODING_INVALID_ENCODED_DATA: "is no text in UTF-8"
}

/** Objects of texts, by the names of the first line, which `columns` may check. */
export const records = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  columns: true | typeof named = true
): Stream.Stream<unknown, E | CsvError, R> =>
  Stream.suspend(() => {
    // A web stream loses the type of its failure, so it is kept here.
    let failed: Option.Option<E> = Option.none()
    const watched = Stream.tapError(bytes, (error) =>
      Effect.sync(() => {
        failed = Option.some(error)
      })
    )
    return Stream.unwrap(
      Effect.map(Stream.toReadableStreamEffect(watched), (readable) =>
        Stream.fromReadableStream<unknown, E | CsvError>({
          // Decoded first, because the parser would replace invalid UTF-8 by question marks.
          evaluate: () =>
            readable
              .pipeThrough(toText())
              .pipeThrough(new TextEncoderStream())
              .pipeThrough(parse({ columns, skip_empty_lines: true })),
          onError: (cause) =>
            Option.getOrElse(failed, () =>
              cause instanceof CsvError
                ? cause
                : new CsvError({
                    reason: "Syntax",
                    rule: `${rules[codeOf(cause)] ?? `is malformed (${codeOf(cause) || "unknown"})`}${lineOf(cause)}`
                  })
            )
        })
      )
    )
  })
