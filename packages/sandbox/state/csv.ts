/** Rows as a streamed CSV (RFC 4180), some rows at a time. */

import { lineOf, plainOf } from "@quartet/sdk/extend"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Download } from "../platform/handler.js"

/** Rows written at once. */
const step = 50

/** The named columns of the rows, under a header line. */
export const csvOf = <A extends object, K extends keyof A & string>(
  fileName: string,
  columns: ReadonlyArray<K>,
  rows: ReadonlyArray<A>
): Download => {
  const encoder = new TextEncoder()
  const line = (values: ReadonlyArray<unknown>): string => lineOf(values.map(plainOf), true)
  const piece = (first: number): Uint8Array =>
    encoder.encode(
      rows
        .slice(first, first + step)
        .map((row) => line(columns.map((column) => row[column])))
        .join("")
    )
  const body = Stream.paginateChunk(0, (first): readonly [Chunk.Chunk<Uint8Array>, Option.Option<number>] => [
    Chunk.of(piece(first)),
    first + step < rows.length ? Option.some(first + step) : Option.none()
  ])
  return {
    body: Stream.prepend(body, Chunk.of(encoder.encode(line(columns)))),
    type: "text/csv; charset=utf-8",
    fileName
  }
}
