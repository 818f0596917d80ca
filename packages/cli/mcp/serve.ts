/** Serves the protocol on stdin and stdout, until the client closes it. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import type { Bindable } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { clientFor, connect, type Platform } from "../configuration.js"
import type { Connection } from "../connection.js"
import { codes, Problem, untilStopped } from "../exit.js"
import { note } from "../output.js"
import { CanAsk } from "../terminal.js"
import { visible } from "../text.js"
import type { Clients } from "./calls.js"
import * as Server from "./server.js"

const audiences = ["admin", "public", "private", "endUser"] as const

/** The clients that there are credentials for. Others that cannot be made end the command. */
const clientsOf = (platform: Platform) =>
  Effect.map(
    Effect.forEach(audiences, (audience) =>
      clientFor(platform, audience).pipe(
        Effect.map((client): ReadonlyArray<readonly [string, Bindable]> => [[audience, client]]),
        Effect.catchIf(
          (error) =>
            error instanceof Problem && error.code === codes.credentials && error.error === undefined,
          () => Effect.succeed([])
        )
      )
    ),
    (entries): Clients => Object.fromEntries(entries.flat())
  )

/** Speaks the protocol until its end: the client closes stdin, or the process is stopped. */
const speak = (server: Server.Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    const close = (): void => void server.close()
    server.onclose = () => resume(Effect.void)
    process.stdin.once("close", close)
    server.connect(new StdioServerTransport()).catch((cause: unknown) => resume(Effect.die(cause)))
    return Effect.promise(() => server.close())
  })

export interface Options
  extends Connection,
    Pick<Server.Options, "allowsWrites" | "confirmation" | "version"> {}

export const serve = (options: Options) => {
  // Stdout is the protocol's: nothing else may write there.
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  const log = (line: string): void => {
    process.stderr.write(visible(`quartet mcp: ${line}\n`))
  }
  const served = Effect.gen(function* () {
    const platform = yield* connect(options)
    const clients = yield* clientsOf(platform)
    const server = yield* Server.make({ ...options, clients, log })
    const names = Object.keys(clients).join(", ") || "none"
    const rights = options.allowsWrites ? "reads and writes" : "only reads"
    yield* note(`quartet mcp: ${rights} on ${platform.baseUrl}; clients with credentials: ${names}`)
    yield* speak(server)
  })
  // There is nobody to ask: stdin is the protocol's too.
  return untilStopped(Effect.provideService(Effect.scoped(served), CanAsk, false), Effect.void)
}
