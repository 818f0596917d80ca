/** What `quartet job run` is to do: which job, with which input, and what that would call. */
import { statSync } from "node:fs"
import {
  delimited,
  type FileOptions,
  type Fleet,
  type FleetError,
  type Format,
  formatOf,
  inputOf,
  type Job,
  pathOf,
  type Rule,
  type Run,
  refundOf,
  repeats
} from "@quartet/fleet/extend"
import {
  type CallError,
  Encoder,
  type InputError,
  isPaged,
  meant,
  type Refusal,
  sliceOf,
  Written
} from "@quartet/sdk/extend"
import { type Described, passed } from "@quartet/sdk/extend/description"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { find, type Values } from "../call/caller.js"
import { uselessRaw } from "../call/input.js"
import * as Names from "../call/names.js"
import { clientOf } from "../connection.js"
import { aloneOf, codes, Problem } from "../exit.js"
import type * as Clients from "./clients.js"
import * as Jobs from "./jobs.js"
import type {
  ExportOptions,
  ImportOptions,
  NotifyOptions,
  OwnOptions,
  RefundsOptions,
  RunOptions
} from "./options.js"

/** One call that would be made. */
export interface Would {
  readonly call: string
  readonly input: Values
}

/** What a run is to be. */
export interface Plan {
  readonly job: string
  /** What the run is started with, as it is kept. */
  readonly input: unknown
  /** The file that it reads, and the columns that options name of it. */
  readonly source?: Source
  /** The run's key, where it is known. */
  readonly key: string | undefined
  readonly start: Effect.Effect<Run, FleetError | InputError, Fleet>
  /** What a person agrees to before it is started; undefined where it only reads. */
  readonly question: string | undefined
  /** The file that it writes. */
  readonly output?: string
  /** What it would call for its first items, where those are of no file; undefined where nobody can know. */
  readonly preview: Stream.Stream<Would, CallError | FleetError, Clients.Clients> | undefined
  /** What it would call for a row of its file, and for one after another; the rule that the row breaks, where it would be refused. */
  readonly judge?: () => (row: unknown) => Either.Either<Would, Rule>
  /** The calls that it makes, whose clients have to be there. */
  readonly calls: ReadonlyArray<Described>
}

/** A file of rows. */
export interface Source {
  /** As it was given. */
  readonly file: string
  readonly options: FileOptions
  readonly columns: ReadonlyArray<readonly [option: string, name: string]>
}

/** What a run is for. */
export interface Target extends Clients.Addressed {
  /** What is between the cells of its file, where no option says that. */
  readonly delimiter?: string | undefined
}

const refuse = (message: string, next: string) =>
  Either.left(new Problem({ message, next, code: codes.usage }))

type Read<A> = Either.Either<A, Problem>

/** The JSON of an option, which is refused so where it is none. */
const jsonOf = (text: string, flag: string, refused: Problem): Read<unknown> =>
  Either.flatMap(Either.try({ try: (): unknown => JSON.parse(text), catch: () => refused }), (value) => {
    const rule = Written.ruleOf(text)
    return rule === undefined
      ? Either.right(value)
      : Either.left(new Problem({ message: `--${flag} ${rule}`, code: codes.usage }))
  })

/** The JSON object of an option. */
const fieldsOf = (value: Option.Option<string>, flag: string): Read<Values> => {
  if (Option.isNone(value)) return Either.right({})
  const refused = new Problem({
    message: `--${flag} must be a JSON object`,
    next: `Such as: --${flag} '{"kind": "shoe"}'`,
    code: codes.usage
  })
  return Either.filterOrLeft(jsonOf(value.value, flag, refused), isRecord, () => refused)
}

/** A file that is to be read, which has to be there. */
const sourceOf = (
  file: string,
  delimiterOption: RefundsOptions["delimiter"],
  target: Target,
  columns: Source["columns"] = []
): Read<Source> => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined)
    return refuse(`there is no file ${file}`, "Check its path: all runners have to see it under this one.")
  // It is read again where a run goes on, which a pipe cannot be.
  if (!stats.isFile())
    return refuse(
      `${file} is ${stats.isDirectory() ? "a folder" : "no regular file"}`,
      "Name a file of rows."
    )
  const delimiter = Option.getOrUndefined(
    Option.map(delimiterOption, (word) => (word === "tab" || word === "\\t" ? "\t" : word)).pipe(
      Option.orElse(() => Option.fromNullable(target.delimiter))
    )
  )
  return Either.flatMap(formatFor(file), (format) =>
    delimiter !== undefined && format !== "csv"
      ? refuse(`--delimiter is for CSV, and ${file} is ${format}`, "Leave it out.")
      : Either.right({ file, options: { ...delimited(delimiter), format }, columns })
  )
}

/** A file that is to be written. */
const outputOf = (file: string): Read<string> =>
  statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
    ? refuse(`${file} is a folder`, "Name a file in it, such as items.csv.")
    : Either.right(file)

/** What of the input of a run says that its bodies are sent as they are. */
const rawOf = (of: Described, isRaw: boolean): Read<{ readonly raw?: true }> => {
  if (!isRaw) return Either.right({})
  const useless = uselessRaw(of)
  return useless === undefined ? Either.right({ raw: true }) : Either.left(useless)
}

/** What of `--input` is no field of the call. */
const checkedInput = (of: Described, input: Values): Read<Values> => {
  const names = of.fields.map(({ name }) => name)
  const odd = Object.keys(input).find((name) => !names.includes(name))
  return odd === undefined
    ? Either.right(input)
    : refuse(
        `--input: "${odd}" is no field of ${of.name}${meant(odd, names)}`,
        `See: quartet operations ${clientOf(of.audience)}.${of.name}`
      )
}

const formatFor = (file: string): Read<Format> =>
  Either.fromNullable(
    formatOf(file),
    () =>
      new Problem({
        message: `${file} is neither .csv nor .ndjson nor .jsonl`,
        next: "Give the file one of these names.",
        code: codes.usage
      })
  )

/** A call that is no list, and takes rows one by one. */
const writeOf = (name: string, as: ImportOptions["as"]): Read<Described> =>
  Either.flatMap(find(name, Option.getOrUndefined(as)), (of) =>
    of.isRead || of.isUpload || of.isDownload
      ? refuse(`${name} writes nothing`, "Search those that do: quartet operations create")
      : Either.right(of)
  )

const listOf = (name: string, as: ImportOptions["as"]): Read<Described> =>
  Either.flatMap(find(name, Option.getOrUndefined(as)), (of) =>
    isPaged(of.operation)
      ? Either.right(of)
      : refuse(`${name} answers no list page by page`, "Search those that do: quartet operations list")
  )

/** The list in which the entries stand that a call makes. */
const siblingOf = ({ audience, name }: Described): Read<Described> => {
  const list = ["list", "paginated", "search"]
    .flatMap((call) => Names.calls(`${sliceOf(name)}.${call}`))
    .find((call) => call.audience === audience && isPaged(call.operation))
  return list === undefined
    ? refuse(`--identify: there is no list in which what ${name} makes could be looked up`, "Leave it out.")
    : Either.right(list)
}

/** What of a call's input a list takes too, such as the kind of an entity. */
const shared = (list: Described, input: Values): Values =>
  Object.fromEntries(
    Object.entries(input).filter(([name]) => list.fields.some((field) => field.name === name))
  )

const some = <Name extends string>(
  name: Name,
  value: Option.Option<string>
): { readonly [K in Name]?: string } =>
  Option.match(value, {
    onNone: () => ({}),
    onSome: (text) => ({ [name]: text }) as { readonly [K in Name]: string }
  })

/** How many items a dry run shows. */
export const shownItems = 5

/** A field of a row, of whichever part of the input it becomes. */
const ruleOf = ({ field, rule: known }: Refusal): Rule => {
  const alone = aloneOf(known)
  const rule = alone === undefined ? known : `${alone}; --raw passes it`
  const [part, ...column] = field.split(".")
  const isPart = part === "row" || part === "payload"
  if (!isPart) return { column: field, rule }
  return column.length === 0 ? { rule } : { column: column.join("."), rule }
}

/** Judges rows beside those before them, by what becomes of them, and then as the call's client does before it sends. */
const judgeOf = (
  of: Described,
  { raw }: Clients.Addressed,
  input: (row: unknown) => Either.Either<Values, Rule>,
  beside: () => (row: unknown) => Rule | undefined = () => () => undefined
): NonNullable<Plan["judge"]> => {
  // Paths and projects are the client's: they say nothing about a row.
  const encode = Encoder.make(of.operation.declaration(), {
    prefix: "",
    projectId: "any",
    projectInQuery: false
  })
  return () => {
    const ruleBeside = beside()
    return (row) => {
      const broken = ruleBeside(row)
      if (broken !== undefined) return Either.left(broken)
      return Either.flatMap(input(row), (callInput) =>
        Either.mapBoth(encode(raw === true ? passed(of.fields, callInput) : callInput), {
          onLeft: ruleOf,
          onRight: () => ({ call: of.key, input: callInput })
        })
      )
    }
  }
}

/** What of the platform stands in a run's input. */
const placed = ({ address, project }: Target) => ({ address, ...(project === undefined ? {} : { project }) })

/** Reads what is to be done by the options of a job. */
export type Planned<Options extends RunOptions> = (options: Options, target: Target) => Read<Plan>

export const importPlan: Planned<ImportOptions> = (options, target) =>
  Either.gen(function* () {
    const { as, booleans, file, honoursKeys, key, numbers } = options
    const source = yield* sourceOf(file, options.delimiter, target, [
      ...Option.toArray(options.identify).map((name) => ["identify", name] as const),
      ...numbers.map((name) => ["numbers", name] as const),
      ...booleans.map((name) => ["booleans", name] as const)
    ])
    const of = yield* writeOf(options.to, as)
    const input = yield* checkedInput(of, yield* fieldsOf(options.input, "input"))
    const missing = of.fields.find(
      ({ isRequired, name }) =>
        isRequired &&
        name !== "payload" &&
        !(name in input) &&
        of.fields.some((field) => field.name === "payload")
    )
    if (missing !== undefined)
      return yield* refuse(
        `${of.name} needs the field "${missing.name}" beside the row`,
        `Such as: --input '{"${missing.name}": "…"}'`
      )
    const field = Option.getOrUndefined(options.identify)
    const list = field === undefined ? undefined : yield* siblingOf(of)
    const jobInput: Jobs.ImportInput = {
      ...placed(target),
      ...source.options,
      file: pathOf(file),
      call: of.key,
      input,
      honoursKeys,
      ...(yield* rawOf(of, options.isRaw)),
      numbers,
      booleans,
      ...(field === undefined || list === undefined
        ? {}
        : { identify: { field, list: list.key, input: shared(list, input) } }),
      ...some("key", key)
    }
    return {
      job: "import",
      input: jobInput,
      source,
      key: Jobs.keys.import(jobInput),
      start: Jobs.importing.start(jobInput),
      question: `Import ${file}: one ${clientOf(of.audience)}.${of.name} for each row, to ${target.address}?`,
      preview: undefined,
      judge: judgeOf(
        of,
        jobInput,
        (row) => Either.mapLeft(Jobs.inputFor(jobInput, row), ruleOf),
        () => Jobs.identified(jobInput)
      ),
      calls: list === undefined ? [of] : [of, list]
    }
  })

export const exportPlan: Planned<ExportOptions> = (options, target) =>
  Either.gen(function* () {
    const file = yield* outputOf(options.file)
    const format = yield* formatFor(file)
    const of = yield* listOf(options.call, options.as)
    const input = yield* checkedInput(of, yield* fieldsOf(options.input, "input"))
    const jobInput: Jobs.ExportInput = {
      ...placed(target),
      format,
      file: pathOf(file),
      call: of.key,
      input,
      keepsFormulas: options.keepsFormulas,
      ...(options.columns.length === 0 ? {} : { columns: options.columns }),
      ...some("key", options.key)
    }
    return {
      job: "export",
      input: jobInput,
      key: Jobs.keys.export(jobInput),
      start: Jobs.exporting.start(jobInput),
      question: undefined,
      output: file,
      preview: Stream.succeed({ call: of.key, input }),
      calls: [of]
    }
  })

/** The input of a list of users in which each keeps its place, unless it asks for another order. */
const oldestFirst = (input: Values): Values => ({
  ...input,
  query: { sort: "createdAt", ...Object(input.query) }
})

export const notifyPlan: Planned<NotifyOptions> = (options, target) =>
  Either.gen(function* () {
    const { as, honoursKeys, key, receiver, to } = options
    const of = yield* writeOf(to, as)
    if (sliceOf(of.name) !== "notifications" || !of.fields.some(({ name }) => name === "payload"))
      return yield* refuse(
        `${of.name} sends no notification with a body`,
        "notifications.send, notifications.sendInApp and notifications.pushToUsers do."
      )
    const payload = yield* fieldsOf(Option.some(options.payload), "payload")
    if (Object.keys(payload).length === 0)
      return yield* refuse("--payload has no fields", `Such as: --payload '{"title": "…", "body": "…"}'`)
    const fields = yield* fieldsOf(options.input, "input")
    if (Option.isSome(options.file) && Option.isSome(options.call))
      return yield* refuse("--file and --call are both given", "The audience is one of them.")
    const list = Option.isSome(options.file)
      ? undefined
      : yield* listOf(
          Option.getOrElse(options.call, () => "users.list"),
          Option.none()
        )
    if (list === undefined && Option.isSome(options.input))
      return yield* refuse("--input is for the list of --call", "Leave it out beside --file.")
    const input =
      list === undefined
        ? fields
        : yield* checkedInput(list, list.name === "users.list" ? oldestFirst(fields) : fields)
    const source = Option.isSome(options.file)
      ? yield* sourceOf(options.file.value, options.delimiter, target)
      : undefined
    if (source === undefined && Option.isSome(options.delimiter))
      return yield* refuse("--delimiter is for --file", "Leave it out.")
    const jobInput: Jobs.NotifyInput = {
      ...placed(target),
      call: of.key,
      payload,
      receiver,
      honoursKeys,
      ...(yield* rawOf(of, options.isRaw)),
      key,
      ...source?.options,
      audience: list === undefined ? { file: pathOf(source?.file ?? "") } : { list: list.key, input }
    }
    const who = list === undefined ? (source?.file ?? "") : list.name
    return {
      job: "notify",
      input: jobInput,
      ...(source === undefined ? {} : { source }),
      key: Jobs.keys.notify(jobInput),
      start: Jobs.notifying.start(jobInput),
      question: `Notify everybody of ${who}: one ${clientOf(of.audience)}.${of.name} for each, to ${target.address}? It cannot be taken back.`,
      ...(source === undefined
        ? {
            preview: Stream.map(Stream.take(Jobs.audienceOf(jobInput), shownItems), (user) => ({
              call: of.key,
              input: Jobs.bodyFor(jobInput, user)
            }))
          }
        : {
            preview: undefined,
            judge: judgeOf(of, jobInput, (row) =>
              Either.mapBoth(Jobs.userOf(row), {
                onLeft: (rule) => ({ rule }),
                onRight: (user) => Jobs.bodyFor(jobInput, user)
              })
            )
          }),
      calls: list === undefined ? [of] : [of, list]
    }
  })

export const refundsPlan: Planned<RefundsOptions> = (options, target) =>
  Either.gen(function* () {
    const { file } = options
    const source = yield* sourceOf(file, options.delimiter, target)
    const of = yield* find("payments.refund", "admin")
    const jobInput: Jobs.RefundsInput = {
      ...placed(target),
      ...source.options,
      file: pathOf(file),
      ...some("key", options.key)
    }
    return {
      job: "refunds",
      input: jobInput,
      source,
      key: Jobs.keys.refunds(jobInput),
      start: Jobs.refunding.start(jobInput),
      question: `Refund the payments of ${file} at ${target.address}? It is about money, and cannot be undone.`,
      preview: undefined,
      judge: judgeOf(
        of,
        jobInput,
        (row) => Either.mapBoth(refundOf("refunds", row), { onLeft: ruleOf, onRight: inputOf }),
        repeats
      ),
      calls: [of]
    }
  })

/** The jobs that the command line has. */
const ready = Jobs.jobs.map(({ name }) => name)

/** One of a module's jobs. */
export const ownPlan =
  (jobs: ReadonlyArray<Job<unknown, unknown>>): Planned<OwnOptions> =>
  (options) =>
    Either.gen(function* () {
      if (Option.isNone(options.module))
        return yield* refuse(
          `there is no job ${JSON.stringify(options.job)}${meant(options.job, ready)}`,
          `There are ${ready.join(", ")}; for one of your own, pass --module.`
        )
      const names = jobs.map(({ name }) => name)
      const job = jobs.find(({ name }) => name === options.job)
      if (job === undefined)
        return yield* refuse(
          `the module has no job ${JSON.stringify(options.job)}${meant(options.job, names)}`,
          `It has: ${names.join(", ")}.`
        )
      const refused = new Problem({ message: "--input must be JSON", code: codes.usage })
      const input = Option.isNone(options.input) ? {} : yield* jsonOf(options.input.value, "input", refused)
      return {
        job: job.name,
        // Where it is not what the job's schema says, the start says so.
        input: Either.getOrElse(Schema.encodeEither(job.definition.input)(input), () => input),
        key: undefined,
        start: job.start(input),
        question: `Run ${job.name}?`,
        preview: undefined,
        calls: []
      }
    })
