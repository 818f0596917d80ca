/** Outboxes: each keeps writes on the device until the platform has done them. */

import { InputError } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { reconnect } from "../rx/query-cache.js"
import { makeOutboxOver } from "./make.js"
import type { Outbox, OutboxOptions } from "./model.js"
import { makeStore, type Ports } from "./store.js"

/** Milliseconds after which a probe counts as unanswered. */
const longestProbe = 10_000

const bounded = (probe: () => Promise<boolean>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), longestProbe)
    Promise.resolve()
      .then(probe)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })

/** Whether `fetch` can ask for an address: it refuses other protocols, and credentials in the address. */
const isAskable = (url: string): boolean => {
  const { password, protocol, username } = new URL(url, "http://localhost")
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

/**
 * A probe that asks for an address, such as the base URL of the client, and takes any answer: also one that the page may not
 * read. It may be relative. Throws InputError for what is no address of http or https, and for one with credentials.
 * @category constructors
 */
export const reaches = (url: string): (() => Promise<boolean>) => {
  if (
    typeof url !== "string" ||
    url === "" ||
    !Either.getOrElse(
      Either.try(() => isAskable(url)),
      () => false
    )
  )
    throw new InputError({
      operation: "reaches",
      field: "url",
      rule: "must be an address of http or https, without credentials"
    })
  return () =>
    fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store", credentials: "omit" }).then(
      () => true,
      () => false
    )
}

/** What a browser brings. */
const browser = ({ name, probe = () => Promise.resolve(true) }: OutboxOptions): Ports => ({
  store: makeStore(name, () => globalThis.indexedDB),
  locks: globalThis.navigator?.locks,
  channel: (listener) => {
    if (globalThis.BroadcastChannel === undefined) return { tell: () => undefined, close: () => undefined }
    const channel = new BroadcastChannel(`quartet-outbox ${name}`)
    channel.onmessage = ({ data }) => listener(data)
    return { tell: (message) => channel.postMessage(message), close: () => channel.close() }
  },
  isOnline: () => globalThis.navigator?.onLine !== false,
  onOnline: reconnect,
  room: async () => {
    // Pages without https, and old browsers, cannot ask.
    const { quota = Number.POSITIVE_INFINITY, usage = 0 } =
      (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {}
    return quota - usage
  },
  probe: () => bounded(probe),
  now: Date.now,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
  makeId: () => crypto.randomUUID(),
  chance: Math.random
})

/**
 * Makes an outbox, once, outside of components, and hands it to mutations: what they do is kept on the device until
 * the platform has done it, over reloads, tabs and offline. A page that is loaded again sends what was kept as soon
 * as something observes the outbox, as `useOutbox` does, or runs such a mutation. Throws InputError for invalid
 * options.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient } from "@quartet/react"
 * import { makeOutbox } from "@quartet/react/outbox"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const outbox = makeOutbox({ name: "desk" })
 * const markSeen = client.mutation(Admin.requests.markSeen, { outbox })
 * ```
 * @category constructors
 */
export const makeOutbox = (options: OutboxOptions): Outbox => makeOutboxOver(browser, options)
