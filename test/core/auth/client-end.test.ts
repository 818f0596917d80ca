// The end of a client ends its sign-ins and renewals, whoever waits for them.
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/TestClock"
import { type Service, SessionStore } from "../../../core/ports/session-store.js"
import * as Platform from "./platform.js"

const made = (store?: Service) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 0, 1))
    const platform = yield* Platform.make({ latency: 50 })
    const client = Platform.client(platform)
    return {
      platform,
      client: yield* store === undefined ? client : Effect.provideService(client, SessionStore, store)
    }
  })

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

describe("a client that ends", () => {
  it.effect("during a sign-in abandons it, and interrupts whoever waits for it", () =>
    Effect.gen(function* () {
      const { client, platform } = yield* made()
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      const waiting = yield* Effect.fork(Effect.exit(client.session.obtain))
      yield* TestClock.adjust(20)
      expect(platform.inFlight).toBe(2)
      yield* client.dispatcher.lifetime.close
      expect(platform.inFlight).toBe(0)
      expect(isInterrupted(yield* call)).toBe(true)
      expect(isInterrupted(yield* waiting)).toBe(true)
      yield* TestClock.adjust("1 hours")
      expect(platform.log).toEqual([])
    })
  )

  it.effect("during a renewal in the background abandons that, and the call beside it", () =>
    Effect.gen(function* () {
      const { client, platform } = yield* made()
      const first = yield* Effect.fork(Platform.call(client))
      yield* TestClock.adjust("57 minutes")
      yield* first
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* TestClock.adjust(20)
      expect(platform.inFlight).toBe(3)
      yield* client.dispatcher.lifetime.close
      expect(platform.inFlight).toBe(0)
      expect(platform.abandoned).toBe(3)
      expect(isInterrupted(yield* call)).toBe(true)
      yield* TestClock.adjust("10 hours")
      expect(platform.signIns()).toBe(1)
    })
  )

  it.effect("while its store hangs waits neither for the store nor for a sign-in", () =>
    Effect.gen(function* () {
      const store: Service = {
        load: () => Effect.never,
        save: () => Effect.void,
        clear: () => Effect.void
      }
      const { client, platform } = yield* made(store)
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* TestClock.adjust(20)
      yield* client.dispatcher.lifetime.close
      expect(isInterrupted(yield* call)).toBe(true)
      yield* TestClock.adjust("1 hours")
      expect(platform.log).toEqual([])
    })
  )

  it.effect("signs nobody in afterwards", () =>
    Effect.gen(function* () {
      const loads: Array<string> = []
      const store: Service = {
        load: (key) => {
          loads.push(key)
          return Effect.succeedNone
        },
        save: () => Effect.void,
        clear: () => Effect.void
      }
      const { client, platform } = yield* made(store)
      yield* client.dispatcher.lifetime.close
      expect(yield* Effect.flip(Platform.call(client))).toMatchObject({ _tag: "InputError", field: "client" })
      expect(Exit.isFailure(yield* Effect.exit(client.session.obtain))).toBe(true)
      yield* TestClock.adjust("1 hours")
      expect(platform.log).toEqual([])
      expect(loads).toEqual([])
    })
  )
})
