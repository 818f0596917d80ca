// What the contract cannot say: how each store keeps a secret, and what it does where it cannot.
import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { FakeStorage } from "@quartet/support/fake-storage.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { Cause, Effect, Exit, Layer, Logger, Option, type Scope } from "effect"
import { build } from "esbuild"
import { afterEach, vi } from "vitest"
import * as Storage from "../../adapters/storage/index.js"
import * as FileStorage from "../../adapters/storage-file/index.js"
import { type Service, SessionStore, type StoredSession } from "../../core/ports/session-store.js"

const session: StoredSession = { sessionId: "canary-session", accessToken: "canary.token.x" }
const key = "quartet.admin.https://api.example.com.p1.ada@example.com"

const root = temporaryFolder("storage")
const folder = () => join(root, randomUUID())
afterEach(() => vi.unstubAllGlobals())

const user = process.geteuid?.()

/** Runs an effect as a user who may not write everywhere. */
const asSomebody = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => user === 0 && process.seteuid?.(65_534)),
    run,
    () => Effect.sync(() => user === 0 && process.seteuid?.(0))
  )

const logging = (log: (entry: Logger.Logger.Options<unknown>) => unknown) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make((entry) => void log(entry))
  )

/** What is done with the session of one key, in the store of a folder. */
const inFolder =
  <A, E>(use: (store: Service) => Effect.Effect<A, E>) =>
  (directory: string): Effect.Effect<A, E> =>
    Effect.provide(Effect.flatMap(SessionStore, use), FileStorage.layer(directory))
const load = inFolder((store) => store.load(key))
const save = inFolder((store) => store.save(key, session))
const clear = inFolder((store) => store.clear(key))
const saved = (directory: string) =>
  Effect.map(save(directory), () => join(directory, readdirSync(directory)[0] ?? ""))
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe("sessions in files", () => {
  effect("are readable by their owner alone, and so is their folder", function* () {
    const directory = folder()
    expect(modeOf(yield* saved(directory))).toBe(0o600)
    expect(modeOf(directory)).toBe(0o700)
  })

  effect(
    "have names that tell neither the address nor the e-mail, leave no drafts, and outlive the layer",
    function* () {
      const directory = folder()
      yield* inFolder((store) => store.save(key, { sessionId: "next" }))(directory)
      yield* save(directory)
      expect(readdirSync(directory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.session$/)])
      expect(yield* load(directory)).toEqual(Option.some(session))
    }
  )

  effect("keep their mode when they replace a file that anyone could read", function* () {
    const directory = folder()
    const path = yield* saved(directory)
    rmSync(path)
    writeFileSync(path, "{}", { mode: 0o666 })
    yield* save(directory)
    expect(modeOf(path)).toBe(0o600)
  })

  effect("fail with SessionStoreError where the folder is a file", function* () {
    const directory = folder()
    writeFileSync(directory, "in the way")
    const failed = { _tag: "SessionStoreError" }
    expect(yield* Effect.flip(save(directory))).toMatchObject({ ...failed, method: "save" })
    expect(yield* Effect.flip(load(directory))).toMatchObject({ ...failed, method: "load" })
    expect(readFileSync(directory, "utf8")).toBe("in the way")
  })

  effect("are all a KeyValueStore, which counts and clears what is its own", function* () {
    const directory = folder()
    const store = FileStorage.make(directory)
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

/** On a system whose files have modes. */
const describeWithModes = user === undefined ? () => undefined : describe

describeWithModes("a folder or a file that others can get at", () => {
  effect.each([0o755, 0o750, 0o777, 0o1777, 0o711])(
    "is closed to them where it is a folder of sessions of mode %o",
    function* (mode) {
      const [read, written] = [folder(), folder()]
      yield* save(read)
      mkdirSync(written)
      for (const directory of [read, written]) chmodSync(directory, mode)
      expect(yield* load(read)).toEqual(Option.some(session))
      yield* save(written)
      expect([modeOf(read), modeOf(written)]).toEqual([0o700, 0o700])
    }
  )

  effect("is refused where it is a folder that holds more than sessions, and is left as it is", function* () {
    const directory = folder()
    const warnings: Array<unknown> = []
    const logger = logging(({ message }) => warnings.push(message))
    yield* save(directory)
    writeFileSync(join(directory, "index.html"), "welcome")
    chmodSync(directory, 0o755)
    const refused = yield* Effect.all([Effect.flip(load(directory)), Effect.flip(save(directory))]).pipe(
      Effect.provide(logger)
    )
    for (const error of refused) {
      expect(error).toMatchObject({ _tag: "SessionStoreError", cause: { reason: "PermissionDenied" } })
      expect(String(error.cause)).toContain("choose one for sessions alone")
    }
    expect(modeOf(directory)).toBe(0o755)
    expect(String(warnings[0])).toContain("sessions are not kept")
    chmodSync(directory, 0o700)
    expect(yield* load(directory)).toEqual(Option.some(session))
  })

  effect("is left even by a session that is given up", function* () {
    const directory = folder()
    const path = yield* saved(directory)
    writeFileSync(join(directory, "index.html"), "welcome")
    chmodSync(directory, 0o755)
    yield* clear(directory)
    expect(existsSync(path)).toBe(false)
  })

  effect.each([0o644, 0o640, 0o604])("is closed to them where it is a session of mode %o", function* (mode) {
    const directory = folder()
    const path = yield* saved(directory)
    chmodSync(path, mode)
    expect(yield* load(directory)).toEqual(Option.some(session))
    expect(modeOf(path)).toBe(0o600)
  })

  effect("is refused where it is a link, and replaced by the next session", function* () {
    const [directory, elsewhere] = [folder(), folder()]
    const path = yield* saved(directory)
    renameSync(path, elsewhere)
    symlinkSync(elsewhere, path)
    expect(String((yield* Effect.flip(load(directory))).cause)).toContain("is a link")
    writeFileSync(elsewhere, "mine")
    yield* save(directory)
    expect(readFileSync(elsewhere, "utf8")).toBe("mine")
    expect(yield* load(directory)).toEqual(Option.some(session))
  })

  effect.each([0o606, 0o666, 0o620, 0o602])(
    "is removed unread where others could write it, as with mode %o: the session in it may be theirs",
    function* (mode) {
      const directory = folder()
      const path = yield* saved(directory)
      writeFileSync(path, JSON.stringify({ sessionId: "fixed-by-others" }))
      chmodSync(path, mode)
      expect(yield* load(directory)).toEqual(Option.none())
      expect(existsSync(path)).toBe(false)
      yield* save(directory)
      expect(yield* load(directory)).toEqual(Option.some(session))
    }
  )

  const inPlace: ReadonlyArray<readonly [kind: string, make: (path: string) => unknown]> = [
    ["a pipe", (path) => execFileSync("mkfifo", ["-m", "600", path])],
    ["a folder", (path) => mkdirSync(path, { mode: 0o700 })],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
    [
      "a socket",
      (path) => {
        // The address of a socket is short.
        const address = join(root, "s")
        const listening = `require("net").createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 9))`
        spawnSync(process.execPath, ["-e", listening])
        renameSync(address, path)
        expect(statSync(path).isSocket()).toBe(true)
      }
    ]
  ]
  effect.each(inPlace)("is refused where there is %s in its place, and not waited for", function* ([, make]) {
    const directory = folder()
    const path = yield* saved(directory)
    rmSync(path)
    make(path)
    const error = yield* Effect.flip(load(directory))
    expect(String(error.cause)).toContain("the file of the session is ")
  })

  // Only root can give a file to another user.
  if (user === 0)
    effect("is refused where it is another user's", function* () {
      const directory = folder()
      const path = yield* saved(directory)
      chownSync(path, 12_345, 12_345)
      expect(String((yield* Effect.flip(load(directory))).cause)).toContain("belongs to another user")
    })
})

describe("a store of files that cannot work", () => {
  /** What a store warns of while it is used. */
  const warnings = (directory: string) => {
    const warned: Array<unknown> = []
    const logger = logging(({ logLevel, message }) => warned.push(`${logLevel.label} ${message}`))
    const use = Effect.gen(function* () {
      const store = yield* SessionStore
      for (let turn = 0; turn < 3; turn++) {
        yield* Effect.exit(store.load(key))
        yield* Effect.exit(store.save(key, session))
      }
    })
    return Effect.as(Effect.provide(use, [FileStorage.layer(directory), logger]), warned)
  }

  effect("says so once in the log, and why: its path leads through a file", function* () {
    const file = folder()
    writeFileSync(file, "in the way")
    const warned = yield* warnings(join(file, "sessions"))
    expect(warned).toEqual([expect.stringMatching(/^WARN sessions are not kept: .*ENOTDIR/)])
    expect(`${warned}`).not.toContain("canary")
  })

  if (user !== undefined)
    effect("says so once in the log, and why: its folder cannot be made", function* () {
      const above = folder()
      mkdirSync(above, { mode: 0o500 })
      const warned = yield* asSomebody(() => warnings(join(above, "sessions")))
      expect(warned).toEqual([expect.stringMatching(/^WARN sessions are not kept: .*EACCES/)])
    })

  effect("says nothing where there is nothing yet", () =>
    Effect.map(warnings(folder()), (warned) => expect(warned).toEqual([]))
  )
})

describe("the drafts of a process that was killed", () => {
  const hour = 3_600

  /** A program that is killed between the writing of its draft and the renaming. */
  const killed = `
    import fs from "node:fs/promises"
    import { syncBuiltinESMExports } from "node:module"
    import * as Effect from "effect/Effect"
    import { make } from "../../adapters/storage-file/index.ts"
    fs.rename = () => process.kill(process.pid, "SIGKILL")
    syncBuiltinESMExports()
    Effect.runPromise(make(process.argv[2]).set("key", "canary-session"))`

  const bundle = (contents: string, outfile: string) =>
    build({
      stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error"
    })

  const draftOf = (directory: string): string => {
    const path = join(directory, `${randomUUID()}.draft`)
    writeFileSync(path, "canary-session", { mode: 0o600 })
    return path
  }

  effect("are removed by the next one that uses the store, whatever it does", function* () {
    const directory = folder()
    const child = join(root, `${randomUUID()}.mjs`)
    yield* Effect.promise(() => bundle(killed, child))
    const store = FileStorage.make(directory)
    const uses = [store.get("key"), store.set("key", "1"), store.remove("key"), store.clear, store.size]
    for (const use of uses) {
      spawnSync(process.execPath, [child, directory])
      expect(readdirSync(directory).filter((name) => name.endsWith(".draft"))).toHaveLength(1)
      yield* use
      expect(readdirSync(directory).filter((name) => name.endsWith(".draft"))).toEqual([])
    }
  })

  effect("are removed after a minute where nobody knows whose they were", function* () {
    const directory = folder()
    mkdirSync(directory, { mode: 0o700 })
    const [old, young] = [draftOf(directory), draftOf(directory)]
    const now = Date.now() / 1_000
    utimesSync(old, now - hour, now - hour)
    expect(yield* FileStorage.make(directory).size).toBe(0)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })

  effect("are not taken for those of a process that is writing", function* () {
    const directory = folder()
    const stores = Array.from({ length: 8 }, () => FileStorage.make(directory))
    const saves = stores.flatMap((store, place) =>
      Array.from({ length: 20 }, (_, turn) => store.set(`key-${place}`, `${turn}`))
    )
    yield* Effect.all(saves, { concurrency: 16 })
    expect(yield* FileStorage.make(directory).size).toBe(8)
    expect(readdirSync(directory)).toHaveLength(8)
  })
})

describe("a browser's storage", () => {
  const stored = effect.within<[], SessionStore | Scope.Scope>((use) =>
    Effect.provide(use(), Storage.layerLocalStorage)
  )

  stored(
    "is looked for only when it is used, and fails with SessionStoreError where there is none",
    function* () {
      const store = yield* SessionStore
      vi.stubGlobal("localStorage", undefined)
      expect(yield* Effect.flip(store.load(key))).toMatchObject({ _tag: "SessionStoreError", method: "load" })
      expect(yield* Effect.flip(store.save(key, session))).toMatchObject({ method: "save" })
      expect(yield* Effect.flip(store.clear(key))).toMatchObject({ method: "clear" })
    }
  )

  stored("that is full or forbidden fails with SessionStoreError", function* () {
    const storage = new FakeStorage()
    storage.setItem = () => {
      throw new DOMException("no room", "QuotaExceededError")
    }
    vi.stubGlobal("localStorage", storage)
    const error = yield* Effect.flip((yield* SessionStore).save(key, session))
    expect(error).toMatchObject({ _tag: "SessionStoreError", method: "save" })
  })
})

describe("what is kept but is not a session", () => {
  effect.each([
    "",
    "canary-session",
    "[]",
    "null",
    '{"sessionId":""}',
    '{"sessionId":7,"accessToken":"canary.token.x"}',
    '{"sessionId":"canary-session","accessToken":null}'
  ])("is a failure to load that does not tell it: %j", function* (content) {
    const raw = yield* Effect.provide(KeyValueStore.KeyValueStore, KeyValueStore.layerMemory)
    yield* raw.set(key, content)
    const exit = yield* Effect.exit(Storage.make(raw).load(key))
    const pretty = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : expect.unreachable("it was loaded")
    const printed = `${inspect(exit, { depth: 20 })}\n${JSON.stringify(exit)}\n${pretty}`
    expect(printed).toContain("the session store failed to load a session")
    expect(printed).not.toContain("canary")
  })

  effect("is refused when it is saved, without being told", function* () {
    const store = yield* Effect.provide(SessionStore, Layer.fresh(Storage.layerMemory))
    const exit = yield* Effect.exit(store.save(key, { sessionId: "", accessToken: "canary.token.x" }))
    expect(exit).toMatchObject({ _tag: "Failure" })
    expect(inspect(exit, { depth: 20 })).not.toContain("canary")
  })
})
