/** The port that keeps a session between runs of a program. Without one, a session lives as long as its client. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

/** What is kept. It is a secret as a whole. */
export interface StoredSession {
  readonly sessionId: string
  readonly accessToken?: string
  /** The user as the platform described them at the sign-in; left out where nobody signed in with this client. */
  readonly user?: unknown
}

/** The store failed. A client then goes on with a session in memory. */
export class SessionStoreError extends Data.TaggedError("SessionStoreError")<{
  readonly method: "load" | "save" | "clear"
  readonly cause: unknown
}> {
  override get message(): string {
    return `the session store failed to ${this.method} a session`
  }
}

/** Sessions by key; a client's key names its audience, its platform and who signs in. */
export interface Service {
  readonly load: (key: string) => Effect.Effect<Option.Option<StoredSession>, SessionStoreError>
  readonly save: (key: string, session: StoredSession) => Effect.Effect<void, SessionStoreError>
  readonly clear: (key: string) => Effect.Effect<void, SessionStoreError>
}

export class SessionStore extends Context.Tag("@quartet/sdk/SessionStore")<SessionStore, Service>() {}
