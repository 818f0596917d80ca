/** What an outbox needs of a page: where entries are kept, and IndexedDB for it, locks, the other tabs, network and time. */
import * as Either from "effect/Either"
import type { Signal } from "../rx/query-cache.js"
import type { Kept } from "./entry.js"
import { OutboxError } from "./error.js"

/** All methods reject with OutboxError. Each of them is one transaction: what tabs do at once is done one after another. */
export interface EntryStore {
  /** All entries, in the order in which they were added. */
  readonly all: () => Promise<ReadonlyArray<Kept>>
  /** Adds an entry at the end, unless there are as many as `capacity`. It is on the disk when this resolves. */
  readonly add: (draft: Omit<Kept, "seq">, capacity: number) => Promise<void>
  /**
   * Replaces an entry by what `update` makes of it, or removes it where that is undefined, and answers both. It is on the disk
   * when this resolves.
   */
  readonly change: (id: string, update: (entry: Kept) => Kept | undefined) => Promise<Changed>
  /** Something else removes what is kept, such as who clears the data of the site. */
  readonly onErased: Signal
}

/** An entry before and after a change; undefined where there is none. */
export interface Changed {
  readonly before: Kept | undefined
  readonly after: Kept | undefined
}

/** What a page brings along: a browser has all of it, and a test brings its own. */
export interface Ports {
  readonly store: EntryStore
  /** Web Locks; undefined where there are none. */
  readonly locks: Pick<LockManager, "query" | "request"> | undefined
  /** Tells the other tabs. */
  readonly channel: (listener: (message: unknown) => void) => {
    readonly tell: (message: unknown) => void
    readonly close: () => void
  }
  readonly isOnline: () => boolean
  readonly onOnline: Signal
  /** Bytes that there is room for on the device. */
  readonly room: () => Promise<number>
  /** Whether the platform can be reached; asked before something is sent. Rejects where the app's own probe does. */
  readonly probe: () => Promise<boolean>
  readonly now: () => number
  /** Calls back once after some milliseconds, unless the function that it returns is called before. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
  readonly makeId: () => string
  readonly chance: () => number
}

/** Milliseconds after which a database that does not answer is left: another tab may hold it up for ever. */
const longestWait = 10_000

/** The version of the database. Another one needs a migration in `onupgradeneeded`. */
const version = 1

const entriesName = "entries"

/** What the browser's errors say, by their names. */
const reasons: ReadonlyMap<string, OutboxError["reason"]> = /*#__PURE__*/ new Map([
  ["QuotaExceededError", "Quota"],
  ["VersionError", "Newer"],
  ["SecurityError", "Forbidden"],
  ["NotAllowedError", "Forbidden"],
  // Firefox, in windows that keep nothing.
  ["InvalidStateError", "Forbidden"]
])

/** The entries in a database of the browser. */
export const makeStore = (name: string, find: () => IDBFactory | undefined): EntryStore => {
  const failed = (cause: unknown): OutboxError =>
    cause instanceof OutboxError
      ? cause
      : new OutboxError({ outbox: name, reason: reasons.get(Object(cause).name) ?? "Storage", cause })
  let opened: Promise<IDBDatabase> | undefined
  const listeners = new Set<() => void>()

  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const factory = find()
      if (factory === undefined) throw new OutboxError({ outbox: name, reason: "Unsupported" })
      const request = factory.open(`quartet-outbox ${name}`, version)
      const forget = (): void => {
        opened = undefined
      }
      request.onupgradeneeded = () => {
        const entries = request.result.createObjectStore(entriesName, { keyPath: "seq", autoIncrement: true })
        entries.createIndex("id", "id", { unique: true })
      }
      request.onsuccess = () => {
        const database = request.result
        // A newer version of the page upgrades it, or somebody clears what the site keeps.
        const erased = (): void => {
          for (const listener of listeners) listener()
        }
        database.onversionchange = ({ newVersion }) => {
          forget()
          database.close()
          if (newVersion === null) erased()
        }
        database.onclose = () => {
          forget()
          erased()
        }
        resolve(database)
      }
      request.onerror = () => reject(request.error)
    })

  const blocked = new OutboxError({ outbox: name, reason: "Blocked" })

  /** A request to open cannot be taken back: one that is late may still come, and all wait for the same. */
  const database = async (): Promise<IDBDatabase> => {
    const present = opened ?? open()
    opened = present
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(blocked), longestWait)
    })
    try {
      return await Promise.race([present, late])
    } catch (cause) {
      if (cause !== blocked && opened === present) opened = undefined
      throw failed(cause)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Runs one transaction. `work` hands its requests to `read`, and `answer` takes what the whole resolves with once it is on
   * the disk.
   */
  const transact = async <A>(
    mode: IDBTransactionMode,
    nothing: A,
    work: (
      entries: IDBObjectStore,
      read: <B>(request: IDBRequest<B>, then: (value: B) => void) => void,
      answer: (value: A) => void
    ) => void
  ): Promise<A> => {
    const present = await database()
    return new Promise<A>((resolve, reject) => {
      let result = nothing
      // Relaxed, what was `sending` could be `queued` again after a power cut, and be sent twice.
      const transaction = present.transaction(entriesName, mode, { durability: "strict" })
      let isLate = false
      // What is refused here must not be kept later on.
      const timer = setTimeout(() => {
        isLate = true
        // It throws where the transaction is over, or about to be.
        Either.try(() => transaction.abort())
      }, longestWait)
      transaction.oncomplete = () => {
        clearTimeout(timer)
        resolve(result)
      }
      transaction.onabort = () => {
        clearTimeout(timer)
        reject(isLate ? blocked : transaction.error)
      }
      work(
        transaction.objectStore(entriesName),
        (request, then) => {
          request.onsuccess = () => {
            try {
              then(request.result)
            } catch (cause) {
              reject(cause)
              transaction.abort()
            }
          }
        },
        (value) => {
          result = value
        }
      )
    }).catch((cause: unknown) => {
      throw failed(cause)
    })
  }

  return {
    all: () =>
      transact<ReadonlyArray<Kept>>("readonly", [], (entries, read, answer) =>
        read(entries.getAll(), answer)
      ),
    add: async (draft, capacity) => {
      const isFull = await transact("readwrite", false, (entries, read, answer) =>
        read(entries.count(), (count) => {
          if (count >= capacity) answer(true)
          else entries.add(draft)
        })
      )
      if (isFull) throw new OutboxError({ outbox: name, reason: "Full" })
    },
    change: (id, update) =>
      transact<Changed>("readwrite", { before: undefined, after: undefined }, (entries, read, answer) =>
        read<Kept | undefined>(entries.index("id").get(id), (before) => {
          if (before === undefined) return
          const after = update(before)
          if (after === undefined) entries.delete(before.seq)
          else if (after !== before) entries.put(after)
          answer({ before, after })
        })
      ),
    onErased: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
