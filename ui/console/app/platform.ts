/** What is said of the platform, as its server tells the page: a module that comes with the page, where it says how the platform differs. */
import { InputError, makePlatform, readerOfPlatform } from "@quartet/sdk/extend"
import type { Definition, Platform } from "@quartet/sdk/platform"
import * as Effect from "effect/Effect"
import { platformModule } from "./config.js"

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
