/** The SessionStore over any KeyValueStore of @effect/platform: in memory, in the browser's storage, or your own. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Service, SessionStore } from "../../core/ports/session-store.js"
import { sessionStoreOver } from "./text-store.js"

/**
 * Makes a session store over a KeyValueStore of `@effect/platform`. A session is JSON text under the client's own
 * key, so the store has to be one that others cannot read. Throws InputError if the store is invalid.
 *
 * @example
 * ```ts
 * import * as Storage from "@quartet/sdk/adapters/storage"
 * import * as KeyValueStore from "@effect/platform/KeyValueStore"
 * import * as Effect from "effect/Effect"
 *
 * const store = Effect.map(KeyValueStore.KeyValueStore, Storage.make)
 * ```
 * @category constructors
 */
export const make: (store: KeyValueStore.KeyValueStore) => Service = sessionStoreOver

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
 * Sessions that a browser keeps permanently, in `localStorage`. Any script on the page can read them: use it only on
 * pages without untrusted code. Tabs do not hear of each other's sign-outs; `@quartet/sdk/adapters/tabs` tells them.
 *
 * @example
 * ```ts
 * import * as Storage from "@quartet/sdk/adapters/storage"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Layer from "effect/Layer"
 *
 * const live = Admin.layer({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…"
 * }).pipe(Layer.provide(Storage.layerLocalStorage))
 * ```
 * @category layers
 */
export const layerLocalStorage: Layer.Layer<SessionStore> = /*#__PURE__*/ layerStorage("localStorage")

/** Sessions that a browser keeps until its tab is closed. @category layers */
export const layerSessionStorage: Layer.Layer<SessionStore> = /*#__PURE__*/ layerStorage("sessionStorage")
