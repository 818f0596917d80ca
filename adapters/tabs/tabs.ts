/** The session of one name as one tab has it, put together with those of the other tabs. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { plain } from "../../core/kernel/dispatch/settings.js"
import { InputError } from "../../core/kernel/errors/errors.js"
import { type Service, SessionStore, type StoredSession } from "../../core/ports/session-store.js"
import type { Browser } from "./browser.js"
import * as Lock from "./lock.js"
import * as Slot from "./slot.js"

/** A kept session as credentials. An end user's has no token: it is empty. @category models */
export type TabSession = Required<Pick<StoredSession, "sessionId" | "accessToken">>

/** A session that an app has got by itself: its id may be a number. @category models */
export type AppSession = Omit<StoredSession, "sessionId"> & {
  /** Id of the session, as the platform answered it. */
  readonly sessionId: string | number
}

/** The options of tabs. @category models */
export interface TabsOptions {
  /** Names what one signs in to. Two names are two sessions, of one app or of two on one origin. */
  readonly name: string
  /**
   * Asked whenever a session is kept: whether it is for all tabs, and outlives them. Where it answers false, this tab alone
   * has the session, until it is closed, and does not follow the others. Always true where it is left out.
   */
  readonly isShared?: () => boolean
}

/** One session over the tabs of a browser. @category models */
export interface Tabs {
  /** For clients that sign in by password: keeps their session, and has one of them renew it for all. */
  readonly store: Service
  /** The same as a layer. */
  readonly layer: Layer.Layer<SessionStore>
  /** The kept session; undefined where nobody is signed in. */
  readonly session: () => TabSession | undefined
  /** Whether the kept session is one that all tabs have. */
  readonly isShared: () => boolean
  /**
   * Keeps a session that the app has got by itself, such as an end user's, and tells the other tabs. Throws InputError for
   * what is no session.
   */
  readonly keep: (session: AppSession) => void
  /** Forgets the session, and signs out the other tabs. */
  readonly forget: () => void
  /**
   * Calls back with each session that another tab keeps, renewed ones included, and with undefined after a sign-out there.
   * `isSame`: it is of the same person as the one before.
   */
  readonly subscribe: (listener: (session: TabSession | undefined, isSame: boolean) => void) => () => void
}

const credentialsOf = ({ session }: Slot.Slot): TabSession | undefined =>
  session && { sessionId: session.sessionId, accessToken: session.accessToken ?? "" }

/** Whether a session is over because of what came after it: a sign-out, or the sign-in of somebody else. */
const isOver = (before: Slot.Slot, after: Slot.Slot): boolean =>
  before.session !== undefined && !Slot.isSamePerson(before.session, after.session)

/**
 * A session as it is kept, with its id as text. Other tabs would read nothing where this one has kept something else, and
 * each would put its own in place.
 */
const keptOf = (session: AppSession): StoredSession => {
  const { accessToken = "" }: { readonly accessToken?: unknown } = Object(session)
  const sessionId = plain(Object(session).sessionId)
  const refuse = (field: string, rule: string): never => {
    throw new InputError({ operation: "Tabs.keep", field, rule })
  }
  if (typeof accessToken !== "string") return refuse("accessToken", "must be text")
  return typeof sessionId === "string" && sessionId !== ""
    ? { ...session, sessionId }
    : refuse("sessionId", "must be text that is not empty, or a number")
}

export const make = (browser: Browser, { isShared = () => true, name: suffix }: TabsOptions): Tabs => {
  const name = `quartet.session.${suffix}`
  const readShared = (): Slot.Slot => Slot.read(browser.get(true, name))
  /** The newest that this tab has seen. */
  let known = readShared()
  /** How the clients of this tab are signed out. */
  const clients = new Set<() => void>()
  const listeners = new Set<Parameters<Tabs["subscribe"]>[0]>()

  /** What this tab alone has. */
  const readOwn = (): Slot.Slot | undefined => {
    const slot = Slot.read(browser.get(false, name))
    return slot.session && slot
  }

  /** Keeps the newest. Of two tabs that write at once, the one that writes last may have the older. */
  const reassert = (): void => {
    if (Slot.isNewer(known, readShared())) browser.set(true, name, Slot.write(known))
  }

  /** Takes up what another tab has kept, unless it is older than what this one has seen. */
  const receive = (slot: Slot.Slot): void => {
    const before = known
    if (Slot.isNewer(slot, before)) known = slot
    reassert()
    if (known === before || readOwn() !== undefined) return
    if (before.session === undefined && slot.session === undefined) return
    if (isOver(before, slot)) for (const signOut of [...clients]) signOut()
    const isSame = Slot.isSamePerson(before.session, slot.session)
    // Each in a task of its own: one that throws is no matter of the others.
    for (const listener of [...listeners])
      queueMicrotask(() => listeners.has(listener) && listener(credentialsOf(slot), isSame))
  }
  const refresh = (): void => receive(readShared())

  const write = (session: StoredSession | undefined, key: string | undefined): void => {
    if (!browser.isPage) return
    const slot = { version: Slot.next(known), session, key }
    const text = Slot.write(slot)
    if (session !== undefined && !isShared()) return void browser.set(false, name, text)
    browser.set(false, name, undefined)
    // Where there is no room for a session, the one before does not stay either.
    if (!browser.set(true, name, text))
      browser.set(true, name, Slot.write({ ...Slot.nothing, version: known.version }))
    known = slot
    browser.send(name, text)
  }

  const current = (): Slot.Slot => {
    refresh()
    return readOwn() ?? known
  }
  const forget = (): void => {
    const { session } = current()
    if (readOwn() !== undefined) browser.set(false, name, undefined)
    else if (session !== undefined) write(undefined, undefined)
  }

  const hear = (text: unknown): void => {
    if (text !== null) return receive(Slot.read(text))
    // Whoever removes what is kept, such as the person who clears the data of a site, signs out.
    if (known.session === undefined) return
    receive({ version: Slot.next(known), session: undefined, key: undefined })
    browser.set(true, name, Slot.write(known))
  }
  let leave: (() => void) | undefined
  /** Listens to the other tabs for as long as anybody does in this one. */
  const add = <A>(to: Set<A>, member: A): (() => void) => {
    leave ??= browser.listen(name, hear, refresh)
    to.add(member)
    return () => {
      to.delete(member)
      if (clients.size + listeners.size > 0) return
      leave?.()
      leave = undefined
    }
  }

  /** Whether a slot holds the session of a client: the one of its key, or another one of the same person. */
  const isOf = (slot: Slot.Slot, key: string, session: StoredSession | undefined): boolean =>
    slot.session !== undefined && (slot.key === key || Slot.isSamePerson(slot.session, session))

  const store: Service = {
    load: (key, replaced) =>
      Effect.sync(() => {
        const slot = current()
        return isOf(slot, key, replaced) ? Option.fromNullable(slot.session) : Option.none()
      }),
    save: (key, session) =>
      Effect.sync(() => {
        const before = known
        refresh()
        // A sign-out that this tab hears of only now is not undone by a sign-in that began before it.
        if (readOwn() !== undefined || !isOver(before, known)) write(session, key)
      }),
    clear: (key, session) =>
      Effect.sync(() => {
        if (isOf(current(), key, session)) forget()
      }),
    exclusively: (_, work) =>
      Effect.suspend(() =>
        Lock.exclusively(browser.locks, name, work, () => {
          refresh()
          return known.version
        })
      ),
    onSignOut: (signOut) => {
      // What has changed before is none of this client's.
      refresh()
      return add(clients, signOut)
    }
  }

  return {
    store,
    layer: Layer.succeed(SessionStore, store),
    session: () => credentialsOf(current()),
    isShared: () => current().session !== undefined && readOwn() === undefined,
    keep: (session) => {
      const kept = keptOf(session)
      refresh()
      write(kept, undefined)
    },
    forget,
    subscribe: (listener) => {
      const stop = add(listeners, listener)
      // What has changed since `session` was read is.
      refresh()
      return stop
    }
  }
}
