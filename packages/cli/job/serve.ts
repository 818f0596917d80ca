/** Serves the console with the runs of a store, to this machine alone, until it is stopped. */
import * as Http from "node:http"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import { drain, guard } from "@quartet/sdk/extend"
import { Fleet } from "@quartet/fleet/engine"
import * as Console from "@quartet/console/serve"
import { beside, check, make, base } from "@quartet/fleet/http"
import { untilStopped } from "../exit.js"
import { colours, print } from "../output.js"
import { refused } from "../refused.js"
import { watching } from "./fleet.js"
import type { StoreGiven } from "./given.js"
import { placeOf } from "./place.js"

const host = "127.0.0.1"

/** Where the console is, and where it is not. */
const absent =
  "The console is not built: in a clone of the repository, npm run build:console makes it; the package has none."

/** Stands for the console. */
const notice: HttpApp.Default = Effect.succeed(
  HttpServerResponse.text(`${absent} The runs are at ${base}, as JSON.\n`, { status: 404 })
)

/** The console's pages, which begin with the jobs: they alone are served here. */
const pagesOf = (pages: HttpApp.Default): HttpApp.Default =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    /^\/(\?|$)/.test(url) ? Effect.succeed(HttpServerResponse.redirect("/jobs")) : pages
  )

interface ServeGiven extends StoreGiven {
  readonly port: number
}

export const serve = ({ port, ...given }: ServeGiven) =>
  Effect.gen(function* () {
    const place = yield* placeOf(given)
    const program = Effect.gen(function* () {
      const fleet = yield* Fleet
      const pages = yield* Effect.option(Console.load())
      const server = guard(Http.createServer(), check)
      const { address } = yield* Effect.mapError(
        NodeHttpServer.make(() => server, { port, host }),
        (error) => refused("job serve", error, port)
      )
      yield* Effect.addFinalizer(() => drain(server))
      const handler = yield* NodeHttpServer.makeHandler(
        beside(make(fleet), pages._tag === "Some" ? pagesOf(pages.value) : notice)
      )
      server.on("request", handler)
      const url = `http://${host}:${address._tag === "TcpAddress" ? address.port : port}`
      yield* print(
        pages._tag === "Some"
          ? `The jobs are shown on ${colours.cyan(`${url}/jobs`)}`
          : `The runs are at ${colours.cyan(url + base)}, as JSON. ${absent}`
      )
      yield* print(colours.dim("This machine alone can see and steer them. Ctrl+C stops it."))
      return yield* Effect.never
    })
    return yield* untilStopped(Effect.provide(program, watching(place)), print("The console has stopped."))
  }).pipe(Effect.scoped)
