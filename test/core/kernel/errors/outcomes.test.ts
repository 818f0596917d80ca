// One reading of one fact: whether a request was done, and whether it is sent again, by each status. The client, a fleet and its fence say
// the same, and so does the outbox (ui/test/outbox/verdicts.test.ts).
import { describe, expect } from "@effect/vitest"
import { Fence, type Fences, heard, verdictOf } from "@quartet/fleet/extend"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { failed, json } from "@quartet/support/fake-transport.js"
import { done, ends, inDoubt, isRetried, kinds, later, once, statuses } from "@quartet/support/outcomes.js"
import { plainRequest } from "@quartet/support/transports.js"
import { Cause } from "effect"
import * as Errors from "../../../../core/kernel/errors/errors.js"
import type { Outcome } from "../../../../core/ports/transport.js"

/** What a fleet makes of an error. */
const verdict = (error: Errors.CallError) => verdictOf(Cause.fail(error))._tag

/** What a fleet's fence makes of an answer. */
const heardBy = (outcome: Outcome): Fence => {
  const fence = new Fence({ isValid: () => true })
  const fences: Fences = new Map([["k", fence]])
  heard(fences, { start: (_, settle) => () => settle(outcome) }).start(
    { ...plainRequest, headers: { "idempotency-key": "k" } },
    () => undefined
  )()
  return fence
}

describe.each(Object.entries(kinds))("of a %s", (kind, [name, of]) => {
  const isWrite = name !== "get"

  effect("every status from 300 to 599 is retried, or not, as the table says", function* () {
    for (const status of statuses) {
      const { sent } = yield* Sample.ended([json(status, {}), Sample.thing], name, of)
      expect([status, sent]).toEqual([status, kind !== "write" && isRetried(status) ? 2 : 1])
    }
  })

  effect("every status says the same of what was done to the client, a fleet and its fence", function* () {
    for (const status of statuses) {
      const { error } = yield* Sample.ended([json(status, {})], name, { ...of, ...once })
      if (error === undefined) throw new Error(`${status} is no error`)
      const was = isWrite ? done(status) : "no"
      expect([status, Errors.doneOf(error)]).toEqual([status, was])
      expect([status, error.retryable]).toEqual([status, isRetried(status) && was === "no"])
      expect([status, Errors.categoryOf(error) === "unknown-outcome"]).toEqual([status, was === "perhaps"])
      expect([status, verdict(error) === "Unknown"]).toEqual([status, was === "perhaps"])
      if (!isWrite) continue
      expect([status, heardBy(json(status, {})).isUnanswered]).toEqual([status, was === "perhaps"])
    }
  })
})

describe("a write with a key", () => {
  const [, key] = kinds["write with a key"]

  effect(
    "that once may have been done stays so over all later attempts, whatever they are answered",
    function* () {
      for (const first of inDoubt)
        for (const second of [first, ...later]) {
          const { error } = yield* Sample.ended([json(first, {}), json(second, {})], "create", key)
          expect([first, second, error?._tag, error?.retryable]).toEqual([
            first,
            second,
            "OutcomeUnknown",
            false
          ])
          expect(Object(error?.cause).status).toBe(second)
          if (error !== undefined) expect(verdict(error)).toBe("Unknown")
        }
    }
  )

  effect("that was refused each time was not done", function* () {
    const { error, sent } = yield* Sample.ended(
      [json(429, {}), failed("Refused", false), json(429, {})],
      "create",
      key
    )
    expect([sent, error?._tag, error && Errors.doneOf(error)]).toEqual([3, "RateLimited", "no"])
  })
})

describe("a write", () => {
  effect.each(ends)("%s is read alike by the client and a fleet", function* ([, outcome, was]) {
    const { error } = yield* Sample.ended([outcome], "create", once)
    if (error === undefined) throw new Error("it succeeded")
    expect(Errors.doneOf(error)).toBe(was)
    expect([verdict(error) === "Unknown", verdict(error) === "Done"]).toEqual([
      was === "perhaps",
      was === "yes"
    ])
    expect(heardBy(outcome).isUnanswered && !heardBy(outcome).isDone).toBe(
      was === "perhaps" && !("status" in outcome)
    )
  })
})
