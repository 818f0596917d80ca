// Quartet over its two transports, from the build as a user gets it: the admin client with a session at hand,
// its permission check and resilience switched on, one runPromise per call.
//
// The package's own name does not resolve from here (this folder is a package of its own): hence the paths
// into dist.

import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as FetchTransport from "../../../dist/adapters/fetch/index.js"
import * as UndiciTransport from "../../../dist/adapters/undici/index.js"
import * as Admin from "../../../dist/clients/admin/index.js"

/** @param {object} value */
const segment = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A token that allows everything and expires in the year 2100. */
const accessToken = [
  segment({ alg: "HS256", typ: "JWT" }),
  segment({ sub: "admin", exp: 4_102_444_800, p: { "*": { "*": 9 } } }),
  "signature"
].join(".")

/**
 * @param {string} name
 * @param {typeof FetchTransport.layer | typeof UndiciTransport.layer} transport
 * @returns {import("./index.mjs").Contender}
 */
const make = (name, transport) => ({
  name,
  dates: true,
  setup: async (baseUrl) => {
    const client = Admin.layer({ baseUrl, projectId: "p1", sessionId: "s", accessToken })
    const runtime = ManagedRuntime.make(Layer.provide(client, transport))
    return {
      small: () => runtime.runPromise(Admin.requests.get({ id: "r1" })),
      page: () => runtime.runPromise(Admin.requests.list({})),
      large: () => runtime.runPromise(Admin.requests.list({ limit: 10_000 })),
      close: () => runtime.dispose()
    }
  }
})

export const overFetch = make("quartet-fetch", FetchTransport.layer)
export const overUndici = make("quartet-undici", UndiciTransport.layer)
