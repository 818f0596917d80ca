/** Records what a platform answers, and keeps it, or compares it with what was recorded before. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Recording from "../../../adapters/recording/index.js"
import * as Settings from "../../../core/kernel/dispatch/settings.js"
import { audiences, type ClientName } from "../clients.js"
import { configuration } from "../configuration.js"
import type { Connection } from "../connection.js"
import { codes, Problem, untilStopped } from "../exit.js"
import * as Files from "../files.js"
import { json, note, print } from "../output.js"
import { type Left, probe } from "./probe.js"
import { serve } from "./proxy.js"

export interface Given extends Connection {
  readonly output: string
  readonly recording: Option.Option<string>
  readonly isFresh: boolean
  readonly hars: ReadonlyArray<string>
  readonly port: Option.Option<number>
  readonly to: Option.Option<string>
  readonly legacy: Option.Option<string>
  readonly client: Option.Option<ClientName>
  readonly enums: string
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
          refuse(
            `the file ${file} ${rule}`,
            "Begin anew with --fresh, or name another file with --recording."
          )
        )
  )

const options = ({ client, enums }: Given): Recording.Options => ({
  enums: enums.split(",").flatMap((field) => field.trim() || []),
  ...(Option.isSome(client) ? { client: audiences[client.value] } : {})
})

const learnHars = (hars: ReadonlyArray<string>, recorder: Recording.Recorder) =>
  Effect.forEach(hars, (file) =>
    Effect.gen(function* () {
      const text = yield* Files.read(file)
      if (text === undefined) return yield* refuse(`there is no file ${file}`, "Check its path.")
      const { left, taken } = yield* Either.mapLeft(Recording.learnHar(recorder, text), ({ rule }) =>
        refuse(`the file ${file} ${rule}`, "Save it as a HAR with content in the network panel.")
      )
      yield* note(`${file}: ${taken} answers learnt, ${left} entries left out`)
    })
  )

const written = (given: Given, recording: Recording.Recording) =>
  Effect.zipRight(
    Files.write(fileOf(given), Recording.stringify(recording)),
    Files.write(given.output, Recording.module(recording, given.isPromise ? "promise" : "effect"))
  )

const addressOf = (name: string, url: string) =>
  Either.mapLeft(Settings.address(name, url), ({ rule }) =>
    refuse(`${name} ${rule}`, "Write it as https://api.example.com.")
  )

/** Passes an app's requests on until it is stopped, and keeps what it learns every few seconds. */
const listen = (given: Given, port: number, recorder: Recording.Recorder) =>
  Effect.gen(function* () {
    const { find } = yield* configuration(given.envFile)
    const to = Option.getOrElse(given.to, () => find("QUARTET_BASE_URL"))
    if (to === undefined)
      return yield* refuse("--port needs to know the platform", "Name it: --to https://api.example.com")
    const legacy = Option.getOrElse(given.legacy, () => find("QUARTET_LEGACY_URL")) ?? to
    const addresses = { api: yield* addressOf("--to", to), legacy: yield* addressOf("--legacy", legacy) }
    const url = yield* serve(port, addresses, recorder, (line) => Effect.runFork(note(line)))
    yield* print(
      `listening on ${url}: give it to your app as baseUrl, and as legacyUrl; Ctrl+C ends and writes`
    )
    let kept = Recording.empty
    const keep = Effect.suspend(() => {
      const now = recorder.recording()
      if (JSON.stringify(now) === JSON.stringify(kept)) return Effect.void
      kept = now
      return written(given, now)
    })
    yield* untilStopped(Effect.repeat(keep, Schedule.spaced(Duration.seconds(5))), Effect.ignore(keep))
  })

const summary = (given: Given, recording: Recording.Recording, left: ReadonlyArray<Left>) => {
  const calls = Object.keys(recording.calls)
  return given.isJson
    ? json({ module: given.output, recording: fileOf(given), calls, left })
    : Effect.gen(function* () {
        for (const { call, reason } of left) yield* note(`not learnt: ${call} (${reason})`)
        yield* note(`${given.output}: the answers of ${calls.length} calls`)
        yield* note(`Use them: import { recorded } from that module, and make clients with answers: recorded`)
      })
}

const check = (given: Given, before: Recording.Recording | undefined, now: Recording.Recording) =>
  Effect.gen(function* () {
    if (before === undefined)
      return yield* new Problem({
        message: `there is no ${fileOf(given)} yet`,
        next: "Record first, without --check."
      })
    const found = Recording.drift(before, now)
    if (given.isJson) yield* json({ recording: fileOf(given), changes: found })
    else for (const change of found) yield* print(Recording.describe(change))
    if (found.length > 0)
      return yield* new Problem({
        message: `the platform answers otherwise than recorded, at ${found.length} ${found.length === 1 ? "place" : "places"}`,
        next: "Take it over by recording again, without --check."
      })
    if (!given.isJson) yield* note(`the answers of ${Object.keys(now.calls).length} calls are as recorded`)
  })

export const record = (given: Given) =>
  Effect.gen(function* () {
    const { hars, isCheck, isFresh, port } = given
    if (isCheck && Option.isSome(port))
      return yield* refuse("--check does not wait for an app's requests", "Leave --port out.")
    const before = yield* readRecording(fileOf(given))
    const recorder = Recording.make(options(given), isCheck || isFresh ? undefined : before)
    if (Option.isSome(port)) return yield* listen(given, port.value, recorder)
    const left =
      hars.length > 0 ? yield* Effect.as(learnHars(hars, recorder), []) : yield* probe(given, recorder)
    const now = recorder.recording()
    if (isCheck) return yield* check(given, before, now)
    if (Object.keys(now.calls).length === 0)
      return yield* new Problem({
        message: "nothing was learnt: no answer is of a call that the SDK knows",
        next:
          hars.length > 0
            ? "Save the HAR with content, or name its client with --client."
            : "quartet doctor says why calls fail."
      })
    yield* written(given, now)
    yield* summary(given, now, left)
  }).pipe(Effect.scoped)
