/** `quartet job`: runs durable jobs of many items, and watches and steers them. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clientNames } from "../clients.js"
import { connection } from "../connection.js"
import { needing } from "../job/missing.js"
import { argument, choice, file, isJson, optionalNumber, wholeNumber } from "../options.js"
import { type Environment, type Example, type Main, program } from "../program.js"
import { mostPort } from "../sandbox/options.js"

const text = (name: string, pseudo: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudo),
    Options.withDescription(description),
    Options.optional
  )

/** Words with commas between them. */
const words = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("fields"),
    Options.withDescription(description),
    Options.withDefault(""),
    Options.map((given): ReadonlyArray<string> => given.split(",").flatMap((word) => word.trim() || []))
  )

/** Where the runs are kept; the file in dotenv form may say it. */
const store = {
  store: text(
    "store",
    "url",
    "Where runs are kept: file:<path> for one machine. QUARTET_FLEET_STORE by default, where postgres://… stands for many; else file:quartet-fleet.db"
  ),
  dotenv: connection.dotenv
}

/** How a runner takes part. */
const runner = {
  module: Options.optional(
    file("module", "A module that exports jobs of Fleet.job, and `clients`, the layer of what they need")
  ),
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
  isSandbox: connection.isSandbox
}

const isAgreed = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Agrees at once to what it would ask")
)

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("The run's id, or its beginning"),
  Args.mapEffect(argument)
)

const items = Options.text("items").pipe(
  Options.withPseudoName("numbers"),
  Options.withDescription("Items by their numbers, such as 3,17"),
  Options.filterMap(
    (given) =>
      /^\d{1,15}(,\d{1,15})*$/.test(given)
        ? Option.some<ReadonlyArray<number>>(given.split(",").map(Number))
        : Option.none(),
    "--items must be numbers with commas between them"
  )
)

const examples: ReadonlyArray<Example> = [
  [
    `quartet job run import --file shoes.csv --to entities.create --input '{"kind": "shoe"}' --identify sku`,
    "makes an entity of each row; run again after a crash, it goes on"
  ],
  [
    `quartet job run export --call users.list --input '{"sort": "createdAt"}' --file users.csv`,
    "writes all users"
  ],
  [
    `quartet job run notify --key spring --payload '{"title": "Spring sale"}' --per-second 50`,
    "notifies every user once"
  ],
  [
    "quartet job run refunds --file refunds.csv --dry-run",
    "shows what would be refunded, and each row that would be refused"
  ],
  [
    `quartet job run importItems --module ./jobs.js --input '{"file": "items.csv"}'`,
    "runs a job of your own"
  ],
  ["quartet job work --module ./jobs.js", "is one more runner"],
  [
    "quartet job serve",
    "shows the runs in a browser, with buttons to steer them, where the console is built"
  ],
  ["quartet job show 3f2a --failures", "prints what failed, each item on a line"]
]

/** A command: what it takes beside the place of the runs, and what of which module does it. */
const own = <const Config extends Command.Command.Config, M, E>(
  summary: string,
  config: Config,
  load: () => Promise<M>,
  work: (
    module: M
  ) => (
    given: Command.Command.ParseConfigValue<Config> & Command.Command.ParseConfig<typeof store>
  ) => Effect.Effect<void, E, Environment>
) => {
  const make = (name: string) =>
    Command.make(name, { given: config, place: store }, ({ given, place }) =>
      needing(load, (module) => work(module)({ ...given, ...place }))
    ).pipe(Command.withDescription(summary))
  return {
    make,
    /** By itself: the library would show another one's help for it. */
    main: (name: string): Main =>
      program(
        "job",
        make,
        examples.filter(([line]) => line.startsWith(`quartet job ${name} `)),
        [],
        {
          words: ` ${name}`,
          summary
        }
      )
  }
}

const steer = () => import("../job/steer.js")
const look = () => import("../job/look.js")

const commands = {
  run: own(
    "Starts a run, or goes on with it, and works on it until it is done",
    {
      job: Args.text({ name: "job" }).pipe(
        Args.withDescription("import, export, notify, refunds, or a job of --module"),
        Args.mapEffect(argument)
      ),
      file: Options.optional(
        file("file", "What import, refunds and notify read, and export writes: .csv, .ndjson or .jsonl")
      ),
      to: text("to", "call", "import, notify: the call that is made for each row, such as entities.create"),
      call: text("call", "call", "export, notify: the list that is read, such as items.list"),
      input: text(
        "input",
        "json",
        "import: what the call takes beside the row; export, notify: what the list is asked for; a job of --module: its input"
      ),
      as: Options.optional(
        choice("as", clientNames, "Which client makes the calls, where several have them")
      ),
      delimiter: text(
        "delimiter",
        "character",
        "import, notify, refunds: what is between the cells of CSV, or tab; by its first line, by default"
      ),
      identify: text(
        "identify",
        "field",
        "import: a field that no two rows share, by which a lost answer is looked up, such as sku"
      ),
      numbers: words("numbers", "import: columns of CSV that are numbers, such as price,stock"),
      booleans: words("booleans", "import: columns of CSV that are true or false"),
      columns: words("columns", "export: the columns of CSV; all fields by default"),
      keepsFormulas: Options.boolean("keep-formulas").pipe(
        Options.withDescription("export: leaves texts in CSV that a spreadsheet would run as they are")
      ),
      payload: text("payload", "json", "notify: the body for each user, without the user"),
      receiver: text("receiver", "field", "notify: the field of the body for the user; userId by default"),
      honoursKeys: Options.boolean("honours-keys").pipe(
        Options.withDescription(
          "The platform performs writes with one idempotency key once: one whose answer was lost is sent again with its key"
        )
      ),
      key: text("key", "text", "Another run of the same: the day, the campaign"),
      isDry: Options.boolean("dry-run").pipe(
        Options.withDescription(
          "Shows what would be called for the first rows, lists every row of the file that would be refused, and starts nothing"
        )
      ),
      isAgreed,
      ...runner
    },
    () => import("../job/run.js"),
    ({ run }) => run
  ),
  work: own(
    "Takes part in all runs of the store until it is stopped",
    runner,
    () => import("../job/work.js"),
    ({ work }) => work
  ),
  list: own(
    "Lists the runs of the store, the newest first",
    { job: text("job", "name", "The runs of this job alone"), isJson },
    look,
    ({ list }) => list
  ),
  show: own(
    "Shows where a run stands, who works on it, and what failed",
    {
      id,
      hasFailures: Options.boolean("failures").pipe(
        Options.withDescription("Prints all items that were not done, each on a line (NDJSON)")
      ),
      isJson
    },
    look,
    ({ show }) => show
  ),
  pause: own("Stops a run; what was begun is ended", { id, isJson }, steer, ({ pause }) => pause),
  resume: own(
    "Lets a run go on that was paused, or has paused itself",
    { id, isJson },
    steer,
    ({ resume }) => resume
  ),
  retry: own(
    "Tries items again that were not done",
    {
      id,
      items: Options.optional(items),
      isUnknown: Options.boolean("unknown").pipe(
        Options.withDescription(
          "Those too of which nobody knows whether they were done: the job looks first, where it can"
        )
      ),
      readAgain: Options.boolean("read-again").pipe(
        Options.withDescription("Takes the items from the source once more, which was corrected")
      ),
      isJson
    },
    steer,
    ({ retry }) => retry
  ),
  settle: own(
    "Notes that items were done, which somebody has found out",
    { id, items, isJson },
    steer,
    ({ settle }) => settle
  ),
  serve: own(
    "Answers for the runs of the store over HTTP, to this machine alone: as JSON, and in a clone of the repository with the console",
    { port: wholeNumber("port", "The port to serve on; 0 takes any free one", 4401, mostPort) },
    () => import("../job/serve.js"),
    ({ serve }) => serve
  ),
  cancel: own(
    "Stops a run for good; what is done stays done",
    { id, isJson, isAgreed },
    steer,
    ({ cancel }) => cancel
  )
} as const

export const command = (name: string) => {
  const { run, ...others } = commands
  return Command.withSubcommands(Command.make(name), [
    run.make("run"),
    ...Object.entries(others).map(([own, { make }]) => make(own))
  ])
}

const whole: Main = program("job", command, examples)

const isCommand = (word: string | undefined): word is keyof typeof commands =>
  word !== undefined && Object.hasOwn(commands, word)

export const main: Main = (words, version) => {
  const [first, ...others] = words
  return isCommand(first) ? commands[first].main(first)(others, version) : whole(words, version)
}
