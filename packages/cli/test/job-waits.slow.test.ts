/** What `quartet job list` and `job show` say of runs that wait: for a runner that has their job, or for a platform that is out of service. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Fleet from "@quartet/fleet"
import { file } from "@quartet/support/database.js"
import { live } from "@quartet/support/effect.js"
import { patient } from "@quartet/support/patience.js"
import { Data, Effect, Layer, Option, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import { list, show } from "../job/look.js"
import * as Terminal from "../terminal.js"

const environment = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Terminal.layer)

/** What a command prints. */
const printed = <E>(work: Effect.Effect<void, E, Layer.Layer.Success<typeof environment>>) =>
  Effect.gen(function* () {
    let text = ""
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((...args: ReadonlyArray<unknown>) => {
      text += String(args[0])
      for (const argument of args) if (typeof argument === "function") argument()
      return true
    })
    yield* Effect.ensuring(
      work,
      Effect.sync(() => spy.mockRestore())
    )
    return text
  }).pipe(Effect.provide(environment))

const at = (store: string) => ({ store: Option.some(store), dotenv: Option.none(), isJson: false })
const listed = (store: string) => printed(list({ ...at(store), job: Option.none() }))
const shown = (store: string, id: string) => printed(show({ ...at(store), id, hasFailures: false }))

const jobOf = (each: () => Effect.Effect<void, OutOfService>) =>
  Fleet.job("send", { input: Schema.String, key: (key) => key, source: () => Stream.make(1), each })

/** As a client's call fails where the platform answers 503. */
class OutOfService extends Data.TaggedError("ServerFault") {
  readonly status = 503
  readonly retryable = true
}

/** Asks until it is said. */
const until = <E>(ask: Effect.Effect<string, E>, said: RegExp) =>
  Effect.repeat(Effect.delay(ask, 100), { until: (text) => said.test(text) })

live(
  "a run whose job no runner has says so in the list and by itself, after half a minute",
  function* () {
    const store = yield* file
    const watcher = yield* Layer.build(Fleet.layerClient({ store }))
    const run = yield* Effect.provide(jobOf(() => Effect.void).start("a"), watcher)
    expect(yield* until(listed(store), /no runner/)).toMatch(/running {3}.*, no runner has the job send/)
    expect(yield* shown(store, run.id)).toMatch(
      /^\s*why +no runner has the job send: start one that has it$/m
    )
  },
  patient(90_000)
)

live("a run that waits for the platform says for what, since when, and when it tries again", function* () {
  const store = yield* file
  const job = jobOf(() => new OutOfService())
  const runner = yield* Layer.build(Fleet.layer({ jobs: [job], store }))
  const run = yield* Effect.provide(job.start("a"), runner)
  const waiting = /503 since \d\d:\d\d UTC, (next try in \d+ s|trying now)/
  expect(yield* until(listed(store), waiting)).toMatch(/running/)
  expect(yield* until(shown(store, run.id), waiting)).toMatch(
    /^\s*page 0 +waiting, by .+, 503 since \d\d:\d\d UTC, (next try in \d+ s|trying now)$/m
  )
})
