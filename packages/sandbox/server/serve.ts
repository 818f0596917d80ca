/** A sandbox that serves HTTP and socket.io on one port, until its scope ends. */
import * as Http from "node:http"
import { InputError, type Known, read } from "@quartet/sdk/extend"
import { Guard, listen, type ServeError } from "@quartet/sdk/extend/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Sandbox from "../sandbox.js"
import * as App from "./app.js"
import * as Chat from "./chat.js"
import * as Storage from "./storage.js"

/** The options of the server. @category models */
export interface ServeOptions extends Sandbox.Options, Guard.Options {
  /** 4400 by default; 0 takes any free one. */
  readonly port?: number
  /** `127.0.0.1` by default: only this machine can reach it. */
  readonly host?: string
  /** Maximum bytes of a request's body; 32 MiB by default. */
  readonly maxBodyBytes?: number
  /** Serves the paths without a call of the platform, such as an app's pages. */
  readonly fallback?: App.FetchHandler
  /** Called with the reason why a request was refused for its host or origin, and what would allow it. */
  readonly onRefused?: (message: string) => void
}

/** A sandbox that is being served. @category models */
export interface Served extends Pick<Sandbox.Sandbox, "platform" | "hub" | "control"> {
  /** Scheme, host and port: the `baseUrl` of every client. */
  readonly url: string
  readonly port: number
}

const known = {
  ...Sandbox.known,
  port: "any",
  host: "string",
  maxBodyBytes: "any",
  fallback: "any",
  onRefused: "function",
  allowedHosts: "any",
  allowedOrigins: "any"
} satisfies Known<ServeOptions>

const refuse = (field: string, rule: string): Either.Either<never, InputError> =>
  Either.left(new InputError({ operation: "sandbox.serve", field, rule }))

/** The default port. @category constants */
export const defaultPort = 4400

const hostOf = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/** What would allow a host or an origin. */
const advise: Guard.Guarded["advise"] = (what, value) =>
  what === "host"
    ? `. Allow it with --allow-host ${value}, in code with allowedHosts`
    : `. Allow them with --allow-origin ${value}, in code with allowedOrigins`

/** The check of who may use a sandbox that listens on the host: programs and pages of this machine, and whoever it allows. */
const accessTo = (
  { allowedHosts = [], allowedOrigins = [] }: Guard.Options,
  host: string
): Either.Either<Guard.Check, InputError> =>
  Either.mapLeft(
    Guard.make({ name: "the sandbox", host, pages: "loopback", allowedHosts, allowedOrigins, advise }),
    (mistake) => new InputError({ operation: "sandbox.serve", ...mistake })
  )

/**
 * Serves a sandbox over HTTP and socket.io, on port 4400 of this machine by default; port 0 is any that is free.
 * Fails with ServeError if the port is taken; its `cause` is Node's own error (`EADDRINUSE`), with InputError if an
 * option breaks a rule. When the scope closes, connections are ended: idle ones at once, requests in flight within
 * two seconds.
 *
 * @example
 * ```ts
 * import * as SandboxServer from "@quartet/sandbox/server"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function* () {
 *   const { control, url } = yield* SandboxServer.serve({ port: 0 })
 *   control.setLatency("200 millis")
 *   const response = yield* Effect.promise(() => fetch(`${url}/request-action`))
 *   console.log(response.status)
 * }).pipe(Effect.scoped)
 * ```
 * @category constructors
 */
export const serve = (
  rawOptions: ServeOptions = {}
): Effect.Effect<Served, ServeError | InputError, Scope.Scope> =>
  Effect.gen(function* () {
    const options = yield* read("sandbox.serve", "options", rawOptions, known)
    const { fallback, host = "127.0.0.1", maxBodyBytes = 32 * 1024 * 1024, port = defaultPort } = options
    if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
      return yield* refuse("port", "must be a whole number from 0 to 65,535")
    if (host.trim() === "") return yield* refuse("host", "must be the name or address to listen on")
    if (!(Number.isInteger(maxBodyBytes) && maxBodyBytes >= 1))
      return yield* refuse("maxBodyBytes", "must be a whole number of bytes, at least 1")
    const parts = yield* Sandbox.core(options, new Date(yield* Clock.currentTimeMillis))
    const access = yield* accessTo(options, host)
    const server = Guard.guard(Http.createServer(), access, options.onRefused)
    // Only requests: upgrades belong to socket.io.
    server.on("request", yield* App.make(parts.platform, { maxBodyBytes, fallback }))
    const actual = yield* listen(server, { port, host })
    yield* Chat.serve(server, parts.hub, parts.platform.wire.chat)
    const { storage } = parts.platform.wire
    if (storage !== undefined) storage.origin = yield* Storage.serve(storage, access)
    return { ...parts, port: actual, url: `http://${hostOf(host)}:${actual}` }
  })
