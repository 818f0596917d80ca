// The contenders, in the table's order. Each loads its client only when it takes part, so that a missing one stops
// nobody else. `load` answers its setup: given a base URL and with a keep-alive pool of its own, a call for each answer,
// and `close`, which gives the sockets back. With `many`, a batch of calls is one call of the contender.

import { rivals, versionOf } from "./rivals.mjs"
import { session } from "./session.mjs"

// Quartet from the build as a user gets it: through the Promise client, as the rivals are called, over its two
// transports; and, over undici, as an Effect that is run a call at a time.

const promised = (connect, configure) => async () => {
  const { createAdminClient } = await import("../../dist/clients/promise/index.js")
  const open = await connect()
  const own = await configure?.()
  return async (baseUrl) => {
    const { transport, end } = open()
    const client = createAdminClient({ baseUrl, ...session, transport, ...own })
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

const undici = async () => {
  const { Agent } = await import("undici")
  const UndiciTransport = await import("../../dist/adapters/undici/index.js")
  return () => {
    const agent = new Agent({ connections: 64 })
    return { transport: UndiciTransport.make(agent), end: () => agent.close() }
  }
}

const overUndici = promised(undici)

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

/** The same, in one fiber for a whole batch, or in one for each call in flight: as a program on Effect makes its calls. */
const inOneFiber = async () => {
  const Effect = await import("effect/Effect")
  const Layer = await import("effect/Layer")
  const ManagedRuntime = await import("effect/ManagedRuntime")
  const UndiciTransport = await import("../../dist/adapters/undici/index.js")
  const Admin = await import("../../dist/clients/admin/index.js")
  return async (baseUrl) => {
    const runtime = ManagedRuntime.make(
      Layer.provide(Admin.layer({ baseUrl, ...session }), UndiciTransport.layer)
    )
    const effects = {
      small: Admin.requests.get({ id: "r1" }),
      page: Admin.requests.list({}),
      large: Admin.requests.list({ limit: 10_000 })
    }
    const single = Object.entries(effects).map(([body, effect]) => [body, () => runtime.runPromise(effect)])
    return {
      ...Object.fromEntries(single),
      many: (body, count, concurrency) => {
        let left = count
        const worker = Effect.whileLoop({
          while: () => left-- > 0,
          body: () => effects[body],
          step: () => undefined
        })
        const workers = Array.from({ length: concurrency }, () => worker)
        return runtime.runPromise(
          concurrency === 1 ? worker : Effect.all(workers, { concurrency, discard: true })
        )
      },
      close: () => runtime.dispose()
    }
  }
}

const quartet = (name, load, library) => ({
  name,
  load,
  version: () => `this package, ${versionOf(library)}`,
  dates: true,
  built: true,
  installed: false
})

export const entries = [
  ...rivals,
  quartet("quartet-fetch", overFetch, "effect"),
  quartet("quartet-undici", overUndici, "undici"),
  quartet("quartet-effect", asEffect, "undici"),
  quartet("quartet-fiber", inOneFiber, "undici")
]

const telemetry = () => import("../../dist/adapters/telemetry/index.js")

/** A tracer whose spans are samples and reach nobody. */
const tracer = {
  startSpan: () => ({
    spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
    setAttribute: () => undefined,
    addEvent: () => undefined,
    setStatus: () => undefined,
    end: () => undefined
  })
}

const middlewares = {
  "quartet-empty": () => [],
  "quartet-passing": () => [{ effect: (next) => (call) => next(call) }],
  "quartet-promise": () => [(next) => (call) => next(call)],
  "quartet-metrics": async () => [{ effect: (await telemetry()).metrics }],
  "quartet-logs": async () => [{ effect: (await telemetry()).logs(await levels()) }],
  "quartet-spans": async () => [{ effect: (await telemetry()).spans(tracer) }]
}

/** Each ending left out: what a line costs is the logger's. */
const levels = async () => {
  const LogLevel = await import("effect/LogLevel")
  return () => LogLevel.None
}

/** Quartet over undici with middleware, for the part that measures it. */
export const withMiddleware = Object.entries(middlewares).map(([name, make]) =>
  quartet(
    name,
    promised(undici, async () => ({ middleware: await make() })),
    "undici"
  )
)

/** The contender that all ratios refer to. */
export const base = "fetch"
