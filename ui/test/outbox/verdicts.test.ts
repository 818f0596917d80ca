// Whether a write was done is one fact: by each status, and by each end without one, the outbox reads it as the client does.
import { describe, expect } from "@effect/vitest"
import { type CallError, Errors } from "@quartet/sdk/extend"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { json } from "@quartet/support/fake-transport.js"
import { done, ends, inDoubt, kinds, later, once, statuses } from "@quartet/support/outcomes.js"
import * as Exit from "effect/Exit"
import { verdictOf } from "../../outbox/entry.js"

const verdict = (error: CallError) => verdictOf(Exit.fail(error))._tag

const { read: _, ...writes } = kinds

describe.each(Object.entries(writes))("of a %s", (_, [name, of]) => {
  effect("every status says the same of what was done to the outbox as to the client", function* () {
    for (const status of statuses) {
      const { error } = yield* Sample.ended([json(status, {})], name, { ...of, ...once })
      if (error === undefined) throw new Error(`${status} is no error`)
      expect([status, Errors.doneOf(error), verdict(error) === "Unknown"]).toEqual([
        status,
        done(status),
        done(status) === "perhaps"
      ])
    }
  })
})

describe("a write with a key", () => {
  effect(
    "that once may have been done stays so over all later attempts, whatever they are answered",
    function* () {
      const [, key] = kinds["write with a key"]
      for (const first of inDoubt)
        for (const second of [first, ...later]) {
          const { error } = yield* Sample.ended([json(first, {}), json(second, {})], "create", key)
          if (error === undefined) throw new Error(`${first}, then ${second}, is no error`)
          expect([first, second, verdict(error)]).toEqual([first, second, "Unknown"])
        }
    }
  )
})

describe("a write", () => {
  effect.each(ends)("%s is read by the outbox as by the client", function* ([, outcome, was]) {
    const { error } = yield* Sample.ended([outcome], "create", once)
    if (error === undefined) throw new Error("it succeeded")
    expect([Errors.doneOf(error), verdict(error) === "Unknown", verdict(error) === "Done"]).toEqual([
      was,
      was === "perhaps",
      was === "yes"
    ])
  })
})
