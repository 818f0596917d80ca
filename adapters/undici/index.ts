/** The Transport over undici's keep-alive pool: the fastest one on Node. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Agent, type Dispatcher } from "undici"
import { type Service, Transport } from "../../core/ports/transport.js"
import { exchange } from "./exchange.js"

export type Options = Agent.Options

/** Makes the transport over a dispatcher of the caller's own: an Agent, a Pool, a ProxyAgent, a MockAgent. */
export const make = (dispatcher: Dispatcher): Service => {
  const start = exchange(dispatcher)
  return { start, stream: start }
}

/** The transport over an Agent that is closed with the layer. */
export const layerWith = (options: Options): Layer.Layer<Transport> =>
  Layer.scoped(
    Transport,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Agent(options)),
        (agent) => Effect.promise(() => agent.destroy())
      ),
      make
    )
  )

/** The transport with a keep-alive pool of up to 64 connections to each origin. */
export const layer: Layer.Layer<Transport> = /*#__PURE__*/ layerWith({ connections: 64 })
