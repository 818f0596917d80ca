// What is given up stays given up, whatever was under way: a session at a sign-out, and all that a client has at its end.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { failed } from "@quartet/support/fake-transport.js"
import { Cause, Effect, Exit, Option, Stream, TestClock } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import { now } from "../../../../core/kernel/dispatch/lifetime/deadlines.js"
import { pages } from "../../../../core/kernel/dispatch/streaming.js"
import type { Request } from "../../../../core/ports/transport.js"
import * as Platform from "./platform.js"

const made = (options: Platform.Options = { latency: 50 }, store = Platform.makeStore()) =>
  Effect.gen(function* () {
    const { client, platform } = yield* Platform.makeWorld(options, {}, store.service)
    const clock = yield* Effect.clock
    const isSignedIn = () => client.session.current(now(clock), clock) !== undefined
    /** Nothing is left of a session, here or in the store. */
    const expectNone = () => {
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
    }
    return { client, platform, store, isSignedIn, expectNone }
  })

const settled = <A, E>(effect: Effect.Effect<A, E>) => Platform.during(effect, "1 seconds")

/** A page of nine, whose one item says which it is. */
const paged = ({ path }: Request) => ({
  items: [{ _id: new URL(path, "https://host").searchParams.get("page") }],
  paging: { pages: 9 }
})

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

describe("a sign-out", () => {
  effect("forgets the session here and in the store; the next call signs in anew", function* () {
    const { client, expectNone, platform } = yield* made()
    yield* settled(Platform.call(client))
    yield* client.session.signOut
    expectNone()
    yield* settled(Platform.call(client))
    expect(platform.signIns()).toBe(2)
  })

  effect("during a sign-in is not undone by it: neither here nor in the store", function* () {
    const { client, expectNone, platform } = yield* made()
    const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust(20)
    yield* client.session.signOut
    yield* TestClock.adjust("1 seconds")
    expect(Exit.isSuccess(yield* call)).toBe(true)
    expect(platform.signIns()).toBe(1)
    expectNone()
  })

  effect("during a renewal in the background ends the renewal", function* () {
    const { client, expectNone, platform } = yield* made()
    yield* settled(Platform.call(client))
    yield* TestClock.adjust("57 minutes")
    yield* Effect.fork(Platform.call(client))
    yield* TestClock.adjust(20)
    expect(platform.inFlight).toBe(3)
    yield* client.session.signOut
    yield* TestClock.adjust("1 seconds")
    expect(platform.abandoned).toBe(2)
    expect(platform.signIns()).toBe(1)
    expectNone()
  })

  effect("while a session is being saved clears the store after that", function* () {
    const { client, expectNone } = yield* made({}, Platform.makeStore({}, 100))
    yield* Effect.fork(Effect.exit(Platform.call(client)))
    // The load takes 100 ms, and the save has begun.
    yield* TestClock.adjust(150)
    yield* settled(client.session.signOut)
    expectNone()
  })

  effect("while a session is being loaded does not keep it", function* () {
    const { client, isSignedIn, store } = yield* made({}, Platform.makeStore({}, 100))
    yield* settled(Platform.call(client))
    const { client: next, expectNone } = yield* made({}, store)
    const call = yield* Effect.fork(Effect.exit(Platform.call(next)))
    yield* TestClock.adjust(50)
    yield* settled(next.session.signOut)
    yield* call
    expectNone()
    expect(isSignedIn()).toBe(true)
  })

  effect("is not undone by a call under way that meets a 401: it fails, and nobody signs in", function* () {
    const { client, expectNone, platform } = yield* made()
    yield* settled(Platform.call(client))
    const call = yield* Effect.fork(Effect.flip(Platform.call(client)))
    yield* TestClock.adjust(20)
    platform.revoke()
    yield* client.session.signOut
    yield* TestClock.adjust("1 minutes")
    expect(yield* call).toMatchObject({ _tag: "Unauthenticated", operation: "requests.list", status: 401 })
    expect(platform.signIns()).toBe(1)
    expectNone()
    yield* settled(Platform.call(client))
    expect(platform.signIns()).toBe(2)
  })

  effect("is not undone by a call that waited for a sign-in and has its session refused", function* () {
    const { client, expectNone, platform } = yield* made()
    const call = yield* Effect.fork(Effect.flip(Platform.call(client)))
    yield* TestClock.adjust(20)
    yield* client.session.signOut
    yield* TestClock.adjust(40)
    platform.revoke()
    yield* TestClock.adjust("1 minutes")
    expect(yield* call).toMatchObject({ _tag: "Unauthenticated", operation: "requests.list" })
    expect(platform.signIns()).toBe(1)
    expectNone()
  })

  effect("ends a walk over pages at its next page: nobody signs in, and nothing is saved", function* () {
    const { client, expectNone, platform } = yield* made({})
    platform.body = paged
    const seen: Array<string> = []
    const walk = Stream.runForEach(pages(Admin.requests.list, {}), ({ _id }) =>
      Effect.zipRight(
        Effect.sync(() => seen.push(_id)),
        _id === "2" ? client.session.signOut : Effect.void
      )
    )
    const read = Effect.provideService(walk, Admin.Client, client)
    expect(yield* Effect.flip(read)).toMatchObject({
      _tag: "CredentialsError",
      operation: "requests.list",
      message: expect.stringContaining("signed out")
    })
    expect(seen).toEqual(["1", "2"])
    expect(platform.signIns()).toBe(1)
    expectNone()
    // A walk that is begun after it signs in as any other call does.
    platform.body = { items: [] }
    yield* read
    expect(platform.signIns()).toBe(2)
  })

  effect("ends a walk over pages too where another call has signed in anew since", function* () {
    const { client, platform } = yield* made({})
    platform.body = paged
    const walk = Stream.runForEach(pages(Admin.requests.list, {}), () =>
      Effect.zipRight(client.session.signOut, Platform.call(client))
    )
    const error = yield* Effect.flip(Effect.provideService(walk, Admin.Client, client))
    expect(error).toMatchObject({ _tag: "CredentialsError" })
    expect(platform.signIns()).toBe(2)
  })

  effect("is not undone by a sign-in that has been asked for, but has not begun", function* () {
    const { client, expectNone } = yield* made()
    const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* Effect.yieldNow()
    yield* client.session.signOut
    yield* TestClock.adjust("1 minutes")
    yield* call
    expectNone()
  })

  effect(
    "is followed by a session of its own, which a late refusal of the one before leaves alone",
    function* () {
      const { client, isSignedIn, platform } = yield* made()
      yield* settled(Platform.call(client))
      const late = yield* Effect.fork(Effect.flip(Platform.call(client)))
      yield* TestClock.adjust(20)
      platform.revoke()
      yield* client.session.signOut
      const next = yield* Effect.fork(Platform.call(client))
      yield* TestClock.adjust("1 seconds")
      yield* next
      expect(yield* late).toMatchObject({ _tag: "Unauthenticated" })
      expect(platform.signIns()).toBe(2)
      expect(isSignedIn()).toBe(true)
    }
  )

  effect("is followed by calls that join no sign-in from before it", function* () {
    const { client, platform } = yield* made()
    yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust(20)
    yield* client.session.signOut
    expect(Exit.isSuccess(yield* settled(Effect.exit(Platform.call(client))))).toBe(true)
    expect(platform.signIns()).toBe(2)
    yield* settled(Platform.call(client))
    expect(platform.signIns()).toBe(2)
  })

  effect("whose store fails to clear does not bring the session back to this client", function* () {
    const broken = Platform.makeStore({ clear: Platform.failing("clear") })
    const { client: first } = yield* made({}, broken)
    yield* Platform.call(first)
    const { client, platform } = yield* made({}, broken)
    yield* client.session.signOut
    yield* Platform.call(client)
    expect([platform.signIns(), platform.count("requests.list", 401)]).toEqual([1, 0])
  })

  effect("lifts the cooldown of a sign-in that failed", function* () {
    const { client, platform } = yield* made({})
    platform.refusals.push(...Array.from({ length: 3 }, () => failed("Refused")))
    const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust("1 minutes")
    expect(Exit.isFailure(yield* call)).toBe(true)
    yield* client.session.signOut
    yield* Platform.call(client)
    expect(platform.count("auth.login", 200)).toBe(1)
  })

  effect("of a session that was given is final", function* () {
    const { client: signedIn, platform } = yield* made({})
    const { headers } = yield* Platform.credentials(signedIn)
    const accessToken = (headers.authorization ?? "").replace("Bearer ", "")
    const client = yield* Platform.client(platform, Platform.given(headers["x-session-id"], accessToken))
    yield* Platform.call(client)
    yield* client.session.signOut
    const error = yield* Effect.flip(Platform.call(client))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
    expect(error.message).toContain("make a new client")
  })
})

describe("a client that ends", () => {
  effect("during a renewal in the background abandons that, and the call beside it", function* () {
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

  effect("while its store hangs waits neither for the store nor for a sign-in", function* () {
    const { client, platform } = yield* made(undefined, Platform.makeStore({ load: () => Effect.never }))
    const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
    yield* TestClock.adjust(20)
    yield* client.dispatcher.lifetime.close
    expect(isInterrupted(yield* call)).toBe(true)
    yield* TestClock.adjust("1 hours")
    expect(platform.log).toEqual([])
  })

  effect("signs nobody in afterwards", function* () {
    const loads: Array<string> = []
    const load = (key: string) =>
      Effect.sync(() => {
        loads.push(key)
        return Option.none()
      })
    const { client, platform } = yield* made(undefined, Platform.makeStore({ load }))
    yield* client.dispatcher.lifetime.close
    expect(yield* Effect.flip(Platform.call(client))).toMatchObject({ _tag: "InputError", field: "client" })
    expect(Exit.isFailure(yield* Effect.exit(Platform.credentials(client)))).toBe(true)
    yield* TestClock.adjust("1 hours")
    expect(platform.log).toEqual([])
    expect(loads).toEqual([])
  })
})
