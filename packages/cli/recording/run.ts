/** Records what a platform answers, and keeps it, or compares it with what was recorded before. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Written from "../codegen/written.js"
import { addressOf, configuration } from "../configuration.js"
import type { Connection } from "../connection.js"
import { audiences, type ClientName } from "../connection.js"
import { codes, Problem, untilStopped } from "../exit.js"
import * as Files from "../files.js"
import { counted, json, note, print } from "../output.js"
import { find } from "../platform.js"
import * as Recording from "./index.js"
import { type Left, probe } from "./probe.js"
import { type Access, serve } from "./proxy.js"

export interface RecordOptions extends Connection, Access {
  readonly output: string
  readonly recording: Option.Option<string>
  readonly isFresh: boolean
  readonly hars: ReadonlyArray<string>
  readonly port: Option.Option<number>
  readonly to: Option.Option<string>
  readonly legacy: Option.Option<string>
  readonly client: Option.Option<ClientName>
  readonly enums: string
  readonly maps: string
  readonly fields: string
  readonly isPromise: boolean
  readonly isCheck: boolean
  readonly isJson: boolean
}

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const fileOf = ({ output, recording }: RecordOptions): string =>
  Option.getOrElse(recording, () => `${output.replace(/\.[cm]?tsx?$/, "")}.json`)

const readRecording = (file: string) =>
  Effect.flatMap(Files.read(file), (text) =>
    text === undefined
      ? Effect.succeed(undefined)
      : Either.mapLeft(Recording.parse(text), ({ rule }) =>
          refuse(`the file ${file} ${rule}`, "Name another file with --recording, or remove it.")
        )
  )

const namesIn = (names: string): ReadonlyArray<string> =>
  names.split(",").flatMap((name) => name.trim() || [])

const options = ({ client, enums, fields, maps }: RecordOptions): Recording.Options => ({
  enums: namesIn(enums),
  fields: namesIn(fields),
  maps: namesIn(maps),
  ...(Option.isSome(client) ? { client: audiences[client.value] } : {})
})

/** Options that exclude each other: one of them would be ignored. */
const conflicts = (
  flags: RecordOptions
): ReadonlyArray<readonly [is: boolean, one: string, other: string]> => {
  const [hasPort, hasHar] = [Option.isSome(flags.port), flags.hars.length > 0]
  return [
    [flags.isSandbox && hasPort, "--sandbox", "--port"],
    [flags.isSandbox && hasHar, "--sandbox", "--har"],
    [hasPort && hasHar, "--port", "--har"],
    [flags.isSandbox && Option.isSome(flags.to), "--sandbox", "--to"],
    [flags.isCheck && hasPort, "--check", "--port"],
    [flags.isCheck && flags.isFresh, "--check", "--fresh"]
  ]
}

/** What is learnt on the wire is not what the SDK makes of it where somebody says how the platform differs. */
const refuseWire = (flags: RecordOptions) =>
  Effect.gen(function* () {
    const option = flags.hars.length > 0 ? "--har" : Option.isSome(flags.port) ? "--port" : undefined
    const said = option === undefined ? undefined : yield* find(flags.platform)
    if (said === undefined) return
    return yield* refuse(
      `${option} learns answers as they are on the wire, and ${said.file} says that they are others in the SDK`,
      "Record from the platform, without it."
    )
  })

const refuseConflicts = (flags: RecordOptions) => {
  const [conflict] = conflicts(flags).filter(([is]) => is)
  if (conflict !== undefined)
    return refuse(
      `${conflict[1]} and ${conflict[2]} are both given`,
      "Pass one of them: the other would be ignored."
    )
  if (Files.isOne(fileOf(flags), flags.output))
    return refuse(
      "--output and --recording name one file",
      "Name two: the module, and the JSON that it comes from."
    )
  return (Option.isSome(flags.to) || Option.isSome(flags.legacy)) &&
    Option.isNone(flags.port) &&
    flags.hars.length === 0
    ? refuse(
        `${Option.isSome(flags.to) ? "--to" : "--legacy"} is for --port and --har`,
        "The address to ask is QUARTET_BASE_URL, in the environment or in the file."
      )
    : Effect.void
}

/** The addresses of the platform, of the options or of the environment. */
const addressesOf = (flags: RecordOptions) =>
  Effect.map(configuration(flags.dotenv), ({ find }) => {
    const to = Option.getOrElse(flags.to, () => find("QUARTET_BASE_URL"))
    return { to, legacy: Option.getOrElse(flags.legacy, () => find("QUARTET_LEGACY_URL")) ?? to }
  })

const learnHars = (flags: RecordOptions, recorder: Recording.Recorder) =>
  Effect.gen(function* () {
    const { legacy, to } = yield* addressesOf(flags)
    const addresses = [to, legacy].filter((url) => url !== undefined)
    for (const file of flags.hars) {
      const text = yield* Files.read(file)
      if (text === undefined) return yield* refuse(`there is no file ${file}`, "Check its path.")
      const { left, taken } = yield* Either.mapLeft(
        Recording.learnHar(recorder, text, { addresses }),
        ({ field, rule }) =>
          field === "addresses"
            ? refuse(`the platform's address ${rule} (${file})`, "Name it: --to https://api.example.com")
            : refuse(`the file ${file} ${rule}`, "Save it as a HAR with content in the network panel.")
      )
      yield* note(
        `${file}: ${counted(taken, "answer")} learnt, ${counted(left, "entry", "entries")} left out`
      )
    }
  })

const moduleOf = ({ isPromise }: RecordOptions, recording: Recording.Recording): string =>
  Recording.module(recording, isPromise ? "promise" : "effect")

const written = (flags: RecordOptions, recording: Recording.Recording) =>
  Effect.zipRight(
    Files.write(fileOf(flags), Recording.stringify(recording)),
    Files.write(flags.output, moduleOf(flags, recording))
  )

const nothing = (next: string): Problem =>
  new Problem({ message: "nothing was learnt: no answer is of a call that the SDK knows", next })

const summary = (flags: RecordOptions, recording: Recording.Recording, left: ReadonlyArray<Left>) => {
  const calls = Object.keys(recording.calls)
  const undeclared = Recording.undeclared(recording)
  const words = Recording.words(recording)
  return flags.isJson
    ? json({ module: flags.output, recording: fileOf(flags), calls, undeclared, words, left })
    : Effect.gen(function* () {
        for (const { call, reason } of left) yield* note(`not learnt: ${call} (${reason})`)
        yield* note(`${flags.output}: the answers of ${counted(calls.length, "call")}`)
        if (undeclared.length > 0)
          yield* note(
            `Look these names over before you commit; they are kept as fields, though the SDK does not declare them: ${undeclared.join(", ")}`
          )
        if (words.length > 0)
          yield* note(`Look these values over too, which --enums has kept: ${words.join(", ")}`)
        yield* note(`Use them: import { recorded } from that module, and make clients with answers: recorded`)
      })
}

const same = (self: Recording.Recording, that: Recording.Recording): boolean =>
  JSON.stringify(self) === JSON.stringify(that)

/** Writes what was learnt since `before`. */
const finish = (
  flags: RecordOptions,
  recorder: Recording.Recorder,
  before: Recording.Recording,
  { left = [], next }: { readonly left?: ReadonlyArray<Left>; readonly next: string }
) =>
  Effect.suspend(() => {
    const now = recorder.recording()
    return same(now, before) ? nothing(next) : Effect.zipRight(written(flags, now), summary(flags, now, left))
  })

/** Passes an app's requests on until it is stopped, and keeps what it learns every few seconds. */
const listen = (flags: RecordOptions, port: number, recorder: Recording.Recorder) =>
  Effect.gen(function* () {
    const { legacy, to } = yield* addressesOf(flags)
    if (to === undefined || legacy === undefined)
      return yield* refuse("--port needs to know the platform", "Name it: --to https://api.example.com")
    const addresses = { api: yield* addressOf("--to", to), legacy: yield* addressOf("--legacy", legacy) }
    const url = yield* serve({ ...flags, port }, addresses, recorder, (line) => Effect.runFork(note(line)))
    yield* print(
      `listening on ${url}: give it to your app as baseUrl, and as legacyUrl; Ctrl+C ends and writes`
    )
    const before = recorder.recording()
    let kept = before
    const keep = Effect.suspend(() => {
      const now = recorder.recording()
      if (same(now, kept)) return Effect.void
      kept = now
      return written(flags, now)
    })
    yield* untilStopped(
      Effect.repeat(keep, Schedule.spaced(Duration.seconds(5))),
      finish(flags, recorder, before, {
        next: "Each line above is a request that came, and says why its answer was not learnt."
      })
    )
  })

const check = (
  flags: RecordOptions,
  before: Recording.Recording | undefined,
  now: Recording.Recording,
  written: string | undefined
) =>
  Effect.gen(function* () {
    if (before === undefined)
      return yield* new Problem({
        message: `there is no ${fileOf(flags)} yet`,
        next: "Record first, without --check."
      })
    const drift = Recording.drift(before, now)
    const module = yield* Written.compare(
      flags.output,
      written,
      moduleOf(flags, before),
      "Write it by recording again, without --check."
    )
    if (flags.isJson)
      yield* json({
        recording: fileOf(flags),
        changes: drift,
        module: { file: flags.output, changes: module.differences }
      })
    else yield* Effect.forEach([...drift.map(Recording.describe), ...module.lines], print)
    if (drift.length > 0)
      return yield* new Problem({
        message: `the platform answers otherwise than recorded, at ${counted(drift.length, "place")}`,
        next: "Take it over by recording again, without --check."
      })
    yield* module.end(`${fileOf(flags)} says`)
    if (!flags.isJson)
      yield* note(`the answers of ${counted(Object.keys(now.calls).length, "call")} are as recorded`)
  })

export const record = (flags: RecordOptions) =>
  Effect.gen(function* () {
    const { hars, isCheck, isFresh, port } = flags
    yield* refuseConflicts(flags)
    const kept = yield* readRecording(fileOf(flags))
    const module = yield* Written.replaced("record", flags.output)
    yield* refuseWire(flags)
    const recorder = Recording.make(options(flags), isCheck || isFresh ? undefined : kept)
    if (Option.isSome(port)) return yield* listen(flags, port.value, recorder)
    const before = recorder.recording()
    const left =
      hars.length > 0 ? yield* Effect.as(learnHars(flags, recorder), []) : yield* probe(flags, recorder)
    const next =
      hars.length > 0
        ? "Save the HAR with content, or name its client with --client."
        : "quartet doctor says why calls fail."
    if (!isCheck) return yield* finish(flags, recorder, before, { left, next })
    const now = recorder.recording()
    yield* same(now, before) ? nothing(next) : check(flags, kept, now, module)
  }).pipe(Effect.scoped)
