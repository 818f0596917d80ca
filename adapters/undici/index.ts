/** The Transport over undici's keep-alive pool: the fastest one on Node. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Agent, type Dispatcher } from "undici"
import { InputError } from "../../core/kernel/errors/errors.js"
import { type Service, Transport } from "../../core/ports/transport.js"
import { dispatcherRule, exchange } from "./exchange.js"
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
 * invalid, or of undici 6 or older; where that cannot be seen, as of its MockAgent, each call fails with a NetworkError.
 * @category constructors
 */
export const make = (dispatcher: Dispatcher = sharedAgent()): Service => {
  if (typeof Object(dispatcher).dispatch !== "function" || isOld(dispatcher))
    throw new InputError({ operation: "UndiciTransport.make", field: "dispatcher", rule: dispatcherRule })
  return over(dispatcher, dispatcher === shared || isPlain(dispatcher))
}

/** Whether it is a dispatcher of undici 6: no other has a method of this name. Its agents that wrap others have none. */
const isOld = (value: object | null): boolean =>
  value !== null &&
  (Object.getOwnPropertySymbols(value).some(({ description }) => description === "Intercepted Dispatch") ||
    isOld(Object.getPrototypeOf(value)))

/** The object in a chain of prototypes that has a property of its own by this name. */
const ownerOf = (value: object | null, name: string): object | undefined =>
  value === null || Object.hasOwn(value, name)
    ? (value ?? undefined)
    : ownerOf(Object.getPrototypeOf(value), name)

/**
 * Whether undici's own connections call the handlers, of this copy of undici or of another one: an Agent, a Pool, a Client or a ProxyAgent that
 * nothing wraps. Only names tell another copy's classes. Where a bundler changed those, an abandoned request costs its connection.
 */
const isPlain = (dispatcher: Dispatcher): boolean => {
  const owner = ownerOf(dispatcher, "dispatch")
  return (
    owner?.constructor.name === "DispatcherBase" &&
    Reflect.get(owner, "dispatch") === dispatcher.dispatch &&
    Object.getOwnPropertySymbols(dispatcher)
      .filter(({ description }) => description === "factory")
      .every((factory) => Reflect.get(dispatcher, factory)?.name === "defaultFactory")
  )
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
