// What the shared sessions of a fleet promise, over any store. Several of them on one database stand for several runners.

import type { StoredSession } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import {
  Deferred,
  Effect,
  Exit,
  Fiber,
  Logger,
  Option,
  Redacted,
  type Scope,
  TestClock,
  TestContext
} from "effect"
import { describe, expect } from "vitest"
import { keyOf, make } from "../store/sessions.js"
import { numberOf } from "../store/store.js"
import { client, type Store } from "./stores.js"

const secret = (from: number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => (from + at * 7) % 256)).toString("base64")

const name = "admin https://api.test ana@example.test"
const session: StoredSession = {
  sessionId: "s3ss10n-0123456789",
  accessToken: "t0k3n-0123456789",
  user: { fullName: "Ana", createdAt: new Date(1_700_000_000_000) }
}
const another: StoredSession = { sessionId: "another-session" }

const runner = (url: string, keys: ReadonlyArray<string> = [secret(1)]) =>
  Effect.gen(function* () {
    const sql = yield* client(url)
    const store = yield* make(sql, "runner", Redacted.make(keys.join(",")))
    const exclusively = store.exclusively
    if (exclusively === undefined) throw new Error("sessions are renewed by all at once")
    return { sql, store, exclusively }
  })

export const sessions = (database: string, store: Store): void => {
  const on = live.within<[string], Scope.Scope>((use) => Effect.flatMap(store, use))

  describe(`sessions over ${database}`, () => {
    on("that one runner keeps are there for the others", function* (url) {
      const first = yield* runner(url)
      const second = yield* runner(url)
      expect(yield* second.store.load(name)).toEqual(Option.none())
      yield* first.store.save(name, session)
      expect(yield* second.store.load(name)).toEqual(Option.some(session))
      yield* first.store.save(name, another)
      expect(yield* second.store.load(name, session)).toEqual(Option.some(another))
      expect(yield* second.store.load("another client")).toEqual(Option.none())
    })

    on(
      "are sealed: the database holds neither them nor who they are of, and no two seals alike",
      function* (url) {
        const { sql, store } = yield* runner(url)
        const rows = sql`SELECT * FROM quartet_sessions`
        yield* store.save(name, session)
        const [first] = yield* rows
        yield* store.save(name, session)
        const [second] = yield* rows
        const text = Object.values(first ?? {}).join(" ")
        const plain = Buffer.from(String(first?.sealed), "base64").toString("latin1")
        for (const known of [session.sessionId, session.accessToken ?? "", "Ana", "ana@", "api.test"])
          expect(text + plain).not.toContain(known)
        expect(first?.name).toBe(second?.name)
        expect(first?.sealed).not.toBe(second?.sealed)
      }
    )

    on("sealed under another name, changed, or by another key are none, and told once", function* (url) {
      const { sql, store } = yield* runner(url)
      const messages: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void messages.push(String(message)))
      )
      yield* store.save(name, session)
      yield* store.save("b", another)
      const names = yield* sql`SELECT name, sealed FROM quartet_sessions ORDER BY kept_at, name`
      const [first, second] = names
      yield* sql`UPDATE quartet_sessions SET sealed = ${String(first?.sealed)} WHERE name = ${String(second?.name)}`
      yield* sql`UPDATE quartet_sessions SET sealed = ${`AAAA${String(first?.sealed).slice(4)}`} WHERE name = ${String(first?.name)}`
      const loads = Effect.all([store.load(name), store.load("b"), store.load(name)])
      expect(yield* Effect.provide(loads, logger)).toEqual([Option.none(), Option.none(), Option.none()])
      expect(messages).toEqual([expect.stringContaining("QUARTET_FLEET_KEY")])
      expect(messages.join()).not.toContain(secret(1))
      yield* store.save(name, session)
      const stranger = yield* runner(url, [secret(2)])
      expect(yield* stranger.store.load(name)).toEqual(Option.none())
      expect(yield* store.load(name)).toEqual(Option.some(session))
    })

    on("outlive a change of keys", function* (url) {
      const before = yield* runner(url, [secret(1)])
      const during = yield* runner(url, [secret(2), secret(1)])
      const after = yield* runner(url, [secret(2)])
      yield* before.store.save(name, session)
      expect(yield* during.store.load(name)).toEqual(Option.some(session))
      yield* during.store.save(name, another)
      expect(yield* after.store.load(name)).toEqual(Option.some(another))
      const rows = yield* during.sql`SELECT name FROM quartet_sessions`
      expect(rows).toHaveLength(1)
    })

    on("are cleared by who gives them up, unless there is a newer one", function* (url) {
      const { store } = yield* runner(url)
      yield* store.save(name, another)
      yield* store.clear(name, session)
      expect(yield* store.load(name)).toEqual(Option.some(another))
      yield* store.clear(name, another)
      expect(yield* store.load(name)).toEqual(Option.none())
      yield* store.save(name, session)
      yield* store.clear(name)
      expect(yield* store.load(name)).toEqual(Option.none())
    })

    on("are obtained by one runner at a time", function* (url) {
      const all = yield* Effect.all([runner(url), runner(url), runner(url)])
      let [working, most, signIns] = [0, 0, 0]
      const signIn = Effect.gen(function* () {
        working += 1
        most = Math.max(most, working)
        yield* Effect.sleep(30)
        working -= 1
        signIns += 1
        return { sessionId: `session-${signIns}` }
      })
      const obtained = yield* Effect.all(
        all.map(({ exclusively, store }) =>
          exclusively(
            name,
            Effect.flatMap(store.load(name), (kept) =>
              Option.isSome(kept)
                ? Effect.succeed(kept.value)
                : Effect.tap(signIn, (signedIn) => store.save(name, signedIn))
            )
          )
        ),
        { concurrency: "unbounded" }
      )
      expect(most).toBe(1)
      expect(obtained.map(({ sessionId }) => sessionId)).toEqual(["session-1", "session-1", "session-1"])
    })

    on("of different clients do not wait for each other", function* (url) {
      const { exclusively } = yield* runner(url)
      const isHeld = yield* Deferred.make<void>()
      yield* Effect.forkScoped(
        exclusively(name, Effect.zipRight(Deferred.succeed(isHeld, undefined), Effect.never))
      )
      yield* Deferred.await(isHeld)
      expect(yield* exclusively("another client", Effect.succeed("done"))).toBe("done")
    })

    on(
      "are obtained by another runner when the lease of a dead one ends, and freed by failures",
      function* (url) {
        const { exclusively, sql } = yield* runner(url)
        const isHeld = yield* Deferred.make<void>()
        yield* Effect.forkScoped(
          exclusively(name, Effect.zipRight(Deferred.succeed(isHeld, undefined), Effect.never))
        )
        yield* Deferred.await(isHeld)
        const [lease] = yield* sql`SELECT lease_until FROM quartet_session_leases`
        expect(numberOf(lease?.lease_until)).toBeGreaterThan(Date.now() + 3_000)
        const waiting = yield* Effect.fork(exclusively(name, Effect.fail("refused")))
        yield* Effect.sleep(300)
        expect(waiting.unsafePoll()).toBeNull()
        yield* sql`UPDATE quartet_session_leases SET owner = 'dead', lease_until = 1`
        expect(yield* Fiber.await(waiting)).toEqual(Exit.fail("refused"))
        expect(yield* sql`SELECT owner FROM quartet_session_leases`).toEqual([])
      }
    )

    on("are obtained in bounded time although another runner never ends", function* (url) {
      const { exclusively, sql } = yield* runner(url)
      yield* exclusively(name, sql`UPDATE quartet_session_leases SET owner = 'held'`)
      const renew = sql`UPDATE quartet_session_leases SET owner = 'held', lease_until = ${Date.now() + 5_000}`
      const work = Effect.gen(function* () {
        const waiting = yield* Effect.fork(exclusively(name, Effect.succeed("done")))
        for (let turn = 0; turn < 9; turn += 1) yield* Effect.zipRight(renew, TestClock.adjust(1_000))
        expect(waiting.unsafePoll()).toBeNull()
        yield* TestClock.adjust(2_000)
        return yield* Fiber.join(waiting)
      })
      expect(yield* Effect.provide(work, TestContext.TestContext)).toBe("done")
      expect((yield* sql`SELECT owner FROM quartet_session_leases`)[0]?.owner).toBe("held")
    })

    on("are obtained at once where a lease is of before the store's clock was set back", function* (url) {
      const { exclusively, sql } = yield* runner(url)
      yield* exclusively(
        name,
        sql`UPDATE quartet_session_leases SET owner = 'dead', lease_until = lease_until + 3600000`
      )
      expect(yield* sql`SELECT owner FROM quartet_session_leases`).toEqual([{ owner: "dead" }])
      // Of this test's clock no time passes: nothing is waited for.
      const done = exclusively(name, Effect.succeed("done"))
      expect(yield* Effect.provide(done, TestContext.TestContext)).toBe("done")
    })

    on("are obtained without the store where it fails", function* (url) {
      const { exclusively, sql } = yield* runner(url)
      yield* sql`DROP TABLE quartet_session_leases`
      const work = Effect.gen(function* () {
        const waiting = yield* Effect.fork(exclusively(name, Effect.succeed("done")))
        for (let turn = 0; turn < 12; turn += 1) yield* TestClock.adjust(1_000)
        return yield* Fiber.join(waiting)
      })
      expect(yield* Effect.provide(work, TestContext.TestContext)).toBe("done")
    })

    on.each([
      "",
      "short",
      `${secret(1)},`,
      Buffer.alloc(32).toString("base64"),
      Buffer.alloc(31, "abcdefghijk").toString("base64")
    ])("the key %j is refused, and not shown", function* (text) {
      const refused = yield* Effect.flip(keyOf(Redacted.make(text)))
      expect(refused).toMatchObject({ _tag: "FleetError", reason: "Key" })
      expect(refused.advice).toContain("openssl rand -base64 32")
      if (text !== "") expect(refused.advice).not.toContain(text)
    })
  })
}
