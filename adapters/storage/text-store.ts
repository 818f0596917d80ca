/** The SessionStore over a store of texts, which needs no package beside Effect. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { makeState, revive, wrong } from "../../core/kernel/codec/state.js"
import { port } from "../../core/kernel/operation/options.js"
import { type Service, SessionStoreError, type StoredSession } from "../../core/ports/session-store.js"

/** Texts by key. Every KeyValueStore of @effect/platform is one. */
export interface TextStore {
  readonly get: (key: string) => Effect.Effect<Option.Option<string>, unknown>
  readonly set: (key: string, text: string) => Effect.Effect<void, unknown>
  readonly remove: (key: string) => Effect.Effect<void, unknown>
}

const Session = Schema.parseJson(
  Schema.Struct({
    sessionId: Schema.NonEmptyString,
    accessToken: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
    refreshToken: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
    expiresAt: Schema.optionalWith(Schema.Finite, { exact: true }),
    cookies: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
      exact: true
    }),
    user: Schema.optionalWith(Schema.Unknown, { exact: true })
  })
)
const decode = /*#__PURE__*/ Schema.decodeUnknown(Session)
const encode = /*#__PURE__*/ Schema.encode(Session)

/** A session as it was saved: the Dates of its user are text in the store. */
const revived = (session: StoredSession): StoredSession => {
  if (session.user === undefined) return session
  const { user, ...credentials } = session
  const read = revive(user, makeState())
  return read === wrong ? credentials : { ...credentials, user: read }
}

const failed = (method: SessionStoreError["method"], cause: unknown) =>
  new SessionStoreError({ method, cause })

/** The error of a kept value, without the value: it is a secret. */
const unreadable = () => failed("load", new Error("what is kept under this key is not a session"))
const unwritable = () => failed("save", new Error("this is not a session"))

/**
 * Makes the port over a store of texts. Sessions are JSON text under the client's own key. Throws InputError if the store is
 * invalid.
 */
export const sessionStoreOver = (store: TextStore): Service => {
  const name = "KeyValueStore of @effect/platform"
  const checked = port("Storage.make", "store", store, ["get", "set", "remove"], name)
  Either.getOrThrowWith(checked, (refused) => refused)
  return {
    load: (key) =>
      Effect.mapError(store.get(key), (cause) => failed("load", cause)).pipe(
        Effect.flatMap(
          Option.match({
            onNone: () => Effect.succeed(Option.none<StoredSession>()),
            onSome: (text) =>
              Effect.mapBoth(decode(text), {
                onFailure: unreadable,
                onSuccess: (session) => Option.some(revived(session))
              })
          })
        )
      ),
    save: (key, session) =>
      Effect.mapError(encode(session), unwritable).pipe(
        Effect.flatMap((text) => Effect.mapError(store.set(key, text), (cause) => failed("save", cause)))
      ),
    clear: (key) => Effect.mapError(store.remove(key), (cause) => failed("clear", cause))
  }
}
