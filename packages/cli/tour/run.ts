/** The tour: starts the sandbox, uses it with the four clients, prints a report, and keeps serving. */
import { configuration as ofSandbox } from "@quartet/console/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as Socket from "@quartet/sdk/adapters/socket"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { addressOf, configuration } from "../configuration.js"
import { Problem, refused, untilStopped } from "../exit.js"
import { colours, print } from "../output.js"
import { pages as builtPages } from "../pages/serve.js"
import { clients, places } from "./places.js"
import * as Screen from "./screen.js"
import { steps } from "./steps.js"
import { walk } from "./walk.js"

export interface TourOptions {
  /** Ends after the tour instead of serving further. */
  readonly isOnce: boolean
  /** Another server to tour; none to start a sandbox. */
  readonly baseUrl: Option.Option<string>
  /** None: 4400, or any free port if that one is taken. */
  readonly port: Option.Option<number>
  readonly seed: number
  readonly latency: number
  readonly hasNoConsole: boolean
  readonly dotenv: Option.Option<string>
}

/** Serves the sandbox and the console: on the port that was asked for, else on 4400 or, where that is taken, on a free one. */
const serve = (
  { latency, port, seed }: TourOptions,
  pages: Server.FetchHandler | undefined
): Effect.Effect<string, Problem, Scope.Scope> => {
  const at = (chosen: number) =>
    Server.serve({ port: chosen, seed, latency, ...(pages === undefined ? {} : { fallback: pages }) })
  const served = Option.match(port, {
    onSome: at,
    onNone: () =>
      Effect.catchIf(
        at(Server.defaultPort),
        ({ cause }) => codeOf(cause) === "EADDRINUSE",
        () =>
          Effect.zipRight(
            print(colours.dim(`  Port ${Server.defaultPort} is taken: another one is used.`)),
            at(0)
          )
      )
  })
  return Effect.mapBoth(served, {
    onFailure: (error) =>
      refused(
        "tour",
        error,
        Option.getOrElse(port, () => Server.defaultPort)
      ),
    onSuccess: ({ url }) => url
  })
}

/** The console's pages, where they are wanted and built. */
const pagesOf = ({ baseUrl, hasNoConsole }: TourOptions): Effect.Effect<Server.FetchHandler | undefined> =>
  hasNoConsole || Option.isSome(baseUrl)
    ? Effect.succeed(undefined)
    : Effect.orElseSucceed(builtPages(ofSandbox), () => undefined)

export const tour = (options: TourOptions) =>
  Effect.gen(function* () {
    if (Option.isSome(options.baseUrl)) yield* addressOf("--base-url", options.baseUrl.value)
    yield* print("")
    const pages = yield* pagesOf(options)
    const isOther = Option.isSome(options.baseUrl)
    const url = isOther ? options.baseUrl.value : yield* serve(options, pages)
    yield* print(
      `  ${colours.bold("Quartet")}  ${isOther ? "the server" : "a sandbox"} at ${colours.cyan(url)}\n`
    )
    const started = performance.now()
    // The variables of another platform are not for a sandbox.
    const find = isOther ? (yield* configuration(options.dotenv)).find : () => undefined
    const where = places(url, find)
    const results = yield* walk(steps(where), (result) => print(Screen.step(result))).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(clients(where), Layer.merge(Transport.layer, Socket.layer)))
    )
    yield* print(`\n${Screen.summary(results, performance.now() - started)}\n`)
    const failed = results.find(({ error }) => error !== undefined)
    if (options.isOnce || isOther) {
      if (failed !== undefined) return yield* new Problem({ message: `the tour ended at: ${failed.what}` })
      return
    }
    yield* print(`${Screen.next(url, pages !== undefined)}\n`)
    yield* print(colours.dim("  The sandbox keeps serving. Everything is in memory. Ctrl+C stops it."))
    return yield* untilStopped(Effect.never, Effect.void, failed === undefined ? 0 : 1)
  }).pipe(Effect.scoped)
