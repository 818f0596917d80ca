/** What an outbox needs of a page: a browser has all of it, and a test brings its own. */
import type { Signal } from "../rx/query-cache.js"
import type { EntryStore } from "./store.js"

export interface Ports {
  readonly store: EntryStore
  /** Web Locks; undefined where there are none. */
  readonly locks: Pick<LockManager, "request"> | undefined
  /** Tells the other tabs. */
  readonly channel: (listener: (message: unknown) => void) => {
    readonly tell: (message: unknown) => void
    readonly close: () => void
  }
  readonly isOnline: () => boolean
  readonly onOnline: Signal
  /** Whether the platform can be reached; asked before something is sent. */
  readonly probe: () => Promise<boolean>
  readonly now: () => number
  /** Calls back once after some milliseconds, unless the function that it returns is called before. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
  readonly makeId: () => string
  readonly chance: () => number
}
