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
import type { Described } from "@quartet/sdk/extend/description"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { find, type Values } from "../caller.js"
import { clientOf } from "../clients.js"
import { codes, Problem } from "../exit.js"
import * as Names from "../names.js"
import type * as Clients from "./clients.js"
import type { RunGiven } from "./given.js"
import * as Jobs from "./jobs.js"
import type { Module } from "./module.js"

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

const refuse = (message: string, next: string) =>
  Either.left(new Problem({ message, next, code: codes.usage }))

type Read<A> = Either.Either<A, Problem>

/** The options that each job takes, beside those of the runner. */
const taken = {
  import: ["file", "delimiter", "to", "input", "as", "identify", "numbers", "booleans", "honoursKeys", "key"],
  export: ["file", "call", "input", "as", "columns", "keepsFormulas", "key"],
  notify: ["file", "delimiter", "to", "call", "input", "as", "payload", "receiver", "honoursKeys", "key"],
  refunds: ["file", "delimiter", "key"],
  own: ["input"]
} as const satisfies Record<string, ReadonlyArray<keyof RunGiven>>

/** The options as they are written. */
const flags = {
  file: "file",
  to: "to",
  call: "call",
  input: "input",
  as: "as",
  delimiter: "delimiter",
  identify: "identify",
  numbers: "numbers",
  booleans: "booleans",
  columns: "columns",
  keepsFormulas: "keep-formulas",
  payload: "payload",
  receiver: "receiver",
  honoursKeys: "honours-keys",
  key: "key"
} as const satisfies Partial<Record<keyof RunGiven, string>>

const isGiven = (value: unknown): boolean => {
  if (Option.isOption(value)) return Option.isSome(value)
  return Array.isArray(value) ? value.length > 0 : value === true
}

/** Refuses options that another job has. */
const checked = (given: RunGiven, job: keyof typeof taken): Read<void> => {
  const known: ReadonlyArray<string> = taken[job]
  const wrong = Object.entries(flags).find(
    ([name]) => !known.includes(name) && isGiven(given[name as keyof typeof flags])
  )
  return wrong === undefined
    ? Either.void
    : refuse(
        `--${wrong[1]} is not for ${job === "own" ? "a job of a module" : `the job ${job}`}`,
        "See: quartet job run --help"
      )
}

const need = (value: Option.Option<string>, flag: string, example: string): Read<string> =>
  Either.fromOption(
    value,
    () =>
      new Problem({
        message: `--${flag} is missing`,
        next: `Such as: --${flag} ${example}`,
        code: codes.usage
      })
  )

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
  given: RunGiven["delimiter"],
  columns: Source["columns"] = []
): Read<Source> => {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined)
    return refuse(`there is no file ${file}`, "Check its path: all runners have to see it under this one.")
  // It is read again where a run goes on, which a pipe cannot be.
  if (!found.isFile())
    return refuse(
      `${file} is ${found.isDirectory() ? "a folder" : "no regular file"}`,
      "Name a file of rows."
    )
  const delimiter = Option.getOrUndefined(
    Option.map(given, (word) => (word === "tab" || word === "\\t" ? "\t" : word))
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

/** What of `--input` is no field of the call. */
const checkedInput = (of: Described, input: Values): Read<Values> => {
  const names = of.fields.map(({ name }) => name)
  const odd = of.isOpen ? undefined : Object.keys(input).find((name) => !names.includes(name))
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
const writeOf = (name: string, as: RunGiven["as"]): Read<Described> =>
  Either.flatMap(find(name, Option.getOrUndefined(as)), (of) =>
    of.isRead || of.isUpload || of.isDownload
      ? refuse(`${name} writes nothing`, "Search those that do: quartet operations create")
      : Either.right(of)
  )

const listOf = (name: string, as: RunGiven["as"]): Read<Described> =>
  Either.flatMap(find(name, Option.getOrUndefined(as)), (of) =>
    isPaged(of.operation)
      ? Either.right(of)
      : refuse(`${name} answers no list page by page`, "Search those that do: quartet operations list")
  )

/** The list in which the entries stand that a call makes. */
const siblingOf = ({ audience, name }: Described): Read<Described> => {
  const found = ["list", "paginated", "search"]
    .flatMap((call) => Names.calls(`${sliceOf(name)}.${call}`))
    .find((one) => one.audience === audience && isPaged(one.operation))
  return found === undefined
    ? refuse(`--identify: there is no list in which what ${name} makes could be looked up`, "Leave it out.")
    : Either.right(found)
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
const ruleOf = ({ field, rule }: Refusal): Rule => {
  const [part, ...column] = field.split(".")
  const isPart = part === "row" || part === "payload"
  if (!isPart) return { column: field, rule }
  return column.length === 0 ? { rule } : { column: column.join("."), rule }
}

/** Judges rows beside those before them, by what becomes of them, and then as the call's client does before it sends. */
const judgeOf = (
  of: Described,
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
      return Either.flatMap(input(row), (asked) =>
        Either.mapBoth(encode(asked), { onLeft: ruleOf, onRight: () => ({ call: of.key, input: asked }) })
      )
    }
  }
}

/** The platform that a run is for. */
type Target = Clients.Addressed

/** What of it stands in a run's input. */
const placed = ({ address, project }: Target) => ({ address, ...(project === undefined ? {} : { project }) })

const importPlan = (given: RunGiven, target: Target): Read<Plan> =>
  Either.gen(function* () {
    const { as, booleans, honoursKeys, key, numbers } = given
    const file = yield* need(given.file, "file", "items.csv")
    const source = yield* sourceOf(file, given.delimiter, [
      ...Option.toArray(given.identify).map((name) => ["identify", name] as const),
      ...numbers.map((name) => ["numbers", name] as const),
      ...booleans.map((name) => ["booleans", name] as const)
    ])
    const to = yield* need(given.to, "to", "entities.create")
    const of = yield* writeOf(to, as)
    const input = yield* checkedInput(of, yield* fieldsOf(given.input, "input"))
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
    const field = Option.getOrUndefined(given.identify)
    const list = field === undefined ? undefined : yield* siblingOf(of)
    const asked: Jobs.ImportInput = {
      ...placed(target),
      ...source.options,
      file: pathOf(file),
      call: of.key,
      input,
      honoursKeys,
      numbers,
      booleans,
      ...(field === undefined || list === undefined
        ? {}
        : { identify: { field, list: list.key, input: shared(list, input) } }),
      ...some("key", key)
    }
    return {
      job: "import",
      input: asked,
      source,
      key: Jobs.keys.import(asked),
      start: Jobs.importing.start(asked),
      question: `Import ${file}: one ${clientOf(of.audience)}.${of.name} for each row, to ${target.address}?`,
      preview: undefined,
      judge: judgeOf(
        of,
        (row) => Either.mapLeft(Jobs.inputFor(asked, row), ruleOf),
        () => Jobs.identified(asked)
      ),
      calls: list === undefined ? [of] : [of, list]
    }
  })

const exportPlan = (given: RunGiven, target: Target): Read<Plan> =>
  Either.gen(function* () {
    const file = yield* outputOf(yield* need(given.file, "file", "items.csv"))
    const format = yield* formatFor(file)
    const of = yield* listOf(yield* need(given.call, "call", "items.list"), given.as)
    const input = yield* checkedInput(of, yield* fieldsOf(given.input, "input"))
    const asked: Jobs.ExportInput = {
      ...placed(target),
      format,
      file: pathOf(file),
      call: of.key,
      input,
      keepsFormulas: given.keepsFormulas,
      ...(given.columns.length === 0 ? {} : { columns: given.columns }),
      ...some("key", given.key)
    }
    return {
      job: "export",
      input: asked,
      key: Jobs.keys.export(asked),
      start: Jobs.exporting.start(asked),
      question: undefined,
      output: file,
      preview: Stream.succeed({ call: of.key, input }),
      calls: [of]
    }
  })

const notifyPlan = (given: RunGiven, target: Target): Read<Plan> =>
  Either.gen(function* () {
    const { as, honoursKeys } = given
    const key = yield* need(given.key, "key", "spring-sale")
    const of = yield* writeOf(
      Option.getOrElse(given.to, () => "notifications.send"),
      as
    )
    if (sliceOf(of.name) !== "notifications" || !of.fields.some(({ name }) => name === "payload"))
      return yield* refuse(
        `${of.name} sends no notification with a body`,
        "notifications.send, notifications.sendInApp and notifications.pushToUsers do."
      )
    const payload = yield* fieldsOf(given.payload, "payload")
    if (Object.keys(payload).length === 0)
      return yield* refuse("--payload is missing", `Such as: --payload '{"title": "…", "body": "…"}'`)
    const fields = yield* fieldsOf(given.input, "input")
    if (Option.isSome(given.file) && Option.isSome(given.call))
      return yield* refuse("--file and --call are both given", "The audience is one of them.")
    const list = Option.isSome(given.file)
      ? undefined
      : yield* listOf(
          Option.getOrElse(given.call, () => "users.list"),
          Option.none()
        )
    if (list === undefined && Option.isSome(given.input))
      return yield* refuse("--input is for the list of --call", "Leave it out beside --file.")
    const input =
      list === undefined
        ? fields
        : yield* checkedInput(list, list.name === "users.list" ? { sort: "createdAt", ...fields } : fields)
    const source = Option.isSome(given.file) ? yield* sourceOf(given.file.value, given.delimiter) : undefined
    if (source === undefined && Option.isSome(given.delimiter))
      return yield* refuse("--delimiter is for --file", "Leave it out.")
    const asked: Jobs.NotifyInput = {
      ...placed(target),
      call: of.key,
      payload,
      receiver: Option.getOrElse(given.receiver, () => "userId"),
      honoursKeys,
      key,
      ...source?.options,
      audience: list === undefined ? { file: pathOf(source?.file ?? "") } : { list: list.key, input }
    }
    const who = list === undefined ? (source?.file ?? "") : list.name
    return {
      job: "notify",
      input: asked,
      ...(source === undefined ? {} : { source }),
      key: Jobs.keys.notify(asked),
      start: Jobs.notifying.start(asked),
      question: `Notify everybody of ${who}: one ${clientOf(of.audience)}.${of.name} for each, to ${target.address}? It cannot be taken back.`,
      ...(source === undefined
        ? {
            preview: Stream.map(Stream.take(Jobs.audienceOf(asked), shownItems), (user) => ({
              call: of.key,
              input: Jobs.bodyFor(asked, user)
            }))
          }
        : {
            preview: undefined,
            judge: judgeOf(of, (row) =>
              Either.mapBoth(Jobs.userOf(row), {
                onLeft: (rule) => ({ rule }),
                onRight: (user) => Jobs.bodyFor(asked, user)
              })
            )
          }),
      calls: list === undefined ? [of] : [of, list]
    }
  })

const refundsPlan = (given: RunGiven, target: Target): Read<Plan> =>
  Either.gen(function* () {
    const file = yield* need(given.file, "file", "refunds.csv")
    const source = yield* sourceOf(file, given.delimiter)
    const of = yield* find("payments.refund", "admin")
    const asked: Jobs.RefundsInput = {
      ...placed(target),
      ...source.options,
      file: pathOf(file),
      ...some("key", given.key)
    }
    return {
      job: "refunds",
      input: asked,
      source,
      key: Jobs.keys.refunds(asked),
      start: Jobs.refunding.start(asked),
      question: `Refund the payments of ${file} at ${target.address}? It is about money, and cannot be undone.`,
      preview: undefined,
      judge: judgeOf(
        of,
        (row) => Either.mapBoth(refundOf("refunds", row), { onLeft: ruleOf, onRight: inputOf }),
        repeats
      ),
      calls: [of]
    }
  })

const ownPlan = (given: RunGiven, jobs: ReadonlyArray<Job<unknown, unknown>>): Read<Plan> =>
  Either.gen(function* () {
    const names = jobs.map(({ name }) => name)
    const job = jobs.find(({ name }) => name === given.job)
    if (job === undefined)
      return yield* refuse(
        `the module has no job ${JSON.stringify(given.job)}${meant(given.job, names)}`,
        `It has: ${names.join(", ")}.`
      )
    const refused = new Problem({ message: "--input must be JSON", code: codes.usage })
    const input = Option.isNone(given.input) ? {} : yield* jsonOf(given.input.value, "input", refused)
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

const ready = { import: importPlan, export: exportPlan, notify: notifyPlan, refunds: refundsPlan } as const

const isReady = (name: string): name is keyof typeof ready => Object.hasOwn(ready, name)

/** Whether a run is one of the module's jobs. */
export const isOwn = ({ module }: Pick<RunGiven, "module">): boolean => Option.isSome(module)

/** Reads what is to be done. */
export const planOf = (given: RunGiven, target: Target, { jobs }: Module): Read<Plan> => {
  if (isOwn(given)) return Either.flatMap(checked(given, "own"), () => ownPlan(given, jobs))
  const { job } = given
  if (!isReady(job))
    return refuse(
      `there is no job ${JSON.stringify(job)}${meant(job, Object.keys(ready))}`,
      `There are ${Object.keys(ready).join(", ")}; for one of your own, pass --module.`
    )
  return Either.flatMap(checked(given, job), () => ready[job](given, target))
}
