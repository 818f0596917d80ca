// A call that runs without a fiber, as Promise clients start it, is repeated, cancelled and ended like any other.

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { vi } from "vitest"
import { fork } from "../../../clients/promise/run.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { json } from "../../support/fake-transport.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

describe("a call without a fiber", () => {
  const launched = (script: Parameters<typeof Sample.make>[0], options: Sample.Options = {}) => {
    const { fake, dispatcher } = Sample.make(script, options)
    const exits: Array<Exit.Exit<unknown, CallError>> = []
    const cancel = dispatcher.launch(Things.get, { id: "a" }, undefined, fork, (exit) => exits.push(exit))
    return { fake, exits, cancel }
  }
  const until = (check: () => void) =>
    Effect.promise(() => vi.waitFor(check, { timeout: 5_000, interval: 1 }))
  /** Lets everything run that is ready to. */
  const idle = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

  it.live("ends with its value", () =>
    Effect.gen(function* () {
      const { exits } = launched([thing])
      yield* until(() => expect(exits).toEqual([Exit.succeed({ _id: "a" })]))
    })
  )

  it.live("is repeated like any other, also where the transport answers before it returns", () =>
    Effect.gen(function* () {
      const { exits, fake } = launched([busy, busy, thing], { policy: { pause: 1 } })
      yield* until(() => expect(exits).toEqual([Exit.succeed({ _id: "a" })]))
      expect(fake.exchanges).toHaveLength(3)
    })
  )

  it.live("that is cancelled in flight abandons its exchange, and ends in nothing", () =>
    Effect.gen(function* () {
      const { cancel, exits, fake } = launched(["waits"])
      cancel()
      cancel()
      expect(fake.count("abandoned")).toBe(1)
      yield* idle
      expect(exits).toEqual([])
    })
  )

  it.live("that is cancelled in its second attempt abandons that one", () =>
    Effect.gen(function* () {
      const { cancel, exits, fake } = launched([json(503, {}, { "retry-after": "0" }), "waits"])
      yield* until(() => expect(fake.count("open")).toBe(1))
      cancel()
      yield* until(() => expect(fake.count("abandoned")).toBe(1))
      expect(exits).toEqual([])
    })
  )

  it.live("ends at its deadline", () =>
    Effect.gen(function* () {
      const { exits, fake } = launched(["waits"], { policy: { deadline: 5 } })
      yield* until(() => expect(exits).toHaveLength(1))
      expect(exits[0]).toMatchObject({ _tag: "Failure", cause: { error: { _tag: "DeadlineExceeded" } } })
      expect(fake.count("abandoned")).toBe(1)
    })
  )
})
