/** A ready job that exports a list to a file. */

import {
  type Args,
  type Audience,
  type Call,
  type CallError,
  type Page,
  type Paged,
  PageSource,
  Pulls
} from "@quartet/sdk/extend"
import type * as Cause from "effect/Cause"
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

/** How many entries a list says that it has. Fails where it says nothing of that. */
export const totalOf = <I, A, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  input: Paged<I>
): Effect.Effect<number, CallError | Cause.NoSuchElementException, R> =>
  // Paged<I> is I of a call that has pages.
  Effect.flatMap(list(...([{ ...Object(input), limit: 1 }] as unknown as Args<I>)), ({ paging }) =>
    Effect.fromNullable(paging.total)
  )

/** Whether a platform refuses a cursor: it keeps one for some time alone, or for one of its own processes. */
const isRefused = (error: CallError | FleetError): boolean =>
  error._tag === "NotFound" || (error._tag === "Rejected" && !error.retryable)

/**
 * The entries of a list from the one after the first `skip` on. The page of the list at which they begin stands in the folder of the parts: a
 * platform may make its pages smaller than it is asked to, and may know a page by its cursor alone. Where it knows that one no longer, the list is
 * read again from its beginning.
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
): Stream.Stream<A, CallError | FleetError, R> => {
  const range = limit === undefined ? {} : { limit }
  const from = (place: Parts.ListPage | undefined) =>
    Effect.gen(function* () {
      const { first } = yield* PageSource.make(list.operation, input, {})
      let at = place ?? { page: first, cursor: null, from: 0 }
      const before = skip - at.from
      const begins = place === undefined ? range : { ...range, first: place.page }
      const step = yield* Pulls.steps(list, input, begins, at.cursor)
      const pull = Effect.flatMap(step, ({ page: { items }, place: { cursor } }) => {
        const read = at
        at = { page: at.page + 1, cursor, from: at.from + items.length }
        return Effect.mapBoth(Parts.note(folder, read), {
          onFailure: Option.some<CallError | FleetError>,
          onSuccess: () => items
        })
      })
      return Stream.repeatEffectOption<ReadonlyArray<A>, CallError | FleetError, R>(pull).pipe(
        Stream.mapConcat((some) => some),
        Stream.drop(before)
      )
    }).pipe(Stream.unwrap)
  return Stream.unwrap(
    Effect.gen(function* () {
      yield* Parts.prepare(folder, skip === 0)
      const place = skip === 0 ? undefined : yield* Parts.placeOf(folder, skip)
      if (place === undefined || place.cursor === null) return from(place)
      let hasCome = false
      return from(place).pipe(
        Stream.mapChunks((some) => {
          hasCome = true
          return some
        }),
        Stream.catchAll((error) => (hasCome || !isRefused(error) ? Stream.fail(error) : from(undefined)))
      )
    })
  )
}

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
    count: () => totalOf(list, input),
    source: ({ file, key }, skip) => ({
      from: skip,
      items: Stream.flatMap(Stream.fromEffect(writtenAs(file, format)), () =>
        entries(list, { folder: Parts.folderOf(file, key), input, limit, skip })
      )
    }),
    eachPage: writePage,
    finish: (input) => joinPages(input, { columns, format, keepsFormulas })
  })
