/** Ready jobs that import the rows of a file: one write for each. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type Format, rows } from "../../adapters/fleet/rows.js"
import { InputError } from "../../core/kernel/errors/errors.js"
import type * as Admin from "../admin/client.js"
import * as Content from "../admin/content.js"
import * as Entities from "../admin/entities.js"
import type { ItemContext } from "./definition.js"
import { FileInput, keyOf } from "./file.js"
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
  /** The write for one row, usually one call with the context's `idempotencyKey`. */
  readonly write: (row: A, context: ItemContext<FileInput>) => Effect.Effect<unknown, E, R>
  /** Whether a row whose answer was lost was written: see `Fleet.found`, `Fleet.sendAgain` and `Fleet.leaveUnknown`. */
  readonly onUnknown: (
    row: A,
    context: ItemContext<FileInput>
  ) => Effect.Effect<Option.Option<unknown>, unknown, UR>
}

const workOf = ({ attempts, concurrency, lanes, maxFailures, page }: Work): Work => ({
  ...(attempts === undefined ? {} : { attempts }),
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(lanes === undefined ? {} : { lanes }),
  ...(maxFailures === undefined ? {} : { maxFailures }),
  ...(page === undefined ? {} : { page })
})

/** Reads a row by a schema. The error names the field, and shows nothing of the row. */
const rowBy = <A, AE>(
  name: string,
  schema: Schema.Schema<A, AE>
): ((row: unknown) => Effect.Effect<A, InputError>) => {
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

/**
 * A job that imports a file of CSV or NDJSON: `importProducts.start({ file: "products.csv" })`. The rows are read in the file's order, so the
 * file must not change while the run reads it, unless it is to be corrected behind what was read. All runners have to see it under one path.
 * @category constructors
 */
export const importJob = <A = unknown, AE = A, E = never, R = never, UR = never>(
  name: string,
  options: ImportOptions<A, AE, E, R, UR>
): Job<FileInput, R | UR> => {
  // Without a schema a row is A as it is, which is then unknown.
  const schema = options.row ?? (Schema.Unknown as unknown as Schema.Schema<A, AE>)
  const read = rowBy(name, schema)
  return make(name, {
    ...workOf(options),
    input: FileInput,
    key: keyOf,
    source: ({ file }, skip) => {
      const format = options.format
      return { from: skip, items: rows(file, { format, skip }) }
    },
    each: (row, context): Effect.Effect<unknown, unknown, R> =>
      Effect.flatMap(read(row), (one) => options.write(one, context)),
    onUnknown: (row, context) => Effect.flatMap(read(row), (one) => options.onUnknown(one, context))
  })
}

/** What the ready imports take beside that. @category models */
export interface ImportInto<A, AE> extends Work {
  readonly name?: string
  readonly row?: Schema.Schema<A, AE>
  readonly format?: Format
  /**
   * A field that no two rows share, such as `sku`. Where an answer was lost, the platform's list is asked for it. Without it such rows are
   * listed as unknown.
   */
  readonly identify?: string
}

/**
 * Imports entities of a kind: each row is the body of an `entities.create`.
 * @category constructors
 */
export const importEntities = <A = unknown, AE = A>(
  options: ImportInto<A, AE> & { readonly kind: string }
): Job<FileInput, Admin.Client> => {
  const { identify: field, kind, name = `importEntities.${kind}` } = options
  return importJob(name, {
    ...options,
    write: (payload, { idempotencyKey }) => Entities.create({ kind, payload }, { idempotencyKey }),
    onUnknown: (row): Effect.Effect<Option.Option<unknown>, unknown, Admin.Client> =>
      field === undefined
        ? Identify.leaveUnknown()
        : Identify.found(Entities.list, { row, field, input: { kind } })
  })
}

/**
 * Imports entries of a content model, by its id: each row is the body of a `content.create`.
 * @category constructors
 */
export const importContent = <A = unknown, AE = A>(
  options: ImportInto<A, AE> & { readonly model: string }
): Job<FileInput, Admin.Client> => {
  const { identify: field, model, name = `importContent.${model}` } = options
  return importJob(name, {
    ...options,
    write: (payload, { idempotencyKey }) => Content.create({ id: model, payload }, { idempotencyKey }),
    onUnknown: (row): Effect.Effect<Option.Option<unknown>, unknown, Admin.Client> =>
      field === undefined
        ? Identify.leaveUnknown()
        : Identify.found(Content.paginated, { row, field, input: {} })
  })
}
