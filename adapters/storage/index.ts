/** The SessionStore over any KeyValueStore of @effect/platform: in memory, in the browser's storage, or your own. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { makeState, revive, wrong } from "../../core/kernel/codec/state.js"
import { port } from "../../core/kernel/operation/options.js"
import {
  type Service,
  SessionStore,
  SessionStoreError,
  type StoredSession
} from "../../core/ports/session-store.js"

const Session = Schema.parseJson(
  Schema.Struct({
    sessionId: Schema.NonEmptyString,
    accessToken: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
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
 * Makes the port over a store. Sessions are JSON text under the client's own key. Throws InputError if the store is
 * invalid.
 * @category constructors
 */
export const make = (store: KeyValueStore.KeyValueStore): Service => {
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

/** The port over the KeyValueStore of the context. @category layers */
export const layer: Layer.Layer<SessionStore, never, KeyValueStore.KeyValueStore> =
  /*#__PURE__*/ Layer.effect(SessionStore, /*#__PURE__*/ Effect.map(KeyValueStore.KeyValueStore, make))

/** Sessions that last as long as the layer. @category layers */
export const layerMemory: Layer.Layer<SessionStore> = /*#__PURE__*/ Layer.provide(
  layer,
  KeyValueStore.layerMemory
)

/**
 * A browser's storage, resolved on use: if it is missing or forbidden, the store fails with SessionStoreError and the
 * client continues in memory.
 */
const storageOf = (name: "localStorage" | "sessionStorage"): Storage => {
  const storage = (): Storage => globalThis[name]
  return {
    getItem: (key) => storage().getItem(key),
    setItem: (key, value) => storage().setItem(key, value),
    removeItem: (key) => storage().removeItem(key),
    clear: () => storage().clear(),
    key: (index) => storage().key(index),
    get length() {
      return storage().length
    }
  }
}

const layerStorage = (name: "localStorage" | "sessionStorage"): Layer.Layer<SessionStore> =>
  Layer.provide(
    layer,
    KeyValueStore.layerStorage(() => storageOf(name))
  )

/**
 * Sessions that a browser keeps permanently. Any script on the page can read them: use it only on pages without
 * untrusted code.
 * @category layers
 */
export const layerLocalStorage: Layer.Layer<SessionStore> = /*#__PURE__*/ layerStorage("localStorage")

/** Sessions that a browser keeps until its tab is closed. @category layers */
export const layerSessionStorage: Layer.Layer<SessionStore> = /*#__PURE__*/ layerStorage("sessionStorage")
