/** `quartet job`: runs durable jobs of many items, and watches and steers them. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import { installOf } from "../doctor/installation.js"
import { codes, Problem } from "../exit.js"
import { argument, isJson, mostPort, wholeNumber } from "../options.js"
import { type Environment, type Example, type Main, program } from "../program.js"
import { age, isAgreed, items, own as ownOptions, ready, store, work } from "./options.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("The run's id, or its beginning"),
  Args.mapEffect(argument)
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
  ["quartet job serve", "shows the runs in a browser, with buttons to steer them"],
  ["quartet job show 3f2a --failures", "prints what failed, each item on a line"],
  [
    "quartet job retry 3f2a --items 3,17 --unknown --send",
    "sends two items of which somebody knows that they were not done"
  ],
  ["quartet job settle 3f2a --all", "notes all items that are unknown as done"],
  ["quartet job rm --older-than 30d", "forgets all runs that ended more than 30 days ago"]
]

/** Loads what runs jobs. */
const needing = <M, A, E, R>(load: () => Promise<M>, run: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.tryPromise({ try: load, catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) =>
      codeOf(cause) === "ERR_MODULE_NOT_FOUND"
        ? new Problem({
            message: `quartet job needs a package that is not installed: ${missing(cause)}`,
            next: `In this folder's project: ${installOf(process.cwd(), "@quartet/fleet", "@quartet/sdk", "effect@3")}`,
            code: codes.usage
          })
        : Effect.die(cause)
    ),
    Effect.flatMap(run)
  )

/** What Node did not find. */
const missing = (cause: unknown): string =>
  /Cannot find (?:package|module) '([^']+)'/.exec(cause instanceof Error ? cause.message : "")?.[1] ??
  "unknown"

const alone = <E, A>(
  words: string,
  make: (name: string) => Command.Command<string, Environment, E, A>,
  summary: string
): Main =>
  program(
    "job",
    make,
    examples.filter(([line]) => line.startsWith(`quartet job ${words} `)),
    [],
    { words: ` ${words}`, summary }
  )

/** A command: what it takes beside the place of the runs, and what of which module does it. */
const own = <const Config extends Command.Command.Config, M, E>(
  summary: string,
  config: Config,
  load: () => Promise<M>,
  work: (
    module: M
  ) => (
    options: Command.Command.ParseConfigValue<Config> & Command.Command.ParseConfig<typeof store>
  ) => Effect.Effect<void, E, Environment>
) => {
  const make = (name: string) =>
    Command.make(name, { options: config, place: store }, ({ options, place }) =>
      needing(load, (module) => work(module)({ ...options, ...place }))
    ).pipe(Command.withDescription(summary))
  return {
    make,
    /** By itself: the library would show another one's help for it. */
    main: (words: string): Main => alone(words, make, summary)
  }
}

const runs = () => import("./run.js")
const steer = () => import("./steer.js")
const look = () => import("./look.js")

/** The jobs that the command line has. */
export const jobs = {
  import: own("Makes a call for each row of a file", ready.import, runs, (module) => module.runImport),
  export: own("Writes the entries of a list to a file", ready.export, runs, (module) => module.runExport),
  notify: own("Notifies each user of a list or a file", ready.notify, runs, (module) => module.runNotify),
  refunds: own("Refunds the payments of a file", ready.refunds, runs, (module) => module.runRefunds)
} as const

const starts = "Starts a run, or goes on with it, and works on it until it is done"

const commands = {
  run: own(
    starts,
    {
      job: Args.text({ name: "job" }).pipe(
        Args.withDescription("A job of --module, or one of the commands below"),
        Args.mapEffect(argument)
      ),
      ...ownOptions
    },
    runs,
    ({ runOwn }) => runOwn
  ),
  work: own(
    "Takes part in all runs of the store until it is stopped",
    work,
    () => import("./work.js"),
    (module) => module.work
  ),
  list: own(
    "Lists the runs of the store, the newest first",
    {
      job: Options.text("job").pipe(
        Options.withPseudoName("name"),
        Options.withDescription("The runs of this job alone"),
        Options.optional
      ),
      isJson
    },
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
      isSent: Options.boolean("send").pipe(
        Options.withDescription("With --unknown: sends them without looking, because they were not done")
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
    {
      id,
      items: Options.optional(items),
      isAll: Options.boolean("all").pipe(Options.withDescription("All items that are unknown")),
      isJson
    },
    steer,
    ({ settle }) => settle
  ),
  serve: own(
    "Answers for the runs of the store over HTTP, to this machine alone: in the console, and as JSON",
    { port: wholeNumber("port", "The port to serve on; 0 takes any free one", 4401, mostPort) },
    () => import("./serve.js"),
    ({ serve }) => serve
  ),
  rm: own(
    "Removes runs that are done or cancelled, with all that is kept of them",
    {
      id: Args.optional(id),
      olderThan: Options.optional(
        age("older-than", "All runs that ended longer ago than that, such as 30d or 12h")
      ),
      isAgreed
    },
    steer,
    ({ remove }) => remove
  ),
  migrate: own(
    "Has the store of an older fleet become one of this version",
    {
      isDry: Options.boolean("dry-run").pipe(
        Options.withDescription("Shows what would be kept, and who still works on it; changes nothing")
      ),
      isJson
    },
    () => import("./migrate.js"),
    ({ migrateStore }) => migrateStore
  ),
  cancel: own(
    "Stops a run for good; what is done stays done",
    { id, isJson, isAgreed },
    steer,
    ({ cancel }) => cancel
  )
} as const

const { run, ...others } = commands

const runWithJobs = (name: string) =>
  Command.withSubcommands(run.make(name), [
    jobs.import.make("import"),
    jobs.export.make("export"),
    jobs.notify.make("notify"),
    jobs.refunds.make("refunds")
  ])

const withOthers = (name: string, makeRun: typeof runWithJobs | typeof run.make) =>
  Command.withSubcommands(Command.make(name), [
    makeRun("run"),
    ...Object.entries(others).map(([word, { make }]) => make(word))
  ])

export const command = (name: string) => withOthers(name, runWithJobs)

/** In the help of `job` each of its commands is one line; `job run` lists its own. */
const whole: Main = program("job", (name) => withOthers(name, run.make), examples)

const has = <Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  word: string | undefined
): word is Name => word !== undefined && Object.hasOwn(table, word)

const asksForHelp = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => word === "--help" || word === "-h")

/** A module may have a job of the same name. */
const namesModule = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => word === "--module" || word.startsWith("--module="))

const runMain: Main = (words, version) => {
  const [job, ...options] = words
  if (has(jobs, job) && !namesModule(options)) jobs[job].main(`run ${job}`)(options, version)
  else if (asksForHelp(words)) alone("run", runWithJobs, starts)(words, version)
  else run.main("run")(words, version)
}

export const main: Main = (words, version) => {
  const [first, ...rest] = words
  if (first === "run") runMain(rest, version)
  else if (has(others, first)) others[first].main(first)(rest, version)
  else whole(words, version)
}
