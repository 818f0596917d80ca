/** The admin's session, stored for this tab, so that a reload needs no password. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SessionStore, SessionStoreError, type StoredSession } from "../../../core/ports/session-store.js"

const name = "quartet.session"

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const read = (): StoredSession | undefined => {
  try {
    const { accessToken, sessionId }: Record<string, unknown> = JSON.parse(
      sessionStorage.getItem(name) ?? "{}"
    )
    return isText(sessionId) && isText(accessToken) ? { sessionId, accessToken } : undefined
  } catch {
    return undefined
  }
}

/** The stored session as credentials; undefined if there is none. */
export const kept = (): { readonly sessionId: string; readonly accessToken: string } | undefined => {
  const { accessToken, sessionId } = read() ?? {}
  return sessionId !== undefined && accessToken !== undefined ? { sessionId, accessToken } : undefined
}

export const forget = (): void => sessionStorage.removeItem(name)

const attempt = <A>(method: "load" | "save" | "clear", run: () => A): Effect.Effect<A, SessionStoreError> =>
  Effect.try({ try: run, catch: (cause) => new SessionStoreError({ method, cause }) })

/** Stores the session of a sign-in. It is never loaded by key: a sign-in with a password always calls the platform. */
export const layer: Layer.Layer<SessionStore> = Layer.succeed(SessionStore, {
  load: () => Effect.succeed(Option.none()),
  save: (_, session) => attempt("save", () => sessionStorage.setItem(name, JSON.stringify(session))),
  clear: () => attempt("clear", forget)
})
