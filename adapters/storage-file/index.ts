/**
 * The SessionStore in files, for programs on Node: one file a session, readable by its owner alone. Apart from
 * `adapters/storage`, so that browsers never meet `node:`.
 */
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type PlatformError, SystemError, type SystemErrorReason } from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SessionStore } from "../../core/ports/session-store.js"
import * as Storage from "../storage/index.js"

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

const reasons: Readonly<Record<string, SystemErrorReason>> = {
  ENOENT: "NotFound",
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  EISDIR: "BadResource",
  ENOTDIR: "BadResource"
}

const attempt = <A>(
  method: string,
  directory: string,
  work: () => Promise<A>
): Effect.Effect<A, PlatformError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      new SystemError({
        reason: reasons[codeOf(cause)] ?? "Unknown",
        module: "KeyValueStore",
        method,
        pathOrDescriptor: directory,
        cause
      })
  })

/** A key holds an address and an e-mail: its file is named by its hash. */
const nameOf = (key: string): string => `${createHash("sha256").update(key).digest("hex")}.session`

const isSession = (name: string): boolean => /^[0-9a-f]{64}\.session$/.test(name)

/** Makes a store in a folder, which is made on first use. Files are replaced whole, so that a reader never sees half of one. */
export const make = (directory: string): KeyValueStore.KeyValueStore => {
  const names = async (): Promise<ReadonlyArray<string>> => {
    try {
      return (await readdir(directory)).filter(isSession)
    } catch (cause) {
      if (codeOf(cause) === "ENOENT") return []
      throw cause
    }
  }
  return KeyValueStore.makeStringOnly({
    get: (key) =>
      attempt("get", directory, async () => {
        try {
          return Option.some(await readFile(join(directory, nameOf(key)), "utf8"))
        } catch (cause) {
          if (codeOf(cause) === "ENOENT") return Option.none()
          throw cause
        }
      }),
    set: (key, value) =>
      attempt("set", directory, async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        const draft = join(directory, `${randomUUID()}.draft`)
        try {
          await writeFile(draft, value, { mode: 0o600, flag: "wx" })
          await rename(draft, join(directory, nameOf(key)))
        } catch (cause) {
          await rm(draft, { force: true })
          throw cause
        }
      }),
    remove: (key) => attempt("remove", directory, () => rm(join(directory, nameOf(key)), { force: true })),
    clear: attempt("clear", directory, async () => {
      for (const name of await names()) await rm(join(directory, name), { force: true })
    }),
    size: attempt("size", directory, async () => (await names()).length)
  })
}

/** Sessions in a folder, each in a file of mode 0600 that is named by the hash of its key. */
export const layer = (directory: string): Layer.Layer<SessionStore> =>
  Layer.provide(
    Storage.layer,
    Layer.sync(KeyValueStore.KeyValueStore, () => make(directory))
  )
