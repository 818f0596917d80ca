/**
 * Sessions that outlive the page, so that a reload needs no password: in this tab or, where the user wants it, in this
 * browser. Then all its tabs share one: a sign-in or a sign-out in one of them holds in all. Only the tab that signed in
 * knows the password, so it alone renews the session; the others take up what it has kept.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SessionStore, SessionStoreError, type StoredSession } from "../../../core/ports/session-store.js"
import { cell, registry } from "./cells.js"
import { type Person, persons } from "./config.js"
import * as Drafts from "./drafts.js"
import { parse } from "./stored.js"

/** A kept session. An end user's has no token. */
export type Kept = Required<Pick<StoredSession, "sessionId" | "accessToken">>

const nameOf = (audience: Person): string => `quartet.session.${audience}`

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const read = (text: string | null): Kept | undefined => {
  const { accessToken, sessionId } = parse(text)
  return isText(sessionId) ? { sessionId, accessToken: isText(accessToken) ? accessToken : "" } : undefined
}

/** The kept session as credentials; undefined if there is none. */
export const kept = (audience: Person): Kept | undefined =>
  read(sessionStorage.getItem(nameOf(audience)) ?? localStorage.getItem(nameOf(audience)))

/** Whether sign-ins in this tab are for all tabs of the browser. */
export const isShared = cell(persons.some((audience) => localStorage.getItem(nameOf(audience)) !== null))

export const keep = (audience: Person, { accessToken, sessionId }: StoredSession): void => {
  sessionStorage.removeItem(nameOf(audience))
  const storage = registry.get(isShared) ? localStorage : sessionStorage
  storage.setItem(nameOf(audience), JSON.stringify({ sessionId, accessToken }))
}

/** Forgets the session, for all tabs that share it. */
const forget = (audience: Person): void => {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(nameOf(audience))
}

/** What a sign-out forgets: the session, and the drafts, which a session that ended by itself leaves. */
export const forgetUser = (audience: Person): void => {
  forget(audience)
  Drafts.forget(audience)
}

/** Tells what other tabs do with the session that all share, a sign-out by undefined; not to a tab with a session of its own. */
export const follow = (audience: Person, tell: (shared: Kept | undefined) => void): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== nameOf(audience) || sessionStorage.getItem(key) !== null) return
    const shared = read(newValue)
    if (shared !== undefined) registry.set(isShared, true)
    tell(shared)
  })

const attempt = <A>(method: "load" | "save" | "clear", run: () => A): Effect.Effect<A, SessionStoreError> =>
  Effect.try({ try: run, catch: (cause) => new SessionStoreError({ method, cause }) })

/** Keeps an administrator's session. It is never loaded by key: a sign-in with a password always calls the platform. */
export const layer: Layer.Layer<SessionStore> = Layer.succeed(SessionStore, {
  load: () => Effect.succeed(Option.none()),
  save: (_, session) => attempt("save", () => keep("admin", session)),
  clear: () => attempt("clear", () => forget("admin"))
})
