/** A ready job that exports a list to a file. */

import {
  type Audience,
  type Call,
  type CallError,
  type Page,
  type Paged,
  PageSource,
  Pulls
} from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { FleetError } from "../fleet-error.js"
import * as Parts from "../store/parts.js"
import { FileInput, type Format, formatOf, keyOf, sourceFailed } from "../store/rows.js"
import type { PageContext } from "./definition.js"
import { type Job, make } from "./job.js"

/** What an export reads, and how it writes. @category models */
export interface ExportOptions<I, A, Aud extends Audience, R> {
  /** A list, such as `Admin.items.list`. */
  readonly list: Call<I, Page<A>, Aud, R>
  /**
   * What it is asked for. Ask for an order in which what is there keeps its place while the export runs, such as
   * `{ query: { sort: "createdAt" } }` where the platform sorts by it: else an entry can come twice, or not at all.
   */
  readonly input: NoInfer<Paged<I>>
  /** Entries of a page of the list; the platform decides by default. */
  readonly limit?: number
  /** By the end of the file's name, by default: `.csv`, `.ndjson` or `.jsonl`. */
  readonly format?: Format
  /** The columns of CSV; by default all fields of all entries, in the order in which they come. */
  readonly columns?: ReadonlyArray<string>
  /**
   * A text that begins like a formula gets a quote before it, because a spreadsheet would run it. This leaves it as it is, for files that only
   * programs read.
   */
  readonly keepsFormulas?: boolean
  readonly page?: number
  readonly lanes?: number
}

/**
 * The entries of a list from the one after the first `skip` on. The page of the list at which they begin stands in the folder of the parts: a
 * platform may make its pages smaller than it is asked to.
 */
export const entries = <I, A, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  {
    folder,
    input,
    limit,
    skip
  }: Pick<ExportOptions<I, A, Aud, R>, "input"> & {
    readonly folder: string
    readonly limit?: number | undefined
    readonly skip: number
  }
): Stream.Stream<A, CallError | FleetError, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      yield* Parts.prepare(folder, skip === 0)
      const place = skip === 0 ? undefined : yield* Parts.placeOf(folder, skip)
      const { first } = yield* PageSource.make(list.operation, input, {})
      let { from, page } = place ?? { from: 0, page: first }
      const before = skip - from
      const pull = yield* Pulls.pages(list, input, {
        ...(place === undefined ? {} : { first: page }),
        ...(limit === undefined ? {} : { limit })
      })
      const noted = Effect.tap(pull, (some) => {
        const at = { from, page }
        page += 1
        from += some.length
        return Effect.mapError(Parts.note(folder, at.page, at.from), Option.some<CallError | FleetError>)
      })
      return Stream.repeatEffectOption<ReadonlyArray<A>, CallError | FleetError, R>(noted).pipe(
        Stream.mapConcat((some) => some),
        Stream.drop(before)
      )
    })
  )

/** The format that a file gets. */
const writtenAs = (file: string, format: Format | undefined): Either.Either<Format, FleetError> =>
  Either.fromNullable(format ?? formatOf(file), () =>
    sourceFailed(`${file}: is neither .csv nor .ndjson nor .jsonl: say which format it gets`)
  )

/** Writes a page of a run to a part of its own. */
export const writePage = (
  items: ReadonlyArray<unknown>,
  { input: { file, key }, page }: PageContext<FileInput>
): Effect.Effect<void, FleetError> => Parts.write(Parts.folderOf(file, key), page, items)

/** Makes the file of a run's parts. */
export const joinPages = (
  { file, key }: FileInput,
  { format, ...written }: Omit<Parts.Written, "format"> & { readonly format?: Format | undefined }
): Effect.Effect<void, FleetError> =>
  Effect.flatMap(writtenAs(file, format), (count) =>
    Parts.assemble(Parts.folderOf(file, key), file, { ...written, format: count })
  )

/**
 * A job that exports a list: `exportUsers.start({ file: "users.csv", key: "2026-01-31" })`. Each page is written to a part of its own in a
 * folder beside the file, and in the end they become the file: until then there is the one from before. All runners have to see this folder. A
 * run that is continued goes on at the page of the list at which it was.
 * @category constructors
 */
export const exportJob = <I, A, Aud extends Audience, R>(
  name: string,
  { columns, format, input, keepsFormulas, limit, list, ...work }: ExportOptions<I, A, Aud, R>
): Job<FileInput, R> =>
  make(name, {
    ...work,
    input: FileInput,
    key: keyOf,
    source: ({ file, key }, skip) => ({
      from: skip,
      items: Stream.flatMap(Stream.fromEffect(writtenAs(file, format)), () =>
        entries(list, { folder: Parts.folderOf(file, key), input, limit, skip })
      )
    }),
    eachPage: writePage,
    finish: (input) => joinPages(input, { columns, format, keepsFormulas })
  })
