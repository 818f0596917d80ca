// The contenders, in the table's order. Each loads its client only when it takes part, so that a missing one stops
// nobody else. `load` answers its setup: given a base URL and with a keep-alive pool of its own, a call for each answer,
// and `close`, which gives the sockets back. `dates`: whether its answers hold `Date` where the JSON holds an ISO string.
// `built`: it needs the package's `dist`.

import { Agent } from "node:http"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const versionOf = (id) => `${id} ${require(`${id}/package.json`).version}`

const calls = (call, close = async () => {}) => ({
  small: call("small"),
  page: call("page"),
  large: call("large"),
  close
})

/** The base of all ratios: the least that anyone could do. */
const bareFetch = async () => async (baseUrl) =>
  calls((name) => () => fetch(`${baseUrl}/${name}`).then((response) => response.json()))

/** Turns the strings that are ISO date-times into dates, by Quartet's rules and in place: the least that a walk costs. */
const turnDates = (parse) => {
  const walk = (value) => {
    if (typeof value === "string") return parse(value) ?? value
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const turned = walk(value[at])
        if (turned !== value[at]) value[at] = turned
      }
    } else if (typeof value === "object" && value !== null) {
      for (const key in value) {
        const turned = walk(value[key])
        if (turned !== value[key]) value[key] = turned
      }
    }
    return value
  }
  return walk
}

/** The floor of whoever turns dates: bare fetch, and a walk over the answer. */
const fetchAndWalk = async () => {
  const { parse } = await import("../../dist/core/kernel/codec/dates.js")
  const walk = turnDates(parse)
  return async (baseUrl) =>
    calls((name) => async () => walk(await (await fetch(`${baseUrl}/${name}`)).json()))
}

/** undici's own `request`, the same copy that Quartet's undici transport uses. */
const undici = async () => {
  const { Agent, request } = await import("undici")
  return async (baseUrl) => {
    const dispatcher = new Agent()
    return calls(
      (name) => async () => (await request(`${baseUrl}/${name}`, { dispatcher })).body.json(),
      () => dispatcher.close()
    )
  }
}

/** axios over node:http, as an application would set it up. */
const overAxios = async () => {
  const { default: axios } = await import("axios")
  return async (baseURL) => {
    const httpAgent = new Agent({ keepAlive: true })
    // A proxy in the environment would take the loopback calls elsewhere.
    const client = axios.create({ baseURL, httpAgent, proxy: false })
    return calls(
      (name) => async () => (await client.get(`/${name}`)).data,
      async () => httpAgent.destroy()
    )
  }
}

/** ky with its defaults (a time-out and retries), over the global fetch. */
const overKy = async () => {
  const { default: ky } = await import("ky")
  return async (prefixUrl) => {
    const client = ky.create({ prefixUrl })
    return calls((name) => () => client.get(name).json())
  }
}

/** Effect's own HttpClient over fetch with a Schema that turns dates, one runPromise per call like Quartet. */
const platform = async () => {
  const [FetchHttpClient, HttpClient, HttpClientResponse, Effect, ManagedRuntime, Schema] = await Promise.all(
    [
      import("@effect/platform/FetchHttpClient"),
      import("@effect/platform/HttpClient"),
      import("@effect/platform/HttpClientResponse"),
      import("effect/Effect"),
      import("effect/ManagedRuntime"),
      import("effect/Schema")
    ]
  )
  const Item = Schema.Struct({
    _id: Schema.String,
    title: Schema.String,
    status: Schema.String,
    version: Schema.Number,
    createdAt: Schema.Date,
    updatedAt: Schema.Date,
    author: Schema.Struct({ _id: Schema.String, name: Schema.String })
  })
  const Page = Schema.Struct({
    items: Schema.Array(Item),
    paging: Schema.Struct({ page: Schema.Number, limit: Schema.Number, total: Schema.Number })
  })
  return async (baseUrl) => {
    const runtime = ManagedRuntime.make(FetchHttpClient.layer)
    return calls(
      (name) => {
        const decode = HttpClientResponse.schemaBodyJson(name === "small" ? Item : Page)
        return () => runtime.runPromise(Effect.flatMap(HttpClient.get(`${baseUrl}/${name}`), decode))
      },
      () => runtime.dispose()
    )
  }
}

const segment = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A session whose token allows everything and expires in the year 2100: the permission check is switched on. */
const session = {
  projectId: "p1",
  sessionId: "s",
  accessToken: [
    segment({ alg: "HS256", typ: "JWT" }),
    segment({ sub: "admin", exp: 4_102_444_800, p: { "*": { "*": 9 } } }),
    "signature"
  ].join(".")
}

// Quartet from the build as a user gets it: through the Promise client, as the rivals are called, over its two
// transports; and, over undici, as an Effect that is run a call at a time.

const promised = (connect) => async () => {
  const { createAdminClient } = await import("../../dist/clients/promise/index.js")
  const open = await connect()
  return async (baseUrl) => {
    const { transport, end } = open()
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
}

const overFetch = promised(async () => {
  const FetchTransport = await import("../../dist/adapters/fetch/index.js")
  return () => ({ transport: FetchTransport.make(), end: async () => undefined })
})

const overUndici = promised(async () => {
  const { Agent } = await import("undici")
  const UndiciTransport = await import("../../dist/adapters/undici/index.js")
  return () => {
    const agent = new Agent({ connections: 64 })
    return { transport: UndiciTransport.make(agent), end: () => agent.close() }
  }
})

const asEffect = async () => {
  const Layer = await import("effect/Layer")
  const ManagedRuntime = await import("effect/ManagedRuntime")
  const UndiciTransport = await import("../../dist/adapters/undici/index.js")
  const Admin = await import("../../dist/clients/admin/index.js")
  return async (baseUrl) => {
    const layer = Layer.provide(Admin.layer({ baseUrl, ...session }), UndiciTransport.layer)
    const runtime = ManagedRuntime.make(layer)
    return {
      small: () => runtime.runPromise(Admin.requests.get({ id: "r1" })),
      page: () => runtime.runPromise(Admin.requests.list({})),
      large: () => runtime.runPromise(Admin.requests.list({ limit: 10_000 })),
      close: () => runtime.dispose()
    }
  }
}

const rival = (name, load, version, dates = false) => ({ name, load, version, dates, built: false })
const quartet = (name, load, library) => ({
  name,
  load,
  version: () => `this package, ${versionOf(library)}`,
  dates: true,
  built: true
})

export const entries = [
  rival("fetch", bareFetch, () => `Node's fetch (undici ${process.versions.undici})`),
  { ...rival("fetch-walk", fetchAndWalk, () => "fetch, and a walk that turns dates", true), built: true },
  rival("undici", undici, () => versionOf("undici")),
  rival("axios", overAxios, () => versionOf("axios")),
  rival("ky", overKy, () => `ky ${require("../../package.json").devDependencies.ky}`),
  rival("platform", platform, () => `${versionOf("@effect/platform")}, ${versionOf("effect")}`, true),
  quartet("quartet-fetch", overFetch, "effect"),
  quartet("quartet-undici", overUndici, "undici"),
  quartet("quartet-effect", asEffect, "undici")
]

/** The contender that all ratios refer to. */
export const base = "fetch"
