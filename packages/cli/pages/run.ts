/** Serves the console for a platform, to this machine alone, until it is stopped. The page's calls go through this server. */
import type { RequestListener } from "node:http"
import { hostHeader } from "@quartet/console/configuration"
import { own, readerOfPlatform, Settings, withoutEnd } from "@quartet/sdk/extend"
import { Guard } from "@quartet/sdk/extend/http"
import type * as Platform from "@quartet/sdk/platform"
import { createRequestListener } from "@remix-run/node-fetch-server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { addressOf, configuration } from "../configuration.js"
import { codes, Problem, untilStopped } from "../exit.js"
import { colours, print } from "../output.js"
import * as PlatformModules from "../platform.js"
import { Cookies } from "./cookies.js"
import { type Forwarding, forward, tunnel } from "./forward.js"
import * as Modules from "./modules.js"
import * as Pages from "./serve.js"

export interface ConsoleOptions {
  readonly port: number
  readonly baseUrl: Option.Option<string>
  readonly legacyUrl: Option.Option<string>
  readonly dotenv: Option.Option<string>
  readonly platform: Option.Option<string>
}

/** Where the platform's calls are reached on this server. No address of the page begins so. */
const calls = "/platform"

/** The path of the platform's chat, which stands at the root of a host, as it is here. */
const usualChat = "/api_private/v1/chat"

/** The page alone is served, and no page of another origin. */
const check = Either.getOrThrow(Guard.make({ name: "the console", host: Pages.host, pages: "own" }))

/** Whether a request is one of a chat's engine: a page may be at the same path. */
const isOfChat = (url: string, chat: string): boolean => {
  const [path = "", query = ""] = url.split("?", 2)
  return withoutEnd(path, "/") === withoutEnd(chat, "/") && /(^|&)EIO=/.test(query)
}

/** How the platform differs, for the page and for what is passed on. */
const spokenOf = (named: ConsoleOptions["platform"], baseUrl: string, projectId: string | undefined) =>
  Effect.gen(function* () {
    const module = yield* PlatformModules.read(named)
    if (module === undefined) return undefined
    const { headerNames } = Settings
    const read = readerOfPlatform(module.platform)?.({ baseUrl, headerNames, projectId, isPage: true })
    if (read !== undefined && Either.isLeft(read))
      return yield* new Problem({
        message: read.left.message,
        next: `It comes from ${module.file}.`,
        code: codes.usage,
        error: read.left
      })
    // It was read above, which checks it.
    const { credentials } = (yield* PlatformModules.definitionIn(module)) as Platform.Definition
    return { ...(yield* Modules.read(module)), chat: read?.right.chat, credentials }
  })

/** What of a platform's credentials the page's browser cannot send by itself. */
const relayed = ({ csrf, project, ...carriers }: Platform.Credentials = {}): Partial<Forwarding> => {
  const hasCookies =
    csrf?.cookie !== undefined ||
    Object.values(carriers).some((carrier) => own(carrier, "cookie") !== undefined)
  const host = own(project, "host")
  return {
    ...(hasCookies ? { cookies: new Cookies() } : {}),
    ...(csrf?.cookie === undefined || csrf.value !== undefined
      ? {}
      : { csrf: { header: csrf.header, cookie: csrf.cookie } }),
    ...(typeof host === "string" ? { projects: { header: hostHeader, isHost: hostsLike(host) } } : {})
  }
}

/** Whether a host is that of a project, as `{projectId}.api.example.com` says it. */
const hostsLike = (pattern: string): ((host: string) => boolean) => {
  const parts = pattern.split("{projectId}").map((part) => part.replaceAll(/[^a-z0-9-]/gi, "\\$&"))
  const like = new RegExp(`^${parts.join("[a-z0-9-]+")}$`)
  return (host) => like.test(host)
}

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
    const addresses = {
      api: yield* addressOf("--base-url", baseUrl),
      legacy: yield* addressOf("--legacy-url", legacyUrl)
    }
    const spoken = yield* spokenOf(options.platform, baseUrl, projectId)
    const pages = yield* Effect.mapError(
      Pages.pages(
        {
          baseUrl: calls,
          platform: baseUrl,
          ...(spoken === undefined ? {} : { platformModule: spoken.entry }),
          ...(projectId === undefined ? {} : { projectId }),
          ...(apiKey === undefined ? {} : { apiKey })
        },
        spoken?.modules
      ),
      ({ message }) => new Problem({ message })
    )
    const { path: chat = usualChat, url: chatUrl } = spoken?.chat ?? {}
    const chatAddress = {
      origin: chatUrl === undefined ? addresses.api.origin : new URL(chatUrl).origin,
      prefix: ""
    }
    const forwarding: Forwarding = {
      name: "quartet console",
      addresses,
      // To the platform it is a program, and no page of this server's origin.
      dropped: ["origin", "referer", "cookie"],
      ...relayed(spoken?.credentials)
    }
    const ofCalls: Forwarding = { ...forwarding, prefix: calls }
    const ofChat: Forwarding = { ...forwarding, addresses: { api: chatAddress, legacy: chatAddress } }
    const [toCalls, toChat, toPages] = [
      forward(ofCalls),
      forward(ofChat),
      createRequestListener((request) => pages(request))
    ]
    const listenerOf = (url = ""): RequestListener => {
      if (url.startsWith(`${calls}/`)) return toCalls
      return isOfChat(url, chat) ? toChat : toPages
    }
    const url = yield* Pages.serve({
      command: "console",
      port: options.port,
      check,
      listener: (request, response) => listenerOf(request.url)(request, response),
      onUpgrade: (request, socket, head) =>
        isOfChat(request.url ?? "", chat) ? tunnel(ofChat)(request, socket, head) : void socket.destroy()
    })
    yield* print(`The console for ${colours.cyan(baseUrl)} is at ${colours.cyan(url)}`)
    yield* print(colours.dim("This machine alone can reach it. Ctrl+C stops it."))
    return yield* untilStopped(Effect.never, print("The console has stopped."))
  }).pipe(Effect.scoped)
