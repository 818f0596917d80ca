/**
 * The SessionStore in files, for programs on Node: one file per session, readable only by its owner, in a separate
 * folder. Separate from `adapters/storage`, so that browsers never import `node:`.
 */
import { createHash, randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { type PlatformError, SystemError, type SystemErrorReason } from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { InputError } from "../../core/kernel/errors/errors.js"
import type { SessionStore } from "../../core/ports/session-store.js"
import { codeOf } from "../http/node-errors.js"
import * as Storage from "../storage/index.js"

/** Sessions are neither read from nor written to a place that others can access. */
class Refusal extends Error {
  readonly code = "EACCES"
}

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
        ...(cause instanceof Error ? { description: cause.message } : {}),
        cause
      })
  })

/** Runs the work, or returns `absent` if the file does not exist. */
const orElse = async <A>(work: () => Promise<A>, absent: A): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return absent
    throw cause
  }
}

/** A key holds an address and an e-mail, so its file is named by its hash. */
const nameOf = (key: string): string => `${createHash("sha256").update(key).digest("hex")}.session`

const isSession = (name: string): boolean => /^[0-9a-f]{64}\.session$/.test(name)

/** The host and process that write a draft, so that others can check whether they still run. */
const draft = /^(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.draft$/

const host = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

const draftName = (): string => `${host()}-${process.pid}-${randomUUID()}.draft`

/** Drafts are short-lived: one of this age, in milliseconds, was left behind. */
const longestDraft = 60_000

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return codeOf(cause) !== "ESRCH"
  }
}

/** Removes the drafts of processes that were killed while they wrote. They hold sessions. */
const tidy = async (directory: string, names: ReadonlyArray<string>): Promise<void> => {
  for (const name of names) {
    const [isDraft, at, pid] = draft.exec(name) ?? []
    if (isDraft === undefined) continue
    const path = join(directory, name)
    const isOver =
      (at === host() && !isRunning(Number(pid))) ||
      (await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs > longestDraft,
        () => false
      ))
    // A failed removal must not block a session.
    if (isOver) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** This process's user; undefined on Windows, where a folder's access list decides and modes say nothing. */
const user = process.geteuid?.()

const isOpen = ({ mode }: { readonly mode: number }): boolean => user !== undefined && (mode & 0o077) !== 0

/**
 * Makes sure that only this user can access the folder: fixes the mode of one that holds only sessions, and refuses any
 * other.
 */
const close = async (directory: string, names: ReadonlyArray<string>): Promise<void> => {
  const folder = await stat(directory)
  if (user !== undefined && user !== 0 && folder.uid !== user)
    throw new Refusal("the folder of the sessions belongs to another user")
  if (!isOpen(folder)) return
  if (!names.every((name) => isSession(name) || draft.test(name)))
    throw new Refusal(
      "others can access the folder of the sessions, which holds more than sessions: choose one for sessions alone, or set its mode to 0700"
    )
  await chmod(directory, 0o700)
}

const noFile = "the file of the session is not a file: it is a folder, a pipe, a socket or a device"

/** Why some paths cannot be opened. */
const unopened: Readonly<Record<string, string>> = {
  ELOOP: "the file of the session is a link",
  ENXIO: noFile
}

/** Windows has neither; without them links are followed, and pipes block. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/**
 * Reads a session's file, which must be this user's own. A file that others can read is restricted first; one that
 * others could write is removed, because the session in it may be theirs.
 */
const read = async (path: string): Promise<Option.Option<string>> => {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause) => {
    const refusal = unopened[codeOf(cause)]
    throw refusal === undefined ? cause : new Refusal(refusal)
  })
  try {
    const status = await file.stat()
    if (!status.isFile()) throw new Refusal(noFile)
    if (user !== undefined && status.uid !== user)
      throw new Refusal("the file of the session belongs to another user")
    if (user !== undefined && (status.mode & 0o022) !== 0) {
      await rm(path, { force: true })
      return Option.none()
    }
    if (isOpen(status)) await file.chmod(0o600)
    return Option.some(await file.readFile("utf8"))
  } finally {
    await file.close()
  }
}

/**
 * Makes a store in a folder only for sessions, which is created on first use. Files are replaced atomically. A folder
 * or a file that others could read is restricted if this user owns it, and refused otherwise; a file that others could
 * write is removed unread. The first failure of a store is logged. Throws InputError if the folder is missing.
 * @category constructors
 */
export const make = (directory: string): KeyValueStore.KeyValueStore => {
  if (typeof directory !== "string" || directory === "")
    throw new InputError({
      operation: "FileStorage.make",
      field: "directory",
      rule: "must be the path of a folder as text"
    })
  const tidied = async (): Promise<ReadonlyArray<string>> => {
    const names = await orElse(() => readdir(directory), [])
    await tidy(directory, names)
    return names
  }
  let isTold = false
  /** A client silently continues without its store, so the log explains why it signs in at every start. */
  const warn = (error: PlatformError): Effect.Effect<void> => {
    if (isTold) return Effect.void
    isTold = true
    return Effect.logWarning(`sessions are not kept: ${error.message}`)
  }
  const sessions = async (): Promise<ReadonlyArray<string>> => (await tidied()).filter(isSession)
  return KeyValueStore.makeStringOnly({
    get: (key) =>
      attempt("get", directory, () =>
        orElse<Option.Option<string>>(async () => {
          await close(directory, await tidied())
          return await read(join(directory, nameOf(key)))
        }, Option.none())
      ).pipe(Effect.tapError(warn)),
    set: (key, value) =>
      attempt("set", directory, async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await close(directory, await tidied())
        const path = join(directory, draftName())
        try {
          await writeFile(path, value, { mode: 0o600, flag: "wx" })
          await rename(path, join(directory, nameOf(key)))
        } catch (cause) {
          await rm(path, { force: true })
          throw cause
        }
      }).pipe(Effect.tapError(warn)),
    remove: (key) =>
      attempt("remove", directory, async () => {
        await tidied()
        await rm(join(directory, nameOf(key)), { force: true })
      }),
    clear: attempt("clear", directory, async () => {
      for (const name of await sessions()) await rm(join(directory, name), { force: true })
    }),
    size: attempt("size", directory, async () => (await sessions()).length)
  })
}

/**
 * Sessions in a separate folder, each in a file of mode 0600 named by the hash of its key. For command lines and
 * jobs, which then sign in once and not at each run. The folder must hold nothing else. Throws InputError if the
 * folder is missing.
 *
 * @example
 * ```ts
 * import * as FileStore from "@quartet/sdk/adapters/storage-file"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Layer from "effect/Layer"
 *
 * const live = Admin.layer({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…"
 * }).pipe(Layer.provide(FileStore.layer(".sessions")))
 * ```
 * @category layers
 */
export const layer = (directory: string): Layer.Layer<SessionStore> =>
  Layer.provide(Storage.layer, Layer.succeed(KeyValueStore.KeyValueStore, make(directory)))
