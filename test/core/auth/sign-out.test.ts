// What is given up stays given up, whatever was under way.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Admin from "../../../clients/admin/index.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import {
  type Service,
  SessionStore,
  SessionStoreError,
  type StoredSession
} from "../../../core/ports/session-store.js"
import type { Request } from "../../../core/ports/transport.js"
import * as Platform from "./platform.js"

const start = Date.UTC(2026, 0, 1)

/** A store in memory that takes a while to load and to save, and none to clear. */
const makeStore = (pause = 0) => {
  const sessions = new Map<string, StoredSession>()
  const slow = <A>(effect: Effect.Effect<A>) => (pause === 0 ? effect : Effect.delay(effect, pause))
  const service: Service = {
    load: (key) => slow(Effect.sync(() => Option.fromNullable(sessions.get(key)))),
    save: (key, session) => slow(Effect.sync(() => void sessions.set(key, session))),
    clear: (key) => Effect.sync(() => void sessions.delete(key))
  }
  return { sessions, service }
}

const made = (store: Service, options: Platform.Options = { latency: 50 }) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const platform = yield* Platform.make(options)
    const client = yield* Effect.provideService(Platform.client(platform), SessionStore, store)
    const time = Number(yield* Effect.clockWith((clock) => clock.currentTimeNanos)) / 1e6
    const clock = yield* Effect.clock
    return { client, platform, isSignedIn: () => client.session.current(time, clock) !== undefined }
  })

const settled = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* TestClock.adjust("1 seconds")
    return yield* fiber
  })

describe("a sign-out", () => {
  it.effect("forgets the session here and in the store; the next call signs in anew", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service)
      yield* settled(Platform.call(client))
      yield* client.session.signOut
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
      yield* settled(Platform.call(client))
      expect(platform.signIns()).toBe(2)
    })
  )

  it.effect("during a sign-in is not undone by it: neither here nor in the store", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service)
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* TestClock.adjust(20)
      yield* client.session.signOut
      yield* TestClock.adjust("1 seconds")
      expect(Exit.isSuccess(yield* call)).toBe(true)
      expect(platform.signIns()).toBe(1)
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
    })
  )

  it.effect("during a renewal in the background ends the renewal", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service)
      yield* settled(Platform.call(client))
      yield* TestClock.adjust("57 minutes")
      yield* Effect.fork(Platform.call(client))
      yield* TestClock.adjust(20)
      expect(platform.inFlight).toBe(3)
      yield* client.session.signOut
      yield* TestClock.adjust("1 seconds")
      expect(platform.abandoned).toBe(2)
      expect(platform.signIns()).toBe(1)
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
    })
  )

  it.effect("while a session is being saved clears the store after that", () =>
    Effect.gen(function* () {
      const store = makeStore(100)
      const { client, isSignedIn } = yield* made(store.service, {})
      yield* Effect.fork(Effect.exit(Platform.call(client)))
      // The load takes 100 ms, and the save has begun.
      yield* TestClock.adjust(150)
      yield* settled(client.session.signOut)
      expect(store.sessions.size).toBe(0)
      expect(isSignedIn()).toBe(false)
    })
  )

  it.effect("while a session is being loaded does not keep it", () =>
    Effect.gen(function* () {
      const store = makeStore(100)
      const { client, isSignedIn } = yield* made(store.service, {})
      yield* settled(Platform.call(client))
      const { client: next, isSignedIn: isNext } = yield* made(store.service, {})
      const call = yield* Effect.fork(Effect.exit(Platform.call(next)))
      yield* TestClock.adjust(50)
      yield* settled(next.session.signOut)
      yield* call
      expect(isNext()).toBe(false)
      expect(store.sessions.size).toBe(0)
      expect(isSignedIn()).toBe(true)
    })
  )

  it.effect("is not undone by a call under way that meets a 401: it fails, and nobody signs in", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service)
      yield* settled(Platform.call(client))
      const call = yield* Effect.fork(Effect.flip(Platform.call(client)))
      yield* TestClock.adjust(20)
      platform.revoke()
      yield* client.session.signOut
      yield* TestClock.adjust("1 minutes")
      expect(yield* call).toMatchObject({ _tag: "Unauthenticated", operation: "requests.list", status: 401 })
      expect(platform.signIns()).toBe(1)
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
      yield* settled(Platform.call(client))
      expect(platform.signIns()).toBe(2)
    })
  )

  it.effect("is not undone by a call that waited for a sign-in and has its session refused", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service)
      const call = yield* Effect.fork(Effect.flip(Platform.call(client)))
      yield* TestClock.adjust(20)
      yield* client.session.signOut
      yield* TestClock.adjust(40)
      platform.revoke()
      yield* TestClock.adjust("1 minutes")
      expect(yield* call).toMatchObject({ _tag: "Unauthenticated", operation: "requests.list" })
      expect(platform.signIns()).toBe(1)
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
    })
  )

  it.effect("ends a walk over pages at its next page: nobody signs in, and nothing is saved", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn, platform } = yield* made(store.service, {})
      platform.body = ({ path }: Request) => ({
        items: [{ _id: new URL(path, "https://host").searchParams.get("page") }],
        paging: { pages: 9 }
      })
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
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
      // A walk that is begun after it signs in as any other call does.
      platform.body = { items: [] }
      yield* read
      expect(platform.signIns()).toBe(2)
    })
  )

  it.effect("ends a walk over pages too where another call has signed in anew since", () =>
    Effect.gen(function* () {
      const { client, platform } = yield* made(makeStore().service, {})
      platform.body = ({ path }: Request) => ({
        items: [{ _id: new URL(path, "https://host").searchParams.get("page") }],
        paging: { pages: 9 }
      })
      const walk = Stream.runForEach(pages(Admin.requests.list, {}), () =>
        Effect.zipRight(client.session.signOut, Platform.call(client))
      )
      const error = yield* Effect.flip(Effect.provideService(walk, Admin.Client, client))
      expect(error).toMatchObject({ _tag: "CredentialsError" })
      expect(platform.signIns()).toBe(2)
    })
  )

  it.effect("is not undone by a sign-in that has been asked for, but has not begun", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const { client, isSignedIn } = yield* made(store.service)
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* Effect.yieldNow()
      yield* client.session.signOut
      yield* TestClock.adjust("1 minutes")
      yield* call
      expect(isSignedIn()).toBe(false)
      expect(store.sessions.size).toBe(0)
    })
  )

  it.effect("is followed by a session of its own, which a late refusal of the one before leaves alone", () =>
    Effect.gen(function* () {
      const { client, isSignedIn, platform } = yield* made(makeStore().service)
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
    })
  )

  it.effect("is followed by calls that join no sign-in from before it", () =>
    Effect.gen(function* () {
      const { client, platform } = yield* made(makeStore().service)
      yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* TestClock.adjust(20)
      yield* client.session.signOut
      expect(Exit.isSuccess(yield* settled(Effect.exit(Platform.call(client))))).toBe(true)
      expect(platform.signIns()).toBe(2)
      yield* settled(Platform.call(client))
      expect(platform.signIns()).toBe(2)
    })
  )

  it.effect("whose store fails to clear does not bring the session back to this client", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const broken: Service = {
        ...store.service,
        clear: () => Effect.fail(new SessionStoreError({ method: "clear", cause: new Error("read-only") }))
      }
      const { client: first } = yield* made(broken, {})
      yield* Platform.call(first)
      const { client, platform } = yield* made(broken, {})
      yield* client.session.signOut
      yield* Platform.call(client)
      expect(platform.signIns()).toBe(1)
    })
  )

  it.effect("lifts the cooldown of a sign-in that failed", () =>
    Effect.gen(function* () {
      const { client, platform } = yield* made(makeStore().service, {})
      platform.refusals.push({ _tag: "Failed", reason: "Refused", sent: false, cause: new Error("down") })
      platform.refusals.push({ _tag: "Failed", reason: "Refused", sent: false, cause: new Error("down") })
      platform.refusals.push({ _tag: "Failed", reason: "Refused", sent: false, cause: new Error("down") })
      const call = yield* Effect.fork(Effect.exit(Platform.call(client)))
      yield* TestClock.adjust("1 minutes")
      expect(Exit.isFailure(yield* call)).toBe(true)
      yield* client.session.signOut
      yield* Platform.call(client)
      expect(platform.count("auth.login", 200)).toBe(1)
    })
  )

  it.effect("of a session that was given is final", () =>
    Effect.gen(function* () {
      const { client: signedIn, platform } = yield* made(makeStore().service, {})
      const { headers } = yield* signedIn.session.obtain
      const client = yield* Platform.client(platform, {
        email: undefined,
        password: undefined,
        sessionId: headers["x-session-id"],
        accessToken: (headers.authorization ?? "").replace("Bearer ", "")
      } as never)
      yield* Platform.call(client)
      yield* client.session.signOut
      const error = yield* Effect.flip(Platform.call(client))
      expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Missing" })
      expect(error.message).toContain("make a new client")
    })
  )
})
