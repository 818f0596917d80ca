/** The port that keeps a session between runs of a program. Without one, a session lasts as long as its client. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { TaggedError } from "./tagged-error.js"

/** A kept session. All of it is secret. */
export interface StoredSession {
  /** Id of the session. */
  readonly sessionId: string
  /** An admin's access token; an end user's session has none. */
  readonly accessToken?: string
  /** The token with which the session is renewed, where the platform has one. */
  readonly refreshToken?: string
  /** When the session ends, in milliseconds since 1970 on the platform's clock, where its token does not say it. */
  readonly expiresAt?: number
  /**
   * Cookies beside the session, such as that of a CSRF token, where the platform's value names them, and a program on a server keeps them: by
   * name or, where hosts have set several, by host and name.
   */
  readonly cookies?: Readonly<Record<string, string>>
  /** The user as the platform described them at the sign-in; omitted if this client did not sign in. */
  readonly user?: unknown
}

/** The store failed. A client then continues with a session in memory. */
export class SessionStoreError extends TaggedError("SessionStoreError")<{
  /** What the store was asked for. */
  readonly method: "load" | "save" | "clear"
  /** What the store failed with. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `the session store failed to ${this.method} a session`
  }
}

/** Sessions by key; a client's key names its audience, its platform and who signs in. */
export interface Service {
  /** `replaced` is the session for which the client needs another one, where it has one. */
  readonly load: (
    key: string,
    replaced?: StoredSession
  ) => Effect.Effect<Option.Option<StoredSession>, SessionStoreError>
  /** Keeps the session of a key, in place of an earlier one. */
  readonly save: (key: string, session: StoredSession) => Effect.Effect<void, SessionStoreError>
  /** `session` is the one that the client gives up, where it has one. */
  readonly clear: (key: string, session?: StoredSession) => Effect.Effect<void, SessionStoreError>
  /**
   * Runs the work that obtains a session while nobody else does for this key. Waits for others in bounded time, and runs the
   * work then too. Without it, each client signs in by itself.
   */
  readonly exclusively?: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Calls back when the session of this client was given up elsewhere, until the returned function is called. */
  readonly onSignOut?: (listener: () => void) => () => void
}

/**
 * Where a session is kept between runs of a program, by a key that names audience, platform and who signs in. An
 * admin client that finds one in its context loads the session before it signs in, saves each new one, and clears it
 * at a sign-out. A store that fails is logged, and the client goes on in memory. `@quartet/sdk/adapters/storage` and
 * `/storage-file` have ready ones, `/tabs` one that all tabs of a browser share.
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
 * @category ports
 */
export class SessionStore extends Context.Tag("@quartet/sdk/SessionStore")<SessionStore, Service>() {}
