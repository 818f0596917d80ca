/** The options of `quartet job`, and what its commands are given by them. */
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import { clientNames, connection } from "../connection.js"
import { choice, file, isJson, isRaw, optionalNumber, optionalText, text, wholeNumber } from "../options.js"

/** Words with commas between them. */
const words = (name: string, description: string) =>
  text(name, "fields", description).pipe(
    Options.withDefault(""),
    Options.map((list): ReadonlyArray<string> => list.split(",").flatMap((word) => word.trim() || []))
  )

/** Where the runs are kept; the file in dotenv form may say it. */
export const store = {
  store: optionalText(
    "store",
    "url",
    "Where runs are kept: file:<path> for one machine. QUARTET_FLEET_STORE by default, where postgres://… stands for many, with ?schema=<name> for one of several fleets; else file:quartet-fleet.db"
  ),
  dotenv: connection.dotenv
}

export const isAgreed = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Agrees at once to what it would ask")
)

/** How a runner takes part. */
const runner = {
  perSecond: optionalNumber(
    "per-second",
    "The most requests in a second, of all runners together",
    1_000_000,
    1
  ),
  inFlight: wholeNumber(
    "in-flight",
    "The most requests that wait for an answer, of all runners together; 0 is no limit",
    16,
    64,
    "must be a whole number from 0 to 64"
  ),
  isJson,
  isSandbox: connection.isSandbox,
  platform: connection.platform
}

const module = Options.optional(
  file("module", "A module that exports jobs of Fleet.job, and `clients`, the layer of what they need")
)

/** Of a runner for all runs of a store. */
export const work = { module, ...runner }

/** Of each run. */
const run = {
  isDry: Options.boolean("dry-run").pipe(
    Options.withDescription(
      "Shows the first calls that would be made, lists everything that would be refused, and starts nothing"
    )
  ),
  isAgreed,
  ...runner
}

const key = optionalText("key", "text", "Another run of the same, such as the day")

const input = (description: string) => optionalText("input", "json", description)

const as = Options.optional(
  choice("as", clientNames, "Which client makes the calls, where several have them")
)

const rows = "with rows: .csv, .ndjson or .jsonl"

const delimiter = optionalText(
  "delimiter",
  "character",
  "What is between the cells of CSV, or tab; by its first line, by default"
)

const honoursKeys = Options.boolean("honours-keys").pipe(
  Options.withDescription(
    "The platform performs writes with one idempotency key once: one whose answer was lost is sent again with its key"
  )
)

const importing = {
  file: file("file", `The file ${rows}`),
  delimiter,
  to: text("to", "call", "The call that is made for each row, such as entities.create"),
  input: input("What the call takes beside the row"),
  as,
  identify: optionalText(
    "identify",
    "field",
    "A field that no two rows share, by which a lost answer is looked up, such as sku"
  ),
  numbers: words("numbers", "Columns of CSV that are numbers, such as price,stock"),
  booleans: words("booleans", "Columns of CSV that are true or false"),
  honoursKeys,
  isRaw,
  key,
  ...run
}

const exporting = {
  file: file("file", "The file that is written: .csv, .ndjson or .jsonl"),
  call: text("call", "call", "The list that is read, such as items.list"),
  input: input("What the list is asked for"),
  as,
  columns: words("columns", "The columns of CSV; all fields by default"),
  keepsFormulas: Options.boolean("keep-formulas").pipe(
    Options.withDescription("Leaves texts in CSV that a spreadsheet would run as they are")
  ),
  key,
  ...run
}

const notifying = {
  key: text("key", "text", "The campaign, such as spring-sale: with another one everybody is notified again"),
  payload: text("payload", "json", "The body for each user, without the user"),
  receiver: text("receiver", "field", "The field of the body for the user; userId by default").pipe(
    Options.withDefault("userId")
  ),
  to: text("to", "call", "The call that is made for each user; notifications.send by default").pipe(
    Options.withDefault("notifications.send")
  ),
  as,
  call: optionalText("call", "call", "The list of the users; users.list by default"),
  input: input("What the list is asked for"),
  file: Options.optional(file("file", `A file of users in place of a list, ${rows}`)),
  delimiter,
  honoursKeys,
  isRaw,
  ...run
}

const refunding = { file: file("file", `The file of payments, ${rows}`), delimiter, key, ...run }

/** Of the jobs that the command line has. */
export const ready = {
  import: importing,
  export: exporting,
  notify: notifying,
  refunds: refunding
} as const

/** Of a module's jobs. */
export const own = { input: input("The job's input"), module, ...run }

type Parsed<Config extends Command.Command.Config> = Command.Command.ParseConfig<Config>

/** Where the runs are kept. */
export interface StoreOptions extends Parsed<typeof store> {}

/** How a runner takes part. */
export interface RunnerOptions extends StoreOptions, Parsed<typeof runner> {}

export interface WorkOptions extends RunnerOptions, Parsed<typeof work> {}

/** What every run is given. */
export interface RunOptions extends RunnerOptions, Parsed<typeof run> {}

export interface ImportOptions extends RunOptions, Parsed<typeof importing> {}
export interface ExportOptions extends RunOptions, Parsed<typeof exporting> {}
export interface NotifyOptions extends RunOptions, Parsed<typeof notifying> {}
export interface RefundsOptions extends RunOptions, Parsed<typeof refunding> {}
export interface OwnOptions extends RunOptions, Parsed<typeof own> {
  readonly job: string
}

/** Items by their numbers. */
export const items = text("items", "numbers", "Items by their numbers, such as 3,17").pipe(
  Options.filterMap(
    (list) =>
      /^\d{1,15}(,\d{1,15})*$/.test(list)
        ? Option.some<ReadonlyArray<number>>(list.split(",").map(Number))
        : Option.none(),
    "--items must be numbers with commas between them"
  )
)

const unitMillis: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** An age, in milliseconds. */
export const age = (name: string, description: string) =>
  text(name, "age", description).pipe(
    Options.filterMap((words) => {
      const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(words) ?? []
      return Option.map(Option.fromNullable(unitMillis[unit]), (millis) => Number(count) * millis)
    }, `--${name} must be a number of days, hours or minutes, such as 30d, 12h or 5m`)
  )
