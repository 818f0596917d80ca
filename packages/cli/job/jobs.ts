/** The jobs of the command line. All that a run does stands in its input, so that any runner of the store can go on with it. */

import {
  beforeRefund,
  countRows,
  delimited,
  entries,
  type FileOptions,
  type FleetError,
  Format,
  Identify,
  inputOf,
  type Job,
  make as job,
  joinPages,
  judgedRows,
  judgeRefunds,
  numberOf,
  Parts,
  type Reads,
  type Rule,
  refundOf,
  rows,
  sourceFailed,
  totalOf,
  wasRefunded,
  writePage
} from "@quartet/fleet/extend"
import { type CallError, InputError, pages } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Values } from "../call/caller.js"
import * as Clients from "./clients.js"

const Fields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const Words = Schema.Array(Schema.String)

/** A file of rows. */
const source = {
  format: Schema.optional(Format),
  /** What is between the cells of CSV, where that was named or guessed. */
  delimiter: Schema.optional(Schema.String)
}

/** Whether the bodies are sent as they are, also with names that are not known. */
const raw = Schema.optional(Schema.Boolean)

const common = {
  /** The platform that the run is for. */
  address: Schema.String,
  /** The project of it, where that is configured. */
  project: Schema.optional(Schema.String),
  key: Schema.optional(Schema.NonEmptyString)
}

export const ImportInput = Schema.Struct({
  ...common,
  ...source,
  file: Schema.NonEmptyString,
  call: Schema.String,
  /** What the call takes beside the row. */
  input: Fields,
  /** How a lost answer is looked up. */
  identify: Schema.optional(Schema.Struct({ field: Schema.String, list: Schema.String, input: Fields })),
  honoursKeys: Schema.Boolean,
  raw,
  numbers: Words,
  booleans: Words
})
export interface ImportInput extends Schema.Schema.Type<typeof ImportInput> {}

export const ExportInput = Schema.Struct({
  ...common,
  format: Schema.optional(Format),
  file: Schema.NonEmptyString,
  call: Schema.String,
  input: Fields,
  columns: Schema.optional(Words),
  keepsFormulas: Schema.Boolean
})
export interface ExportInput extends Schema.Schema.Type<typeof ExportInput> {}

export const NotifyInput = Schema.Struct({
  ...common,
  ...source,
  call: Schema.String,
  payload: Fields,
  receiver: Schema.String,
  honoursKeys: Schema.Boolean,
  raw,
  audience: Schema.Union(
    Schema.Struct({ file: Schema.NonEmptyString }),
    Schema.Struct({ list: Schema.String, input: Fields })
  )
})
export interface NotifyInput extends Schema.Schema.Type<typeof NotifyInput> {}

export const RefundsInput = Schema.Struct({
  ...common,
  ...source,
  file: Schema.NonEmptyString
})
export interface RefundsInput extends Schema.Schema.Type<typeof RefundsInput> {}

/** How a run reads its file. */
const fileOptions = ({
  delimiter,
  format
}: {
  readonly format?: Format | undefined
  readonly delimiter?: string | undefined
}): FileOptions => ({ ...delimited(delimiter), format })

const keyOf = (parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

/** The keys of the runs: what is done to what, where, and what the user says beside that. */
export const keys = {
  import: ({ address, call, file, key, project }: ImportInput) => keyOf([file, call, address, project, key]),
  export: ({ address, call, file, key, project }: ExportInput) => keyOf([file, call, address, project, key]),
  notify: ({ address, call, key, project }: NotifyInput) => keyOf([call, address, project, key]),
  refunds: ({ address, file, key, project }: RefundsInput) => keyOf([file, address, project, key])
} as const

const wrong = (operation: string, field: string, rule: string) =>
  Either.left(new InputError({ operation, field: `row.${field}`, rule }))

/** The cells of CSV that are no texts. Empty ones are not there. */
const typed = (
  operation: string,
  row: unknown,
  { booleans, numbers }: Pick<ImportInput, "booleans" | "numbers">
) => {
  if (!isRecord(row)) return Either.right(row)
  const fields: Record<string, unknown> = { ...row }
  for (const name of numbers) {
    const cell = fields[name]
    if (cell === "" || cell === undefined) delete fields[name]
    else if (typeof cell !== "number") {
      const number = typeof cell === "string" ? numberOf(cell) : Either.left("must be a number")
      if (Either.isLeft(number)) return wrong(operation, name, number.left)
      fields[name] = number.right
    }
  }
  for (const name of booleans) {
    const text = String(fields[name] ?? "").toLowerCase()
    if (text === "") delete fields[name]
    else if (text === "true" || text === "false") fields[name] = text === "true"
    else return wrong(operation, name, "must be true or false")
  }
  return Either.right<unknown>(fields)
}

/** Judges the rows of an import beside each other, as the call is given them: by what identifies them. */
export const identified = (input: ImportInput): ((row: unknown) => Rule | undefined) => {
  if (input.identify === undefined) return () => undefined
  const ruleOf = Identify.identified(input.identify.field)
  // A row that is none fails by itself.
  return (row) => Either.match(typed(input.call, row, input), { onLeft: () => undefined, onRight: ruleOf })
}

/** Whether the row is the whole body of a call, or a part of its input. */
const hasPayload = (call: string): boolean => Clients.fieldsOf(call).includes("payload")

/** The input of the call for a row. */
export const inputFor = (input: ImportInput, row: unknown): Either.Either<Values, InputError> =>
  Either.flatMap(typed(input.call, row, input), (cells) => {
    if (hasPayload(input.call)) return Either.right({ ...input.input, payload: cells })
    return isRecord(cells)
      ? Either.right({ ...input.input, ...cells })
      : Either.left(new InputError({ operation: input.call, field: "row", rule: "must be an object" }))
  })

/** Whether a call makes an entry of a list: of any other one, that the entry is there says nothing. */
const makesEntries = (call: string): boolean => call.endsWith(".create")

export const importing: Job<ImportInput, Clients.Clients> = job("import", {
  input: ImportInput,
  key: keys.import,
  count: (input) => countRows(input.file, fileOptions(input)),
  refuse: (input): Effect.Effect<string | undefined, never, Clients.Clients> =>
    Clients.refusalOf(input, input.call),
  source: (input, skip) => {
    const options = { ...fileOptions(input), skip }
    const judge = () => {
      const ruleOf = identified(input)
      return (row: unknown) => Effect.sync(() => ruleOf(row))
    }
    const items =
      input.identify === undefined ? rows(input.file, options) : judgedRows(input.file, options, judge)
    return { from: skip, items }
  },
  concurrency: 16,
  each: (row, { idempotencyKey, input }): Effect.Effect<unknown, unknown, Clients.Clients> =>
    Effect.flatMap(inputFor(input, row), (callInput) =>
      Clients.make(input, input.call, callInput, idempotencyKey)
    ),
  hasBaseline: ({ call, identify }) => identify !== undefined && makesEntries(call),
  baseline: (row, { input }): Effect.Effect<unknown, unknown, Clients.Clients> => {
    const { identify } = input
    return identify !== undefined
      ? Effect.flatMap(typed(input.call, row, input), (sent) =>
          Clients.withList(input, identify.list, (list) =>
            Identify.foundBefore(list, { ...identify, row: sent })
          )
        )
      : Effect.succeed(null)
  },
  onUnknown: (row, { baseline, input }): Effect.Effect<Option.Option<unknown>, unknown, Clients.Clients> => {
    const { honoursKeys, identify } = input
    if (identify !== undefined && makesEntries(input.call))
      return Effect.flatMap(typed(input.call, row, input), (sent) =>
        Clients.withList(input, identify.list, (list) =>
          Identify.found(list, { ...identify, row: sent, baseline })
        )
      )
    return honoursKeys ? Identify.sendAgain() : Identify.leaveUnknown()
  }
})

export const exporting: Job<ExportInput, Clients.Clients> = job("export", {
  input: ExportInput,
  key: keys.export,
  count: (input): Effect.Effect<number, unknown, Clients.Clients> =>
    Clients.withList(input, input.call, (list) => totalOf(list, input.input)),
  refuse: (input): Effect.Effect<string | undefined, never, Clients.Clients> =>
    Clients.refusalOf(input, input.call),
  source: (input, skip) => ({
    from: skip,
    items: Clients.streamOf(input, input.call, (list) =>
      entries(list, { folder: Parts.folderOf(input.file, input.key), input: input.input, skip })
    )
  }),
  eachPage: writePage,
  finish: (input) => joinPages(input, input)
})

/** The id of a user, of a row or of an entry, or the rule that it breaks. */
export const userOf = (row: unknown): Either.Either<string, string> => {
  const { _id, id = _id, userId }: Values = isRecord(row) ? row : { id: row }
  if (userId === undefined && _id !== undefined && _id !== id)
    return Either.left("has an id that is another one than its _id")
  const user = userId === undefined ? id : userId
  if (Number.isSafeInteger(user)) return Either.right(String(user))
  return typeof user === "string" && user !== ""
    ? Either.right(user)
    : Either.left("has no userId, id or _id")
}

/** The ids of an audience. */
export const audienceOf = (
  input: NotifyInput,
  skip = 0
): Stream.Stream<string, CallError | FleetError, Clients.Clients> => {
  const { audience } = input
  const name = "file" in audience ? audience.file : audience.list
  const users: Stream.Stream<unknown, CallError | FleetError, Clients.Clients> =
    "file" in audience
      ? rows(audience.file, { ...fileOptions(input), skip })
      : Stream.drop(
          Clients.streamOf(input, audience.list, (list) => pages(list, audience.input)),
          skip
        )
  return Stream.mapEffect(Stream.zipWithIndex(users), ([row, index]) =>
    Either.mapLeft(userOf(row), (rule) => sourceFailed(`${name}: number ${skip + index + 1} ${rule}`))
  )
}

/** The body for a user: the field is a list where its name is that of many. */
export const bodyFor = ({ payload, receiver }: NotifyInput, user: string): Values => ({
  payload: { ...payload, [receiver]: receiver.endsWith("s") ? [user] : user }
})

export const notifying: Job<NotifyInput, Clients.Clients> = job("notify", {
  input: NotifyInput,
  key: keys.notify,
  count: (input): Effect.Effect<number, unknown, Clients.Clients> => {
    const { audience } = input
    return "file" in audience
      ? countRows(audience.file, fileOptions(input))
      : Clients.withList(input, audience.list, (list) => totalOf(list, audience.input))
  },
  refuse: (input): Effect.Effect<string | undefined, never, Clients.Clients> =>
    Clients.refusalOf(input, input.call),
  source: (input, skip) => ({ from: skip, items: audienceOf(input, skip) }),
  item: Schema.String,
  concurrency: 16,
  each: (user, { idempotencyKey, input }): Effect.Effect<unknown, unknown, Clients.Clients> =>
    Clients.make(input, input.call, bodyFor(input, user), idempotencyKey),
  onUnknown: (_, { input }): Effect.Effect<Option.Option<unknown>, unknown> =>
    input.honoursKeys ? Identify.sendAgain() : Identify.leaveUnknown()
})

const refund = "admin.payments.refund"

const readsOf = (target: RefundsInput): Reads<unknown, Clients.Clients> => ({
  get: (request) => Clients.make(target, "admin.payments.get", request),
  events: (request) => Clients.streamOf(target, "admin.payments.events", (list) => pages(list, request))
})

export const refunding: Job<RefundsInput, Clients.Clients> = job("refunds", {
  input: RefundsInput,
  key: keys.refunds,
  count: (input) => countRows(input.file, fileOptions(input)),
  refuse: (input): Effect.Effect<string | undefined, never, Clients.Clients> =>
    Clients.refusalOf(input, refund),
  source: (input, skip) => ({
    from: skip,
    items: judgedRows(input.file, { ...fileOptions(input), skip }, judgeRefunds)
  }),
  each: (row, { idempotencyKey, input }): Effect.Effect<unknown, unknown, Clients.Clients> =>
    Effect.flatMap(refundOf("refunds", row), (requested) =>
      Clients.make(input, refund, inputOf(requested), idempotencyKey)
    ),
  baseline: (row, { input }): Effect.Effect<unknown, unknown, Clients.Clients> =>
    Effect.flatMap(refundOf("refunds", row), (requested) => beforeRefund(readsOf(input), requested)),
  onUnknown: (row, context): Effect.Effect<Option.Option<unknown>, unknown, Clients.Clients> =>
    Effect.flatMap(refundOf("refunds", row), (requested) =>
      wasRefunded(readsOf(context.input), requested, context)
    )
})

/** All of them. */
export const jobs = [importing, exporting, notifying, refunding] as const
