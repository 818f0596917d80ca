// Runs the calls of a dispatcher in tests: to their end, in the background, or for the one request that they send.
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import type { CallOptions } from "../../../core/kernel/dispatch/endpoint.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import type { Outcome } from "../../../core/ports/transport.js"
import * as Sample from "./sample-dispatcher.js"
import { thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

/** Runs a call to its end, letting as much time pass as it wants. */
export const settled = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(call))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

/** The tag that a call ends in, and how many requests it took. */
export const outcomeOf = (
  script: ReadonlyArray<Outcome>,
  call: "get" | "create" | "search",
  { options, ...of }: Sample.Options & { readonly options?: CallOptions } = {}
) =>
  Effect.gen(function* () {
    const { fake, dispatcher } = Sample.make(script, of)
    const ended = yield* settled(
      call === "get"
        ? dispatcher.call(Things.get, { id: "a" }, options)
        : call === "create"
          ? dispatcher.call(Things.create, { payload: {} }, options)
          : dispatcher.call(Things.search, { payload: {} }, options)
    )
    return { tag: Either.isRight(ended) ? "success" : ended.left._tag, sent: fake.exchanges.length }
  })

/** Starts a call whose pauses are half of their bounds, and lets it run until it waits. */
export const fork = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.tap(Effect.fork(Effect.either(Effect.withRandom(call, Random.fixed([0.5])))), () =>
    Effect.yieldNow()
  )

/** The one request that a call sends. */
export const sent = (
  call: (dispatcher: Sample.Made["dispatcher"]) => Effect.Effect<unknown, CallError>,
  options: Sample.Options = {}
) =>
  Effect.gen(function* () {
    const { fake, dispatcher } = Sample.make([thing], options)
    yield* call(dispatcher)
    expect(fake.exchanges).toHaveLength(1)
    return fake.at(0).request
  })
