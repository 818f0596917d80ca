/** A fleet's handler and the console's pages as one HTTP application of Node. */
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import { isOurs } from "./wire.js"

/** The runs of a fleet at their own addresses, and the pages at all others. */
export const beside = (
  handle: (request: Request) => Promise<Response>,
  pages: HttpApp.Default
): HttpApp.Default<unknown> => {
  const runs = HttpApp.fromWebHandler(handle)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    isOurs(url.split("?", 1)[0] ?? "") ? runs : pages
  )
}
