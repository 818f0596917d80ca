// The list of contenders, in the table's order. Each is loaded only when it takes part, so that a missing one
// stops nobody else.

import { createRequire } from "node:module"

/**
 * @typedef {object} Calls
 * @property {() => Promise<unknown>} small one object
 * @property {() => Promise<unknown>} page a page of 100 items
 * @property {() => Promise<unknown>} large 10,000 items
 * @property {() => Promise<void>} close gives its sockets back
 */

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {boolean} dates whether its answers hold `Date` where the JSON holds an ISO string
 * @property {(baseUrl: string) => Promise<Calls>} setup with a keep-alive pool of its own
 */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {() => Promise<Contender>} load
 * @property {() => string} version
 * @property {boolean} [built] needs the package's `dist`
 */

const require = createRequire(import.meta.url)
/** @param {string} id */
const versionOf = (id) => `${id} ${require(`${id}/package.json`).version}`

/** @type {ReadonlyArray<Entry>} */
export const entries = [
  {
    name: "fetch",
    load: async () => (await import("./fetch.mjs")).contender,
    version: () => `Node's fetch (undici ${process.versions.undici})`
  },
  {
    name: "undici",
    load: async () => (await import("./undici.mjs")).contender,
    version: () => versionOf("undici")
  },
  {
    name: "axios",
    load: async () => (await import("./axios.mjs")).contender,
    version: () => versionOf("axios")
  },
  {
    name: "ky",
    load: async () => (await import("./ky.mjs")).contender,
    version: () => `ky ${require("../../../package.json").devDependencies.ky}`
  },
  {
    name: "platform",
    load: async () => (await import("./platform.mjs")).contender,
    version: () => `${versionOf("@effect/platform")}, ${versionOf("effect")}`
  },
  {
    name: "quartet-fetch",
    built: true,
    load: async () => (await import("./quartet.mjs")).overFetch,
    version: () => `this package, ${versionOf("effect")}`
  },
  {
    name: "quartet-undici",
    built: true,
    load: async () => (await import("./quartet.mjs")).overUndici,
    version: () => `this package, ${versionOf("undici")}`
  },
  {
    name: "quartet-effect",
    built: true,
    load: async () => (await import("./quartet.mjs")).asEffect,
    version: () => `this package, ${versionOf("undici")}`
  }
]

/** The contender that all ratios refer to. */
export const base = "fetch"
