// No error, log line or span holds a secret, whatever a server repeats and however it writes it.
import { describe, expect, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { canaries, leaksIn } from "./secrets/canaries.js"
import { writings } from "./secrets/echoes.js"
import { examine, makeAccount, run } from "./secrets/matrix.js"
import { quiet } from "./secrets/quiet.js"
import { failedOf, makeTracer, sinks } from "./secrets/sinks.js"
import { subjects } from "./secrets/subjects.js"

const all = Object.values(canaries)
const account = makeAccount()

describe("the search itself", () => {
  it.each(Object.entries(writings))("finds a canary that is written %s", (_, write) => {
    for (const canary of all) expect(leaksIn(write(canary.value), all)).toContain(canary.name)
  })

  it("finds a canary in every sink, where an error holds one", () => {
    class Leaky extends Data.TaggedError("Leaky")<{ readonly message: string; readonly cause: unknown }> {}
    const { apiKey, password } = canaries
    const error = new Leaky({
      message: password.value,
      cause: new Leaky({ message: apiKey.value, cause: 1 })
    })
    const failed = failedOf(Effect.runSyncExit(Effect.fail(error)), [])
    if (failed === undefined) throw new Error("it did not fail")
    const blind = Object.entries(sinks)
      .filter(([, sink]) => leaksIn(sink(failed), all).length === 0)
      .map(([name]) => name)
    // There are none here: the next test has one.
    expect(blind).toEqual(["spans"])
  })

  it("finds a canary in a span", () => {
    const { layer, spans } = makeTracer()
    const work = Effect.withSpan(Effect.fail(new Error(canaries.password.value)), "work")
    const exit = Effect.runSyncExit(Effect.provide(work, layer))
    const failed = failedOf(exit, spans)
    expect(failed && leaksIn(sinks.spans?.(failed) ?? "", all)).toEqual(["Password"])
  })
})

describe("a server that repeats every secret it was told", () => {
  it.live.each(subjects)(
    "$name: no error shows one by any sink",
    (subject) =>
      Effect.gen(function* () {
        const before = account.errors
        yield* run(account, subject, 9)
        expect(account.errors - before).toBeGreaterThan(250)
        expect(account.leaks).toEqual([])
      }),
    120_000
  )
})

describe("a failure of the client's own", () => {
  it.live.each(quiet)("$name: no sink shows what was given", ({ canaries: given, name, run: failing, tag }) =>
    Effect.gen(function* () {
      const { layer, spans } = makeTracer()
      const exit = yield* Effect.exit(Effect.provide(failing, layer))
      const failed = failedOf(exit, spans)
      if (failed === undefined) throw new Error("it did not fail with an error")
      const reason = "reason" in failed.error ? `.${String(failed.error.reason)}` : ""
      expect("_tag" in failed.error ? `${failed.error._tag}${reason}` : "").toBe(tag)
      examine(account, name, failed, given)
      expect(account.leaks).toEqual([])
    })
  )
})

describe("all in all", () => {
  it("there were 0 leaks, in enough cases to be worth something", () => {
    console.info(`secrets: ${account.leaks.length} leaks in ${account.cases} cases, ${account.errors} errors`)
    expect(account.leaks).toEqual([])
    expect(account.cases).toBeGreaterThan(150_000)
  })

  it("every kind of error came about", () => {
    const tags = new Set(Object.keys(account.tags).map((tag) => tag.split(".")[0]))
    for (const tag of [
      "InputError",
      "CredentialsError",
      "PermissionDenied",
      "Unauthenticated",
      "NotFound",
      "Conflict",
      "Rejected",
      "RateLimited",
      "ServerFault",
      "NetworkError",
      "DeadlineExceeded",
      "AnswerError",
      "OutcomeUnknown",
      "ChatError"
    ])
      expect([...tags]).toContain(tag)
  })
})
