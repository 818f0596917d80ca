// What the contract cannot say: how each store keeps a secret, and what it does where it cannot.
import { randomUUID } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { afterAll, afterEach, vi } from "vitest"
import * as Storage from "../../adapters/storage/index.js"
import * as FileStorage from "../../adapters/storage-file/index.js"
import { SessionStore, type StoredSession } from "../../core/ports/session-store.js"
import { FakeStorage } from "../contracts/fake-storage.js"

const session: StoredSession = { sessionId: "canary-session", accessToken: "canary.token.x" }
const key = "quartet.admin.https://api.example.com.p1.ada@example.com"

const root = mkdtempSync(join(tmpdir(), "quartet-storage-"))
const folder = () => join(root, randomUUID())
afterAll(() => rmSync(root, { recursive: true, force: true }))
afterEach(() => vi.unstubAllGlobals())

describe("sessions in files", () => {
  it.effect("are readable by their owner alone, and so is their folder", () => {
    const directory = folder()
    return Effect.gen(function* () {
      yield* (yield* SessionStore).save(key, session)
      const [name] = readdirSync(directory)
      expect(statSync(join(directory, name ?? "")).mode & 0o777).toBe(0o600)
      expect(statSync(directory).mode & 0o777).toBe(0o700)
    }).pipe(Effect.provide(FileStorage.layer(directory)))
  })

  it.effect("have names that tell neither the address nor the e-mail, and leave no drafts", () => {
    const directory = folder()
    return Effect.gen(function* () {
      const store = yield* SessionStore
      yield* store.save(key, session)
      yield* store.save(key, { sessionId: "next" })
      expect(readdirSync(directory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.session$/)])
    }).pipe(Effect.provide(FileStorage.layer(directory)))
  })

  it.effect("outlive the layer", () => {
    const directory = folder()
    const save = Effect.flatMap(SessionStore, (store) => store.save(key, session))
    const load = Effect.flatMap(SessionStore, (store) => store.load(key))
    return Effect.gen(function* () {
      yield* Effect.provide(save, FileStorage.layer(directory))
      expect(yield* Effect.provide(load, FileStorage.layer(directory))).toEqual(Option.some(session))
    })
  })

  it.effect("keep their mode when they replace a file that anyone could read", () => {
    const directory = folder()
    return Effect.gen(function* () {
      const store = yield* SessionStore
      yield* store.save(key, session)
      const path = join(directory, readdirSync(directory)[0] ?? "")
      rmSync(path)
      writeFileSync(path, "{}", { mode: 0o666 })
      yield* store.save(key, session)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }).pipe(Effect.provide(FileStorage.layer(directory)))
  })

  it.effect("fail with SessionStoreError where the folder is a file", () => {
    const directory = folder()
    writeFileSync(directory, "in the way")
    return Effect.gen(function* () {
      const store = yield* SessionStore
      expect(yield* Effect.flip(store.save(key, session))).toMatchObject({
        _tag: "SessionStoreError",
        method: "save"
      })
      expect(yield* Effect.flip(store.load(key))).toMatchObject({ method: "load" })
      expect(readFileSync(directory, "utf8")).toBe("in the way")
    }).pipe(Effect.provide(FileStorage.layer(directory)))
  })

  it.effect("are all a KeyValueStore, which counts and clears what is its own", () => {
    const directory = folder()
    const store = FileStorage.make(directory)
    return Effect.gen(function* () {
      expect(yield* store.size).toBe(0)
      yield* store.set("a", "1")
      yield* store.set("b", "2")
      writeFileSync(join(directory, "README"), "not a session")
      expect(yield* store.size).toBe(2)
      yield* store.clear
      expect(yield* store.size).toBe(0)
      expect(readdirSync(directory)).toEqual(["README"])
    })
  })
})

describe("a browser's storage", () => {
  it.effect("is looked for only when it is used, and fails with SessionStoreError where there is none", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore
      vi.stubGlobal("localStorage", undefined)
      expect(yield* Effect.flip(store.load(key))).toMatchObject({ _tag: "SessionStoreError", method: "load" })
      expect(yield* Effect.flip(store.save(key, session))).toMatchObject({ method: "save" })
      expect(yield* Effect.flip(store.clear(key))).toMatchObject({ method: "clear" })
    }).pipe(Effect.provide(Storage.layerLocalStorage))
  )

  it.effect("that is full or forbidden fails with SessionStoreError", () => {
    const storage = new FakeStorage()
    storage.setItem = () => {
      throw new DOMException("no room", "QuotaExceededError")
    }
    vi.stubGlobal("localStorage", storage)
    return Effect.gen(function* () {
      const error = yield* Effect.flip((yield* SessionStore).save(key, session))
      expect(error).toMatchObject({ _tag: "SessionStoreError", method: "save" })
    }).pipe(Effect.provide(Storage.layerLocalStorage))
  })
})

describe("what is kept but is not a session", () => {
  const contents = [
    "",
    "canary-session",
    "[]",
    "null",
    '{"sessionId":""}',
    '{"sessionId":7,"accessToken":"canary.token.x"}',
    '{"sessionId":"canary-session","accessToken":null}'
  ]
  for (const content of contents) {
    it.effect(`is a failure to load that does not tell it: ${JSON.stringify(content)}`, () =>
      Effect.gen(function* () {
        const raw = yield* KeyValueStore.KeyValueStore
        yield* raw.set(key, content)
        const exit = yield* Effect.exit(Storage.make(raw).load(key))
        expect(exit).toMatchObject({ _tag: "Failure" })
        const printed = [
          inspect(exit, { depth: 20 }),
          JSON.stringify(exit),
          Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
        ].join("\n")
        expect(printed).toContain("the session store failed to load a session")
        expect(printed).not.toContain("canary")
      }).pipe(Effect.provide(KeyValueStore.layerMemory))
    )
  }

  it.effect("is refused when it is saved, without being told", () =>
    Effect.gen(function* () {
      const broken = { sessionId: "", accessToken: "canary.token.x" }
      const exit = yield* Effect.exit((yield* SessionStore).save(key, broken))
      expect(exit).toMatchObject({ _tag: "Failure" })
      expect(inspect(exit, { depth: 20 })).not.toContain("canary")
    }).pipe(Effect.provide(Layer.fresh(Storage.layerMemory)))
  )
})
