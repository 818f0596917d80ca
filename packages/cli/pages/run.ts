/** Serves the console for a platform, to this machine alone, until it is stopped. The page's calls go through this server. */
import type { RequestListener } from "node:http"
import { Guard } from "@quartet/sdk/extend/http"
import { createRequestListener } from "@remix-run/node-fetch-server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { addressOf, configuration } from "../configuration.js"
import { codes, Problem, untilStopped } from "../exit.js"
import { colours, print } from "../output.js"
import { type Forwarding, forward, tunnel } from "./forward.js"
import * as Pages from "./serve.js"

export interface ConsoleOptions {
  readonly port: number
  readonly baseUrl: Option.Option<string>
  readonly legacyUrl: Option.Option<string>
  readonly dotenv: Option.Option<string>
}

/** Where the platform's calls are reached on this server, and its chat, which stands at the root of a host. No address of the page begins so. */
const [calls, chat] = ["/platform", "/api_private"]

/** The page alone is served, and no page of another origin. */
const check = Either.getOrThrow(Guard.make({ name: "the console", host: Pages.host, pages: "own" }))

const isOfChat = (url = ""): boolean => url.startsWith(`${chat}/`)

export const serve = (options: ConsoleOptions) =>
  Effect.gen(function* () {
    const { find } = yield* configuration(options.dotenv)
    const baseUrl = Option.getOrElse(options.baseUrl, () => find("QUARTET_BASE_URL"))
    if (baseUrl === undefined)
      return yield* new Problem({
        message: "the console needs to know the platform",
        next: "Name it: quartet console --base-url https://api.example.com. To look around without one: quartet tour",
        code: codes.usage
      })
    const legacyUrl = Option.getOrElse(options.legacyUrl, () => find("QUARTET_LEGACY_URL")) ?? baseUrl
    const [projectId, apiKey] = [find("QUARTET_PROJECT_ID"), find("QUARTET_API_KEY")]
    const pages = yield* Effect.mapError(
      Pages.pages({
        baseUrl: calls,
        platform: baseUrl,
        ...(projectId === undefined ? {} : { projectId }),
        ...(apiKey === undefined ? {} : { apiKey })
      }),
      ({ message }) => new Problem({ message })
    )
    const forwarding: Forwarding = {
      name: "quartet console",
      addresses: {
        api: yield* addressOf("--base-url", baseUrl),
        legacy: yield* addressOf("--legacy-url", legacyUrl)
      },
      // To the platform it is a program, and no page of this server's origin.
      dropped: ["origin", "referer", "cookie"]
    }
    const ofCalls: Forwarding = { ...forwarding, prefix: calls }
    const [toCalls, toChat, toPages] = [
      forward(ofCalls),
      forward(forwarding),
      createRequestListener((request) => pages(request))
    ]
    const listenerOf = (url = ""): RequestListener => {
      if (url.startsWith(`${calls}/`)) return toCalls
      return isOfChat(url) ? toChat : toPages
    }
    const url = yield* Pages.serve({
      command: "console",
      port: options.port,
      check,
      listener: (request, response) => listenerOf(request.url)(request, response),
      onUpgrade: (request, socket, head) =>
        isOfChat(request.url) ? tunnel(forwarding)(request, socket, head) : void socket.destroy()
    })
    yield* print(`The console for ${colours.cyan(baseUrl)} is at ${colours.cyan(url)}`)
    yield* print(colours.dim("This machine alone can reach it. Ctrl+C stops it."))
    return yield* untilStopped(Effect.never, print("The console has stopped."))
  }).pipe(Effect.scoped)
