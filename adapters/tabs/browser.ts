/** What a page has in common with the other tabs of its browser: a storage, a lock, a channel. Each may be missing. */
import * as Either from "effect/Either"

/** What is used of the page's LockManager: compilers without the DOM read this as well. */
export interface Locks {
  readonly request: (
    name: string,
    options: { readonly signal: AbortSignal },
    hold: () => Promise<void>
  ) => Promise<unknown>
  /** Which locks are held at this moment, in any tab. */
  readonly query?: () => Promise<{ readonly held?: ReadonlyArray<{ readonly name?: string }> }>
}

/** What tabs are put together with. */
export interface Browser {
  /** False on a server, which has some of this too, but for all whom it serves: there, nothing may be kept. */
  readonly isPage: boolean
  /** What is kept under a name: for all tabs, or for this one alone. */
  readonly get: (isShared: boolean, name: string) => string | undefined
  /** Keeps a text under a name, or removes what is there. Answers whether the browser has done so. */
  readonly set: (isShared: boolean, name: string, text: string | undefined) => boolean
  /** Sends a text to the other tabs. */
  readonly send: (name: string, text: string) => void
  /**
   * Calls back with what the other tabs send, or keep for all: nothing where what was kept has been removed. `miss` is
   * called where something may not have been heard.
   */
  readonly listen: (name: string, hear: (text: unknown) => void, miss: () => void) => () => void
  readonly locks: Locks | undefined
}

const attempt = <A>(run: () => A): A | undefined => Either.getOrUndefined(Either.try(run))

const isPage = (): boolean => typeof document !== "undefined"

const storage = (isShared: boolean): Storage =>
  isShared ? globalThis.localStorage : globalThis.sessionStorage

const listen: Browser["listen"] = (name, hear, miss) => {
  if (!isPage()) return () => undefined
  const leaving = new AbortController()
  const { signal } = leaving
  let channel: BroadcastChannel | undefined
  const open = (): void => {
    channel ??= attempt(() => new BroadcastChannel(name))
    channel?.addEventListener("message", ({ data }) => hear(data))
  }
  // An open channel can keep a page out of the browser's cache of pages that one goes back to.
  const close = (): void => {
    channel?.close()
    channel = undefined
  }
  const on = <E extends Event>(target: EventTarget, type: string, act: (event: E) => void): void =>
    target.addEventListener(type, act as (event: Event) => void, { signal })
  on(window, "pagehide", close)
  on(window, "pageshow", () => {
    close()
    open()
    miss()
  })
  on(document, "visibilitychange", miss)
  on<StorageEvent>(window, "storage", ({ key, newValue, storageArea }) => {
    if (storageArea === attempt(() => localStorage) && (key === name || key === null)) hear(newValue)
  })
  open()
  return () => {
    leaving.abort()
    close()
  }
}

/** The browser of this page. */
export const browser: Browser = {
  get isPage() {
    return isPage()
  },
  get: (isShared, name) =>
    isPage() ? (attempt(() => storage(isShared).getItem(name)) ?? undefined) : undefined,
  set: (isShared, name, text) =>
    Either.isRight(
      Either.try(() =>
        text === undefined ? storage(isShared).removeItem(name) : storage(isShared).setItem(name, text)
      )
    ),
  send: (name, text) => {
    attempt(() => {
      const channel = new BroadcastChannel(name)
      channel.postMessage(text)
      channel.close()
    })
  },
  listen,
  get locks() {
    return isPage() ? globalThis.navigator?.locks : undefined
  }
}
