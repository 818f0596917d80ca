/** What is said of the platform, as its server tells the page: a module that comes with the page, where it says how the platform differs. */
import {
  type AnyRequest,
  InputError,
  makePlatform,
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

const load = async (path: string): Promise<Platform> => {
  const { default: value }: { readonly default?: unknown } = await import(/* @vite-ignore */ path)
  const reader = readerOfPlatform(value)
  if (reader !== undefined) return makePlatform(reader)
  const { make } = await import("@quartet/sdk/platform")
  // Clients check what it says.
  return make(here(Object(value) as Definition))
}

/** What browsers say of a module that they do not get. A module's own words may hold what it has read. */
const ofBrowsers = /^(failed to (fetch|resolve)|error (loading|resolving)|importing) /i

const whyOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "it throws something else than an error"
  return ofBrowsers.test(cause.message)
    ? cause.message
    : `it throws ${cause instanceof SyntaxError ? "a SyntaxError" : "an error"}`
}

/** The option of the clients that says it. */
export interface Spoken {
  readonly platform?: Platform
}

/** Loads it once, when the first client is made. */
export const spoken: Effect.Effect<Spoken, InputError> =
  platformModule === undefined
    ? Effect.succeed({})
    : Effect.runSync(
        Effect.cached(
          Effect.tryPromise({
            try: async (): Promise<Spoken> => ({ platform: await load(platformModule ?? "") }),
            catch: (cause) =>
              new InputError({
                operation: "client",
                field: "platform",
                rule: `could not be loaded by this page: ${whyOf(cause)}`
              })
          })
        )
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
