// The rivals: what others offer for the same calls, each with its defaults, as an application would set it up. The clients of
// other platforms read the same answers at the addresses that they make of a call: their bodies are JSON as it comes. Packages
// that the project has no other use for stand in package.json beside this file.

import { Agent } from "node:http"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** A package's name and version, also where its exports hide its manifest. */
export const versionOf = (id) => {
  for (const folder of require.resolve.paths(id)) {
    try {
      return `${id} ${require(`${folder}/${id}/package.json`).version}`
    } catch {}
  }
  return id
}

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

/** The rows of a table, over the global fetch. */
const supabase = async () => {
  const { createClient } = await import("@supabase/supabase-js")
  return async (baseUrl) => {
    const auth = { persistSession: false, autoRefreshToken: false }
    // It wants a WebSocket, which Node 20 lacks, and connects none here.
    const realtime = { transport: globalThis.WebSocket ?? Object }
    const client = createClient(baseUrl, "key", { auth, realtime })
    return calls((name) => async () => {
      const { data, error } = await client.from(name).select("*")
      if (error !== null) throw error
      return data
    })
  }
}

/** The items of a collection, over the global fetch. */
const directus = async () => {
  const { createDirectus, readItem, readItems, rest, staticToken } = await import("@directus/sdk")
  return async (baseUrl) => {
    const client = createDirectus(baseUrl).with(staticToken("token")).with(rest())
    return {
      ...calls((name) => () => client.request(readItems(name))),
      small: () => client.request(readItem("small", "r1"))
    }
  }
}

/** The records of a collection, over the global fetch. */
const pocketbase = async () => {
  const { default: PocketBase } = await import("pocketbase")
  return async (baseUrl) => {
    const client = new PocketBase(baseUrl)
    // By default, a second call of the same kind cancels the first.
    client.autoCancellation(false)
    return {
      ...calls((name) => () => client.collection(name).getList(1, 100)),
      small: () => client.collection("small").getOne("r1")
    }
  }
}

/** Customers, over node:http. */
const overStripe = async () => {
  const { default: Stripe } = await import("stripe")
  return async (baseUrl) => {
    const { hostname, port } = new URL(baseUrl)
    const httpAgent = new Agent({ keepAlive: true })
    const client = new Stripe("sk_test", {
      host: hostname,
      port,
      protocol: "http",
      httpAgent,
      telemetry: false
    })
    return {
      small: () => client.customers.retrieve("small"),
      page: () => client.customers.list({ limit: 100 }),
      large: () => client.customers.list({ limit: 10_000 }),
      close: async () => httpAgent.destroy()
    }
  }
}

/** The documents of a collection, over the global fetch. */
const appwrite = async () => {
  const { Client, Databases } = await import("appwrite")
  return async (baseUrl) => {
    const databases = new Databases(new Client().setEndpoint(baseUrl).setProject("p1"))
    return {
      ...calls((name) => () => databases.listDocuments({ databaseId: "db", collectionId: name })),
      small: () => databases.getDocument({ databaseId: "db", collectionId: "small", documentId: "r1" })
    }
  }
}

// `dates`: whether its answers hold `Date` where the JSON holds an ISO string. `built`: it needs the package's `dist`.
// `installed`: it needs the packages of this folder.
const entry = (name, load, version, needs = {}) => ({
  name,
  load,
  version,
  dates: false,
  built: false,
  installed: false,
  ...needs
})
const client = (name, load, id) => entry(name, load, () => versionOf(id), { installed: true })

export const rivals = [
  entry("fetch", bareFetch, () => `Node's fetch (undici ${process.versions.undici})`),
  entry("fetch-walk", fetchAndWalk, () => "fetch, and a walk that turns dates", { dates: true, built: true }),
  entry("undici", undici, () => versionOf("undici")),
  client("axios", overAxios, "axios"),
  client("ky", overKy, "ky"),
  entry("platform", platform, () => `${versionOf("@effect/platform")}, ${versionOf("effect")}`, {
    dates: true
  }),
  client("supabase", supabase, "@supabase/supabase-js"),
  client("directus", directus, "@directus/sdk"),
  client("pocketbase", pocketbase, "pocketbase"),
  client("stripe", overStripe, "stripe"),
  client("appwrite", appwrite, "appwrite")
]
