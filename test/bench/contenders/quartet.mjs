// Quartet over its two transports, from the build as a user gets it: the admin client with a session at hand,
// its permission check and resilience switched on. Through the Promise client, as the rivals are called, and,
// over undici, as an Effect that is run a call at a time.

import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Agent } from "undici"
import * as FetchTransport from "../../../dist/adapters/fetch/index.js"
import * as UndiciTransport from "../../../dist/adapters/undici/index.js"
import * as Admin from "../../../dist/clients/admin/index.js"
import { createAdminClient } from "../../../dist/clients/promise/index.js"

/** @param {object} value */
const segment = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A token that allows everything and expires in the year 2100. */
const accessToken = [
  segment({ alg: "HS256", typ: "JWT" }),
  segment({ sub: "admin", exp: 4_102_444_800, p: { "*": { "*": 9 } } }),
  "signature"
].join(".")

const session = { projectId: "p1", sessionId: "s", accessToken }

/**
 * @param {string} name
 * @param {() => { transport: import("../../../dist/core/ports/transport.js").Service, end: () => Promise<void> }} connect
 * @returns {import("./index.mjs").Contender}
 */
const promised = (name, connect) => ({
  name,
  dates: true,
  setup: async (baseUrl) => {
    const { transport, end } = connect()
    const client = createAdminClient({ baseUrl, ...session, transport })
    return {
      small: () => client.requests.get({ id: "r1" }),
      page: () => client.requests.list({}),
      large: () => client.requests.list({ limit: 10_000 }),
      close: async () => {
        await client.close()
        await end()
      }
    }
  }
})

export const overFetch = promised("quartet-fetch", () => ({
  transport: FetchTransport.make(),
  end: async () => undefined
}))

export const overUndici = promised("quartet-undici", () => {
  const agent = new Agent({ connections: 64 })
  return { transport: UndiciTransport.make(agent), end: () => agent.close() }
})

/** @type {import("./index.mjs").Contender} */
export const asEffect = {
  name: "quartet-effect",
  dates: true,
  setup: async (baseUrl) => {
    const runtime = ManagedRuntime.make(
      Layer.provide(Admin.layer({ baseUrl, ...session }), UndiciTransport.layer)
    )
    return {
      small: () => runtime.runPromise(Admin.requests.get({ id: "r1" })),
      page: () => runtime.runPromise(Admin.requests.list({})),
      large: () => runtime.runPromise(Admin.requests.list({ limit: 10_000 })),
      close: () => runtime.dispose()
    }
  }
}
