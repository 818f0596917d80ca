/** The admin's session, kept for this tab: a page that is loaded again asks for no password. */
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

/** A kept session as credentials; undefined where there is none. */
export const kept = (): { readonly sessionId: string; readonly accessToken: string } | undefined => {
  const { accessToken, sessionId } = read() ?? {}
  return sessionId !== undefined && accessToken !== undefined ? { sessionId, accessToken } : undefined
}

export const forget = (): void => sessionStorage.removeItem(name)

const attempt = <A>(method: "load" | "save" | "clear", run: () => A): Effect.Effect<A, SessionStoreError> =>
  Effect.try({ try: run, catch: (cause) => new SessionStoreError({ method, cause }) })

/** Keeps what a sign-in brings. It is never loaded by key: a sign-in with a password always asks the platform. */
export const layer: Layer.Layer<SessionStore> = Layer.succeed(SessionStore, {
  load: () => Effect.succeed(Option.none()),
  save: (_, session) => attempt("save", () => sessionStorage.setItem(name, JSON.stringify(session))),
  clear: () => attempt("clear", forget)
})
