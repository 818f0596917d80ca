// A value that is read on demand: once a client, by whoever asks first, until it is invalidated.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { Context, Effect, TestClock } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import type { Bindable } from "../../../../core/kernel/dispatch/dispatcher.js"
import { type CallError, NetworkError } from "../../../../core/kernel/errors/errors.js"
import * as OnDemand from "../../../../core/kernel/session/on-demand.js"
import * as Platform from "./platform.js"
import { during } from "./platform.js"

class Client extends Context.Tag("Client")<Client, Bindable>() {}

/** A value of one client that is read within a second, and counts its readings. */
const makeValue = (read: (run: number) => Effect.Effect<number, CallError> = Effect.succeed) => {
  let runs = 0
  const { get, invalidate } = OnDemand.make(Client, () =>
    Effect.suspend(() => {
      runs += 1
      return Effect.delay(read(runs), "1 second")
    })
  )
  const [client, second] = [Sample.make([]), Sample.make([])]
  return {
    get: Effect.provideService(get, Client, client),
    invalidate: Effect.provideService(invalidate, Client, client),
    ofOther: Effect.provideService(get, Client, second)
  }
}

describe("a value on demand", () => {
  // Spec 1.7
  effect("is read once, by whoever asks first, until it is invalidated", function* () {
    const { get, invalidate } = makeValue()
    expect(yield* during(Effect.all([get, get], { concurrency: "unbounded" }), "1 second")).toEqual([1, 1])
    expect(yield* during(get, "1 second")).toBe(1)
    yield* invalidate
    expect(yield* during(get, "1 second")).toBe(2)
  })

  effect("is another one for another client", function* () {
    const { get, ofOther } = makeValue()
    expect(yield* during(get, "1 second")).toBe(1)
    expect(yield* during(ofOther, "1 second")).toBe(2)
    expect(yield* get).toBe(1)
  })

  effect.each([0, 500])(
    "that is invalidated while it is read is neither kept nor given to who asks %i ms before that has ended",
    function* (before) {
      const { get, invalidate } = makeValue()
      const early = yield* Effect.fork(get)
      yield* TestClock.adjust("500 millis")
      yield* invalidate
      yield* TestClock.adjust(500 - before)
      const late = yield* Effect.fork(get)
      yield* TestClock.adjust(before)
      expect(yield* early).toBe(1)
      expect(late.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1_000 - before)
      expect(yield* late).toBe(2)
      expect(yield* get).toBe(2)
    }
  )

  effect("that could not be read is read anew", function* () {
    const refused = new NetworkError({ operation: "things.get", reason: "Refused" })
    const { get } = makeValue((run) => (run === 1 ? Effect.fail(refused) : Effect.succeed(run)))
    expect(yield* during(Effect.flip(get), "1 second")).toBe(refused)
    expect(yield* during(get, "1 second")).toBe(2)
  })
})

describe("the project that an admin has read", () => {
  const read = { _id: "project-1", private_api_key: "pk-canary" }
  const project = (client: Admin.Service) =>
    Effect.provideService(Admin.onDemand.project.get, Admin.Client, client)

  effect("is forgotten at the sign-out: whoever signs in next reads their own", function* () {
    const { client, platform } = yield* Platform.makeWorld()
    platform.body = () => read
    yield* project(client)
    yield* project(client)
    expect(platform.count("projects.get")).toBe(1)
    yield* client.session.signOut
    yield* project(client)
    expect(platform.count("projects.get")).toBe(2)
  })

  effect("is not kept where the sign-out came while it was read", function* () {
    const { client, platform } = yield* Platform.makeWorld({ latency: 10 })
    platform.body = () => read
    const early = yield* Effect.fork(project(client))
    yield* TestClock.adjust(15)
    yield* client.session.signOut
    yield* TestClock.adjust(50)
    yield* Effect.exit(early)
    yield* during(project(client), 50)
    expect(platform.count("projects.get", 200)).toBe(2)
  })
})
