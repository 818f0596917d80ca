/**
 * Downloads of CSV as typed rows, one at a time in constant memory, through csv-parse (Node, Deno, Bun):
 *
 * ```ts
 * const Payment = Schema.Struct({ _id: Schema.String, amount: Csv.NumberFromCell })
 * Admin.payments.csv().pipe(Csv.rows(Payment))   // Stream<Payment, CallError | CsvError, Admin.Client>
 * ```
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CsvError, type ReadOptions, records } from "./records.js"

export { NumberFromCell } from "./numbers.js"
export { CsvError, type ReadOptions } from "./records.js"

/**
 * Reads the first line as the names of the columns and each further line as a row of the schema. The rules are those of jobs that read
 * files: each name is there once and is not empty, each row has as many cells as there are names, CRLF, LF and CR
 * each end a line, and empty lines are passed over. Fails
 * with `CsvError`, which names the line, or the row and the column.
 * @category combinators
 */
export const rows = <A, I>(schema: Schema.Schema<A, I>, options?: ReadOptions) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<A, E | CsvError, R> =>
    Stream.mapEffect(Stream.zipWithIndex(records(bytes, options)), ([record, index]) => {
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
