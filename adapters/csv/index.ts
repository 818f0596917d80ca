/**
 * Downloads of CSV as typed rows, one at a time in constant memory, through csv-parse (Node, Deno, Bun):
 *
 * ```ts
 * const Payment = Schema.Struct({ _id: Schema.String, amount: Schema.NumberFromString })
 * Admin.payments.csv().pipe(Csv.rows(Payment))   // Stream<Payment, CallError | CsvError, Admin.Client>
 * ```
 */
import { parse } from "csv-parse/stream"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import { hasProperty } from "effect/Predicate"
import type * as Schema from "effect/Schema"
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

const records = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<unknown, E | CsvError, R> =>
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
              .pipeThrough(parse({ columns: true, skip_empty_lines: true })),
          onError: (cause) =>
            Option.getOrElse(
              failed,
              () =>
                new CsvError({
                  reason: "Syntax",
                  rule: `is malformed${lineOf(cause)} (${codeOf(cause) || "unknown"})`
                })
            )
        })
      )
    )
  })

/**
 * Reads the first line as the names of the columns and each further line as a row of the schema.
 * @category combinators
 */
export const rows = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<A, E | CsvError, R> =>
    Stream.mapEffect(Stream.zipWithIndex(records(bytes)), ([record, index]) => {
      const decoded = decode(record)
      if (Either.isRight(decoded)) return Effect.succeed(decoded.right)
      const issue = ParseResult.ArrayFormatter.formatErrorSync(
        new ParseResult.ParseError({ issue: decoded.left })
      )[0]
      const field = issue?.path.join(".")
      return new CsvError({
        reason: "Row",
        row: index + 1,
        rule: "is not what the schema says",
        ...(field === undefined || field === "" ? {} : { field })
      })
    })
}
