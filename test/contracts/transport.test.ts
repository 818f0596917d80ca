import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Layer from "effect/Layer"
import { describe } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as PlatformTransport from "../../adapters/platform/index.js"
import * as Sandbox from "../../adapters/sandbox/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import { transportOnTheWire } from "./transport.js"
import { transportLaws } from "./transport-laws.js"

const encodings = ["gzip", "deflate", "br"]
/** Node's fetch takes compressed bytes that are cut short for whole. */
const fetches = { forced: encodings, noticesCuts: false }
/** These hand over what a server compressed as it is, and the web platform undoes no brotli. */
const bare = { forced: ["gzip", "deflate"], noticesCuts: true }

const cases = [
  ["over fetch", FetchTransport.layer, fetches],
  ["over undici", UndiciTransport.layer, { forced: encodings, noticesCuts: true }],
  ["over an HttpClient of fetch", Layer.provide(PlatformTransport.layer, FetchHttpClient.layer), fetches],
  ["over an HttpClient of undici", Layer.provide(PlatformTransport.layer, NodeHttpClient.layerUndici), bare],
  ["over an HttpClient of node:http", Layer.provide(PlatformTransport.layer, NodeHttpClient.layer), bare]
] as const

for (const [name, layer, abilities] of cases) {
  describe(name, () => transportOnTheWire(name, layer, abilities))
}

transportLaws("of the sandbox in this process", Layer.orDie(Sandbox.layer()), () => ({
  origin: "http://sandbox.test",
  headers: { "x-api-key": Sandbox.accounts.apiKey },
  found: "/project/self",
  missing: "/no/such/route"
}))
