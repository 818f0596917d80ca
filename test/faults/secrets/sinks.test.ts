// A secret that an error does hold is seen in every sink: planted in its message, its cause, a field, or a span.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Span } from "effect/Tracer"
import { describe, expect, test } from "vitest"
import { Rejected } from "../../../core/kernel/errors/errors.js"
import { logs, sinks } from "../bare/sinks.js"
import { canary, seenIn } from "./canaries.js"
import { keepingTracer, type Shown, sinksOf } from "./sinks.js"

const secret = canary("planted")

/** What all sinks show of a call. */
const lookAt = async (call: Effect.Effect<unknown, unknown>): Promise<ReadonlyArray<Shown>> => {
  const spans: Array<Span> = []
  const traced = Effect.withTracer(Effect.withSpan(call, "boxes.get"), keepingTracer(spans))
  const exit = await Effect.runPromiseExit(traced)
  return Exit.isSuccess(exit) ? expect.unreachable("the call did not fail") : sinksOf(exit, spans)
}

/** The sinks that show the secret. */
const showing = async (call: Effect.Effect<unknown, unknown>): Promise<Array<string>> => {
  const looks = await lookAt(call)
  return [...new Set(looks.filter(({ text }) => seenIn(text, [secret]).length > 0).map(({ sink }) => sink))]
}

const rejected = (more: Partial<ConstructorParameters<typeof Rejected>[0]>): Effect.Effect<never, Rejected> =>
  Effect.fail(new Rejected({ operation: "boxes.get", status: 400, ...more }))

const held = `you sent ${secret.text}`

describe("a secret shows", () => {
  const planted: ReadonlyArray<
    readonly [where: string, Effect.Effect<unknown, unknown>, sinks: Array<string>]
  > = [
    ["in every sink, where the error's message holds it", rejected({ serverMessage: held }), sinks],
    [
      "in every sink but JSON's, where it failed with an error of the platform",
      Effect.fail(new Error(held)),
      sinks.filter((sink) => sink !== "JSON.stringify")
    ],
    [
      "in every sink that looks at causes, where the cause of the error holds it",
      rejected({ cause: new Error(held) }),
      ["cause chain", "util.inspect", "Cause.pretty", "spans", ...logs]
    ],
    [
      "in every sink that looks at fields, where a field of the error holds it",
      rejected({ field: held }),
      ["JSON.stringify", "util.inspect", "spans", ...logs]
    ],
    [
      "in every sink that looks at defects, where a defect holds it",
      Effect.die(new Error(held)),
      ["util.inspect", "Cause.pretty", "spans", ...logs]
    ],
    [
      "in the spans, where an attribute of one holds it",
      Effect.zipRight(Effect.annotateCurrentSpan("key", held), rejected({})),
      ["spans"]
    ]
  ]
  for (const [where, call, sinks] of planted)
    test(where, async () => {
      expect((await showing(call)).sort()).toEqual([...sinks].sort())
    })
})

test("where no secret was planted, none shows, and every sink was looked at", async () => {
  const looks = await lookAt(rejected({ serverMessage: "no" }))
  expect(new Set(looks.map(({ sink }) => sink))).toEqual(new Set(sinks))
  expect(looks.filter(({ text }) => seenIn(text, [secret]).length > 0)).toEqual([])
})
