// One reading of one fact: whether a request was done, and whether it is sent again, by each status. The client, the
// outbox, a fleet and its fence say the same.
import { describe, expect } from "@effect/vitest"
import { Fence, type Fences, verdictOf as fleetVerdict, heard } from "@quartet/fleet/extend"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { failed, json, text } from "@quartet/support/fake-transport.js"
import { plainRequest } from "@quartet/support/transports.js"
import { Cause, Exit } from "effect"
import * as Errors from "../../../../core/kernel/errors/errors.js"
import type { Outcome } from "../../../../core/ports/transport.js"
import { verdictOf as outboxVerdict } from "../../../../ui/outbox/entry.js"

const statuses = Array.from({ length: 300 }, (_, at) => 300 + at)

/** Written out, so that a change of the table is a change here. */
const done = (status: number): Errors.Done => {
  if (status < 400) return [301, 307, 308].includes(status) ? "no" : "perhaps"
  if (status < 500) return status === 408 ? "perhaps" : "no"
  return [501, 505, 511].includes(status) ? "no" : "perhaps"
}
const isRetried = (status: number): boolean =>
  [408, 429].includes(status) || (status >= 500 && ![501, 505, 511].includes(status))

const kinds = {
  read: ["get", {}],
  write: ["create", {}],
  "write with a key": ["create", { options: { idempotencyKey: "order-7" } }]
} as const
const once = { policy: { attempts: 1 } }

/** What an outbox, which holds writes, and a fleet make of an error. */
const verdicts = (error: Errors.CallError) => [
  outboxVerdict(Exit.fail(error))._tag,
  fleetVerdict(Cause.fail(error))._tag
]

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

  effect(
    "every status says the same of what was done to the client, the outbox, a fleet and its fence",
    function* () {
      for (const status of statuses) {
        const { error } = yield* Sample.ended([json(status, {})], name, { ...of, ...once })
        if (error === undefined) throw new Error(`${status} is no error`)
        const was = isWrite ? done(status) : "no"
        expect([status, Errors.doneOf(error)]).toEqual([status, was])
        expect([status, error.retryable]).toEqual([status, isRetried(status) && was === "no"])
        expect([status, Errors.categoryOf(error) === "unknown-outcome"]).toEqual([status, was === "perhaps"])
        const [outbox, fleet] = verdicts(error)
        expect([status, fleet === "Unknown"]).toEqual([status, was === "perhaps"])
        if (!isWrite) continue
        expect([status, outbox === "Unknown"]).toEqual([status, was === "perhaps"])
        expect([status, heardBy(json(status, {})).isUnanswered]).toEqual([status, was === "perhaps"])
      }
    }
  )
})

describe("a write with a key", () => {
  const key = { options: { idempotencyKey: "order-7" } }

  effect(
    "that once may have been done stays so over all later attempts, whatever they are answered",
    function* () {
      for (const first of statuses.filter((status) => isRetried(status) && done(status) === "perhaps"))
        for (const later of [first, 400, 404, 409, 429, 501, 503]) {
          const { error } = yield* Sample.ended([json(first, {}), json(later, {})], "create", key)
          expect([first, later, error?._tag, error?.retryable]).toEqual([
            first,
            later,
            "OutcomeUnknown",
            false
          ])
          expect(Object(error?.cause).status).toBe(later)
          if (error !== undefined) expect(verdicts(error)).toEqual(["Unknown", "Unknown"])
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
  effect.each<readonly [string, Outcome, Errors.Done]>([
    ["whose connection was lost", failed("Reset", true), "perhaps"],
    ["that never left", failed("Refused", false), "no"],
    ["answered with a web page", text(200, "<html>"), "perhaps"],
    ["answered with what cannot be read", text(200, '{"_id":'), "yes"],
    ["whose file could not be read to its end", { _tag: "Unreadable", part: "file", cause: undefined }, "no"]
  ])("%s is read alike by the client, the outbox and a fleet", function* ([, outcome, was]) {
    const { error } = yield* Sample.ended([outcome], "create", once)
    if (error === undefined) throw new Error("it succeeded")
    expect(Errors.doneOf(error)).toBe(was)
    const [outbox, fleet] = verdicts(error)
    expect([outbox === "Unknown", fleet === "Unknown"]).toEqual([was === "perhaps", was === "perhaps"])
    expect([outbox === "Done", fleet === "Done"]).toEqual([was === "yes", was === "yes"])
    expect(heardBy(outcome).isUnanswered && !heardBy(outcome).isDone).toBe(
      was === "perhaps" && !("status" in outcome)
    )
  })
})
