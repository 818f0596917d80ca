/** The Transport over undici's keep-alive pool: the fastest one on Node. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Agent, type Dispatcher } from "undici"
import { port } from "../../core/kernel/operation/options.js"
import { type Service, Transport } from "../../core/ports/transport.js"
import { exchange } from "./exchange.js"
import { connections, makePool } from "./pool.js"

/** The options of the transport. @category models */
export type Options = Agent.Options

let shared: Agent | undefined

/** One pool for the process, like that of the global fetch. */
const sharedAgent = (): Agent => {
  shared ??= makePool()
  return shared
}

/**
 * Makes the transport over the caller's dispatcher (an Agent, a Pool, a ProxyAgent, a MockAgent), which the caller
 * closes. Without one, all share one keep-alive pool of up to 64 connections to each origin, which need not be closed:
 * an idle connection ends after a few seconds, and none keeps a process alive. Throws InputError if the dispatcher is
 * invalid.
 * @category constructors
 */
export const make = (dispatcher: Dispatcher = sharedAgent()): Service => {
  const name = "Dispatcher of undici, such as new Agent({ … })"
  Either.getOrThrowWith(
    port("UndiciTransport.make", "dispatcher", dispatcher, ["dispatch"], name),
    (refused) => refused
  )
  return over(dispatcher, dispatcher === shared)
}

const over = (dispatcher: Dispatcher, isPlain: boolean): Service => {
  const start = exchange(dispatcher, isPlain)
  return { start, stream: start }
}

/** The transport over an Agent that is closed with the layer. @category layers */
export const layerWith = (options: Options): Layer.Layer<Transport> =>
  Layer.scoped(
    Transport,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Agent(options)),
        (agent) => Effect.promise(() => agent.destroy())
      ),
      (agent) => over(agent, options.factory === undefined)
    )
  )

/** The transport with a keep-alive pool of up to 64 connections to each origin. @category layers */
export const layer: Layer.Layer<Transport> = /*#__PURE__*/ layerWith({ connections })
