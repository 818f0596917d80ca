/** Ready jobs that import the rows of a file: one write for each. */

import type * as Admin from "@quartet/sdk/admin/client"
import * as Content from "@quartet/sdk/admin/content"
import * as Entities from "@quartet/sdk/admin/entities"
import { type Audience, type Call, InputError, type Page, type Paged } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { countRows, delimited, FileInput, type Format, judgedRows, keyOf, rows } from "../store/rows.js"
import type { ItemContext, UnknownContext } from "./definition.js"
import * as Identify from "./identify.js"
import { type Job, make } from "./job.js"

/** How a job works on its items, as `Fleet.job` takes it. @category models */
export interface Work {
  readonly page?: number
  readonly lanes?: number
  readonly concurrency?: number
  readonly attempts?: number
  readonly maxFailures?: number
}

/** What an import does. @category models */
export interface ImportOptions<A, AE, E, R, UR> extends Work {
  /** What a row has to be; one that is not is listed as failed, and nothing is sent for it. Anything by default. */
  readonly row?: Schema.Schema<A, AE>
  /** By the end of the file's name, by default: `.csv`, `.ndjson` or `.jsonl`. */
  readonly format?: Format
  /** What is between the cells of CSV; by its first line, by default, with a warning where that is no comma. */
  readonly delimiter?: string
  /**
   * A field of the row, as `row` reads it, that no two rows share, such as `sku`. The run pauses itself at a row without it, or with a value that
   * stands in the file already: give it wherever `onUnknown` looks rows up by a field.
   */
  readonly identify?: string
  /** The write for one row, usually one call with the context's `idempotencyKey`. */
  readonly write: (row: A, context: ItemContext<FileInput>) => Effect.Effect<unknown, E, R>
  /** Whether a row whose answer was lost was written: see `Fleet.found`, `Fleet.sendAgain` and `Fleet.leaveUnknown`. */
  readonly onUnknown: (
    row: A,
    context: UnknownContext<FileInput>
  ) => Effect.Effect<Option.Option<unknown>, unknown, UR>
  /** What there is before a row is written, for `onUnknown` to compare with: see `Fleet.foundBefore`. */
  readonly baseline?: (row: A, context: ItemContext<FileInput>) => Effect.Effect<unknown, unknown, UR>
}

/** Reads a row by a schema; without one as it is. The error names the field, and shows nothing of the row. */
const rowBy = <A, AE>(
  name: string,
  schema: Schema.Schema<A, AE> | undefined
): ((row: unknown) => Effect.Effect<unknown, InputError>) => {
  if (schema === undefined) return Effect.succeed
  const decode = ParseResult.decodeUnknown(schema)
  return (row) =>
    Effect.mapError(decode(row), (issue) => {
      const [first] = ParseResult.ArrayFormatter.formatIssueSync(issue)
      return new InputError({
        operation: name,
        field: ["row", ...(first?.path ?? [])].join("."),
        rule: "is not what the schema says"
      })
    })
}

/** An import of rows that are read so. */
const importing = <E, R, UR>(
  name: string,
  read: (row: unknown) => Effect.Effect<unknown, InputError>,
  {
    baseline,
    delimiter,
    format,
    identify,
    onUnknown,
    write,
    ...work
  }: Omit<ImportOptions<unknown, unknown, E, R, UR>, "row">
): Job<FileInput, R | UR> =>
  make(name, {
    ...work,
    input: FileInput,
    key: keyOf,
    count: ({ file }) => countRows(file, { format }),
    source: ({ file }, skip) => {
      const options = { ...delimited(delimiter), format, skip }
      const items =
        identify === undefined
          ? rows(file, options)
          : judgedRows(file, options, () => {
              const ruleOf = Identify.identified(identify)
              // A row that is none fails by itself.
              return (row) => Effect.match(read(row), { onFailure: () => undefined, onSuccess: ruleOf })
            })
      return { from: skip, items }
    },
    each: (row, context): Effect.Effect<unknown, unknown, R> =>
      Effect.flatMap(read(row), (item) => write(item, context)),
    onUnknown: (row, context) => Effect.flatMap(read(row), (item) => onUnknown(item, context)),
    ...(baseline === undefined
      ? {}
      : {
          baseline: (row: unknown, context: ItemContext<FileInput>): Effect.Effect<unknown, unknown, UR> =>
            Effect.flatMap(read(row), (item) => baseline(item, context))
        })
  })

/**
 * A job that imports a file of CSV or NDJSON: `importProducts.start({ file: "products.csv" })`. The rows are read in the file's order, so the
 * file must not change while the run reads it, unless it is to be corrected behind what was read. All runners have to see it under one path.
 * @category constructors
 */
export function importJob<A, AE, E = never, R = never, UR = never>(
  name: string,
  options: ImportOptions<A, AE, E, R, UR> & { readonly row: Schema.Schema<A, AE> }
): Job<FileInput, R | UR>
export function importJob<E = never, R = never, UR = never>(
  name: string,
  options: ImportOptions<unknown, unknown, E, R, UR>
): Job<FileInput, R | UR>
export function importJob<E, R, UR>(
  name: string,
  { row, ...others }: ImportOptions<unknown, unknown, E, R, UR>
): Job<FileInput, R | UR> {
  return importing(name, rowBy(name, row), others)
}

/** How the entry of a row is found by a field, in a list that has it. */
const lookingUp = <I, A, Aud extends Audience>(
  list: Call<I, Page<A>, Aud, Admin.Client>,
  field: string | undefined,
  input: Paged<I>
): Pick<ImportOptions<unknown, unknown, never, never, Admin.Client>, "baseline" | "onUnknown"> =>
  field === undefined
    ? { onUnknown: Identify.leaveUnknown }
    : {
        baseline: (row) => Identify.foundBefore(list, { row, field, input }),
        onUnknown: (row, { baseline }) => Identify.found(list, { row, field, input, baseline })
      }

/** What the ready imports take beside that. @category models */
export interface ImportInto<A, AE> extends Work {
  readonly name?: string
  readonly row?: Schema.Schema<A, AE>
  readonly format?: Format
  /** What is between the cells of CSV; by its first line, by default, with a warning where that is no comma. */
  readonly delimiter?: string
  /**
   * A field that no two rows share, such as `sku`: the run pauses itself at a row without it, or with a value that stands in the file already.
   * The platform's list is asked for it before a row is sent, and again where the answer was
   * lost: an entry that was not there before is the row's. Without it, and where the platform does not filter by it, such rows are listed as
   * unknown.
   */
  readonly identify?: string
}

/** A row as a body. One that is no object is refused when its call is made, as any body is, and listed as refused. */
const bodyOf = (row: unknown): object => row as object

/**
 * Imports entities of a kind: each row is the body of an `entities.create`.
 * @category constructors
 */
export const importEntities = <A = unknown, AE = A>(
  options: ImportInto<A, AE> & { readonly kind: string }
): Job<FileInput, Admin.Client> => {
  const { kind, name = `importEntities.${kind}`, row, ...others } = options
  return importing(name, rowBy(name, row), {
    ...others,
    write: (row, { idempotencyKey }) => Entities.create({ kind, payload: bodyOf(row) }, { idempotencyKey }),
    ...lookingUp(Entities.list, others.identify, { kind })
  })
}

/**
 * Imports entries of a content model, by its id: each row is the body of a `content.create`. The list in which `identify` looks is that of all
 * models, so no entry of another model may have the value of a row.
 * @category constructors
 */
export const importContent = <A = unknown, AE = A>(
  options: ImportInto<A, AE> & { readonly model: string }
): Job<FileInput, Admin.Client> => {
  const { model, name = `importContent.${model}`, row, ...others } = options
  return importing(name, rowBy(name, row), {
    ...others,
    write: (row, { idempotencyKey }) =>
      Content.create({ id: model, payload: bodyOf(row) }, { idempotencyKey }),
    ...lookingUp(Content.paginated, others.identify, {})
  })
}
