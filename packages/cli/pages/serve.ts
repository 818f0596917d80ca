/** What a command serves to this machine: the console's pages, which are built into this package, and what stands beside them. */
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import { fileURLToPath } from "node:url"
import type { Configuration } from "@quartet/console/configuration"
import * as Console from "@quartet/console/serve"
import { type Guard, guard, listen } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Problem } from "../exit.js"
import { refused } from "../exit.js"

/** Where all of it listens. */
export const host = "127.0.0.1"

/** Where the console is built to, as seen from the sources or from the bundle. */
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../dist/console" : "./console", import.meta.url)
)

/** The console's pages. Fails with ConsoleMissing in a clone where they are not built. */
export const pages = (configuration: Configuration = {}, modules?: ReadonlyMap<string, string>) =>
  Console.load(folder, configuration, modules)

interface Serving {
  readonly command: string
  /** 0 takes any free one. */
  readonly port: number
  readonly check: Guard.Check
  readonly listener: Http.RequestListener
  /** Takes connections that are no requests, such as a chat's; without it there are none. */
  readonly onUpgrade?: (request: Http.IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Serves to this machine alone until the scope ends; answers the address. */
export const serve = ({
  check,
  command,
  listener,
  onUpgrade,
  port
}: Serving): Effect.Effect<string, Problem, Scope.Scope> => {
  const server = guard(Http.createServer(listener), check)
  if (onUpgrade !== undefined) server.on("upgrade", onUpgrade)
  return Effect.mapBoth(listen(server, { host, port }), {
    onFailure: (error) => refused(command, error, port),
    onSuccess: (actual) => `http://${host}:${actual}`
  })
}
