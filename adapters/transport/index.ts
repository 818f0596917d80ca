/**
 * The default Transport, the cheapest one of the runtime: undici on Node, the global `fetch` everywhere else. Which one
 * is decided by the package conditions, so that a bundle for browsers holds nothing of undici.
 */
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Default from "#runtime/transport"
import { type Service, Transport } from "../../core/ports/transport.js"

/**
 * Makes the transport. On Node all of these share one keep-alive pool of up to 64 connections to each origin, which is
 * loaded and opened by the first request, and closed with the last scope; no idle connection keeps a process alive.
 * Requests go through the global `fetch` where the program has replaced it, or has set a global dispatcher of undici's
 * with options of its own (a proxy, a mock, certificates; Node sets one for `NODE_USE_ENV_PROXY`), and where undici cannot
 * be loaded.
 * @category constructors
 */
export const make: Effect.Effect<Service, never, Scope.Scope> = Default.make

/**
 * The default transport: the cheapest of each runtime. On Node it is undici with one pool for the whole process,
 * elsewhere the global fetch. Promise clients have it without being told.
 *
 * @example
 * ```ts
 * import * as DefaultTransport from "@quartet/sdk/adapters/transport"
 * import * as Public from "@quartet/sdk/public"
 * import * as Layer from "effect/Layer"
 *
 * const live = Public.layer({ baseUrl: "https://api.example.com", apiKey: "key" }).pipe(
 *   Layer.provide(DefaultTransport.layer)
 * )
 * ```
 * @category layers
 */
export const layer: Layer.Layer<Transport> = /*#__PURE__*/ Layer.scoped(Transport, make)
