// What every SessionStore must do, whatever keeps the sessions.
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { afterAll, beforeEach, describe, expect, vi } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { FakeBrowser } from "@quartet/support/fake-browser.js"
import { FakeStorage } from "@quartet/support/fake-storage.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { Effect, Layer, Option } from "effect"
import * as Storage from "../../adapters/storage/index.js"
import * as FileStorage from "../../adapters/storage-file/index.js"
import { make } from "../../adapters/tabs/tabs.js"
import { SessionStore } from "../../core/ports/session-store.js"

const whole = { sessionId: "s-1", accessToken: "h.p.s" }
const bare = { sessionId: "s-2" }

const odd = [
  "quartet.admin.https://api.example.com/v1.p1.ada@example.com",
  "../../etc/passwd",
  "a/b\\c:d*e?f",
  "ключ 🔑",
  "__proto__",
  "k".repeat(2_000)
]

/** `holds` says of how many clients it keeps sessions at a time. */
const sessionStoreContract = (
  name: string,
  layer: () => Layer.Layer<SessionStore>,
  holds: "one" | "many" = "many"
): void => {
  describe(`the SessionStore ${name}`, () => {
    const test = effect.within<[], SessionStore>((use) => Effect.provide(use(), layer()))

    test("has nothing under a key that was never saved", function* () {
      expect(yield* (yield* SessionStore).load("none")).toEqual(Option.none())
    })

    test("gives back what was saved, with and without an access token", function* () {
      const store = yield* SessionStore
      for (const [key, session] of [
        ["a", whole],
        ["b", bare]
      ] as const) {
        yield* store.save(key, session)
        expect(yield* store.load(key)).toEqual(Option.some(session))
      }
    })

    test("gives back the user of a session with their Dates", function* () {
      const store = yield* SessionStore
      const user = { _id: "a1", fullName: "Ada", since: new Date("2024-05-01T10:00:00Z"), roles: ["owner"] }
      yield* store.save("a", { ...whole, user })
      expect(yield* store.load("a")).toEqual(Option.some({ ...whole, user }))
    })

    test("replaces what was saved before", function* () {
      const store = yield* SessionStore
      yield* store.save("a", whole)
      yield* store.save("a", bare)
      expect(yield* store.load("a")).toEqual(Option.some(bare))
    })

    test("clears the session of a key, and no other", function* () {
      const store = yield* SessionStore
      yield* store.save("a", whole)
      yield* store.clear("a")
      yield* store.save("b", bare)
      yield* store.clear("a")
      expect(yield* store.load("a")).toEqual(Option.none())
      expect(yield* store.load("b")).toEqual(Option.some(bare))
    })

    test("keeps odd keys apart", function* () {
      const store = yield* SessionStore
      for (const [n, key] of odd.entries()) {
        yield* store.save(key, { sessionId: `s${n}` })
        for (const otherKey of odd)
          if (otherKey !== key && (holds === "one" || odd.indexOf(otherKey) > n))
            expect(yield* store.load(otherKey)).toEqual(Option.none())
      }
      for (const [n, key] of holds === "one" ? [] : odd.entries())
        expect(yield* store.load(key)).toEqual(Option.some({ sessionId: `s${n}` }))
    })

    test("keeps texts exactly, whatever stands in them", function* () {
      const store = yield* SessionStore
      const session = { sessionId: '"\\\n\u0000ü🎉', accessToken: "</script>" }
      yield* store.save("a", session)
      expect(yield* store.load("a")).toEqual(Option.some(session))
    })

    test("takes concurrent saves: what is loaded is one of them, whole", function* () {
      const store = yield* SessionStore
      const sessions = Array.from({ length: 50 }, (_, n) => ({ sessionId: `s${n}`.repeat(100) }))
      yield* Effect.forEach(
        sessions,
        (session) =>
          Effect.zipRight(
            store.save("a", session),
            Effect.map(store.load("a"), (loaded) =>
              expect(sessions).toContainEqual(Option.getOrUndefined(loaded))
            )
          ),
        { concurrency: "unbounded", discard: true }
      )
    })
  })
}

const root = temporaryFolder("sessions")
beforeEach(() => {
  vi.stubGlobal("localStorage", new FakeStorage())
  vi.stubGlobal("sessionStorage", new FakeStorage())
})
afterAll(() => {
  vi.unstubAllGlobals()
})

sessionStoreContract("in memory", () => Storage.layerMemory)
sessionStoreContract("in files", () => FileStorage.layer(join(root, randomUUID(), "deeper")))
sessionStoreContract("in a browser's localStorage", () => Storage.layerLocalStorage)
sessionStoreContract("in a browser's sessionStorage", () => Storage.layerSessionStorage)
sessionStoreContract("of tabs", () => make(new FakeBrowser().open(), { name: "desk" }).layer, "one")
sessionStoreContract("in a KeyValueStore of the program's own", () =>
  Layer.provide(Storage.layer, KeyValueStore.layerMemory)
)
