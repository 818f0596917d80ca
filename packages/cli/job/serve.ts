/** Serves the console with the runs of a store, to this machine alone, until it is stopped. */
import { Fleet } from "@quartet/fleet/extend"
import * as Handler from "@quartet/fleet/handler"
import { base } from "@quartet/fleet/http"
import { createRequestListener } from "@remix-run/node-fetch-server"
import * as Effect from "effect/Effect"
import { untilStopped } from "../exit.js"
import { colours, print } from "../output.js"
import * as Pages from "../pages/serve.js"
import { watching } from "./fleet.js"
import type { StoreOptions } from "./options.js"
import { placeOf } from "./place.js"

type Answer = (request: Request) => Response

/** Where the console is, and where it is not. */
const absent = "The console is not built: npm run build makes it."

/** Stands for the console. */
const notice: Answer = () =>
  new Response(`${absent} The runs are at ${base}, as JSON.\n`, {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" }
  })

/** The console's pages, which begin with the jobs: they alone are served here. */
const pagesOf =
  (pages: Answer): Answer =>
  (request) =>
    new URL(request.url).pathname === "/"
      ? new Response(null, { status: 302, headers: { location: "/jobs" } })
      : pages(request)

interface ServeOptions extends StoreOptions {
  readonly port: number
}

export const serve = ({ port, ...options }: ServeOptions) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    const program = Effect.gen(function* () {
      const fleet = yield* Fleet
      const pages = yield* Effect.option(Pages.pages())
      const url = yield* Pages.serve({
        command: "job serve",
        port,
        check: Handler.check,
        listener: createRequestListener(
          Handler.beside(Handler.make(fleet), pages._tag === "Some" ? pagesOf(pages.value) : notice)
        )
      })
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
