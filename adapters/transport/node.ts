/**
 * The default Transport on Node: a keep-alive pool of undici's for the process, loaded by the first request, or `fetch`
 * where the program has changed what that does.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { collect } from "../../core/kernel/codec/form.js"
import type { Abandon, AnyRequest, Outcome, Service } from "../../core/ports/transport.js"
import * as FetchTransport from "../fetch/index.js"
import { failed, native } from "../fetch/node.js"
import { isStandard } from "./global-dispatcher.js"

type Start<R> = (request: R, settle: (outcome: Outcome) => void) => Abandon

/** Fetch takes no streams: they are read into memory first. */
const makeOverFetch = (): Required<Service> => {
  const { start } = FetchTransport.make()
  return {
    start,
    stream: (request, settle) => {
      const { body } = request
      if (body === undefined) return start({ ...request, body }, settle)
      let abandon: Abandon | undefined
      const collected = Effect.match(collect(body), {
        onFailure: ({ cause, field }) =>
          settle({ _tag: "Unreadable", part: field.replace(/\.content$/, ""), cause }),
        onSuccess: (whole) => {
          abandon = start({ ...request, body: whole }, settle)
        }
      })
      const cancel = Effect.runCallback(collected)
      return () => {
        if (abandon !== undefined) return abandon()
        cancel()
        return false
      }
    }
  }
}

let fetching: Required<Service> | undefined
const overFetch = (): Required<Service> => {
  fetching ??= makeOverFetch()
  return fetching
}

/** An open pool. */
interface Pool extends Required<Service> {
  readonly close: () => Promise<void>
}

/** Loads undici. A bundle may leave it out, or not be able to load it: then fetch stands in. */
const load = (): Promise<Pool> =>
  Promise.all([import("../undici/pool.js"), import("../undici/exchange.js")]).then(
    ([{ makePool }, { exchange }]) => {
      const agent = makePool()
      const start = exchange(agent, true)
      return { start, stream: start, close: () => agent.destroy() }
    },
    () => ({ ...overFetch(), close: () => Promise.resolve() })
  )

/** How many scopes hold the pool; the last one closes it. */
let holders = 0
let loading: Promise<Pool> | undefined
let open: Pool | undefined

/** An exchange over what is the cheapest when it starts. */
const exchange =
  <R extends AnyRequest>(startOf: (transport: Required<Service>) => Start<R>): Start<R> =>
  (request, settle) => {
    if (globalThis.fetch !== native || !isStandard() || holders === 0)
      return startOf(overFetch())(request, settle)
    if (open !== undefined) return startOf(open)(request, settle)
    loading ??= load()
    const mine = loading
    let isAbandoned = false
    let abandon: Abandon = () => {
      isAbandoned = true
      return false
    }
    mine
      .then((pool) => {
        if (loading === mine) open = pool
        if (!isAbandoned) abandon = startOf(pool)(request, settle)
      })
      .catch((cause: unknown) => settle(failed(cause)))
    return () => abandon()
  }

const service: Service = {
  start: exchange((transport) => transport.start),
  stream: exchange((transport) => transport.stream)
}

const release: Effect.Effect<void> = /*#__PURE__*/ Effect.suspend(() => {
  holders -= 1
  if (holders > 0 || loading === undefined) return Effect.void
  const last = loading
  loading = open = undefined
  return Effect.promise(() => last.then(({ close }) => close()))
})

export const make: Effect.Effect<Service, never, Scope.Scope> = /*#__PURE__*/ Effect.acquireRelease(
  Effect.sync(() => {
    holders += 1
    return service
  }),
  () => release
)
