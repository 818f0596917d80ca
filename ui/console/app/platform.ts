/** What is said of the platform, as its server tells the page: a module that comes with the page, where it says how the platform differs. */
import {
  type AnyRequest,
  InputError,
  makePlatform,
  own,
  readerOfPlatform,
  Transport,
  type TransportService
} from "@quartet/sdk/extend"
import type { Definition, Platform } from "@quartet/sdk/platform"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostHeader } from "../configuration.js"
import { baseUrl, platformModule } from "./config.js"

/** The same for a page, whose own server passes the chat on: no other host is called. */
const here = ({ chat, ...rest }: Definition): Definition => {
  if (chat === undefined) return rest
  const { url: _, ...spoken } = chat
  return { ...rest, chat: spoken }
}

/** Whether a platform reads of the chat's credentials any by the name of a parameter of its address. */
const readsAddress = ({ chat, credentials: { accessToken, apiKey, session } = {} }: Definition): boolean =>
  chat?.token !== undefined ||
  [accessToken, apiKey, session].some((carrier) => own(carrier, "query") !== undefined)

/** What is said of the platform, for the clients and for the chat's socket. */
interface Loaded {
  readonly spoken: Spoken
  /** Where the socket sends its credentials. */
  readonly query: "address" | "auth"
}

const load = async (path: string): Promise<Loaded> => {
  const { default: value }: { readonly default?: unknown } = await import(/* @vite-ignore */ path)
  const reader = readerOfPlatform(value)
  if (reader !== undefined) return { spoken: { platform: makePlatform(reader) }, query: "auth" }
  const { make } = await import("@quartet/sdk/platform")
  // Clients check what it says.
  const definition = Object(value) as Definition
  return {
    spoken: { platform: make(here(definition)) },
    query: readsAddress(definition) ? "address" : "auth"
  }
}

/** What browsers say of a module that they do not get. A module's own words may hold what it has read. */
const ofBrowsers = /^(failed to (fetch|resolve)|error (loading|resolving)|importing) /i

const whyOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "it throws something that is not an error"
  return ofBrowsers.test(cause.message)
    ? cause.message
    : `it throws ${cause instanceof SyntaxError ? "a SyntaxError" : "an error"}`
}

/** The option of the clients that says it. */
export interface Spoken {
  readonly platform?: Platform
}

/** Loads it once, when the first client is made. */
const loaded: Effect.Effect<Loaded, InputError> =
  platformModule === undefined
    ? Effect.succeed({ spoken: {}, query: "auth" })
    : Effect.runSync(
        Effect.cached(
          Effect.tryPromise({
            try: () => load(platformModule ?? ""),
            catch: (cause) =>
              new InputError({
                operation: "client",
                field: "platform",
                rule: `could not be loaded by this page: ${whyOf(cause)}`
              })
          })
        )
      )

export const spoken: Effect.Effect<Spoken, InputError> = Effect.map(loaded, ({ spoken }) => spoken)

/** Where the chat's socket sends its credentials: in the address, which browsers print in their console, where the platform reads them there alone. */
export const socketQuery: Effect.Effect<Loaded["query"], InputError> = Effect.map(
  loaded,
  ({ query }) => query
)

/** A request to the host of a project goes to the page's own server, which passes it on there: a page may call no other. */
const throughOwn = <R extends AnyRequest>(request: R): R => {
  const { origin } = new URL(baseUrl)
  return request.origin === origin
    ? request
    : { ...request, origin, headers: { ...request.headers, [hostHeader]: new URL(request.origin).hostname } }
}

/** A transport whose requests all go to the page's own server. */
export const throughOwnServer: Layer.Layer<Transport, never, Transport> = Layer.effect(
  Transport,
  Effect.map(Transport, (transport): TransportService => {
    if (platformModule === undefined) return transport
    const { start, stream } = transport
    return {
      start: (request, settle) => start(throughOwn(request), settle),
      ...(stream === undefined ? {} : { stream: (request, settle) => stream(throughOwn(request), settle) })
    }
  })
)
