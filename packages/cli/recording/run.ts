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
import * as Recording from "./index.js"
import { type Left, probe } from "./probe.js"
import { type Access, serve } from "./proxy.js"

export interface Given extends Connection, Access {
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

const fileOf = ({ output, recording }: Given): string =>
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

const options = ({ client, enums, fields, maps }: Given): Recording.Options => ({
  enums: namesIn(enums),
  fields: namesIn(fields),
  maps: namesIn(maps),
  ...(Option.isSome(client) ? { client: audiences[client.value] } : {})
})

/** Options that exclude each other: one of them would be ignored. */
const conflicts = (given: Given): ReadonlyArray<readonly [is: boolean, one: string, other: string]> => {
  const [hasPort, hasHar] = [Option.isSome(given.port), given.hars.length > 0]
  return [
    [given.isSandbox && hasPort, "--sandbox", "--port"],
    [given.isSandbox && hasHar, "--sandbox", "--har"],
    [hasPort && hasHar, "--port", "--har"],
    [given.isSandbox && Option.isSome(given.to), "--sandbox", "--to"],
    [given.isCheck && hasPort, "--check", "--port"],
    [given.isCheck && given.isFresh, "--check", "--fresh"]
  ]
}

const refuseConflicts = (given: Given) => {
  const [found] = conflicts(given).filter(([is]) => is)
  if (found !== undefined)
    return refuse(
      `${found[1]} and ${found[2]} are both given`,
      "Pass one of them: the other would be ignored."
    )
  if (Files.isOne(fileOf(given), given.output))
    return refuse(
      "--output and --recording name one file",
      "Name two: the module, and the JSON that it comes from."
    )
  return (Option.isSome(given.to) || Option.isSome(given.legacy)) &&
    Option.isNone(given.port) &&
    given.hars.length === 0
    ? refuse(
        `${Option.isSome(given.to) ? "--to" : "--legacy"} is for --port and --har`,
        "The address to ask is QUARTET_BASE_URL, in the environment or in the file."
      )
    : Effect.void
}

/** The addresses of the platform, of the options or of the environment. */
const addressesOf = (given: Given) =>
  Effect.map(configuration(given.dotenv), ({ find }) => {
    const to = Option.getOrElse(given.to, () => find("QUARTET_BASE_URL"))
    return { to, legacy: Option.getOrElse(given.legacy, () => find("QUARTET_LEGACY_URL")) ?? to }
  })

const learnHars = (given: Given, recorder: Recording.Recorder) =>
  Effect.gen(function* () {
    const { legacy, to } = yield* addressesOf(given)
    const addresses = [to, legacy].filter((url) => url !== undefined)
    for (const file of given.hars) {
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

const moduleOf = ({ isPromise }: Given, recording: Recording.Recording): string =>
  Recording.module(recording, isPromise ? "promise" : "effect")

const written = (given: Given, recording: Recording.Recording) =>
  Effect.zipRight(
    Files.write(fileOf(given), Recording.stringify(recording)),
    Files.write(given.output, moduleOf(given, recording))
  )

const nothing = (next: string): Problem =>
  new Problem({ message: "nothing was learnt: no answer is of a call that the SDK knows", next })

const summary = (given: Given, recording: Recording.Recording, left: ReadonlyArray<Left>) => {
  const calls = Object.keys(recording.calls)
  const undeclared = Recording.undeclared(recording)
  const words = Recording.words(recording)
  return given.isJson
    ? json({ module: given.output, recording: fileOf(given), calls, undeclared, words, left })
    : Effect.gen(function* () {
        for (const { call, reason } of left) yield* note(`not learnt: ${call} (${reason})`)
        yield* note(`${given.output}: the answers of ${counted(calls.length, "call")}`)
        if (undeclared.length > 0)
          yield* note(
            `Look these names over before you commit; they are kept as fields, though the SDK does not declare them: ${undeclared.join(", ")}`
          )
        if (words.length > 0)
          yield* note(`Look these values over too, which --enums has kept: ${words.join(", ")}`)
        yield* note(`Use them: import { recorded } from that module, and make clients with answers: recorded`)
      })
}

const same = (one: Recording.Recording, other: Recording.Recording): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Writes what was learnt since `before`. */
const finish = (
  given: Given,
  recorder: Recording.Recorder,
  before: Recording.Recording,
  { left = [], next }: { readonly left?: ReadonlyArray<Left>; readonly next: string }
) =>
  Effect.suspend(() => {
    const now = recorder.recording()
    return same(now, before) ? nothing(next) : Effect.zipRight(written(given, now), summary(given, now, left))
  })

/** Passes an app's requests on until it is stopped, and keeps what it learns every few seconds. */
const listen = (given: Given, port: number, recorder: Recording.Recorder) =>
  Effect.gen(function* () {
    const { legacy, to } = yield* addressesOf(given)
    if (to === undefined || legacy === undefined)
      return yield* refuse("--port needs to know the platform", "Name it: --to https://api.example.com")
    const addresses = { api: yield* addressOf("--to", to), legacy: yield* addressOf("--legacy", legacy) }
    const url = yield* serve({ ...given, port }, addresses, recorder, (line) => Effect.runFork(note(line)))
    yield* print(
      `listening on ${url}: give it to your app as baseUrl, and as legacyUrl; Ctrl+C ends and writes`
    )
    const before = recorder.recording()
    let kept = before
    const keep = Effect.suspend(() => {
      const now = recorder.recording()
      if (same(now, kept)) return Effect.void
      kept = now
      return written(given, now)
    })
    yield* untilStopped(
      Effect.repeat(keep, Schedule.spaced(Duration.seconds(5))),
      finish(given, recorder, before, {
        next: "Each line above is a request that came, and says why its answer was not learnt."
      })
    )
  })

const check = (
  given: Given,
  before: Recording.Recording | undefined,
  now: Recording.Recording,
  written: string | undefined
) =>
  Effect.gen(function* () {
    if (before === undefined)
      return yield* new Problem({
        message: `there is no ${fileOf(given)} yet`,
        next: "Record first, without --check."
      })
    const found = Recording.drift(before, now)
    const module = yield* Written.compare(
      given.output,
      written,
      moduleOf(given, before),
      "Write it by recording again, without --check."
    )
    if (given.isJson)
      yield* json({
        recording: fileOf(given),
        changes: found,
        module: { file: given.output, changes: module.found }
      })
    else yield* Effect.forEach([...found.map(Recording.describe), ...module.lines], print)
    if (found.length > 0)
      return yield* new Problem({
        message: `the platform answers otherwise than recorded, at ${counted(found.length, "place")}`,
        next: "Take it over by recording again, without --check."
      })
    yield* module.end(`${fileOf(given)} says`)
    if (!given.isJson)
      yield* note(`the answers of ${counted(Object.keys(now.calls).length, "call")} are as recorded`)
  })

export const record = (given: Given) =>
  Effect.gen(function* () {
    const { hars, isCheck, isFresh, port } = given
    yield* refuseConflicts(given)
    const kept = yield* readRecording(fileOf(given))
    const module = yield* Written.replaced("record", given.output)
    const recorder = Recording.make(options(given), isCheck || isFresh ? undefined : kept)
    if (Option.isSome(port)) return yield* listen(given, port.value, recorder)
    const before = recorder.recording()
    const left =
      hars.length > 0 ? yield* Effect.as(learnHars(given, recorder), []) : yield* probe(given, recorder)
    const next =
      hars.length > 0
        ? "Save the HAR with content, or name its client with --client."
        : "quartet doctor says why calls fail."
    if (!isCheck) return yield* finish(given, recorder, before, { left, next })
    const now = recorder.recording()
    yield* same(now, before) ? nothing(next) : check(given, kept, now, module)
  }).pipe(Effect.scoped)
